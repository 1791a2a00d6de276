/** The markets' past for the gateway's candles: outside prices first, then our own trades. Volume is what was traded here. */
import type { Market } from '@orrery/protocol';
import type { PriceSource } from '@orrery/prices';
import type { History } from '@orrery/projector';
import { millis, NO_ATOMS, NO_LOTS, type Millis } from '@orrery/units';
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

  /** A minute with trades of ours uses them; every other minute uses the outside price and has no volume. */
  async minutes(market: Market): Promise<Iterable<Candle>> {
    const own = await this.#history.minutes(market);
    return inOrder(own, this.#outside(market));
  }

  *#outside({ market }: Market): Generator<Candle, void> {
    let last: Millis | undefined;
    for (const bar of this.#prices.historyBars(market)) {
      last = bar.openTime;
      yield bar;
    }
    if (last !== undefined) yield* this.#prices.bars(market, { from: millis(last + MINUTE_MS), to: this.#now() });
  }

  /** Minutes with trades of ours: what the contract was worth outside is in its index. */
  contractMinutes(contract: Pick<Market, 'market'>): Promise<Iterable<Candle>> {
    return this.#history.minutes(contract);
  }

  trades(market: Pick<Market, 'market'>): Promise<readonly TapeTrade[]> {
    return this.#history.trades(market);
  }
}

/** Generated one by one: there are tens of thousands, and no reader needs all of them at once. */
function* inOrder(own: readonly Candle[], outside: Iterable<Candle>): Generator<Candle, void> {
  let next = 0;
  for (const bar of outside) {
    for (let mine = own[next]; mine !== undefined && mine.openTime <= bar.openTime; mine = own[next]) {
      yield mine;
      next += 1;
    }
    if (own[next - 1]?.openTime !== bar.openTime) yield untraded(bar);
  }
  yield* own.slice(next);
}

const untraded = (candle: Candle): Candle => ({ ...candle, volume: NO_LOTS, quoteVolume: NO_ATOMS });
