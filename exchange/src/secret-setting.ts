/** A secret comes by its variable, or by a file that `<name>_FILE` names: a file is not inherited, and shows in no list of processes. */
import { readFileSync } from 'node:fs';
import { StartError } from './start-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** @throws StartError when both are given, or the file can not be read. */
export function secret(env: Environment, name: string): string | undefined {
  const given = env[name] === '' ? undefined : env[name];
  const file = env[`${name}_FILE`];
  if (file === undefined || file === '') return given;
  if (given !== undefined) throw new StartError(`${name} and ${name}_FILE are both given: keep one of them`);
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (cause) {
    throw new StartError(`The file of ${name}_FILE can not be read: ${file}`, { cause });
  }
}
