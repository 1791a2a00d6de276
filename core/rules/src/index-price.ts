/** The index price of a contract: the weighted median of the mid prices of spot exchanges. Prices in ticks. */
import { midTicks, NO_TICKS, type Ticks } from '@orrery/units';

/** An older sample does not count. */
export const SAMPLE_AGE_MAX_MS = 10_000;
/** A sample further from the median confirms nothing: 5 %. */
export const SAMPLE_DEVIATION_PPM = 50_000;
/** This number of samples must confirm the median, or the prices are DEGRADED. */
export const SOURCES_MIN = 2;

/** With two sources left, neither is believed when they are further apart than this: 1 %. */
export const TWO_SOURCES_APART_PPM = 10_000;
/** A greater weight counts as this one, so that sums of weights are exact. */
const WEIGHT_MAX = 1_000_000;

const MILLION = 1_000_000;

export interface PriceSample {
  readonly price: Ticks;
  /** How old it is, in milliseconds. */
  readonly ageMs: number;
}

export interface WeightedSample extends PriceSample {
  /** A whole number from 1. */
  readonly weight: number;
}

/** What a price of a contract or a market may be. */
export interface PriceBounds {
  readonly minPrice: Ticks;
  readonly maxPrice: Ticks;
}

/** Whether a sample says anything: one that does not is dropped, and the round counts without it. Since rules 7. */
export const isUsable = ({ price, ageMs }: PriceSample, { minPrice, maxPrice }: PriceBounds): boolean =>
  price !== NO_TICKS && price >= minPrice && price <= maxPrice && ageMs >= 0;

/**
 * The index price since rules 7: of the usable samples. When two fresh ones are left, one that lies would move their middle by half of what it lies, and nobody
 * could say which of them it is.
 */
export function usableIndex(samples: readonly WeightedSample[], bounds: PriceBounds): Ticks {
  const usable = samples
    .filter((sample) => isUsable(sample, bounds) && isFresh(sample) && sample.weight >= 1)
    .map((sample) => ({ ...sample, weight: Math.min(sample.weight, WEIGHT_MAX) }));
  const [one, other] = usable;
  if (usable.length === 2 && one !== undefined && other !== undefined && areApart(one.price, other.price)) return NO_TICKS;
  return indexPrice(usable);
}

const areApart = (one: Ticks, other: Ticks): boolean => Math.abs(one - other) * MILLION > Math.min(one, other) * TWO_SOURCES_APART_PPM;

/**
 * The index price, or `NO_TICKS` when too few fresh samples agree: at least `SOURCES_MIN` must be within `SAMPLE_DEVIATION_PPM` of the median.
 * The median is taken of all fresh samples: to take it again without the distant ones would let one source that lies a little move it outside the
 * two others, whenever one of these is distant.
 */
export function indexPrice(samples: readonly WeightedSample[]): Ticks {
  const fresh = samples.filter(isFresh);
  if (fresh.length < SOURCES_MIN) return NO_TICKS;
  const median = weightedMedian(fresh);
  const confirming = fresh.filter(({ price }) => Math.abs(price - median) * MILLION <= median * SAMPLE_DEVIATION_PPM);
  return confirming.length < SOURCES_MIN ? NO_TICKS : median;
}

export const isFresh = ({ price, ageMs }: PriceSample): boolean => price !== NO_TICKS && ageMs <= SAMPLE_AGE_MAX_MS;

/** The price below and above which equal weight lies; between two prices their middle, rounded down. @param samples at least one */
function weightedMedian(samples: readonly WeightedSample[]): Ticks {
  const sorted = boundedWeights(samples).sort((left, right) => left.price - right.price);
  const total = sorted.reduce((sum, { weight }) => sum + weight, 0);
  let below = 0;
  let lower = NO_TICKS;
  for (const { price, weight } of sorted) {
    below += weight;
    if (lower === NO_TICKS && below * 2 >= total) lower = price;
    if (below * 2 > total) return midTicks(lower, price);
  }
  return lower;
}

/** X3: no source weighs as much as all others together, else it alone could be the median. Of two sources each weighs the same. */
function boundedWeights(samples: readonly WeightedSample[]): { readonly price: Ticks; readonly weight: number }[] {
  const total = samples.reduce((sum, { weight }) => sum + weight, 0);
  return samples.map(({ price, weight }) => ({
    price,
    weight: samples.length === 2 ? 1 : Math.max(1, Math.min(weight, total - weight - 1)),
  }));
}

/** The middle one of some prices, between two their middle rounded down; `NO_TICKS` of none. */
export function median(prices: readonly Ticks[]): Ticks {
  const sorted = prices.toSorted((left, right) => left - right);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  if (upper === undefined) return NO_TICKS;
  const lower = sorted[middle - 1];
  return sorted.length % 2 === 1 || lower === undefined ? upper : midTicks(lower, upper);
}
