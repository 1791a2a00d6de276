/** Reads the settings from the environment, a secret from the file that `<NAME>_FILE` names too. */
import { readFileSync } from 'node:fs';
import { Value } from 'typebox/value';
import type { SettingSchema } from './setting-kinds.ts';
import { SETTING_SCHEMAS, type Settings } from './settings.ts';
import { StartError } from './start-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** @throws StartError naming the variable that can not be used, in one sentence; a secret is not shown. */
export function readSettings(env: Environment): Settings {
  const given: Record<string, unknown> = {};
  for (const [name, schema] of SETTING_SCHEMAS) {
    const text = schema.secret === true ? secretOf(env, name) : present(env[name]);
    const value = text === undefined ? schema.default : parsed(text, schema);
    if (value === undefined) continue;
    if (!Value.Check(schema, value))
      throw new StartError(`${name} must be ${demandOf(schema)}${schema.secret === true ? '' : `, not "${text}"`}`);
    given[name] = value;
  }
  return given as Settings;
}

const present = (text: string | undefined): string | undefined => (text === undefined || text === '' ? undefined : text);

/** Only plain digits are a number: neither `1e3` nor blanks. */
function parsed(text: string, schema: SettingSchema): unknown {
  if (schema.type === 'integer') return /^[0-9]{1,9}$/.test(text) ? Number(text) : text;
  if (schema.type !== 'array') return text;
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** What a value must be, in words. */
export function demandOf({ type, enum: choices, minimum, maximum, must }: SettingSchema): string {
  if (type === 'integer') return `a whole number from ${minimum} to ${maximum}`;
  if (type === 'array') return 'texts, separated by commas';
  return choices === undefined ? (must ?? 'text') : `one of ${choices.join(', ')}`;
}

function secretOf(env: Environment, name: string): string | undefined {
  const file = `${name}_FILE`;
  const path = present(env[file]);
  const own = present(env[name]);
  if (path === undefined) return own;
  if (own !== undefined) throw new StartError(`${name} and ${file} are both given: keep one of them`);
  const text = readText(path, file).trim();
  if (text === '') throw new StartError(`${file} names ${path}, which is empty`);
  return text;
}

/** @throws StartError naming the variable when the file that it names can not be read. */
export function readText(path: string, name: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new StartError(`${name} names ${path}, which can not be read: ${(cause as NodeJS.ErrnoException).code ?? String(cause)}`, {
      cause,
    });
  }
}
