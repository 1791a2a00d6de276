/** What is listed, in which state, and at which price. */
import { atoms, divFloor, NO_TICKS, type AssetId, type Atoms, type MarketId, type Millis, type Ticks } from '@orrery/units';
import type { Asset, Event, Market, MarketState } from '@orrery/protocol';
import type { Fold, Moment } from './fold.ts';

export interface ListedMarket {
  readonly market: Market;
  readonly state: MarketState;
  /** The outside price; 0 until it is known. */
  readonly indexPrice: Ticks;
  readonly indexPriceAt: Millis;
  /** 0 until a trade is seen: facts tell none. */
  readonly lastPrice: Ticks;
}

export class MarketsView implements Fold {
  readonly #assets = new Map<AssetId, Asset>();
  readonly #assetsByCode = new Map<string, Asset>();
  readonly #markets = new Map<MarketId, ListedMarket>();
  readonly #marketsBySymbol = new Map<string, MarketId>();

  /** @returns the market that changed, as it is now. */
  apply(event: Event, { at }: Moment): ListedMarket | undefined {
    switch (event.type) {
      case 'AssetRegistered': {
        const { type: _, ...asset } = event;
        this.#assets.set(asset.asset, asset);
        this.#assetsByCode.set(asset.code, asset);
        return undefined;
      }
      case 'MarketRegistered': {
        const { type: _, ...market } = event;
        this.#marketsBySymbol.set(market.symbol, market.market);
        return this.#put({ market, state: 'TRADING', indexPrice: NO_TICKS, indexPriceAt: at, lastPrice: NO_TICKS });
      }
      case 'MarketStateChanged':
        return this.#change(event.market, { state: event.state });
      case 'MarketTermsChanged': {
        const { type: _, ...changed } = event;
        const before = this.#markets.get(event.market);
        return before === undefined ? undefined : this.#put({ ...before, market: { ...before.market, ...changed } });
      }
      case 'IndexPriceSet':
        return this.#change(event.market, { indexPrice: event.price, indexPriceAt: at });
      case 'Trade':
        return this.#change(event.market, { lastPrice: event.price });
      default:
        return undefined;
    }
  }

  /** In order of registration. */
  markets(): readonly ListedMarket[] {
    return [...this.#markets.values()];
  }

  market(market: MarketId): ListedMarket | undefined {
    return this.#markets.get(market);
  }

  marketBySymbol(symbol: string): ListedMarket | undefined {
    const market = this.#marketsBySymbol.get(symbol);
    return market === undefined ? undefined : this.#markets.get(market);
  }

  /** In order of registration. */
  assets(): readonly Asset[] {
    return [...this.#assets.values()];
  }

  asset(asset: AssetId): Asset | undefined {
    return this.#assets.get(asset);
  }

  assetByCode(code: string): Asset | undefined {
    return this.#assetsByCode.get(code);
  }

  #change(market: MarketId, change: Partial<ListedMarket>): ListedMarket | undefined {
    const before = this.#markets.get(market);
    return before === undefined ? undefined : this.#put({ ...before, ...change });
  }

  #put(listed: ListedMarket): ListedMarket {
    this.#markets.set(listed.market.market, listed);
    return listed;
  }
}

/** What an amount of the base asset is worth at a price, in atoms of the quote asset, rounded down. */
export function valueAt(amount: Atoms, at: { price: Ticks; market: Market; base: Asset; quote: Asset }): Atoms {
  const { price, market, base, quote } = at;
  const dividend = amount * BigInt(price) * 10n ** BigInt(quote.decimals);
  return atoms(divFloor(dividend, 10n ** BigInt(base.decimals + market.pricePrecision)));
}
