/**
 * The quotes wanted in one market. Prices lie on a grid that stays where it is while the outside price moves over it: a move costs the
 * levels at the edges only. Each grid cell has its own price and size, drawn once and for all from the seed, so that the book looks grown.
 */
import { type PairTerms } from '@orrery/sdk';
import { lots, ticks, type Lots, type Ticks } from '@orrery/units';
import type { Side } from '@orrery/protocol';
import type { Inventory } from './inventory.ts';
import { notional, sizeWorth, smallestSize } from './sizes.ts';
import { hash } from './random.ts';

export interface Quote {
  readonly side: Side;
  readonly price: Ticks;
  readonly size: Lots;
}

export interface LadderOptions {
  readonly seed: number;
  /** On each side. */
  readonly levels: number;
  /** Quote atoms on the level next to the market; the furthest has `DEEPENING` times as much. */
  readonly levelNotional: bigint;
  /** All quotes stand this much further from the reference price. */
  readonly widerPpm?: number;
}

/** A grid cell is about this wide, of the price. */
const CELL_PPM = 100;
/** No quote is nearer to the reference price. */
const HALF_SPREAD_PPM = 50;
const DEEPENING = 4;
/** Of what the maker owns: the rest is room for fees, rounding and orders on their way. */
const USED_PERCENT = 90n;

export function ladder(reference: Ticks, inventory: Inventory, rules: PairTerms, options: LadderOptions): readonly Quote[] {
  const buys = side('buy', reference, rules, options);
  const sells = side('sell', reference, rules, options);
  return [
    ...affordable(buys, ({ price, size }) => notional(price, size, rules), (inventory.quote * USED_PERCENT) / 100n, rules),
    ...affordable(sells, ({ size }) => BigInt(size), (BigInt(inventory.base) * USED_PERCENT) / 100n, rules),
  ];
}

/** The largest of 1, 2, 5, 10, 20, 50 … that is not above the share: it changes only when the price changes by much. */
export function cellWidth(price: Ticks): number {
  const target = (price * CELL_PPM) / 1_000_000;
  let width = 1;
  for (let power = 1; power <= target; power *= 10) {
    for (const step of [1, 2, 5]) if (power * step <= target) width = power * step;
  }
  return width;
}

function side(of: Side, reference: Ticks, rules: PairTerms, { seed, levels, levelNotional, widerPpm = 0 }: LadderOptions): Quote[] {
  const width = cellWidth(reference);
  const away = Math.max(1, Math.floor((reference * (HALF_SPREAD_PPM + widerPpm)) / 1_000_000));
  const nearest = of === 'buy' ? reference - away : reference + away;
  const direction = of === 'buy' ? -1 : 1;
  const quotes: Quote[] = [];
  for (let cell = Math.floor(nearest / width); quotes.length < levels && cell >= 0; cell += direction) {
    const chance = hash(seed, cell);
    const price = cell * width + (chance % width);
    if (price < 1 || (of === 'buy' ? price > nearest : price < nearest)) continue;
    const depth = 1_000n + BigInt(Math.floor(((DEEPENING - 1) * 1_000 * quotes.length) / levels));
    // Between 40 % and 160 % of the level's money.
    const share = 400n + BigInt((chance >>> 8) % 1_200);
    const size = sizeWorth((levelNotional * depth * share) / 1_000_000n, ticks(price), rules);
    quotes.push({ side: of, price: ticks(price), size: lots(Math.max(size, smallestSize(ticks(price), rules))) });
  }
  return quotes;
}

/** Shrinks all quotes alike until they cost no more than `budget`, then leaves out what is smaller than the market takes, and what is too much still. */
function affordable(quotes: readonly Quote[], cost: (quote: Quote) => bigint, budget: bigint, rules: PairTerms): readonly Quote[] {
  const total = quotes.reduce((sum, quote) => sum + cost(quote), 0n);
  if (total <= budget) return quotes;
  let left = budget;
  return quotes.flatMap((quote) => {
    const shrunk = Number((BigInt(quote.size) * budget) / total);
    const fitting = { ...quote, size: lots(Math.max(shrunk, smallestSize(quote.price, rules))) };
    const price = cost(fitting);
    if (price > left) return [];
    left -= price;
    return [fitting];
  });
}
