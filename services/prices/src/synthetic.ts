/** A month of prices for an asset without a recording: a mean-reverting random walk from a seed, labelled as synthetic. */
import { ticks } from '@orrery/units';
import { Minutes, type Minute, type Month } from './month.ts';
import type { Precisions } from './recorded.ts';
import { bell, seededRandom } from './random.ts';
import type { Random } from './random.ts';

/** Printed when the prices are made: with it anyone makes the same ones. */
export const SYNTHETIC_SEED = 'orrery-soso-1';
export const MONTH_MINUTES = 43_140;

interface Walk {
  /** In quote units; where the price begins and to which it is drawn. */
  readonly start: number;
  /** Deviation of one step of five seconds, as a part of the price. */
  readonly stepDeviation: number;
  /** Part of the distance to the start that one step takes back. */
  readonly pull: number;
}

const WALKS: Readonly<Record<string, Walk>> = {
  WSOSO: { start: 0.53, stepDeviation: 0.000_25, pull: 0.000_005 },
};

const STEPS = 12;

export const isSynthetic = (asset: string): boolean => asset in WALKS;

export function makeSyntheticMonth(asset: string, { pricePrecision }: Precisions, seed: string = SYNTHETIC_SEED): Month {
  const walk = WALKS[asset];
  if (walk === undefined) throw new RangeError(`there is no way to make prices of ${asset}`);
  return { label: 'synthetic', minutes: new Minutes(makeMinutes(walk, 10 ** pricePrecision, seededRandom(`${seed} ${asset}`))) };
}

function* makeMinutes(walk: Walk, tick: number, random: Random): Generator<Minute, void> {
  let price = walk.start;
  for (let count = 0; count < MONTH_MINUTES; count += 1) {
    const prices = walkMinute(price, walk, random);
    const inTicks = prices.map((value) => Math.round(value * tick));
    const high = Math.max(...inTicks);
    const low = Math.min(...inTicks);
    // Drawn and not used: the volume of a minute, which the months of running exchanges have drawn.
    random();
    yield {
      open: ticks(inTicks[0] ?? 0),
      high: ticks(high),
      low: ticks(low),
      close: ticks(inTicks.at(-1) ?? 0),
    };
    price = prices.at(-1) ?? price;
  }
}

function walkMinute(open: number, { start, stepDeviation, pull }: Walk, random: Random): readonly number[] {
  const prices = [open];
  let price = open;
  for (let step = 0; step < STEPS; step += 1) {
    price += price * stepDeviation * bell(random) + (start - price) * pull;
    prices.push(price);
  }
  return prices;
}
