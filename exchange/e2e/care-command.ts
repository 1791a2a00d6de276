/** `npm run backup` and `npm run restore`, as a person runs them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from '../../tools/node-flags.mjs';
import { ENDS_WITH_PARENT } from './program.ts';

const SOURCES = fileURLToPath(new URL('../src', import.meta.url));

export interface Ran {
  readonly code: number | null;
  readonly output: string;
  readonly complaint: string;
}

export interface Running {
  readonly process: ChildProcess;
  readonly end: Promise<Ran>;
  /** Resolves when it has said this on standard error. */
  said(words: string): Promise<void>;
}

export interface Command {
  readonly name: 'backup' | 'restore';
  readonly args: readonly string[];
  /** Of the installation that is copied. */
  readonly dataDirectory?: string;
}

export function begin({ name, args, dataDirectory = '/nowhere' }: Command): Running {
  const child = spawn(process.execPath, [...NODE_FLAGS, ...ENDS_WITH_PARENT, join(SOURCES, `${name}.ts`), ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ORRERY_DATA: dataDirectory },
  });
  let [output, complaint] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  const end = new Promise<Ran>((resolve) => child.once('close', (code) => resolve({ code, output, complaint })));
  return {
    process: child,
    end,
    said: (words) =>
      new Promise((resolve, reject) => {
        child.stderr.on('data', () => (complaint.includes(words) ? resolve() : undefined));
        void end.then((ran) => reject(new Error(`it ended before it said "${words}": ${JSON.stringify(ran)}`)));
      }),
  };
}

export const run = (command: Command): Promise<Ran> => begin(command).end;

/** The last command and the state that the one sentence of success names. */
export function pointOf({ code, output, complaint }: Ran): { readonly seq: number; readonly stateHash: string } {
  const [, seq, stateHash] = /command (\d+), state ([0-9a-f]{64})/.exec(output) ?? [];
  if (code !== 0 || seq === undefined || stateHash === undefined) throw new Error(`it did not succeed: ${complaint}${output}`);
  return { seq: Number(seq), stateHash };
}

/** The one sentence in which it says why not. */
export const reasonOf = ({ code, complaint }: Ran): string | undefined => (code === 1 ? complaint.trimEnd().split('\n').at(-1) : undefined);
