/** The worth of an account over time, from the changes of its balances and of index prices. */
import type { PortfolioPoint } from '@orrery/api';
import { addAtoms, type AssetId, type Atoms, type MarketId, NO_ATOMS, printAtoms, type Ticks } from '@orrery/units';
import type { MarketsView } from '@orrery/views';
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

/** Both in the order of `endsAt`. */
interface Changes {
  readonly holdings: readonly HoldingChange[];
  readonly prices: readonly PriceChange[];
}

/** Goes through changes in the order of their time. */
export class EquityWalk {
  readonly #changes: Changes;
  readonly #markets: MarketsView;
  readonly #decimals: number;
  readonly #totals = new Map<AssetId, Atoms>();
  readonly #prices = new Map<MarketId, Ticks>();
  #net = NO_ATOMS;
  #holdingsDone = 0;
  #pricesDone = 0;

  constructor(changes: Changes, markets: MarketsView, decimals: number) {
    this.#changes = changes;
    this.#markets = markets;
    this.#decimals = decimals;
  }

  /** What there is after all changes up to `end`, as of `time`; undefined before the first balance, and where a price is not known. */
  to(end: number, time: number): PortfolioPoint | undefined {
    const { holdings, prices } = this.#changes;
    for (let next = holdings[this.#holdingsDone]; next !== undefined && next.endsAt <= end; next = holdings[this.#holdingsDone]) {
      this.#totals.set(next.asset, next.total);
      this.#net = addAtoms(this.#net, next.netDeposits);
      this.#holdingsDone += 1;
    }
    for (let next = prices[this.#pricesDone]; next !== undefined && next.endsAt <= end; next = prices[this.#pricesDone]) {
      this.#prices.set(next.market, next.price);
      this.#pricesDone += 1;
    }
    if (this.#totals.size === 0) return undefined;
    let equity = NO_ATOMS;
    for (const [asset, amount] of this.#totals) {
      const value = valueOf({ asset, amount }, this.#markets, this.#prices);
      if (value === undefined) return undefined;
      equity = addAtoms(equity, value);
    }
    return { time, equity: printAtoms(equity, this.#decimals), net: printAtoms(this.#net, this.#decimals) };
  }
}
