/** Moves of outside prices, for trying out what a fall or a rise does: a shift of every venue of one contract, bounded in size and in time. */
import { ticks } from '@orrery/units';
import type { MarketId, Millis } from '@orrery/units';
import type { PriceRound, PriceSample } from './price-source.ts';

export const MOVE_MAX_PPM = 500_000;
export const MOVE_MAX_MS = 600_000;

export interface PriceMove {
  readonly market: MarketId;
  /** Added to every price, in millionths of it; below zero for a fall. */
  readonly ppm: number;
  /** Unix milliseconds: from then on prices are what they are outside. */
  readonly endsAt: Millis;
}

export class PriceMoves {
  readonly #moves = new Map<MarketId, PriceMove>();

  /**
   * Replaces the contract's earlier move.
   * @throws RangeError that names the field: `ppm` beyond half of the price, `endsAt` that is over or more than ten minutes ahead
   */
  move(move: PriceMove, now: Millis): void {
    if (!Number.isInteger(move.ppm) || Math.abs(move.ppm) > MOVE_MAX_PPM)
      throw new RangeError(`ppm must be a whole number from -${MOVE_MAX_PPM} to ${MOVE_MAX_PPM}`);
    if (move.endsAt <= now || move.endsAt - now > MOVE_MAX_MS)
      throw new RangeError(`endsAt must be in the next ${MOVE_MAX_MS / 60_000} minutes`);
    this.#moves.set(move.market, move);
  }

  /** The round as a move that is not over makes it. */
  applied(market: MarketId, round: PriceRound, at: Millis): PriceRound {
    const move = this.#moves.get(market);
    if (move === undefined) return round;
    if (move.endsAt <= at) {
      this.#moves.delete(market);
      return round;
    }
    const shifted = <Sample extends PriceSample>(sample: Sample): Sample => ({
      ...sample,
      price: ticks(Math.max(1, Math.round((sample.price * (1_000_000 + move.ppm)) / 1_000_000))),
    });
    return { index: round.index.map(shifted), external: round.external.map(shifted) };
  }
}
