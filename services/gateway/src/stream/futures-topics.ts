/** Public topics of contracts: facts become frames once, and the same bytes go to every subscriber. */
import type { Event } from '@orrery/protocol';
import { unreachable, type MarketId } from '@orrery/units';
import type { DepthChange, ListedContract, Moment } from '@orrery/views';
import { DEPTH_LEVELS_MAX, type Level } from '@orrery/api';
import type { Floor, FloorListener } from '../floor.ts';
import {
  aggregateTickerOf,
  candlesOf,
  fundingRateOf,
  futuresDealOf,
  futuresDepthOf,
  futuresIndexPriceOf,
  futuresKlineOf,
  futuresTickerOf,
  markPriceOf,
} from '../futures/futures-market.ts';
import { checksumOf, printed } from '../market-data/market-data.ts';
import type { Connection } from './connection.ts';
import { textFrame, textFrames } from './frame.ts';
import { EndedCandles } from './ended-candles.ts';
import type { PublicFuturesTopic } from './futures-topic.ts';

interface Audience {
  readonly topic: PublicFuturesTopic;
  readonly connections: Set<Connection>;
  /** Of a topic of candles. */
  readonly ended: EndedCandles | undefined;
  /** What was sent last, without its time: a ticker that has not changed is not sent again. */
  last: string;
}

/** Sent when prices were set. */
const PRICE_TOPICS: readonly PublicFuturesTopic['kind'][] = ['mark', 'index', 'funding'];
/** Sent at each interval of statistics, where they have changed. */
const TICKER_TOPICS: readonly PublicFuturesTopic['kind'][] = ['ticker', 'tickers', 'agg_ticker', 'agg_tickers'];

export class FuturesTopics implements FloorListener {
  readonly #floor: Floor;
  readonly #now: () => number;
  readonly #audiences = new Map<string, Audience>();
  readonly #deals = new Map<MarketId, unknown[]>();
  readonly #priced = new Set<MarketId>();
  /** Contracts whose candles may have changed since they were last sent. */
  readonly #moved = new Set<MarketId>();

  constructor(floor: Floor, now: () => number) {
    this.#floor = floor;
    this.#now = now;
  }

  subscribe(connection: Connection, topic: PublicFuturesTopic): void {
    // The others receive what has happened so far: the whole that a new subscriber is sent goes on from there.
    if (topic.kind === 'depth_update') this.#publishLevels(this.#listed(topic.market));
    const audience = this.#audiences.get(topic.event) ?? { topic, connections: new Set(), ended: this.#endedOf(topic), last: '' };
    this.#audiences.set(topic.event, audience);
    audience.connections.add(connection);
    connection.topics.add(topic.event);
    connection.missed.delete(topic.event);
  }

  sendWhole(connection: Connection, topic: PublicFuturesTopic): void {
    const data = this.#whole(topic);
    if (data !== undefined) connection.write(textFrame(message(topic, data)));
  }

  unsubscribe(connection: Connection, event: string): void {
    const audience = this.#audiences.get(event);
    audience?.connections.delete(connection);
    if (audience?.connections.size === 0) this.#audiences.delete(event);
    connection.topics.delete(event);
    connection.missed.delete(event);
  }

  leaveAll(connection: Connection): void {
    // A copy: leaving takes topics out of the set that is walked.
    for (const event of Array.from(connection.topics)) this.unsubscribe(connection, event);
  }

  change(event: Event, moment: Moment): void {
    if (event.type === 'PricesSet') {
      this.#priced.add(event.market);
      this.#moved.add(event.market);
    }
    if (event.type !== 'Trade') return;
    const listed = this.#floor.contracts.contract(event.market);
    if (listed === undefined) return;
    this.#moved.add(event.market);
    const deals = this.#deals.get(event.market) ?? [];
    this.#deals.set(event.market, deals);
    deals.push(futuresDealOf({ ...event, seq: moment.seq, at: moment.at }, listed.contract));
  }

