/** A server in a separate process; its first line of output holds its address. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from '../../../tools/node-flags.mjs';
import { MEMORY_SIGNAL } from './report-memory.ts';

export interface Served<Facts> {
  readonly facts: Facts;
  /** Live heap after a full collection, in MiB; for servers that report it (`tell-memory.ts`). */
  aliveMiB(): Promise<number>;
  stop(): Promise<void>;
}

/** @param env beside the environment of this process. */
export async function serve<Facts>(file: string, env: NodeJS.ProcessEnv = {}): Promise<Served<Facts>> {
  const child = spawn(process.execPath, [...NODE_FLAGS, '--expose-gc', fileURLToPath(new URL(file, import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const lines = createInterface(child.stdout);
  const nextLine = (): Promise<string> => once(lines, 'line').then(([text]) => String(text));
  const line = await Promise.race([
    nextLine(),
    once(child, 'exit').then(() => Promise.reject(new Error(`${file} ended before it was ready`))),
  ]);
  return {
    facts: JSON.parse(line) as Facts,
    async aliveMiB() {
      const reported = nextLine();
      child.kill(MEMORY_SIGNAL);
      return Number(await reported);
    },
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
