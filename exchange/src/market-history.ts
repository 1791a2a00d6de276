/** The markets' past for the gateway's candles: outside prices until the first trade here, then our own trades. Volume is what was traded here. */
import type { Market } from '@orrery/protocol';
import type { PriceSource } from '@orrery/prices';
import type { ContractMinutes } from '@orrery/gateway';
import type { History } from '@orrery/projector';
import { millis, NO_ATOMS, NO_LOTS, type Millis } from '@orrery/units';
import { CANDLES_KEPT, type Candle, type TapeTrade } from '@orrery/views';

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

  /** From before the first trade of ours outside prices, without volume; from then on our own trades alone: a last price is a trade. */
  async minutes(market: Pick<Market, 'market'>): Promise<Iterable<Candle>> {
    const own = await this.#history.minutes(market);
    const [first] = own;
    return first === undefined ? inOrder(own, this.#outside(market)) : inOrder(own, before(first.openTime, this.#outside(market)));
  }

  async contractMinutes({ market }: Pick<Market, 'market'>): Promise<ContractMinutes> {
    const [trades, mark, index] = await Promise.all([
      this.#history.minutes({ market }),
      this.#rounds(market, 'mark'),
      this.#rounds(market, 'index'),
    ]);
    const outside = [...this.#outside({ market })];
    const first = Math.min(...[trades, mark, index].map(([minute]) => minute?.openTime ?? Infinity));
    const start = outside.findIndex(({ openTime }) => openTime >= first);
    const [common, rest] = start === -1 ? [outside, []] : [outside.slice(0, start), outside.slice(start)];
    return {
      common,
      trades: inOrder(trades, before(trades[0]?.openTime ?? Infinity, rest)),
      // A minute with rounds of ours uses them; in every other minute the outside price was what the contract was worth.
      mark: inOrder(mark, rest),
      index: inOrder(index, rest),
    };
  }

  async #rounds(market: Market['market'], source: 'mark' | 'index'): Promise<readonly Candle[]> {
    const now = this.#now();
    const range = { from: millis(Math.max(0, now - CANDLES_KEPT * MINUTE_MS)), to: millis(now + MINUTE_MS), limit: CANDLES_KEPT };
    const minutes = await this.#history.contracts.priceMinutes({ market, source, ...range });
    return minutes.map((minute) => ({ ...minute, volume: NO_LOTS, quoteVolume: NO_ATOMS }));
  }

  *#outside({ market }: Pick<Market, 'market'>): Generator<Candle, void> {
    let last: Millis | undefined;
    for (const bar of this.#prices.historyBars(market)) {
      last = bar.openTime;
      yield bar;
    }
    if (last !== undefined) yield* this.#prices.bars(market, { from: millis(last + MINUTE_MS), to: this.#now() });
  }

  trades(market: Pick<Market, 'market'>): Promise<readonly TapeTrade[]> {
    return this.#history.trades(market);
  }
}

function* before(end: number, bars: Iterable<Candle>): Generator<Candle, void> {
  for (const bar of bars) {
    if (bar.openTime >= end) return;
    yield bar;
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
    if (own[next - 1]?.openTime !== bar.openTime) yield bar;
  }
  yield* own.slice(next);
}
