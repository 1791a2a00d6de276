/**
 * Stands for the services that bring contracts their time and their prices: every few seconds a round of outside prices and of timers, and funding when
 * an interval has ended. A round that is not answered is not given again, for the next one is newer; funding is given until its interval is settled or over.
 */
import { CONTRACTS, USUAL_LISTING } from '@orrery/exchange/listing';
import type { Command, Contract, IndexSample, Receipt } from '@orrery/protocol';
import { millis, ticks, type MarketId } from '@orrery/units';
import type { Outside } from './clients/outside.ts';
import { MINUTE, SECOND } from './plan.ts';
import type { Timeline } from './timeline.ts';

/** Shorter than in production, so that a short run sees some. */
const FUNDING_MS = 5 * MINUTE;
const ROUND_MS = 10 * SECOND;
const PPM = 1_000_000;
const VENUES = ['one', 'two', 'three'] as const;

/** As the exchange lists them, the inverse one second, so that a few of them are of both kinds. */
export function futuresOf(count: number): readonly Contract[] {
  const inInterval = CONTRACTS.map((contract) => ({ ...contract, fundingIntervalMs: FUNDING_MS }));
  const [linear, inverse] = [
    inInterval.filter(({ payoff }) => payoff === 'linear'),
    inInterval.filter(({ payoff }) => payoff === 'inverse'),
  ];
  return [...linear.slice(0, 1), ...inverse, ...linear.slice(1)].slice(0, count);
}

export interface FuturesFeedParts {
  readonly contracts: readonly Contract[];
  readonly timeline: Timeline;
  readonly outside: Outside;
  /** By the clock of the program's host, in unix milliseconds. */
  readonly wallMs: () => number;
  /** One attempt: undefined when it was refused or its outcome is unknown. */
  readonly offer: (command: Command) => Promise<Receipt | undefined>;
}

/** A venue that says a part of the price, in 10^-6; 0 for none. */
export interface Lie {
  readonly ppm: number;
  /** Whether only one other venue contradicts it. */
  readonly isAlone: boolean;
}

export class FuturesFeed {
  readonly #parts: FuturesFeedParts;
  readonly #shifts = new Map<MarketId, number>();
  readonly #settled = new Map<MarketId, number>();
  #isOver = false;
  isSilent = false;
  /** What the first venue says instead. */
  lie: Lie | undefined;

  constructor(parts: FuturesFeedParts) {
    this.#parts = parts;
  }

  get contracts(): readonly Contract[] {
    return this.#parts.contracts;
  }

  start(): void {
    this.#round();
  }

  end(): void {
    this.#isOver = true;
  }

  /** The price of a contract as people see it outside, in ticks. */
  price(contract: Contract): number {
    const outside = this.#parts.outside.price(contract, this.#parts.timeline.now);
    const shifted = Math.round((outside * (PPM + (this.#shifts.get(contract.market) ?? 0))) / PPM);
    return Math.max(contract.minPrice, Math.min(shifted, contract.maxPrice));
  }

  /** Moves the outside price of a contract, from 0 to 1 which one. Returns what moves it back. */
  shift(which: number, ppm: number): () => void {
    const { contracts } = this;
    const market = contracts[Math.floor(which * contracts.length)]?.market;
    if (market === undefined) return () => undefined;
    this.#shifts.set(market, ppm);
    return () => {
      if (this.#shifts.get(market) === ppm) this.#shifts.delete(market);
    };
  }

  /** Milliseconds until the running funding interval ends. */
  untilFunding(): number {
    return FUNDING_MS - (this.#parts.wallMs() % FUNDING_MS);
  }

  #round(): void {
    if (this.#isOver) return;
    for (const contract of this.contracts) {
      void this.#parts.offer(this.#pricesOf(contract));
      this.#settle(contract);
    }
    for (const { asset, market } of USUAL_LISTING.collaterals) {
      const spot = USUAL_LISTING.markets.find((one) => one.market === market);
      if (spot === undefined) continue;
      const price = this.#parts.outside.price(spot, this.#parts.timeline.now);
      void this.#parts.offer({ type: 'SubmitCollateralPrices', asset, index: this.#venues(price) });
    }
    void this.#parts.offer({ type: 'RunTimers' });
    this.#parts.timeline.after(ROUND_MS, () => this.#round());
  }

  #pricesOf(contract: Contract): Command {
    return { type: 'SubmitPrices', market: contract.market, index: this.#venues(this.price(contract)), external: [] };
  }

  #venues(price: number): readonly IndexSample[] {
    if (this.isSilent) return [];
    const { lie } = this;
    const honest = VENUES.map((source) => ({ source, price: ticks(price), ageMs: 0, weight: 1 }));
    if (lie === undefined) return honest;
    const [first, ...others] = honest;
    const reported = first === undefined ? [] : [{ ...first, price: ticks(Math.round((price * lie.ppm) / PPM)) }];
    return [...reported, ...(lie.isAlone ? others.slice(0, 1) : others)];
  }

  #settle({ market }: Contract): void {
    const now = this.#parts.wallMs();
    const interval = now - (now % FUNDING_MS);
    if (this.#settled.get(market) === interval) return;
    void this.#parts.offer({ type: 'SettleFunding', market, interval: millis(interval) }).then((receipt) => {
      const isSettled = receipt?.events.some(({ type }) => type === 'FundingSettled' || type === 'CommandRepeated');
      if (isSettled === true) this.#settled.set(market, interval);
    });
  }
}
