/**
 * Funding of a contract: what longs and shorts pay each other, so that its price stays near the index. Rates are in parts per billion (ppb): an hour
 * of 0.01 % in 8 hours is 12,500 ppb. Above zero, longs pay.
 */
import { assert, atoms, bigintOf, divCeil, divFloor, NO_ATOMS, type Atoms, type Lots, type Ppm, type Ticks } from '@orrery/units';
import { contractNotional, type PayoffTerms } from './payoff.ts';

/** Between two samples of the premium. */
export const PREMIUM_SAMPLE_MS = 5_000;
/** How far interest pulls a rate of 8 hours towards itself: 0.05 %. */
export const INTEREST_CLAMP_PPB = 500_000;
export const EIGHT_HOURS_MS = 28_800_000;

const BILLION = 1_000_000_000n;
const PPB_OF_PPM = 1_000;

/** One price of a book and what stands there. */
export interface BookLevel {
  readonly price: Ticks;
  readonly size: Lots;
}

/** A price as a fraction of ticks: exact. */
interface Average {
  /** Sum of price × size. */
  readonly priceSize: bigint;
  readonly size: bigint;
}

/**
 * The average price at which an order for `notional` settle atoms would trade with these levels, the best first. Undefined when they are worth less.
 * The last level counts with the lots that reach the notional.
 */
function impactPrice(levels: Iterable<BookLevel>, notional: Atoms, terms: PayoffTerms): Average | undefined {
  let left: bigint = notional;
  let priceSize = 0n;
  let taken = 0n;
  for (const { price, size } of levels) {
    const value = contractNotional(price, size, terms);
    const all = bigintOf(size);
    const part = value <= left ? all : divCeil(left * all, value);
    priceSize += bigintOf(price) * part;
    taken += part;
    left -= value;
    if (left <= 0n) return { priceSize, size: taken };
  }
  return undefined;
}

export interface PremiumBook {
  readonly bids: Iterable<BookLevel>;
  readonly asks: Iterable<BookLevel>;
}

/** A contract as far as its premium depends on it. */
export interface PremiumTerms extends PayoffTerms {
  readonly impactNotional: Atoms;
}

/**
 * The premium of the book over the index: (max(0, impact bid − index) − max(0, index − impact ask)) / index, in ppb, rounded towards zero. A side
 * that is too thin for the impact notional gives none.
 */
export function premiumPpb({ bids, asks }: PremiumBook, index: Ticks, terms: PremiumTerms): number {
  const bid = impactPrice(bids, terms.impactNotional, terms);
  const ask = impactPrice(asks, terms.impactNotional, terms);
  const above = bid === undefined ? 0n : distancePpb(bid, index);
  const below = ask === undefined ? 0n : distancePpb(ask, index);
  return Number((above > 0n ? above : 0n) + (below < 0n ? below : 0n));
}

/** (average − index) / index in ppb, towards zero. */
const distancePpb = ({ priceSize, size }: Average, index: Ticks): bigint =>
  ((priceSize - bigintOf(index) * size) * BILLION) / (bigintOf(index) * size);

/**
 * How long after its end an interval may still be settled, in milliseconds: a sixth of it. Nobody could act in what the exchange was away, and the premium of
 * that time was never measured.
 */
export const fundingLateMs = ({ fundingIntervalMs }: Pick<FundingTerms, 'fundingIntervalMs'>): number => Math.floor(fundingIntervalMs / 6);

export interface FundingTerms {
  readonly fundingIntervalMs: number;
  /** Interest of 8 hours. */
  readonly interestPpm8h: Ppm;
  /** The most, in either direction, of one interval. */
  readonly fundingCapPpm: Ppm;
}

/**
 * The rate of one interval: (P + clamp(I − P, ±0.05 %)) × interval / 8 h, within the cap, rounded towards zero.
 * @param premiums the sum of the samples of the interval in ppb
 * @param samples how many there were; without any, the premium is 0
 */
export function fundingRatePpb(
  premiums: number,
  samples: number,
  { fundingIntervalMs, interestPpm8h, fundingCapPpm }: FundingTerms,
): number {
  const premium = samples === 0 ? 0 : Math.trunc(premiums / samples);
  const pull = interestPpm8h * PPB_OF_PPM - premium;
  const eightHours = premium + clamp(pull, INTEREST_CLAMP_PPB);
  const rate = Number((BigInt(eightHours) * BigInt(fundingIntervalMs)) / BigInt(EIGHT_HOURS_MS));
  return clamp(rate, fundingCapPpm * PPB_OF_PPM);
}

const clamp = (value: number, limit: number): number => Math.min(limit, Math.max(-limit, value));

/**
 * What a position receives at this rate, in settle atoms; below zero, what it pays. Payments round up and receipts round down, each from the exact
 * value, so all positions of a contract never receive more than they pay, whatever their sizes.
 * @param price the index price
 */
export function fundingReceived(size: Lots, isLong: boolean, price: Ticks, ratePpb: number, { payoff, tickLotAtoms }: PayoffTerms): Atoms {
  if (ratePpb === 0) return NO_ATOMS;
  assert(Number.isSafeInteger(ratePpb), 'a funding rate is a whole number of ppb');
  const rate = BigInt(Math.abs(ratePpb));
  const tickLots = bigintOf(size) * tickLotAtoms;
  const dividend = payoff === 'linear' ? tickLots * bigintOf(price) * rate : tickLots * rate;
  const divisor = payoff === 'linear' ? BILLION : bigintOf(price) * BILLION;
  const pays = isLong === ratePpb > 0;
  return atoms(pays ? 0n - divCeil(dividend, divisor) : divFloor(dividend, divisor));
}
