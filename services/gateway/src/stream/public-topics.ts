/** Public topics: facts become frames once, and the same bytes go to every subscriber. */
import { DEPTH_LEVELS_MAX, INTERVALS, type Interval } from '@orrery/api';
import type { Event, Market } from '@orrery/protocol';
import { printLots, printTicks, unreachable, type MarketId } from '@orrery/units';
import type { Candle, DepthChange, Moment } from '@orrery/views';
import type { Floor, FloorListener } from '../floor.ts';
import { listingOf } from '../market-data/listing.ts';
import { checksumOf, depthOf, indexPriceOf, tickerOf } from '../market-data/market-data.ts';
import { dealOf, klineOf, streamTickerOf } from '../market-data/wire.ts';
import type { Connection } from './connection.ts';
import { EndedCandles } from './ended-candles.ts';
import { textFrames } from './frame.ts';

/** What can be subscribed to, apart from one's own account. */
export type Topic =
  | { readonly kind: 'market'; readonly market: MarketId }
  | { readonly kind: 'kline'; readonly market: MarketId; readonly interval: Interval }
  | { readonly kind: 'stats' }
  | { readonly kind: 'index'; readonly market: MarketId };

const keyOf = (topic: Topic): string => {
  switch (topic.kind) {
    case 'market':
    case 'index':
      return `${topic.kind} ${topic.market}`;
    case 'kline':
      return `kline ${topic.market} ${topic.interval}`;
    case 'stats':
      return 'stats';
    default:
      return unreachable(topic);
  }
};

interface Audience {
  readonly topic: Topic;
  readonly connections: Set<Connection>;
  /** Of a topic of candles. */
  readonly ended: EndedCandles | undefined;
}

const message = (resType: string, data: unknown): string => JSON.stringify({ resType, data });

export class PublicTopics implements FloorListener {
  readonly #floor: Floor;
  readonly #now: () => number;
  readonly #audiences = new Map<string, Audience>();
  readonly #deals = new Map<MarketId, string[]>();
  readonly #indexed = new Set<MarketId>();
  /** Markets whose candles changed since they were last sent. */
  readonly #traded = new Set<MarketId>();
  readonly #stats = new Map<string, string>();

  constructor(floor: Floor, now: () => number) {
    this.#floor = floor;
    this.#now = now;
  }

  subscribe(connection: Connection, topic: Topic): void {
    // The others receive what has happened so far: the whole that a new subscriber is sent goes on from there.
    if (topic.kind === 'market') this.#publishLevels(this.#market(topic.market));
    const key = keyOf(topic);
    const audience = this.#audiences.get(key) ?? { topic, connections: new Set(), ended: this.#endedOf(topic) };
    this.#audiences.set(key, audience);
    audience.connections.add(connection);
    connection.topics.add(key);
    connection.missed.delete(key);
  }

  /** Sends the current state to a new subscriber, or to one that has caught up. */
  sendWhole(connection: Connection, topic: Topic): void {
    const frames = this.#whole(topic);
    if (frames.length > 0) connection.write(textFrames(frames));
  }

  unsubscribe(connection: Connection, topic: Topic): void {
    this.#leave(connection, keyOf(topic));
  }

  leaveAll(connection: Connection): void {
    // A copy: leaving takes topics out of the set that is walked.
    for (const key of Array.from(connection.topics)) this.#leave(connection, key);
  }

