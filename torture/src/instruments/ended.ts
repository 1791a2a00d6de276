/** Ends what was started, in time and to the last, whatever fails on the way. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** A process of ours closes what it has within seconds; a slow machine with many of them takes longer. */
const PATIENCE_MS = 60_000;

/** By SIGTERM or another signal, and by SIGKILL when it does not end within `withinMs`. @returns its exit code; null when a signal ended it */
export async function ended(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM', withinMs = PATIENCE_MS): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return child.exitCode;
  const gone = once(child, 'exit');
  child.kill(signal);
  const late = setTimeout(() => child.kill('SIGKILL'), withinMs);
  try {
    await gone;
  } finally {
    clearTimeout(late);
  }
  return child.exitCode;
}

/** One after the other, also after one that fails. @throws the first failure, when all were tried */
export async function closeEach(closings: readonly (() => unknown)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const close of closings) {
    try {
      await close();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
