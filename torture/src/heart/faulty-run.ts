/** One run of a script for each call that it makes to the disk, with a fault at that call. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { inFolder } from '../folder.ts';
import { OPENING, type Script } from './script.ts';
import { runScript, type ScriptEnding } from './script-child.ts';
import { readTrace, straceArguments } from './strace.ts';

export interface Plan {
  readonly name: string;
  readonly seed: number;
  readonly script: Script;
  /** The folder as it is before each run; none for a first start. */
  readonly before: string | undefined;
}

/** The n-th call of its kind in a run, counted in the thread that makes most of them. */
export interface CallPoint {
  readonly call: string;
  readonly nth: number;
}

interface FaultyRun {
  readonly directory: string;
  readonly log: string;
  readonly ending: ScriptEnding;
}

/** Plays the opening, so that what follows is trading. */
export async function playOpening(directory: string, seed: number): Promise<void> {
  const { code, stderr } = await runScript({ directory, seed, last: OPENING });
  if (code !== 0) throw new Error(`the opening could not be played: ${stderr}`);
}

/** Of a run without a fault. */
export function everyCall(plan: Plan, calls: readonly string[]): Promise<readonly CallPoint[]> {
  return inFolder(async (folder) => {
    const log = join(folder, 'trace');
    const { code, stderr } = await play(plan, { folder, under: straceArguments({ calls, log }) });
    if (code !== 0) throw new Error(`the run without a fault ended with ${String(code)}: ${stderr}`);
    const trace = readTrace(log);
    const busiest = (call: string): number => {
      const ofThread = new Map<number, number>();
      for (const one of trace) if (one.call === call) ofThread.set(one.thread, (ofThread.get(one.thread) ?? 0) + 1);
      return Math.max(0, ...ofThread.values());
    };
    return calls.flatMap((call) => Array.from({ length: busiest(call) }, (_, index) => ({ call, nth: index + 1 })));
  });
}

/**
 * @param fault in strace's words
 * @param watched calls that are to be in the trace too
 */
export function runWithFault<Result>(
  plan: Plan,
  { point: { call, nth }, fault, watched = [] }: { point: CallPoint; fault: string; watched?: readonly string[] },
  look: (run: FaultyRun) => Promise<Result>,
): Promise<Result> {
  return inFolder(async (folder) => {
    const log = join(folder, 'trace');
    const under = straceArguments({ calls: [call, ...watched], log, injection: { call, fault, nth } });
    const ending = await play(plan, { folder, under });
    return look({ directory: historyIn(folder), log, ending });
  });
}

const historyIn = (folder: string): string => join(folder, 'history');

function play({ before, script, seed }: Plan, { folder, under }: { folder: string; under: readonly string[] }): Promise<ScriptEnding> {
  const directory = historyIn(folder);
  if (before !== undefined) cpSync(before, directory, { recursive: true });
  return runScript({ directory, seed, last: script.commands.length, under });
}
