/** What the maker owns in one market, and how far that leans its quotes. All in whole numbers. */
import { type PairTerms } from '@orrery/sdk';
import { ppm, ticks, type Atoms, type Lots, type Ticks } from '@orrery/units';
import { notional } from './sizes.ts';

export interface Inventory {
  /** Base lots, held ones included. */
  readonly base: Lots;
  /** This market's share of the quote money, held included. */
  readonly quote: Atoms;
}

const MILLION = 1_000_000n;
/** A maker with nothing but base quotes this much lower, one with nothing but quote this much higher. */
const SKEW_MAX_PPM = ppm(1_000);

/**
 * The price around which to quote: the outside price, lowered while the maker owns more base than quote and raised while it owns less,
 * so that what it has too much of is sold first.
 */
export function skewedPrice(price: Ticks, { base, quote }: Inventory, rules: PairTerms): Ticks {
  const baseValue = notional(price, base, rules);
  const total = baseValue + quote;
  if (total === 0n) return price;
  const skew = ((baseValue - quote) * BigInt(SKEW_MAX_PPM)) / total;
  return ticks(Math.max(1, Number((BigInt(price) * (MILLION - skew)) / MILLION)));
}
