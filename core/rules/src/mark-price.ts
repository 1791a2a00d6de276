/**
 * The mark price of a contract: what positions are valued and liquidated by. It follows the index, the own book no further than a band, and never jumps.
 * Prices in ticks, times in milliseconds.
 */
import { midTicks, NO_TICKS, ppm, ticks, type Ticks } from '@orrery/units';
import { withinRate } from './bands.ts';
import { isFresh, median, type PriceSample } from './index-price.ts';

/** X2: the own book moves the mark at most this far from the index: 0.5 %. */
export const OWN_BOOK_PPM = ppm(5_000);
/** X2: the mark moves at most this far in one round: 5 %. */
export const MARK_STEP_PPM = ppm(50_000);
/** The time constant of the average of the basis. */
export const BASIS_TIME_MS = 150_000;

/** A microtick is 10^-6 ticks. */
const MICRO = 1_000_000n;

/** The own book and its last trade; `NO_TICKS` for what there is not. */
export interface OwnPrices {
  readonly bid: Ticks;
  readonly ask: Ticks;
  readonly last: Ticks;
}

/** What is kept between rounds. */
export interface MarkState {
  /** `NO_TICKS` before the first round. */
  readonly mark: Ticks;
  /** The average of own mid price less index, in microticks; signed. */
  readonly basis: number;
}

export interface MarkRound {
  readonly index: Ticks;
  readonly own: OwnPrices;
  /** Mid prices of derivatives exchanges. */
  readonly external: readonly PriceSample[];
  /** Since the round before. */
  readonly elapsedMs: number;
}

/**
 * The next mark: the median of the index, the index and the average basis, the own book, and the median of the derivatives exchanges; the third and
 * fourth where there is one. At least two of them are within the band around the index, so the mark is too, unless the index moved further than
 * one round may: then the mark follows over several.
 */
export function nextMark(before: MarkState, { index, own, external, elapsedMs }: MarkRound): MarkState {
  const mid = own.bid === NO_TICKS || own.ask === NO_TICKS ? index : withinBand(midTicks(own.bid, own.ask), index);
  const basis = averageBasis(before.basis, mid - index, elapsedMs);
  const smoothed = withinBand(ticks(Math.max(1, index + Math.trunc(basis / Number(MICRO)))), index);
  const candidates = [index, smoothed];
  const local = localPrice(own);
  if (local !== NO_TICKS) candidates.push(withinBand(local, index));
  const abroad = median(external.filter(isFresh).map(({ price }) => price));
  if (abroad !== NO_TICKS) candidates.push(abroad);
  return { mark: withinStep(median(candidates), before.mark), basis };
}

/** The median of best bid, best ask and last trade; of bid and ask before the first trade; none without both. */
function localPrice({ bid, ask, last }: OwnPrices): Ticks {
  if (bid === NO_TICKS || ask === NO_TICKS) return NO_TICKS;
  return median(last === NO_TICKS ? [bid, ask] : [bid, ask, last]);
}

/** Moves the average towards a sample by elapsed / (elapsed + 150 s) of their distance, rounded towards where it was. In microticks. */
function averageBasis(basis: number, sampleTicks: number, elapsedMs: number): number {
  const gap = BigInt(sampleTicks) * MICRO - BigInt(basis);
  return basis + Number((gap * BigInt(elapsedMs)) / BigInt(elapsedMs + BASIS_TIME_MS));
}

const withinBand = (price: Ticks, index: Ticks): Ticks => withinRate(price, index, OWN_BOOK_PPM);

const withinStep = (price: Ticks, before: Ticks): Ticks => (before === NO_TICKS ? price : withinRate(price, before, MARK_STEP_PPM));
