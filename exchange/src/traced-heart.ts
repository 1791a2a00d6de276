/** The heart of this process, whose commands are traced from their submission to their answer. */
import { type ProgramHeart, submittingBy } from './program-heart.ts';
import type { Traces } from './traces/traces.ts';

export const tracedHeart = (heart: ProgramHeart, traces: Pick<Traces, 'submitted'>): ProgramHeart =>
  submittingBy(heart, (command) => traces.submitted(command, () => heart.submit(command)));
