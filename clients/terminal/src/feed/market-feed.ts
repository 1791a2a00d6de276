/** What runs in the feed worker: it keeps the book of the market in view from the stream and tells the page at a pace a person can read. */
import type { Deal, Kline, StreamMessage, Ticker } from '@orrery/api';
import { parseLots, parseTicks } from '@orrery/units';
import type { Bar, Interval } from '../chart/chart-port.ts';
import { Connection } from './connection.ts';
import type { Socket, SocketListeners } from './connection.ts';
import { DepthReplica } from './depth-replica.ts';
import type { BookSide } from './ladder.ts';
import { packLadder } from './ladder.ts';
import type { FeedPhase, FeedStatus, Post, ToWorker, View } from './messages.ts';
import { PrivateStream } from './private-stream.ts';
import { mergeTape } from './tape.ts';
import type { TapeTrade } from './tape.ts';

/** The worker's heartbeat; everything slower counts in it. */
export const BEAT_MS = 50;
const DEPTH_EVERY_MS = 500;
const BAR_EVERY_MS = 250;
const STATUS_EVERY_MS = 1_000;
/** Levels a side for the depth chart and for estimates. */
const DEPTH_LEVELS = 200;

export interface FeedPorts {
  readonly open: (url: string, listeners: SocketListeners) => Socket;
  readonly post: Post;
  readonly now: () => number;
  /** The latest trades of a market, any order. */
  readonly latestDeals: (symbol: string) => Promise<readonly Deal[]>;
}

function toBar(kline: Kline): Bar {
  return { time: kline.t, open: Number(kline.o), high: Number(kline.h), low: Number(kline.l), close: Number(kline.c), volume: Number(kline.a) };
}

function pairs(side: BookSide): Float64Array<ArrayBuffer> {
  const count = Math.min(side.length, DEPTH_LEVELS);
  const packed = new Float64Array(2 * count);
  for (let level = 0; level < count; level += 1) {
    packed[2 * level] = side.prices[level] ?? 0;
    packed[2 * level + 1] = side.sizes[level] ?? 0;
  }
  return packed;
}

export class MarketFeed {
  readonly #ports: FeedPorts;
  #connection: Connection | undefined;
  readonly #private: PrivateStream;
  #view: View | undefined;
  #replica: DepthReplica | undefined;
  #visibility: 'visible' | 'hidden' = 'visible';
  #isSubscribed = false;
  #hasBeenOpen = false;
  #period = 100;
  #resyncs = 0;
  #tape: readonly TapeTrade[] = [];
  /** Changed since they were last told. */
  readonly #tickers = new Map<string, Ticker>();
  #bar: { readonly interval: Interval; readonly bar: Bar } | undefined;
  readonly #dirty = { ladder: false, depth: false, tape: false };
  readonly #sentAt = { fast: 0, depth: 0, bar: 0, status: 0 };
  #phase: FeedPhase = 'connecting';

  constructor(ports: FeedPorts) {
    this.#ports = ports;
    this.#private = new PrivateStream({ send: (message) => this.#connection?.send(message), post: ports.post, now: ports.now });
  }

  receive(message: ToWorker): void {
    switch (message.type) {
      case 'start': return this.#start(message.url);
      case 'view': return this.#show(message.view);
      case 'visibility': return this.#turn(message.visibility);
      case 'ticket': return this.#private.authorize(message.ticket);
      case 'account': return this.#private.setAccount(message.account);
      case 'pace':
        this.#period = 1000 / message.hertz;
    }
  }

