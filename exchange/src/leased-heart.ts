/** The heart for those who do background work: what is submitted under a lease is refused once the lease is lost. */
import { checkHold } from '@orrery/foundation';
import type { Command } from '@orrery/protocol';
import { type ProgramHeart, submittingBy } from './program-heart.ts';

/** The same heart, which is submitted nothing that `check` throws at. */
export const checkedHeart = (heart: ProgramHeart, check: (command: Command) => void): ProgramHeart =>
  submittingBy(heart, async (command) => {
    check(command);
    return heart.submit(command);
  });

export const leasedHeart = (heart: ProgramHeart): ProgramHeart => checkedHeart(heart, checkHold);
