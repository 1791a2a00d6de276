/** The page's end of the feed: starts the worker, keeps its messages in stores, and sends it what the page shows. One for the whole page. */
import type { AggregateTicker, FundingRate, Ticker } from '@orrery/api';
import type { Bar, Interval } from './bars.ts';
import { AccountStore } from './account-store.ts';
import { LadderStore } from './ladder-store.ts';
import type { ContractAccountView } from './contract-account-store.ts';
import type { Chaos, ContractNews, FeedStatus, FromWorker, OwnMessage, OwnStatus, StreamKind, ToWorker, View } from './messages.ts';
import { Store } from './store.ts';
import type { TapeTrade } from './tape.ts';

/** Pairs of price (ticks) and size (lots), best first. */
export interface DepthLevels {
  /** The market it is of; `undefined` while none was received. */
  readonly symbol: string | undefined;
  readonly bids: Float64Array;
  readonly asks: Float64Array;
}

const NO_DEPTH: DepthLevels = { symbol: undefined, bids: new Float64Array(), asks: new Float64Array() };
const NOT_YET: FeedStatus = { phase: 'connecting', heardAt: 0, resyncs: 0, reconnects: 0, book: 'idle', account: 'idle' };
const NO_ACCOUNT: Record<StreamKind, OwnStatus> = {
  spot: { phase: 'connecting', state: 'idle', heardAt: 0 },
  contracts: { phase: 'connecting', state: 'idle', heardAt: 0 },
};
/** Before a worker that failed is started again; doubled each time until one has spoken. */
const RESTART_MS = 1_000;
const RESTART_MAX_MS = 30_000;

export type BarListener = (bar: Bar, of: { readonly symbol: string; readonly interval: Interval }) => void;
/** What the worker says of one market. */
type MarketMessage = Extract<FromWorker, { readonly symbol: string }>;
/** What opens private streams: a fresh ticket for that of spot, a listen key for that of contracts. */
export interface Tickets {
  readonly ticket: () => Promise<string>;
  readonly listenKey: () => Promise<string>;
}

/** The part of a Worker that is used, so that a test can bring its own. */
export interface FeedWorker {
  postMessage(message: ToWorker): void;
  /** @param onFailure the worker could not be loaded, or has a bug. */
  listen(onMessage: (message: FromWorker) => void, onFailure: () => void): void;
  terminate(): void;
}

export class Feed {
  readonly ladder = new LadderStore();
  readonly account = new AccountStore();
  /** What the worker keeps of the account in contracts; `undefined` until all of it is known. */
  readonly contractAccount = new Store<ContractAccountView | undefined>(undefined);
  readonly tape = new Store<readonly TapeTrade[] | undefined>(undefined);
  readonly depth = new Store<DepthLevels>(NO_DEPTH);
  readonly tickers = new Store<ReadonlyMap<string, Ticker>>(new Map());
  /** Last, mark, index and best prices of every contract, by the exchange's name of it. */
  readonly quotes = new Store<ReadonlyMap<string, AggregateTicker>>(new Map());
  /** What is predicted of the contract in view. */
  readonly funding = new Store<FundingRate | undefined>(undefined);
  readonly #contractListeners = new Set<(news: ContractNews) => void>();
  readonly status = new Store<FeedStatus>(NOT_YET);
  /** How long the exchange takes to answer over the stream, milliseconds; `undefined` while it does not answer there. */
  readonly roundTrip = new Store<number | undefined>(undefined);
  /** How the account is on each stream. */
  readonly own = new Store<Readonly<Record<StreamKind, OwnStatus>>>(NO_ACCOUNT);
  readonly #openWorker: () => FeedWorker;
  #worker: FeedWorker | undefined;
  #restartMs = RESTART_MS;
  #restartTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #barListeners = new Set<BarListener>();
  readonly #returnListeners = new Set<() => void>();
  #view: View | undefined;
  #tickets: Tickets | undefined;
  /** What the worker still says of an account before is of a session that is over. */
  #session = 0;
  #baseUrl: string | undefined;
  #visibility: 'visible' | 'hidden' = 'visible';
  #hertz: number | undefined;

  constructor(openWorker: () => FeedWorker) {
    this.#openWorker = openWorker;
    this.#open();
  }

  start(baseUrl: string): void {
    this.#baseUrl = baseUrl;
    this.#send({ type: 'start', baseUrl });
  }

  /** What is not of the market in view is dropped at once: another market's numbers are never shown under this one's name. */
  show(view: View | undefined): void {
    if (view?.symbol !== this.#view?.symbol) {
      this.ladder.clear();
      this.tape.set(undefined);
      this.depth.set(NO_DEPTH);
    }
    this.#view = view;
    this.#send({ type: 'view', view });
  }

  setVisibility(visibility: 'visible' | 'hidden'): void {
    this.#visibility = visibility;
    this.#send({ type: 'visibility', visibility });
  }

  setPace(hertz: number): void {
    this.#hertz = hertz;
    this.#send({ type: 'pace', hertz });
  }

  /** For testers: the page offers it in the environment `test` only. */
  disturb(chaos: Chaos): void {
    this.#send({ type: 'chaos', chaos });
  }

  signIn(tickets: Tickets): void {
    this.#tickets = tickets;
    this.#session += 1;
    this.#sendAccount();
  }

  signOut(): void {
    this.#tickets = undefined;
    this.#session += 1;
    this.account.clear();
    this.contractAccount.set(undefined);
    this.#sendAccount();
  }

