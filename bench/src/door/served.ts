/** A server in a process of its own, which tells on its first line how to reach it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from '../../../tools/node-flags.mjs';

export interface Served<Facts> {
  readonly facts: Facts;
  stop(): Promise<void>;
}

export async function serve<Facts>(file: string): Promise<Served<Facts>> {
  const child = spawn(process.execPath, [...NODE_FLAGS, fileURLToPath(new URL(file, import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await Promise.race([
    once(createInterface(child.stdout), 'line').then(([text]) => String(text)),
    once(child, 'exit').then(() => Promise.reject(new Error(`${file} ended before it was ready`))),
  ]);
  return {
    facts: JSON.parse(line) as Facts,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
