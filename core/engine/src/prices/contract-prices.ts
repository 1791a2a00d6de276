/** The prices of a contract from round to round: index, mark, whether they can be relied on, and the premium of the running funding interval. */
import { millis, NO_TICKS, type Millis, type Ticks } from '@orrery/units';
import {
  FRESH_ROUNDS_MIN,
  fundingLateMs,
  fundingRatePpb,
  indexPrice,
  isUsable,
  nextMark,
  PREMIUM_SAMPLE_MS,
  premiumPpb,
  STALE_PRICES_MS,
  usableIndex,
  type FundingTerms,
  type PremiumTerms,
  type PriceBounds,
  type PriceSample,
  type RulesVersion,
  type WeightedSample,
} from '@orrery/rules';
import type { PriceState } from '@orrery/protocol';
import type { Book } from '../book/book.ts';

/** Prices of a round that is older than this are not relied on. */
export const ROUND_FRESH_MS = 30_000;
/** Levels of the book that the impact prices look at, on each side. */
const IMPACT_LEVELS = 100;

export interface ContractPrices {
  /** `NO_TICKS` before the first round that could be relied on. */
  index: Ticks;
  /** `NO_TICKS` before the first round that could be relied on. */
  mark: Ticks;
  /** Of the last round. DEGRADED: too few sources; index and mark are those of the round before. */
  state: PriceState;
  /** When the last READY round came; 0 before the first. */
  freshAt: Millis;
  /** READY rounds since the last start or outage. */
  freshRounds: number;
  /** The average of own mid price less index, in microticks; signed. */
  basis: number;
  /** The sum of the premiums of the running funding interval, in ppb; signed. */
  premiums: number;
  /** How many there are. */
  samples: number;
  sampledAt: Millis;
  /** When the last settled funding interval ended; 0 before the first. */
  settledAt: Millis;
}

/** A contract as far as its prices depend on it. */
export interface PricedContract {
  readonly terms: PremiumTerms & FundingTerms & PriceBounds;
  readonly book: Book;
  readonly lastPrice: Ticks;
  readonly prices: ContractPrices;
}

/** Outside prices, with their ages. */
export interface PriceRound {
  readonly index: readonly WeightedSample[];
  readonly external: readonly PriceSample[];
}

export const newContractPrices = (): ContractPrices => ({
  index: NO_TICKS,
  mark: NO_TICKS,
  state: 'DEGRADED',
  freshAt: millis(0),
  freshRounds: 0,
  basis: 0,
  premiums: 0,
  samples: 0,
  sampledAt: millis(0),
  settledAt: millis(0),
});

/** X1: the last round had enough sources, and is not old. */
export const areReliable = ({ state, freshAt }: ContractPrices, at: Millis): boolean => state === 'READY' && at - freshAt <= ROUND_FRESH_MS;

/** X4: after a start or an outage, nothing is liquidated before some rounds were fresh. */
export const mayLiquidateBy = (prices: ContractPrices, at: Millis): boolean =>
  prices.freshRounds >= FRESH_ROUNDS_MIN && areReliable(prices, at);

/**
 * X1, X4: positions may grow, money may leave their accounts and funding is paid. Where nobody can be liquidated yet, a winner could pass the position on and take a gain
 * away that the others cannot pay, so under rules 7 a contract is not open before it may liquidate. A contract that is not open is DEGRADED: orders only reduce.
 */
export const isOpenBy = (rules: RulesVersion, prices: ContractPrices, at: Millis): boolean =>
  rules < 7 ? areReliable(prices, at) : mayLiquidateBy(prices, at);

/** What clients are shown. Since rules 7 READY is what the engine takes for open. */
export const shownState = (rules: RulesVersion, prices: ContractPrices, at: Millis): PriceState =>
  rules < 7 || mayLiquidateBy(prices, at) ? prices.state : 'DEGRADED';

/** Records a round. Too few sources leave the prices as they are, DEGRADED. */
export function takeRound(contract: PricedContract, round: PriceRound, rules: RulesVersion, at: Millis): void {
  const { prices, book, lastPrice, terms } = contract;
  const index = rules < 7 ? indexPrice(round.index) : usableIndex(round.index, terms);
  if (index === NO_TICKS) {
    prices.state = 'DEGRADED';
    return;
  }
  const external = rules < 7 ? round.external : round.external.filter((sample) => isUsable(sample, terms));
  const elapsedMs = at - prices.freshAt;
  const isOutage = elapsedMs >= STALE_PRICES_MS;
  const own = { bid: book.bestPrice('buy'), ask: book.bestPrice('sell'), last: lastPrice };
  // After an outage the mark of long ago is no bound, and the basis of long ago no premium.
  const before = isOutage ? { mark: NO_TICKS, basis: 0 } : prices;
  const { mark, basis } = nextMark(before, { index, own, external, elapsedMs: isOutage ? 0 : elapsedMs });
  prices.index = index;
  prices.mark = mark;
  prices.basis = basis;
  prices.state = 'READY';
  prices.freshAt = at;
  prices.freshRounds = isOutage ? 1 : prices.freshRounds + 1;
  samplePremium(contract, at);
}

function samplePremium({ prices, book, terms }: PricedContract, at: Millis): void {
  if (at - prices.sampledAt < PREMIUM_SAMPLE_MS) return;
  prices.premiums += premiumPpb({ bids: book.levels('buy', IMPACT_LEVELS), asks: book.levels('sell', IMPACT_LEVELS) }, prices.index, terms);
  prices.samples += 1;
  prices.sampledAt = at;
}

/** The rate of the running interval if it ended now, in ppb. */
export const predictedFunding = ({ prices, terms }: Pick<PricedContract, 'prices' | 'terms'>): number =>
  fundingRatePpb(prices.premiums, prices.samples, terms);

/** Ends the running interval and begins the next one. */
export function closeInterval(prices: ContractPrices, interval: Millis): void {
  prices.settledAt = interval;
  prices.premiums = 0;
  prices.samples = 0;
}

/**
 * Ends the interval that ended last when it can be settled no more: with the first round after that its premium counts no further. What the next interval has
 * by then is lost with it. Since rules 6.
 */
export function endMissedInterval({ terms, prices }: Pick<PricedContract, 'terms' | 'prices'>, at: Millis): void {
  const interval = at - (at % terms.fundingIntervalMs);
  const lateAt = interval + fundingLateMs(terms);
  if (prices.settledAt >= interval || at <= lateAt || prices.sampledAt > lateAt) return;
  prices.premiums = 0;
  prices.samples = 0;
}

/** After a start of the program the next rounds count from the first. */
export function forgetRounds(prices: ContractPrices): void {
  prices.freshRounds = 0;
}
