/** Waits for a sign-in that is under way, looking every 50 ms, 100 times at most: then the caller carries on without it. */
import type { Signing } from './session-state.ts';

export const POLL_MS = 50;
export const POLLS_MAX = 100;

export interface SignInWait {
  readonly read: () => Signing;
  readonly sleep: (millis: number) => Promise<void>;
}

/** How signing stood at the last look: still `pending` after the last one. */
export async function waitForSigning({ read, sleep }: SignInWait): Promise<Signing> {
  for (let polls = 0; polls < POLLS_MAX && read() === 'pending'; polls += 1) await sleep(POLL_MS);
  return read();
}