  settled(): void {
    if (this.#deals.size === 0 && this.#priced.size === 0) return;
    for (const audience of this.#audiences.values()) {
      const { topic } = audience;
      if (topic.kind === 'trade') this.#publish(audience, this.#deals.get(topic.market) ?? []);
      if (PRICE_TOPICS.includes(topic.kind) && 'market' in topic && this.#priced.has(topic.market)) this.#publishWhole(audience);
    }
    this.#deals.clear();
    this.#priced.clear();
  }

  /** Gathers level changes and candles: once an interval, however much happened in it. */
  publishDepth(): void {
    const changed = new Set<MarketId>();
    for (const listed of this.#floor.contracts.contracts()) if (this.#publishLevels(listed)) changed.add(listed.contract.market);
    for (const audience of this.#audiences.values()) {
      const { topic } = audience;
      if (topic.kind === 'depth' && changed.has(topic.market)) this.#publishWhole(audience);
      this.#publishEnded(audience);
      if (topic.kind === 'kline' && this.#moved.has(topic.market)) this.#publishChanged(audience);
    }
    this.#moved.clear();
    this.#sendToCaughtUp();
  }

  publishStats(): void {
    for (const audience of this.#audiences.values()) if (TICKER_TOPICS.includes(audience.topic.kind)) this.#publishChanged(audience);
  }

  /** As they are listed: of trades without gaps, of mark and index prices as far as they were known. */
  #endedOf(topic: PublicFuturesTopic): EndedCandles | undefined {
    if (topic.kind !== 'kline') return undefined;
    const { market, interval, source } = topic;
    const without = source === 'LAST' ? 'flat' : 'none';
    return new EndedCandles({ candles: candlesOf(this.#floor, source), market, interval, without }, this.#now());
  }

  #publishEnded(audience: Audience): void {
    const { topic, ended } = audience;
    if (topic.kind !== 'kline' || ended === undefined) return;
    const now = this.#now();
    const { contract } = this.#listed(topic.market);
    const klines = ended.until(now).map((candle) => futuresKlineOf(this.#floor, candle, { ...topic, now }, contract));
    this.#publish(audience, klines);
  }

  #publishWhole(audience: Audience): void {
    const data = this.#whole(audience.topic);
    if (data !== undefined) this.#publish(audience, [data]);
  }

  #publishChanged(audience: Audience): void {
    const data = this.#whole(audience.topic);
    if (data === undefined) return;
    const text = JSON.stringify(data, (name, value: unknown) => (name === 't' && audience.topic.kind !== 'kline' ? 0 : value));
    if (text === audience.last) return;
    audience.last = text;
    this.#publish(audience, [data]);
  }

  #publish({ topic, connections }: Audience, data: readonly unknown[]): void {
    if (data.length === 0) return;
    const frames = textFrames(data.map((each) => message(topic, each)));
    for (const connection of connections) connection.offer(topic.event, frames);
  }

  /** @returns whether the book has changed since the last time. */
  #publishLevels({ contract }: ListedContract): boolean {
    const { market } = contract;
    const changes = this.#floor.depth(market).drainChanges();
    const [first, last] = [changes[0], changes.at(-1)];
    if (first === undefined || last === undefined) return false;
    const audience = this.#audiences.get(`depth_update@${contract.symbol.toLowerCase()}`);
    if (audience === undefined) return true;
    const side = (of: DepthChange['side']): Level[] =>
      printed(
        changes.filter((change) => change.side === of),
        contract,
      );
    const update = { whole: false, pu: first.updateId - 1, fu: first.updateId, u: last.updateId, c: checksumOf(this.#floor, contract) };
    this.#publish(audience, [{ s: contract.symbol, t: this.#now(), ...update, b: side('buy'), a: side('sell') }]);
    return true;
  }

  #sendToCaughtUp(): void {
    for (const [event, { topic, connections }] of this.#audiences) {
      for (const connection of connections) {
        if (!connection.missed.has(event) || connection.isBehind()) continue;
        connection.missed.delete(event);
        this.sendWhole(connection, topic);
      }
    }
  }

  /** The present state of a topic; undefined where there is none. */
  #whole(topic: PublicFuturesTopic): unknown {
    const at = this.#now();
    const floor = this.#floor;
    switch (topic.kind) {
      case 'tickers':
        return floor.contracts.contracts().map((listed) => futuresTickerOf(floor, listed, at));
      case 'agg_tickers':
        return floor.contracts.contracts().map((listed) => aggregateTickerOf(floor, listed, at));
      case 'ticker':
        return futuresTickerOf(floor, this.#listed(topic.market), at);
      case 'agg_ticker':
        return aggregateTickerOf(floor, this.#listed(topic.market), at);
      case 'trade':
        return undefined;
      case 'mark':
        return markPriceOf(this.#listed(topic.market));
      case 'index':
        return futuresIndexPriceOf(this.#listed(topic.market));
      case 'funding':
        return fundingRateOf(this.#listed(topic.market), at);
      case 'depth':
        return futuresDepthOf(floor, this.#listed(topic.market).contract, topic.levels, at);
      case 'depth_update':
        return this.#wholeBook(this.#listed(topic.market));
      case 'kline': {
        const { market, interval, source } = topic;
        const [candle] = candlesOf(floor, source).candles({ market, interval, limit: 1 });
        return candle === undefined
          ? undefined
          : futuresKlineOf(floor, candle, { interval, now: at, source }, this.#listed(market).contract);
      }
      default:
        return unreachable(topic);
    }
  }

  #wholeBook({ contract }: ListedContract): unknown {
    const { s, t, u, b, a } = futuresDepthOf(this.#floor, contract, DEPTH_LEVELS_MAX, this.#now());
    return { s, t, whole: true, pu: null, fu: u, u, c: checksumOf(this.#floor, contract), b, a };
  }

  #listed(market: MarketId): ListedContract {
    return this.#floor.listedContract(market);
  }
}

const message = ({ kind, event }: PublicFuturesTopic, data: unknown): string => JSON.stringify({ topic: kind, event, data });
