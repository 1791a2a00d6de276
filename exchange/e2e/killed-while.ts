/** A call of the whole program that kill -9 falls into. */
import { setTimeout as pause } from 'node:timers/promises';
import { CallError, ConnectionError } from '@orrery/sdk';
import { program, startAgain } from './with-program.ts';

/** A program that has died answers nothing. */
const lost = (error: unknown): undefined => {
  if (error instanceof ConnectionError || (error instanceof CallError && error.code === -1)) return undefined;
  throw error;
};

interface Moment {
  /** From the call to the kill. */
  readonly afterMs: number;
  /** The kill waits for the answer where it takes longer: a machine that is busy answers nothing within milliseconds. */
  readonly isAnswered?: boolean;
}

/** The program runs again afterwards. @returns whether the call was answered before. */
export async function killedWhile(
  call: () => Promise<unknown>,
  { afterMs, isAnswered: isAwaited = false }: Moment,
  again: () => Promise<void> = startAgain,
): Promise<boolean> {
  const answer = call().then(() => true, lost);
  await pause(afterMs);
  if (isAwaited) await answer;
  await program.kill();
  const isAnswered = (await answer) === true;
  await again();
  return isAnswered;
}
