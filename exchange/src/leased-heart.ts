/** The heart for those who do background work: what is submitted under a lease is refused once the lease is lost. */
import { checkHold } from '@orrery/foundation';
import type { Command } from '@orrery/protocol';
import type { ProgramHeart } from './program-heart.ts';

/** The same heart, which is submitted nothing that `check` throws at. */
export const checkedHeart = (heart: ProgramHeart, check: (command: Command) => void): ProgramHeart => ({
  async submit(command) {
    check(command);
    return heart.submit(command);
  },
  open: () => heart.open(),
  subscribe: (after) => heart.subscribe(after),
  status: () => heart.status(),
  nowMs: () => heart.nowMs(),
  unready: () => heart.unready(),
  get pending() {
    return heart.pending;
  },
  acceptProof: (proof) => heart.acceptProof(proof),
});

export const leasedHeart = (heart: ProgramHeart): ProgramHeart => checkedHeart(heart, checkHold);
