/** The heart for those who do background work: what is submitted under a lease is refused once the lease is lost. */
import { checkHold } from '@orrery/foundation';
import type { ProgramHeart } from './program-heart.ts';

export const leasedHeart = (heart: ProgramHeart): ProgramHeart => ({
  async submit(command) {
    checkHold();
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