  onBar(listener: BarListener): () => void {
    this.#barListeners.add(listener);
    return () => this.#barListeners.delete(listener);
  }

  /** Hears what happens to the account in contracts. */
  onContractNews(listener: (news: ContractNews) => void): () => void {
    this.#contractListeners.add(listener);
    return () => this.#contractListeners.delete(listener);
  }

  /** After an absence: what was drawn may have holes. */
  onReturn(listener: () => void): () => void {
    this.#returnListeners.add(listener);
    return () => this.#returnListeners.delete(listener);
  }

  /** Tickers read over HTTP before the stream has sent any. */
  offerTickers(tickers: readonly Ticker[]): void {
    this.#putTickers(tickers.filter((ticker) => !this.tickers.get().has(ticker.s)));
  }

  /** Starts a worker that failed at once instead of later; a running one is left alone. */
  readonly retry = (): void => {
    if (this.#worker !== undefined) return;
    clearTimeout(this.#restartTimer);
    this.#restart();
  };

  /** Asks for the account again, at once, on every stream of it. */
  readonly retryOwn = (): void => {
    if (this.#worker === undefined) this.retry();
    else if (this.#tickets !== undefined) this.#sendAccount();
  };

  #open(): void {
    const worker = this.#openWorker();
    this.#worker = worker;
    const isCurrent = (): boolean => this.#worker === worker;
    worker.listen(
      (message) => {
        if (!isCurrent()) return;
        this.#restartMs = RESTART_MS;
        this.#take(message);
      },
      () => isCurrent() && this.#failed(worker),
    );
  }

  /** Says so, and starts another that is sent everything the page wants. */
  #failed(worker: FeedWorker): void {
    worker.terminate();
    this.#worker = undefined;
    this.roundTrip.set(undefined);
    this.status.set({ ...this.status.get(), phase: 'failed' });
    const { spot, contracts } = this.own.get();
    this.own.set({ spot: { ...spot, phase: 'failed' }, contracts: { ...contracts, phase: 'failed' } });
    this.#restartTimer = setTimeout(() => this.#restart(), this.#restartMs);
    this.#restartMs = Math.min(2 * this.#restartMs, RESTART_MAX_MS);
  }

  #restart(): void {
    this.#open();
    if (this.#baseUrl !== undefined) this.#send({ type: 'start', baseUrl: this.#baseUrl });
    this.#send({ type: 'visibility', visibility: this.#visibility });
    if (this.#hertz !== undefined) this.#send({ type: 'pace', hertz: this.#hertz });
    if (this.#view !== undefined) this.#send({ type: 'view', view: this.#view });
    if (this.#tickets !== undefined) this.#sendAccount();
  }

  #sendAccount(): void {
    this.#send({ type: 'account', account: this.#tickets === undefined ? 'signedOut' : 'signedIn', session: this.#session });
  }

  #send(message: ToWorker): void {
    this.#worker?.postMessage(message);
  }

  #take(message: FromWorker): void {
    switch (message.type) {
      case 'status':
        this.own.set(message.own);
        return this.status.set(message.status);
      case 'tickers':
        return this.#putTickers(message.tickers);
      case 'private':
      case 'contractAccount':
      case 'contractNews':
        return message.session === this.#session ? this.#takeOwn(message) : undefined;
      case 'quotes':
        return this.quotes.set(new Map(message.quotes.map((quote) => [quote.s, quote])));
      case 'funding':
        return this.funding.set(message.funding);
      case 'roundTrip':
        return this.roundTrip.set(message.millis);
      case 'ticketWanted':
        return void this.#sendKey('ticket');
      case 'listenKeyWanted':
        return void this.#sendKey('listenKey');
      default:
        if (this.#view !== undefined && message.symbol === this.#view.symbol) this.#takeMarket(message, this.#view);
    }
  }

  #takeOwn(message: OwnMessage): void {
    switch (message.type) {
      case 'private':
        return this.account.take(message.message);
      case 'contractAccount':
        // The first of a worker has every part.
        return this.contractAccount.set({ ...this.contractAccount.get(), ...message.changed } as ContractAccountView);
      case 'contractNews':
        for (const listener of this.#contractListeners) listener(message.news);
    }
  }

  #takeMarket(message: MarketMessage, view: View): void {
    switch (message.type) {
      case 'ladder':
        if (message.step === view.step) this.ladder.put(message.frame);
        return;
      case 'depth':
        return this.depth.set({ symbol: message.symbol, bids: message.bids, asks: message.asks });
      case 'tape':
        return this.tape.set(message.trades);
      case 'bar':
        if (message.source === view.source) for (const listener of this.#barListeners) listener(message.bar, message);
        return;
      case 'returned':
        for (const listener of this.#returnListeners) listener();
    }
  }

  /** Newer ones than are known. */
  #putTickers(tickers: readonly Ticker[]): void {
    if (tickers.length === 0) return;
    this.tickers.set(new Map([...this.tickers.get(), ...tickers.map((ticker) => [ticker.s, ticker] as const)]));
  }

  async #sendKey(type: 'ticket' | 'listenKey'): Promise<void> {
    const tickets = this.#tickets;
    // Without one the worker asks again by itself; an ended session shows elsewhere.
    const key = await tickets?.[type]().catch(() => undefined);
    if (tickets === this.#tickets) this.#send(type === 'ticket' ? { type, ticket: key } : { type, key });
  }
}
