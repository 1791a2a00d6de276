/** What the outside world pays: one price of each market now, and its minutes of before. */
import type { Market } from '@orrery/protocol';
import type { MarketId, Millis, Ticks } from '@orrery/units';
import type { Candle } from '@orrery/views';
import type { PriceLabel } from './month.ts';

/** What a source must know of a market. */
export type OutsideMarket = Pick<Market, 'market' | 'symbol' | 'pricePrecision' | 'sizePrecision' | 'tickLotAtoms'>;

export interface OutsidePrice {
  readonly market: MarketId;
  readonly symbol: string;
  readonly price: Ticks;
  readonly at: Millis;
  readonly label: PriceLabel;
}

/** What one outside venue says of a market. */
export interface PriceSample {
  /** Names the venue; one that is derived from a recording says so. */
  readonly source: string;
  readonly price: Ticks;
  /** Milliseconds since it was heard. */
  readonly ageMs: number;
}

/** Of a spot venue. */
export interface IndexSample extends PriceSample {
  /** Its weight in the index, from 1 to 100. */
  readonly weight: number;
}

/** What every venue says at one time, however old: which of it counts is decided by the engine. */
export interface PriceRound {
  /** Spot venues. */
  readonly index: readonly IndexSample[];
  /** Venues of perpetual futures. */
  readonly external: readonly PriceSample[];
}

export interface PriceSource {
  /** Undefined where there is no price that is fresh. */
  price(market: MarketId, at: Millis): OutsidePrice | undefined;
  /** Each venue by itself; empty where nothing was ever heard. */
  round(market: MarketId, at: Millis): PriceRound;
  /** Whole minutes that opened from `from` to before `to`, oldest first; without volume, which is what was traded here. */
  bars(market: MarketId, range: { readonly from: Millis; readonly to: Millis }): Iterable<Candle>;
  /** The minutes from before the exchange was first started, oldest first: candles have a past from the first second on. */
  historyBars(market: MarketId): Iterable<Candle>;
  /** Undefined for a market that it has nothing of. */
  labelOf(market: MarketId): PriceLabel | undefined;
  close(): void;
}
