/**
 * The quotes wanted in one contract: on the grid of `quote-ladder.ts`, leaning against the position, and never so large that all of one side would take the
 * position beyond its limit. While quotes are replaced, old and new ones stand together for a moment, at most twice as many.
 */
import { type ContractTerms } from '@orrery/sdk';
import type { Side } from '@orrery/protocol';
import { lots, ticks, type Ticks } from '@orrery/units';
import { sizeOfDollars, smallestOrder } from './contract-sizes.ts';
import { cellWidth, type Quote } from './quote-ladder.ts';
import { hash } from './random.ts';

export interface ContractLadderOptions {
  readonly seed: number;
  /** On each side. */
  readonly levels: number;
  /** Whole dollars on the level next to the market; the furthest has `DEEPENING` times as much. */
  readonly levelDollars: number;
  /** The largest position, either way, in whole dollars. */
  readonly positionDollars: number;
  /** No quote is nearer to the reference price. */
  readonly halfSpreadPpm?: number;
  /** At its limit it quotes this far away from the outside price, towards getting rid of its position. */
  readonly skewMaxPpm?: number;
}

export const HALF_SPREAD_PPM = 80;
const DEEPENING = 4;
const SKEW_MAX_PPM = 1_500;

/** @param position lots, below zero of a short one */
export function contractLadder(index: Ticks, position: number, rules: ContractTerms, options: ContractLadderOptions): readonly Quote[] {
  const limit = sizeOfDollars(options.positionDollars, index, { ...rules, maxSize: lots(Number.MAX_SAFE_INTEGER) });
  const lean = limit === 0 ? 0 : Math.max(-1, Math.min(1, position / limit));
  const reference = ticks(Math.max(1, Math.round(index * (1 - (lean * (options.skewMaxPpm ?? SKEW_MAX_PPM)) / 1_000_000))));
  return [
    ...within(side('buy', reference, rules, options), limit - position),
    ...within(side('sell', reference, rules, options), limit + position),
  ];
}

function side(of: Side, reference: Ticks, rules: ContractTerms, options: ContractLadderOptions): readonly Quote[] {
  const { seed, levels, levelDollars, halfSpreadPpm = HALF_SPREAD_PPM } = options;
  const width = cellWidth(reference);
  const away = Math.max(1, Math.floor((reference * halfSpreadPpm) / 1_000_000));
  const nearest = of === 'buy' ? reference - away : reference + away;
  const direction = of === 'buy' ? -1 : 1;
  const quotes: Quote[] = [];
  for (let cell = Math.floor(nearest / width); quotes.length < levels && cell >= 0; cell += direction) {
    const chance = hash(seed, cell);
    const price = cell * width + (chance % width);
    if (price < 1 || (of === 'buy' ? price > nearest : price < nearest)) continue;
    const depth = 1 + ((DEEPENING - 1) * quotes.length) / levels;
    // Between 40 % and 160 % of the level's money.
    const dollars = Math.floor(levelDollars * depth * (0.4 + ((chance >>> 8) % 1_200) / 1_000));
    const size = Math.max(sizeOfDollars(dollars, ticks(price), rules), smallestOrder(ticks(price), rules));
    quotes.push({ side: of, price: ticks(price), size: lots(size) });
  }
  return quotes;
}

/** The nearest quotes, as far as all of them together stay within `room` lots. */
function within(quotes: readonly Quote[], room: number): readonly Quote[] {
  let left = room;
  return quotes.filter(({ size }) => {
    if (size > left) return false;
    left -= size;
    return true;
  });
}
