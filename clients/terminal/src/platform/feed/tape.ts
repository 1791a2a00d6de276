/** The newest trades of one market, newest first: what the tape shows. */
import type { Lots, Ticks } from '@orrery/units';

export interface TapeTrade {
  /** Counts up in its market. */
  readonly id: number;
  /** Unix milliseconds. */
  readonly time: number;
  readonly price: Ticks;
  readonly size: Lots;
  readonly takerSide: 'buy' | 'sell';
}

export const TAPE_LENGTH = 60;

/** Trades known already are dropped: the live stream and a re-read of the latest trades overlap. */
export function mergeTape(tape: readonly TapeTrade[], fresh: readonly TapeTrade[]): readonly TapeTrade[] {
  const known = new Set(tape.map((trade) => trade.id));
  const added = fresh.filter((trade) => !known.has(trade.id));
  if (added.length === 0) return tape;
  return [...added, ...tape].sort((left, right) => right.id - left.id).slice(0, TAPE_LENGTH);
}