  change(event: Event, { seq, at }: Moment): void {
    if (event.type === 'Trade') {
      const { market } = event;
      if (this.#floor.markets.market(market) === undefined) return;
      this.#traded.add(market);
      if (!this.#audiences.has(keyOf({ kind: 'market', market }))) return;
      const deals = this.#deals.get(market) ?? [];
      this.#deals.set(market, deals);
      deals.push(message('qDeal', dealOf({ ...event, seq, at }, this.#market(market))));
    }
    if (event.type === 'IndexPriceSet') this.#indexed.add(event.market);
  }

  settled(): void {
    for (const [market, deals] of this.#deals) this.#publish({ kind: 'market', market }, deals);
    this.#deals.clear();
    for (const market of this.#indexed) {
      const topic: Topic = { kind: 'index', market };
      if (this.#audiences.has(keyOf(topic))) this.#publish(topic, [message('qIndex', indexPriceOf(this.#floor.listed(market)))]);
    }
    this.#indexed.clear();
  }

  /** Gathers level changes and candles: once an interval, however much happened in it. */
  publishDepth(): void {
    for (const { market } of this.#floor.markets.markets()) this.#publishLevels(market);
    this.#publishEnded();
    for (const market of this.#traded) this.#publishCandles(market);
    this.#traded.clear();
    this.#sendToCaughtUp();
  }

  publishStats(): void {
    const audience = this.#audiences.get('stats');
    if (audience !== undefined) this.#publish(audience.topic, this.#changedStats());
  }

  #leave(connection: Connection, key: string): void {
    const audience = this.#audiences.get(key);
    audience?.connections.delete(connection);
    if (audience?.connections.size === 0) this.#audiences.delete(key);
    connection.topics.delete(key);
    connection.missed.delete(key);
  }

  #publish(topic: Topic, messages: readonly string[]): void {
    const key = keyOf(topic);
    const audience = this.#audiences.get(key);
    if (audience === undefined || messages.length === 0) return;
    const frames = textFrames(messages);
    for (const connection of audience.connections) connection.offer(key, frames);
  }

  #publishLevels(market: Market): void {
    const changes = this.#floor.depth(market.market).drainChanges();
    const topic: Topic = { kind: 'market', market: market.market };
    if (changes.length > 0 && this.#audiences.has(keyOf(topic))) this.#publish(topic, this.#levels(market, changes));
  }

  #levels(market: Market, changes: readonly DepthChange[]): string[] {
    const at = this.#now();
    return changes.map(({ updateId, side, price, size }, index) =>
      message('qDepth', {
        id: updateId,
        s: market.symbol,
        m: side === 'buy' ? 1 : 2,
        p: printTicks(price, market.pricePrecision),
        q: printLots(size, market.sizePrecision),
        t: at,
        ...(index === changes.length - 1 ? { c: checksumOf(this.#floor, market) } : {}),
      }),
    );
  }

  #endedOf(topic: Topic): EndedCandles | undefined {
    if (topic.kind !== 'kline') return undefined;
    const { market, interval } = topic;
    return new EndedCandles({ candles: this.#floor.candles, market, interval, without: 'flat' }, this.#now());
  }

  #publishEnded(): void {
    const now = this.#now();
    for (const { topic, ended } of this.#audiences.values()) {
      if (topic.kind !== 'kline' || ended === undefined) continue;
      const candles = ended.until(now);
      if (candles.length > 0)
        this.#publish(
          topic,
          candles.map((candle) => this.#candleText(topic, candle)),
        );
    }
  }

  #publishCandles(market: MarketId): void {
    for (const interval of INTERVALS) {
      const topic: Topic = { kind: 'kline', market, interval };
      if (this.#audiences.has(keyOf(topic))) this.#publish(topic, this.#candle(market, interval));
    }
  }

  #sendToCaughtUp(): void {
    for (const [key, { topic, connections }] of this.#audiences) {
      for (const connection of connections) {
        if (!connection.missed.has(key) || connection.isBehind()) continue;
        connection.missed.delete(key);
        this.sendWhole(connection, topic);
      }
    }
  }

  #whole(topic: Topic): readonly string[] {
    switch (topic.kind) {
      case 'market':
        return [message('qAllDepth', depthOf(this.#floor, this.#market(topic.market), DEPTH_LEVELS_MAX, this.#now()))];
      case 'kline':
        return this.#candle(topic.market, topic.interval);
      case 'stats':
        return this.#floor.markets.markets().map((listed) => message('qStats', streamTickerOf(tickerOf(this.#floor, listed, this.#now()))));
      case 'index':
        return [message('qIndex', indexPriceOf(this.#floor.listed(topic.market)))];
      default:
        return unreachable(topic);
    }
  }

  #candle(market: MarketId, interval: Interval): readonly string[] {
    const [candle] = this.#floor.candles.candles({ market, interval, limit: 1 });
    return candle === undefined ? [] : [this.#candleText({ market, interval }, candle)];
  }

  #candleText({ market, interval }: { readonly market: MarketId; readonly interval: Interval }, candle: Candle): string {
    const terms = { interval, now: this.#now(), since: this.#floor.candles.tradedSince(market) };
    return message('qKLine', klineOf(candle, terms, listingOf(this.#floor, this.#market(market))));
  }

  #changedStats(): string[] {
    return this.#floor.markets.markets().flatMap((listed) => {
      const ticker = streamTickerOf(tickerOf(this.#floor, listed, this.#now()));
      const shown = JSON.stringify({ ...ticker, t: 0 });
      if (this.#stats.get(ticker.s) === shown) return [];
      this.#stats.set(ticker.s, shown);
      return [message('qStats', ticker)];
    });
  }

  #market(market: MarketId): Market {
    return this.#floor.listed(market).market;
  }
}
