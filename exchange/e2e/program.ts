/** The whole program as a person starts it: a separate process on a data folder, known by its address. */
import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from '../../tools/node-flags.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const OURS = join(here, '../..');
const MAIN = 'exchange/src/main.ts';
const launcher = join(here, '../../tools/run.mjs');

/** Arguments of Node: a test that is killed leaves no program behind. */
export const ENDS_WITH_PARENT = ['--import', new URL('end-with-parent.ts', import.meta.url).href] as const;

export interface Program {
  readonly url: string;
  readonly process: ChildProcess;
  /** Asks it to stop and waits until it did. @returns its exit code. */
  stop(): Promise<number | null>;
  /** kill -9, and nothing else: what it started is left as a real crash leaves it. */
  kill(): Promise<void>;
}

/** As behind one proxy, so that each caller of a test can have an address of its own; reached at loopback addresses, on the port that it takes. */
export const BEHIND_A_PROXY = { ORRERY_PROXY_HOPS: '1', ORRERY_PUBLIC_ORIGINS: 'http://127.0.0.1:0,http://localhost:0' } as const;

export interface ProgramOptions {
  readonly dataDirectory: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The folder of another checkout, whose program is started: with its own modules and its built terminal. Without it, ours. */
  readonly checkout?: string;
  /** Called at once: a heart that follows is not ready for as long as it does. */
  readonly onSpawn?: (process: ChildProcess) => void;
  /** Hears all that it prints, from its first line on. */
  readonly onOutput?: (text: string) => void;
  /** It is killed when it is not ready by then, in milliseconds. Without it, it is waited for without end. */
  readonly withinMs?: number;
  /** Words before its own, of what it is started by: such as `nsenter`, which becomes the program. */
  readonly under?: readonly string[];
}

/** A start that is watched from outside, to whatever end it comes. */
export interface Attempt {
  /** Resolves with what was found when the program has said this; rejects when it ends before. */
  said(words: string | RegExp): Promise<readonly string[]>;
  /** Ctrl-C in a terminal: the signal goes to everybody the command started. */
  interrupt(): void;
  readonly end: Promise<Ending>;
}

export interface Ending {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const LATER = new URL('later.ts', import.meta.url).href;
const READY = /Orrery is ready: (\S+)/;

const environment = ({ dataDirectory, env = {} }: ProgramOptions): NodeJS.ProcessEnv => ({
  ...process.env,
  ORRERY_PORT: '0',
  ORRERY_DATA: dataDirectory,
  ORRERY_LOG: 'warn',
  // A test waits for many blocks, one after the other; the interval itself is tested with the chain.
  ORRERY_BLOCK_INTERVAL_MS: '25',
  // Where nobody quotes, managers of funds have nothing to trade with.
  ...(env['ORRERY_MARKET_MAKER'] === 'off' && { ORRERY_FUND_MANAGER: 'off' }),
  ...env,
});

function exited(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => child.once('exit', (code) => resolve(code)));
}

/** Whether it becomes ready is for the caller to see. */
export function spawnProgram(options: ProgramOptions): ChildProcessWithoutNullStreams {
  const ahead = options.env?.['ORRERY_TEST_LATER_MS'];
  // As an argument it holds in the threads of the program too, which do not see its environment.
  const later = ahead === undefined ? [] : ['--import', `${LATER}?ms=${ahead}`];
  const [first, ...args] = [
    ...(options.under ?? []),
    process.execPath,
    ...NODE_FLAGS,
    ...ENDS_WITH_PARENT,
    ...later,
    join(options.checkout ?? OURS, MAIN),
  ];
  return spawn(first ?? process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'], env: environment(options) });
}

export function startProgram(options: ProgramOptions): Promise<Program> {
  const child = spawnProgram(options);
  options.onSpawn?.(child);
  let output = '';
  const { withinMs } = options;
  const late = withinMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), withinMs);
  return new Promise((resolve, reject) => {
    const collect = (chunk: Buffer): void => {
      options.onOutput?.(chunk.toString());
      output = (output + chunk.toString()).slice(-20_000);
      const url = READY.exec(output)?.[1];
      if (url === undefined) return;
      clearTimeout(late);
      resolve({ url, process: child, stop: () => stop(child), kill: () => kill(child) });
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', reject);
    child.once('exit', (code) => {
      clearTimeout(late);
      reject(new Error(`the program ended with ${String(code)} before it was ready:\n${output}`));
    });
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

/** What `npm start` runs, in a process group of its own as a shell gives it. */
export function attemptToStart(options: ProgramOptions): Attempt {
  const child = spawn(process.execPath, [launcher, 'start'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environment(options),
    detached: true,
  });
  const output = { stdout: '', stderr: '' };
  const listeners = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (chunk: Buffer) => {
      output[name] += chunk.toString();
      for (const listener of listeners) listener();
    });
  }
  const end = new Promise<Ending>((resolve) => child.once('close', (code) => resolve({ code, ...output })));
  return {
    end,
    said: (words) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = foundIn(output, words);
          if (found !== undefined) resolve(found);
        };
        listeners.add(look);
        look();
        void end.then(({ stderr }) => reject(new Error(`the program ended before it said ${String(words)}:\n${stderr}`)));
      }),
    interrupt: () => void process.kill(-(child.pid ?? 0), 'SIGINT'),
  };
}

/** The match of an expression with its groups, or the words themselves. */
function foundIn({ stdout, stderr }: Pick<Ending, 'stdout' | 'stderr'>, words: string | RegExp): readonly string[] | undefined {
  for (const text of [stdout, stderr]) {
    if (typeof words !== 'string') {
      const found = words.exec(text);
      if (found !== null) return [...found];
    } else if (text.includes(words)) return [words];
  }
  return undefined;
}
