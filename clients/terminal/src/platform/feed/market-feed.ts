/** What runs in the feed worker: it follows the market in view and the own account, and updates the page at a pace a person can read. */
import type { Deal, Kline, KlineSource, Ticker } from '@orrery/api';
import type { ConnectionState, DepthReplica, KlineTopic, Stream, StreamOptions, Unlisten } from '@orrery/sdk';
import type { Bar, Interval } from './bars.ts';
import { barOf, pairsOf, sideOf, tradesOf } from './from-wire.ts';
import { packLadder } from './ladder.ts';
import type { FeedPhase, Post, TopicState, ToWorker, View } from './messages.ts';
import { mergeTape } from './tape.ts';
import type { TapeTrade } from './tape.ts';
import { TicketDesk } from './ticket-desk.ts';

/** The worker's heartbeat; everything slower counts in it. */
export const BEAT_MS = 50;
const DEPTH_EVERY_MS = 500;
const BAR_EVERY_MS = 250;
const STATUS_EVERY_MS = 1_000;
const PING_EVERY_MS = 5_000;
/** A `ping` that is answered later is as good as one that is not: calls have to show then whether the exchange can be reached. */
const PING_PATIENCE_MS = 2_500;

export type FeedStream = Pick<Stream, 'market' | 'tickers' | 'account'> & {
  klines(topic: KlineTopic & { readonly source?: KlineSource }, listener: (kline: Kline) => void): Unlisten;
  /** Without it this stream is not timed. */
  readonly ping?: Stream['ping'];
};

export interface FeedPorts {
  readonly openStream: (options: Omit<StreamOptions, 'openSocket'>) => FeedStream;
  readonly post: Post;
  readonly now: () => number;
  /** The latest trades of a market, any order. */
  readonly latestDeals: (symbol: string) => Promise<readonly Deal[]>;
}

const PHASES = {
  connecting: 'connecting',
  open: 'live',
  waiting: 'reconnecting',
  closed: 'reconnecting',
} as const satisfies Record<ConnectionState, FeedPhase>;

export class MarketFeed {
  readonly #ports: FeedPorts;
  readonly #tickets: TicketDesk;
  #stream: FeedStream | undefined;
  #view: View | undefined;
  /** Ends what the view listens to. */
  #unlistenMarket: Unlisten | undefined;
  #unlistenKlines: Unlisten | undefined;
  #unlistenAccount: Unlisten | undefined;
  #visibility: 'visible' | 'hidden' = 'visible';
  #connection: ConnectionState = 'connecting';
  #hasBeenOpen = false;
  #period = 100;
  #heardAt = 0;
  #resyncs = 0;
  #accountState: TopicState = 'idle';
  /** The latest trades could not be read: with every status they are asked for again. */
  #isTapeMissing = false;
  #reconnects = 0;
  #depth: DepthReplica | undefined;
  #tape: readonly TapeTrade[] = [];
  #bar: { readonly interval: Interval; readonly source?: KlineSource; readonly bar: Bar } | undefined;
  /** Changed since they were last sent. */
  readonly #tickers = new Map<string, Ticker>();
  readonly #dirty = { ladder: false, depth: false, tape: false };
  readonly #postedAt = { fast: 0, depth: 0, bar: 0, status: 0 };
  #pingedAt = 0;
  #isPingOpen = false;
  #roundTrip: number | undefined;

  constructor(ports: FeedPorts) {
    this.#ports = ports;
    this.#tickets = new TicketDesk(() => ports.post({ type: 'ticketWanted' }));
  }

  receive(message: Exclude<ToWorker, { readonly type: 'chaos' | 'listenKey' }>): void {
    switch (message.type) {
      case 'start':
        return this.#start(message.baseUrl);
      case 'view':
        return this.#show(message.view);
      case 'visibility':
        return this.#turn(message.visibility);
      case 'ticket':
        return this.#tickets.give(message.ticket);
      case 'account':
        return message.account === 'signedIn' ? this.#followAccount() : this.#leaveAccount();
      case 'pace':
        this.#period = 1000 / message.hertz;
    }
  }

