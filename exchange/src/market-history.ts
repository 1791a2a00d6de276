/** The markets' past for the gateway's candles: outside prices first, then our own trades. Volume is what was traded here. */
import type { Market } from '@orrery/protocol';
import type { PriceSource } from '@orrery/prices';
import type { History } from '@orrery/projector';
import { atoms, lots, millis, type Millis } from '@orrery/units';
import type { Candle, TapeTrade } from '@orrery/views';

const MINUTE_MS = 60_000;

export class MarketHistory {
  readonly #prices: PriceSource;
  readonly #history: History;
  readonly #now: () => Millis;

  constructor(parts: { prices: PriceSource; history: History; now: () => Millis }) {
    this.#prices = parts.prices;
    this.#history = parts.history;
    this.#now = parts.now;
  }

  /** A minute in which we traded is told by our trades; every other one by the outside price, and nobody traded in it. */
  async minutes(market: Market): Promise<readonly Candle[]> {
    const own = await this.#history.minutes(market);
    const traded = new Set(own.map(({ openTime }) => openTime));
    const before = this.#prices.historyBars(market.market);
    const last = before.at(-1)?.openTime;
    const since = last === undefined ? [] : this.#prices.bars(market.market, { from: millis(last + MINUTE_MS), to: this.#now() });
    const outside = [...before, ...since].filter(({ openTime }) => !traded.has(openTime));
    return [...outside.map(untraded), ...own].sort((left, right) => left.openTime - right.openTime);
  }

  trades(market: Market): Promise<readonly TapeTrade[]> {
    return this.#history.trades(market);
  }
}

const untraded = (candle: Candle): Candle => ({ ...candle, volume: lots(0), quoteVolume: atoms(0n) });
