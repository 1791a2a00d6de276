/** The whole program as a person starts it: a process of its own on a data folder, known by its address. */
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const main = join(fileURLToPath(new URL('.', import.meta.url)), '../src/main.ts');

export interface Program {
  readonly url: string;
  readonly process: ChildProcess;
  /** Asks it to stop and waits until it did. @returns its exit code. */
  stop(): Promise<number | null>;
  /** kill -9, and nothing else: what it started is left as a real crash leaves it. */
  kill(): Promise<void>;
}

export interface ProgramOptions {
  readonly dataDirectory: string;
  readonly env?: Readonly<Record<string, string>>;
}

const READY = /Orrery is ready: (http:\/\/\S+)/;

function exited(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => child.once('exit', (code) => resolve(code)));
}

export function startProgram({ dataDirectory, env = {} }: ProgramOptions): Promise<Program> {
  const child = spawn(process.execPath, [main], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ORRERY_PORT: '0', ORRERY_DATA: dataDirectory, ORRERY_LOG: 'warn', ...env },
  });
  let output = '';
  return new Promise((resolve, reject) => {
    const collect = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-20_000);
      const url = READY.exec(output)?.[1];
      if (url !== undefined) resolve({ url, process: child, stop: () => stop(child), kill: () => kill(child) });
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the program ended with ${String(code)} before it was ready:\n${output}`)));
  });
}

async function stop(child: ChildProcess): Promise<number | null> {
  child.kill('SIGTERM');
  return exited(child);
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await exited(child);
}