  /** Called every `BEAT_MS`. */
  beat(): void {
    this.#connection?.tend();
    const now = this.#ports.now();
    if (this.#visibility === 'visible') {
      this.#tellFast(now);
      this.#tellDepth(now);
      this.#tellBar(now);
    }
    if (now - this.#sentAt.status >= STATUS_EVERY_MS) this.#tellStatus();
  }

  #start(url: string): void {
    this.#connection = new Connection({
      open: (listeners) => this.#ports.open(url, listeners),
      now: this.#ports.now,
      onOpen: () => this.#opened(),
      onMessage: (message) => this.#take(message),
      onClose: () => this.#closed(),
    });
    this.#connection.connect();
    this.#tellStatus();
  }

  #opened(): void {
    this.#setPhase(this.#visibility === 'hidden' ? 'paused' : 'live');
    this.#connection?.send({ sub: 'subStats' });
    this.#private.opened();
    if (this.#visibility === 'visible') this.#subscribe(this.#hasBeenOpen ? 'again' : 'first');
    this.#hasBeenOpen = true;
  }

  #closed(): void {
    this.#isSubscribed = false;
    this.#replica?.reset();
    this.#private.closed();
    this.#setPhase('reconnecting');
  }

  #turn(visibility: 'visible' | 'hidden'): void {
    if (visibility === this.#visibility) return;
    this.#visibility = visibility;
    if (this.#connection?.isOpen !== true) return;
    if (visibility === 'hidden') this.#unsubscribe();
    else this.#subscribe('again');
    this.#setPhase(visibility === 'hidden' ? 'paused' : 'live');
  }

  #show(view: View | undefined): void {
    const last = this.#view;
    if (view !== undefined && view.symbol === last?.symbol) {
      if (view.interval !== last.interval) this.#changeInterval(last, view);
      this.#view = view;
      this.#dirty.ladder = true;
      return;
    }
    this.#unsubscribe();
    this.#view = view;
    this.#replica = view && new DepthReplica(view);
    this.#tape = [];
    this.#bar = undefined;
    if (this.#visibility === 'visible') this.#subscribe('first');
  }

  #changeInterval(last: View, next: View): void {
    this.#bar = undefined;
    this.#connection?.send({ unsub: 'subKline', symbol: last.symbol, type: last.interval });
    this.#connection?.send({ sub: 'subKline', symbol: next.symbol, type: next.interval });
  }

  #subscribe(time: 'first' | 'again'): void {
    const view = this.#view;
    if (view === undefined || this.#isSubscribed || this.#connection?.isOpen !== true) return;
    this.#isSubscribed = true;
    this.#replica?.reset();
    this.#connection.send({ sub: 'subSymbol', symbol: view.symbol });
    this.#connection.send({ sub: 'subKline', symbol: view.symbol, type: view.interval });
    void this.#readDeals(view);
    if (time === 'again') this.#ports.post({ type: 'returned', symbol: view.symbol });
  }

  #unsubscribe(): void {
    const view = this.#view;
    if (view === undefined || !this.#isSubscribed) return;
    this.#isSubscribed = false;
    this.#connection?.send({ unsub: 'subSymbol', symbol: view.symbol });
    this.#connection?.send({ unsub: 'subKline', symbol: view.symbol, type: view.interval });
  }

  async #readDeals(view: View): Promise<void> {
    // A tape that starts empty is only less to read; the next trades fill it.
    const deals = await this.#ports.latestDeals(view.symbol).catch(() => []);
    if (this.#view?.symbol === view.symbol) this.#addDeals(deals, view);
  }

  #take(message: StreamMessage): void {
    const view = this.#view;
    switch (message.resType) {
      case 'qAllDepth':
        if (message.data.s === view?.symbol) this.#replica?.replace(message.data);
        return this.#bookChanged();
      case 'qDepth':
        if (message.data.s === view?.symbol) this.#replica?.update(message.data);
        return this.#bookChanged();
      case 'qDeal':
        if (view !== undefined) this.#addDeals([message.data], view);
        return;
      case 'qKLine':
        if (message.data.s === view?.symbol && message.data.i === view.interval) this.#bar = { interval: message.data.i, bar: toBar(message.data) };
        return;
      case 'qStats':
        this.#tickers.set(message.data.s, message.data);
        return;
      case 'qIndex':
      case 'reply':
        return;
      case 'error':
        return this.#private.refused();
      default:
        return this.#private.take(message);
    }
  }

  #bookChanged(): void {
    if (this.#replica?.state === 'broken') this.#resync();
    else if (this.#replica?.state === 'whole') this.#dirty.ladder = this.#dirty.depth = true;
  }

  #resync(): void {
    const view = this.#view;
    if (view === undefined) return;
    this.#resyncs += 1;
    this.#replica?.reset();
    this.#connection?.send({ unsub: 'subSymbol', symbol: view.symbol });
    this.#connection?.send({ sub: 'subSymbol', symbol: view.symbol });
    void this.#readDeals(view);
    this.#tellStatus();
  }

  #addDeals(deals: readonly Deal[], view: View): void {
    const trades: TapeTrade[] = [];
    for (const deal of deals) {
      const price = parseTicks(deal.p, view.pricePrecision);
      const size = parseLots(deal.a, view.sizePrecision);
      if (deal.s !== view.symbol || price === undefined || size === undefined) continue;
      trades.push({ id: Number(deal.id), time: deal.t, price, size, takerSide: deal.m === 1 ? 'buy' : 'sell' });
    }
    const tape = mergeTape(this.#tape, trades);
    if (tape !== this.#tape) this.#dirty.tape = true;
    this.#tape = tape;
  }

  #tellFast(now: number): void {
    if (now - this.#sentAt.fast < this.#period) return;
    this.#sentAt.fast = now;
    const view = this.#view;
    if (view !== undefined && this.#dirty.ladder && this.#replica?.state === 'whole') {
      this.#dirty.ladder = false;
      const frame = packLadder(this.#replica.bids, this.#replica.asks, view);
      this.#ports.post({ type: 'ladder', symbol: view.symbol, step: view.step, frame }, [frame.buffer]);
    }
    if (view !== undefined && this.#dirty.tape) {
      this.#dirty.tape = false;
      this.#ports.post({ type: 'tape', symbol: view.symbol, trades: this.#tape });
    }
    if (this.#tickers.size > 0) {
      this.#ports.post({ type: 'tickers', tickers: [...this.#tickers.values()] });
      this.#tickers.clear();
    }
  }

  #tellDepth(now: number): void {
    const view = this.#view;
    if (view === undefined || !this.#dirty.depth || this.#replica?.state !== 'whole' || now - this.#sentAt.depth < DEPTH_EVERY_MS) return;
    this.#sentAt.depth = now;
    this.#dirty.depth = false;
    const bids = pairs(this.#replica.bids);
    const asks = pairs(this.#replica.asks);
    this.#ports.post({ type: 'depth', symbol: view.symbol, bids, asks }, [bids.buffer, asks.buffer]);
  }

  #tellBar(now: number): void {
    const view = this.#view;
    if (view === undefined || this.#bar === undefined || now - this.#sentAt.bar < BAR_EVERY_MS) return;
    this.#sentAt.bar = now;
    this.#ports.post({ type: 'bar', symbol: view.symbol, interval: this.#bar.interval, bar: this.#bar.bar });
    this.#bar = undefined;
  }

  #setPhase(phase: FeedPhase): void {
    this.#phase = phase;
    this.#tellStatus();
  }

  #tellStatus(): void {
    this.#sentAt.status = this.#ports.now();
    const status: FeedStatus = {
      phase: this.#phase,
      heardAt: this.#connection?.heardAt ?? 0,
      latency: this.#connection?.latency,
      resyncs: this.#resyncs,
    };
    this.#ports.post({ type: 'status', status });
  }
}
