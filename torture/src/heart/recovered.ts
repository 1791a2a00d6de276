/** What a folder comes back to, held against the script that was being played on it. */
import { createEngine, decodeState } from '@orrery/engine';
import { verifyFolder } from '@orrery/sequencer/verify';
import { openPlayer } from './player.ts';
import type { Script } from './script.ts';

export interface Recovered {
  /** The last command that is in history. */
  readonly seq: number;
  readonly startMs: number;
  /** What does not hold; none when all is well. */
  readonly violations: readonly string[];
}

export interface RecoveryCheck {
  readonly directory: string;
  readonly script: Script;
  /** The last command that was answered: it must be there. */
  readonly acked: number;
  /** Which fault it was, for the sentences. */
  readonly what: string;
}

/**
 * Opens the folder as the next start does. What is there must be the beginning of the script, with everything that was answered; and
 * history must go on from it to the script's end, and replay from its first command to the same state.
 */
export async function checkRecovered(check: RecoveryCheck): Promise<Recovered> {
  try {
    return await recoverAndGoOn(check);
  } catch (cause) {
    return { seq: -1, startMs: 0, violations: [`${check.what}: ${String(cause)}`] };
  }
}

async function recoverAndGoOn({ directory, script, acked, what }: RecoveryCheck): Promise<Recovered> {
  const last = script.commands.length;
  const violations: string[] = [];
  const expectHash = (seq: number, hash: string, when: string): void => {
    if (script.stateHashes[seq] !== hash) violations.push(`${what}: the state ${when} command ${seq} is not the one the script leads to`);
  };
  const started = performance.now();
  const player = await openPlayer({ directory, commands: script.commands });
  const startMs = performance.now() - started;
  const { seq, stateHash } = player.heart.status();
  if (seq < acked) violations.push(`${what}: command ${acked} was answered, and history ends with ${seq}`);
  expectHash(seq, stateHash, 'recovered at');
  await player.play(last, () => undefined);
  await player.heart.stop();
  const replayed = verifyFolder(directory, { createEngine, decodeState });
  expectHash(replayed.seq, replayed.stateHash, 'replayed to');
  if (replayed.seq !== last) violations.push(`${what}: history was to go on to command ${last}, and ends with ${replayed.seq}`);
  return { seq, startMs, violations };
}
