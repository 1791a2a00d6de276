/**
 * Moves of outside prices, for trying out what a fall or a rise does: a shift of every venue of one contract, bounded in size and in time. It is walked to and
 * back in steps that the engine takes over in a round each, so that every price on the way is one that a round showed.
 */
import { ticks } from '@orrery/units';
import type { MarketId, Millis } from '@orrery/units';
import type { PriceRound, PriceSample } from './price-source.ts';

export const MOVE_MAX_PPM = 500_000;
export const MOVE_MAX_MS = 600_000;
/** Of the price before it: below the 5 % that a mark moves in a round, with room for what prices outside do. */
export const STEP_PPM = 40_000;
const MILLION = 1_000_000;

export interface PriceMove {
  readonly market: MarketId;
  /** Added to every price, in millionths of it; below zero for a fall. */
  readonly ppm: number;
  /** Unix milliseconds: from then on prices return to what they are outside. */
  readonly endsAt: Millis;
}

interface Walk {
  move: PriceMove;
  /** Where the last round was. */
  ppm: number;
}

export class PriceMoves {
  readonly #walks = new Map<MarketId, Walk>();

  /**
   * Replaces the contract's earlier move.
   * @throws RangeError that names the field: `ppm` beyond half of the price, `endsAt` that is over or more than ten minutes ahead
   */
  move(move: PriceMove, now: Millis): void {
    if (!Number.isInteger(move.ppm) || Math.abs(move.ppm) > MOVE_MAX_PPM)
      throw new RangeError(`ppm must be a whole number from -${MOVE_MAX_PPM} to ${MOVE_MAX_PPM}`);
    if (move.endsAt <= now || move.endsAt - now > MOVE_MAX_MS)
      throw new RangeError(`endsAt must be in the next ${MOVE_MAX_MS / 60_000} minutes`);
    const walk = this.#walks.get(move.market);
    if (walk === undefined) this.#walks.set(move.market, { move, ppm: 0 });
    else walk.move = move;
  }

  /** Millionths by which the last round of a contract was shifted. */
  shift(market: MarketId): number {
    return this.#walks.get(market)?.ppm ?? 0;
  }

  /** The round as the walk of its contract makes it, which takes a step. */
  applied(market: MarketId, round: PriceRound, at: Millis): PriceRound {
    const walk = this.#walks.get(market);
    if (walk === undefined) return round;
    walk.ppm = stepTo(walk.ppm, walk.move.endsAt <= at ? 0 : walk.move.ppm);
    if (walk.ppm === 0) {
      if (walk.move.endsAt <= at || walk.move.ppm === 0) this.#walks.delete(market);
      return round;
    }
    const shifted = <Sample extends PriceSample>(sample: Sample): Sample => ({
      ...sample,
      price: ticks(Math.max(1, Math.round((sample.price * (MILLION + walk.ppm)) / MILLION))),
    });
    return { index: round.index.map(shifted), external: round.external.map(shifted) };
  }
}

function stepTo(from: number, to: number): number {
  const most = Math.floor(((MILLION + from) * STEP_PPM) / MILLION);
  return Math.abs(to - from) <= most ? to : from + (to > from ? most : -most);
}
