/** Which perpetual contracts are listed, in which state, and at which prices. */
import type { Collateral, Contract, Event, MarketState, PriceState } from '@orrery/protocol';
import { NO_TICKS, type AssetId, type MarketId, type Millis, type Ticks } from '@orrery/units';
import type { Fold, Moment } from './fold.ts';

/** A settlement of funding. */
export interface FundingRound {
  /** When its interval ended. */
  readonly interval: Millis;
  /** A share of the notional in 10^-9, signed: above zero longs pay. */
  readonly ratePpb: number;
  /** The index price by which it was paid. */
  readonly price: Ticks;
}

/** What a collateral is valued by. */
export interface CollateralPrice {
  /** 0 before its first round: it counts for nothing. */
  readonly price: Ticks;
  /** When its last round came: an old price counts for less where something opens or leaves. */
  readonly at: Millis;
}

export interface ListedContract {
  readonly contract: Contract;
  readonly state: MarketState;
  /** The outside price; 0 until it is known. */
  readonly index: Ticks;
  /** 0 until it is known. */
  readonly mark: Ticks;
  readonly priceState: PriceState;
  /** Of the running interval, as it would be settled now; 10^-9, signed. */
  readonly fundingPpb: number;
  /** Of the last round of prices. */
  readonly pricesAt: Millis;
  /** 0 until a trade is seen: facts name none. */
  readonly lastPrice: Ticks;
  /** Undefined until a settlement is seen. */
  readonly lastFunding: FundingRound | undefined;
}

export class ContractsView implements Fold {
  readonly #contracts = new Map<MarketId, ListedContract>();
  readonly #bySymbol = new Map<string, MarketId>();
  readonly #collaterals = new Map<AssetId, Collateral>();
  readonly #collateralPrices = new Map<AssetId, CollateralPrice>();

  /** @returns the contract that changed, as it is now. */
  apply(event: Event, { at }: Moment): ListedContract | undefined {
    switch (event.type) {
      case 'ContractRegistered': {
        const { type: _, ...contract } = event;
        this.#bySymbol.set(contract.symbol, contract.market);
        return this.#put({
          contract,
          state: 'TRADING',
          index: NO_TICKS,
          mark: NO_TICKS,
          priceState: 'DEGRADED',
          fundingPpb: 0,
          pricesAt: at,
          lastPrice: NO_TICKS,
          lastFunding: undefined,
        });
      }
      case 'CollateralSet':
        this.#collaterals.set(event.asset, event);
        return undefined;
      case 'CollateralPriced':
        this.#collateralPrices.set(event.asset, { price: event.price, at: event.at });
        return undefined;
      case 'MarketStateChanged':
        return this.#change(event.market, { state: event.state });
      case 'MarketTermsChanged': {
        const { type: _, ...changed } = event;
        const before = this.#contracts.get(event.market);
        return before === undefined ? undefined : this.#put({ ...before, contract: { ...before.contract, ...changed } });
      }
      case 'PricesSet':
        return this.#change(event.market, {
          index: event.index,
          mark: event.mark,
          priceState: event.state,
          fundingPpb: event.fundingPpb,
          pricesAt: at,
        });
      case 'FundingSettled': {
        const { interval, ratePpb, price } = event;
        return this.#change(event.market, { lastFunding: { interval, ratePpb, price } });
      }
      case 'Trade':
        return this.#change(event.market, { lastPrice: event.price });
      default:
        return undefined;
    }
  }

  /** In order of registration. */
  contracts(): readonly ListedContract[] {
    return [...this.#contracts.values()];
  }

  contract(market: MarketId): ListedContract | undefined {
    return this.#contracts.get(market);
  }

  contractBySymbol(symbol: string): ListedContract | undefined {
    const market = this.#bySymbol.get(symbol);
    return market === undefined ? undefined : this.#contracts.get(market);
  }

  /** What counts for cross margin of linear contracts beside their settle asset, in order of setting. */
  collaterals(): readonly Collateral[] {
    return [...this.#collaterals.values()];
  }

  /** Undefined before rules 7, where the index price of its market values it. */
  collateralPrice(asset: AssetId): CollateralPrice | undefined {
    return this.#collateralPrices.get(asset);
  }

  #change(market: MarketId, change: Partial<ListedContract>): ListedContract | undefined {
    const before = this.#contracts.get(market);
    return before === undefined ? undefined : this.#put({ ...before, ...change });
  }

  #put(listed: ListedContract): ListedContract {
    this.#contracts.set(listed.contract.market, listed);
    return listed;
  }
}

/** When the running interval of funding ends. @param at a time in it */
export function nextFundingAt({ fundingIntervalMs }: Contract, at: number): number {
  return (Math.floor(at / fundingIntervalMs) + 1) * fundingIntervalMs;
}
