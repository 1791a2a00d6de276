/** Runs a script in a child process, with or without strace, and gathers its answers until its end. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('play-script.ts', import.meta.url));

export interface ScriptRun {
  readonly directory: string;
  readonly seed: number;
  /** The last command to be played. */
  readonly last: number;
  /** Such as strace and its options. */
  readonly under?: readonly string[];
  /** Called with each answer at once; may end the process. */
  readonly onAck?: (seq: number, child: ChildProcess) => void;
}

export interface ScriptEnding {
  /** Commands answered, in the order of the answers. */
  readonly acked: readonly number[];
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

export async function runScript({ directory, seed, last, under = [], onAck }: ScriptRun): Promise<ScriptEnding> {
  const [command, ...args] = [...under, process.execPath, PROGRAM, directory, String(seed), String(last)];
  // One thread for the disk: then the n-th call of its kind is the same call in every run.
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, UV_THREADPOOL_SIZE: '1' } });
  const complaints: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk.toString()));
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  const acked: number[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === 'ready') continue;
    acked.push(Number(line));
    onAck?.(Number(line), child);
  }
  const [code, signal] = await closed;
  return { acked, code, signal, stderr: complaints.join('') };
}
