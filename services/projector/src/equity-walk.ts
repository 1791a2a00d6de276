/** The worth of an account over time, from the changes of its balances and positions, of index prices and of marks. */
import type { PortfolioPoint } from '@orrery/api';
import type { Contract } from '@orrery/protocol';
import { unrealizedProfit } from '@orrery/rules';
import {
  addAtoms,
  type AssetId,
  assert,
  type Atoms,
  lots,
  type MarketId,
  NO_ATOMS,
  printAtoms,
  subtractAtoms,
  type Ticks,
} from '@orrery/units';
import type { MarketsView } from '@orrery/views';
import type { FundGain } from './fund-gains.ts';
import { valueOf } from './valuation.ts';

/** Holds from `endsAt` on. */
export interface HoldingChange {
  readonly endsAt: number;
  readonly asset: AssetId;
  readonly total: Atoms;
  readonly netDeposits: Atoms;
}

export interface PriceChange {
  readonly endsAt: number;
  readonly market: MarketId;
  readonly price: Ticks;
}

export interface PositionChange {
  readonly endsAt: number;
  readonly market: MarketId;
  readonly positionSide: string;
  /** Lots, below zero of a short one. */
  readonly size: number;
  readonly cost: Atoms;
}

/** All in the order of `endsAt`. */
interface Changes {
  readonly holdings: readonly HoldingChange[];
  readonly prices: readonly PriceChange[];
  readonly positions: readonly PositionChange[];
  readonly marks: readonly PriceChange[];
  readonly gains: readonly FundGain[];
}

interface Terms {
  readonly markets: MarketsView;
  readonly contractOf: (market: MarketId) => Contract | undefined;
  /** Of USDC. */
  readonly decimals: number;
}

/** Goes through changes in the order of their time. */
export class EquityWalk {
  readonly #terms: Terms;
  readonly #holdings: Pending<HoldingChange>;
  readonly #priceChanges: Pending<PriceChange>;
  readonly #positionChanges: Pending<PositionChange>;
  readonly #markChanges: Pending<PriceChange>;
  readonly #gains: Pending<FundGain>;
  readonly #totals = new Map<AssetId, Atoms>();
  readonly #prices = new Map<MarketId, Ticks>();
  readonly #positions = new Map<string, PositionChange>();
  readonly #marks = new Map<MarketId, Ticks>();
  #net = NO_ATOMS;

  constructor({ holdings, prices, positions, marks, gains }: Changes, terms: Terms) {
    this.#terms = terms;
    this.#holdings = new Pending(holdings);
    this.#priceChanges = new Pending(prices);
    this.#positionChanges = new Pending(positions);
    this.#markChanges = new Pending(marks);
    this.#gains = new Pending(gains);
  }

  /** What there is after all changes up to `end`, as of `time`; undefined before the first balance, and where a price is not known. */
  to(end: number, time: number): PortfolioPoint | undefined {
    for (const { asset, total, netDeposits } of this.#holdings.until(end)) {
      this.#totals.set(asset, total);
      this.#net = addAtoms(this.#net, netDeposits);
    }
    // What was gained came in with a redemption, and was not paid in.
    for (const { amount } of this.#gains.until(end)) this.#net = subtractAtoms(this.#net, amount);
    for (const { market, price } of this.#priceChanges.until(end)) this.#prices.set(market, price);
    for (const change of this.#positionChanges.until(end)) this.#positions.set(`${change.market}:${change.positionSide}`, change);
    for (const { market, price } of this.#markChanges.until(end)) this.#marks.set(market, price);
    if (this.#totals.size === 0) return undefined;
    // What a coin is worth is rounded once, with what positions that are settled in it have gained.
    const sums = new Map(this.#totals);
    for (const { asset, amount } of this.#unrealised()) {
      if (amount === undefined) return undefined;
      sums.set(asset, addAtoms(sums.get(asset) ?? NO_ATOMS, amount));
    }
    let equity = NO_ATOMS;
    for (const [asset, amount] of sums) {
      const value = valueOf({ asset, amount }, this.#terms.markets, this.#prices);
      if (value === undefined) return undefined;
      equity = addAtoms(equity, value);
    }
    return { time, equity: printAtoms(equity, this.#terms.decimals), net: printAtoms(this.#net, this.#terms.decimals) };
  }

  *#unrealised(): Generator<Worth> {
    for (const { market, size, cost } of this.#positions.values()) {
      if (size === 0) continue;
      const contract = this.#terms.contractOf(market);
      assert(contract !== undefined, `contract ${market} was registered before it was used`);
      const mark = this.#marks.get(market);
      const direction = size > 0 ? 'long' : 'short';
      const amount = mark === undefined ? undefined : unrealizedProfit({ direction, size: lots(Math.abs(size)), cost }, mark, contract);
      yield { asset: contract.settle, amount };
    }
  }
}

interface Worth {
  readonly asset: AssetId;
  /** Undefined where its price is not known. */
  readonly amount: Atoms | undefined;
}

/** Changes that are yet to come. */
class Pending<Change extends { readonly endsAt: number }> {
  readonly #changes: readonly Change[];
  #done = 0;

  constructor(changes: readonly Change[]) {
    this.#changes = changes;
  }

  *until(end: number): Generator<Change> {
    for (let next = this.#changes[this.#done]; next !== undefined && next.endsAt <= end; next = this.#changes[this.#done]) {
      this.#done += 1;
      yield next;
    }
  }
}
