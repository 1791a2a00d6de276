/** The heart of this process, whose commands are traced from their submission to their answer. */
import type { ProgramHeart } from './program-heart.ts';
import type { Traces } from './traces/traces.ts';

export const tracedHeart = (heart: ProgramHeart, traces: Pick<Traces, 'submitted'>): ProgramHeart => ({
  submit: (command) => traces.submitted(command, () => heart.submit(command)),
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
