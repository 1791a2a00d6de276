/** One step of a check: a command run in the repository, its output shown, its success returned. */
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = join(dirname(fileURLToPath(import.meta.url)), '..');

export function step(name: string, [command, ...args]: readonly [string, ...string[]]): boolean {
  const started = performance.now();
  const done = spawnSync(command, args, { cwd: repository, stdio: ['ignore', 'inherit', 'inherit'] });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const good = done.status === 0;
  process.stderr.write(`orrery: ${name}: ${good ? 'ok' : 'FAILED'} (${seconds} s)\n`);
  return good;
}
