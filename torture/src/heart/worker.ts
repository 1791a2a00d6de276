/** A heart under load in a child process: its reports, and how it ends. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Life } from './reported.ts';

const PROGRAM = fileURLToPath(new URL('under-load.ts', import.meta.url));

export interface WorkerOptions {
  readonly directory: string;
  readonly seed: number;
  /** Commands in hex whose outcome is not known: they are sent again first. */
  readonly unknown?: readonly string[];
  /** Such as strace and its options. */
  readonly under?: readonly string[];
}

export interface Ending extends Life {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

export class Worker {
  readonly pid: number | undefined;
  /** Resolves at its first answer, or at its end. */
  readonly answering: Promise<void>;
  readonly end: Promise<Ending>;
  readonly #sent: string[] = [];
  readonly #done: { seq: number; place: number }[] = [];
  readonly #kill: () => void;
  readonly #signal: (signal: NodeJS.Signals) => void;
  #begin: number | undefined;

  constructor({ directory, seed, unknown = [], under = [] }: WorkerOptions) {
    const [command = process.execPath, ...args] = [...under, process.execPath, PROGRAM, directory, String(seed), ...unknown];
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.pid = child.pid;
    this.#kill = () => void child.kill('SIGKILL');
    this.#signal = (signal) => void child.kill(signal);
    const complaints: string[] = [];
    child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk.toString()));
    const first = Promise.withResolvers<void>();
    this.answering = first.promise;
    createInterface({ input: child.stdout }).on('line', (line) => {
      this.#hear(line);
      if (this.answers > 0) first.resolve();
    });
    this.end = (once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>).then(([code, signal]) => {
      first.resolve();
      return { begin: this.#begin, sent: this.#sent, done: this.#done, code, signal, stderr: complaints.join('') };
    });
  }

  get answers(): number {
    return this.#done.length;
  }

  /** Commands in hex that were sent and are not answered. */
  get unanswered(): readonly string[] {
    const answered = new Set(this.#done.map(({ place }) => place));
    return this.#sent.filter((_, place) => !answered.has(place));
  }

  signal(signal: NodeJS.Signals): void {
    this.#signal(signal);
  }

  kill(): void {
    this.#kill();
  }

  #hear(line: string): void {
    const [what, first = '', second = ''] = line.split(' ');
    if (what === 'ready') this.#begin = Number(first);
    if (what === 'sent') this.#sent.push(first);
    if (what === 'done') this.#done.push({ seq: Number(first), place: Number(second) });
  }
}
