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
  /** Names the hunt of a position that it belongs to: see `Moves`. */
  readonly hunt?: string;
}

/** A move, and how far the rounds have followed it. */
export interface Walk {
  readonly move: PriceMove;
  /** Millionths by which the last round was shifted. */
  readonly ppm: number;
}

/** What the program has of moves, whether they are of one process or of all. */
export interface Moves {
  /**
   * Replaces the contract's earlier move.
   * @throws RangeError as `checkMove`. MoveTaken where the move is of a hunt, and another hunt has the contract
   */
  move(move: PriceMove, now: Millis): void | Promise<void>;
  shift(market: MarketId): number;
  applied(market: MarketId, round: PriceRound, at: Millis): PriceRound;
}

/** Two hunts in one contract would lead its price to and fro. */
export class MoveTaken extends Error {}

/** @throws RangeError that names the field: `ppm` beyond half of the price, `endsAt` that is over or more than ten minutes ahead */
export function checkMove({ ppm, endsAt }: PriceMove, now: Millis): void {
  if (!Number.isInteger(ppm) || Math.abs(ppm) > MOVE_MAX_PPM)
    throw new RangeError(`ppm must be a whole number from -${MOVE_MAX_PPM} to ${MOVE_MAX_PPM}`);
  if (endsAt <= now || endsAt - now > MOVE_MAX_MS) throw new RangeError(`endsAt must be in the next ${MOVE_MAX_MS / 60_000} minutes`);
}

/** Of one process. */
export class PriceMoves implements Moves {
  readonly #walks = new Map<MarketId, Walk>();

  move(move: PriceMove, now: Millis): void {
    checkMove(move, now);
    this.set({ move, ppm: this.shift(move.market) });
  }

  walk(market: MarketId): Walk | undefined {
    return this.#walks.get(market);
  }

  /** Replaces the walk of the contract. */
  set(walk: Walk): void {
    this.#walks.set(walk.move.market, walk);
  }

  /** The next round is not shifted. */
  drop(market: MarketId): void {
    this.#walks.delete(market);
  }

  markets(): readonly MarketId[] {
    return [...this.#walks.keys()];
  }

  /** Millionths by which the last round of a contract was shifted. */
  shift(market: MarketId): number {
    return this.#walks.get(market)?.ppm ?? 0;
  }

  /** The round as the walk of its contract makes it, which takes a step. */
  applied(market: MarketId, round: PriceRound, at: Millis): PriceRound {
    const walk = this.#walks.get(market);
    if (walk === undefined) return round;
    const { move } = walk;
    const ppm = stepTo(walk.ppm, move.endsAt <= at ? 0 : move.ppm);
    if (ppm === 0 && (move.endsAt <= at || move.ppm === 0)) this.drop(market);
    else this.set({ move, ppm });
    if (ppm === 0) return round;
    const shifted = <Sample extends PriceSample>(sample: Sample): Sample => ({
      ...sample,
      price: ticks(Math.max(1, Math.round((sample.price * (MILLION + ppm)) / MILLION))),
    });
    return { index: round.index.map(shifted), external: round.external.map(shifted) };
  }
}

function stepTo(from: number, to: number): number {
  const most = Math.floor(((MILLION + from) * STEP_PPM) / MILLION);
  return Math.abs(to - from) <= most ? to : from + (to > from ? most : -most);
}