  /** Called every `BEAT_MS`. */
  beat(): void {
    const now = this.#ports.now();
    if (this.#visibility === 'visible') {
      if (now - this.#postedAt.fast >= this.#period) this.#postFast(now);
      if (now - this.#postedAt.depth >= DEPTH_EVERY_MS) this.#postDepth(now);
      if (now - this.#postedAt.bar >= BAR_EVERY_MS) this.#postBar(now);
      this.#takePulse(now);
    }
    if (now - this.#postedAt.status >= STATUS_EVERY_MS) {
      this.#postStatus();
      if (this.#isTapeMissing && this.#view !== undefined) void this.#readDeals(this.#view);
    }
  }

  #start(baseUrl: string): void {
    this.#stream = this.#ports.openStream({
      baseUrl,
      ticket: () => this.#tickets.take(),
      onState: (state) => this.#connectionChanged(state),
    });
    this.#stream.tickers((ticker) => {
      this.#heard();
      this.#tickers.set(ticker.s, ticker);
    });
    this.#listen();
  }

  #connectionChanged(state: ConnectionState): void {
    this.#connection = state;
    if (state === 'open') void this.#ping();
    else this.#setRoundTrip(undefined);
    // On a new connection the account is sent again from the beginning.
    if (state !== 'open' && this.#accountState === 'fresh') this.#accountState = 'waiting';
    if (state === 'open') {
      this.#heard();
      if (this.#hasBeenOpen) {
        this.#reconnects += 1;
        this.#returned();
      }
      this.#hasBeenOpen = true;
    }
    this.#postStatus();
  }

  /** Bars and trades between may be missing: the stream sends only new ones. */
  #returned(): void {
    if (this.#view === undefined || this.#unlistenMarket === undefined) return;
    void this.#readDeals(this.#view);
    this.#ports.post({ type: 'returned', symbol: this.#view.symbol });
  }

  #turn(visibility: 'visible' | 'hidden'): void {
    if (visibility === this.#visibility) return;
    this.#visibility = visibility;
    if (visibility === 'hidden') this.#unlisten();
    else {
      this.#listen();
      this.#returned();
    }
    this.#postStatus();
  }

  #show(view: View | undefined): void {
    const last = this.#view;
    if (view !== undefined && view.symbol === last?.symbol) {
      this.#view = view;
      this.#dirty.ladder = true;
      if (view.interval !== last.interval || view.source !== last.source) this.#listenKlines();
      return;
    }
    this.#unlisten();
    this.#view = view;
    this.#tape = [];
    this.#listen();
  }

  #listen(): void {
    const view = this.#view;
    if (view === undefined || this.#stream === undefined || this.#visibility === 'hidden' || this.#unlistenMarket !== undefined) return;
    this.#unlistenMarket = this.#stream.market(view.symbol, {
      onDepth: (depth) => {
        this.#heard();
        this.#depth = depth;
        this.#dirty.ladder = this.#dirty.depth = true;
      },
      onDepthLost: () => {
        this.#depth = undefined;
        if (this.#connection === 'open') this.#resyncs += 1;
      },
      onDeal: (deal) => {
        this.#heard();
        this.#addDeals([deal], view);
      },
    });
    this.#listenKlines();
    void this.#readDeals(view);
  }

  #listenKlines(): void {
    this.#unlistenKlines?.();
    this.#unlistenKlines = undefined;
    this.#bar = undefined;
    const view = this.#view;
    if (view === undefined || this.#stream === undefined || this.#visibility === 'hidden') return;
    const { symbol, interval, source } = view;
    const of = { interval, ...(source !== undefined && { source }) };
    this.#unlistenKlines = this.#stream.klines({ symbol, ...of }, (kline) => {
      this.#heard();
      this.#bar = { ...of, bar: barOf(kline) };
    });
  }

  #unlisten(): void {
    this.#unlistenMarket?.();
    this.#unlistenKlines?.();
    this.#unlistenMarket = this.#unlistenKlines = this.#depth = this.#bar = undefined;
  }

  #followAccount(): void {
    this.#leaveAccount();
    const { post } = this.#ports;
    this.#unlistenAccount = this.#stream?.account({
      onReset: () => {
        this.#accountState = 'waiting';
        post({ type: 'private', message: { kind: 'begin' } });
      },
      onBalance: (balance) => post({ type: 'private', message: { kind: 'balance', balance } }),
      onOrder: (order) => post({ type: 'private', message: { kind: 'order', order } }),
      onTrade: (trade) => post({ type: 'private', message: { kind: 'trade', trade } }),
      onTopic: (news) => post({ type: 'private', message: { kind: 'topic', news } }),
      onReady: () => {
        this.#accountState = 'fresh';
        post({ type: 'private', message: { kind: 'ready' } });
      },
    });
    this.#accountState = 'waiting';
  }

  #leaveAccount(): void {
    this.#unlistenAccount?.();
    this.#unlistenAccount = undefined;
    this.#accountState = 'idle';
    this.#tickets.close();
  }

  async #readDeals(view: View): Promise<void> {
    this.#isTapeMissing = false;
    const deals = await this.#ports.latestDeals(view.symbol).catch(() => undefined);
    if (this.#view?.symbol !== view.symbol) return;
    if (deals === undefined) {
      this.#isTapeMissing = true;
      return;
    }
    this.#addDeals(deals, view);
    this.#dirty.tape = true;
  }

  #addDeals(deals: readonly Deal[], view: View): void {
    const tape = mergeTape(this.#tape, tradesOf(deals, view));
    if (tape !== this.#tape) this.#dirty.tape = true;
    this.#tape = tape;
  }

  #postFast(now: number): void {
    this.#postedAt.fast = now;
    const view = this.#view;
    if (view !== undefined && this.#dirty.ladder && this.#depth !== undefined) {
      this.#dirty.ladder = false;
      const frame = packLadder(sideOf(this.#depth.bids, view), sideOf(this.#depth.asks, view), view);
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

  #postDepth(now: number): void {
    const view = this.#view;
    if (view === undefined || !this.#dirty.depth || this.#depth === undefined) return;
    this.#postedAt.depth = now;
    this.#dirty.depth = false;
    const bids = pairsOf(sideOf(this.#depth.bids, view));
    const asks = pairsOf(sideOf(this.#depth.asks, view));
    this.#ports.post({ type: 'depth', symbol: view.symbol, bids, asks }, [bids.buffer, asks.buffer]);
  }

  #postBar(now: number): void {
    if (this.#view === undefined || this.#bar === undefined) return;
    this.#postedAt.bar = now;
    this.#ports.post({ type: 'bar', symbol: this.#view.symbol, ...this.#bar });
    this.#bar = undefined;
  }

  #takePulse(now: number): void {
    if (this.#isPingOpen && now - this.#pingedAt >= PING_PATIENCE_MS) this.#setRoundTrip(undefined);
    if (!this.#isPingOpen && this.#connection === 'open' && now - this.#pingedAt >= PING_EVERY_MS) void this.#ping();
  }

  async #ping(): Promise<void> {
    if (this.#stream?.ping === undefined) return;
    this.#pingedAt = this.#ports.now();
    this.#isPingOpen = true;
    const millis = await this.#stream.ping().catch(() => undefined);
    this.#isPingOpen = false;
    this.#setRoundTrip(millis);
  }

  #setRoundTrip(millis: number | undefined): void {
    if (millis === this.#roundTrip) return;
    this.#roundTrip = millis;
    this.#ports.post({ type: 'roundTrip', millis });
  }

  #heard(): void {
    this.#heardAt = this.#ports.now();
  }

  #postStatus(): void {
    this.#postedAt.status = this.#ports.now();
    const isPaused = this.#visibility === 'hidden' && this.#connection === 'open';
    const book: TopicState = this.#unlistenMarket === undefined ? 'idle' : this.#depth === undefined ? 'waiting' : 'fresh';
    this.#ports.post({
      type: 'status',
      status: {
        phase: isPaused ? 'paused' : PHASES[this.#connection],
        heardAt: this.#heardAt,
        resyncs: this.#resyncs,
        book,
        account: this.#accountState,
        reconnects: this.#reconnects,
      },
    });
  }
}
