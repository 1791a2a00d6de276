/** Fault injection with strace: it intercepts a process's system calls and applies the configured fault to the n-th one. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface Injection {
  readonly call: string;
  /** In strace's words, such as `signal=SIGKILL` or `error=EIO`. */
  readonly fault: string;
  /** Which call, counted from 1 in each thread; each one when left out. */
  readonly nth?: number;
}

export interface Tracing {
  readonly calls: readonly string[];
  readonly log: string;
  readonly injection?: Injection;
}

/** Why it can not be used here, if so. */
export function straceTrouble(): string | undefined {
  const { error, status, stderr } = spawnSync(
    'strace',
    straceArguments({ calls: ['fsync'], log: '/dev/null' })
      .slice(1)
      .concat('true'),
  );
  if (error !== undefined) return 'strace is not installed';
  return status === 0 ? undefined : `strace does not work here: ${stderr.toString().trim()}`;
}

/** The beginning of a command line: what follows is run under strace. (Its `--seccomp-bpf` would be faster, and loses count of the calls.) */
export function straceArguments({ calls, log, injection }: Tracing): readonly string[] {
  const base = ['strace', '-f', '-qq', '-y', '-o', log, '-e', `trace=${calls.join(',')}`];
  if (injection === undefined) return base;
  const { call, fault, nth } = injection;
  return [...base, '-e', `inject=${call}:${fault}${nth === undefined ? '' : `:when=${nth}`}`];
}

export interface TracedCall {
  readonly thread: number;
  readonly call: string;
  /** -1 when the call names none. */
  readonly descriptor: number;
  /** The file it was about: that of the descriptor, or the new name that a rename gives. */
  readonly path: string;
  readonly injected: boolean;
}

const CALL = /^(\d+)\s+(\w+)\((?:(\d+)<([^>]*)>|"[^"]*", "([^"]*)")?/;
const RESUMED = /^(\d+)\s+<\.\.\. (\w+) resumed>.*\(INJECTED\)/;

/** The calls in the order in which they began; one that was given its fault while others went on stands where it was given it. */
export function readTrace(log: string): readonly TracedCall[] {
  const begun = new Map<number, TracedCall>();
  return readFileSync(log, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, resumed] = RESUMED.exec(line) ?? [];
      const waiting = begun.get(Number(resumed));
      if (waiting !== undefined) return [{ ...waiting, injected: true }];
      const [, thread, call = '', descriptor = '-1', file = '', newName = ''] = CALL.exec(line) ?? [];
      if (thread === undefined) return [];
      const traced = {
        thread: Number(thread),
        call,
        descriptor: Number(descriptor),
        path: file === '' ? newName : file,
        injected: line.includes('(INJECTED)'),
      };
      begun.set(traced.thread, traced);
      return [traced];
    });
}
