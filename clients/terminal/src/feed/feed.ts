/** The page's end of the feed: starts the worker, keeps its messages in stores, and sends it what the page shows. One for the whole page. */
import type { Ticker } from '@orrery/api';
import type { Bar, Interval } from './bars.ts';
import { AccountStore } from './account-store.ts';
import { LadderStore } from './ladder-store.ts';
import type { FeedStatus, FromWorker, ToWorker, View } from './messages.ts';
import { Store } from './store.ts';
import type { TapeTrade } from './tape.ts';

/** Pairs of price (ticks) and size (lots), best first. */
export interface DepthLevels {
  readonly bids: Float64Array;
  readonly asks: Float64Array;
}

const NO_DEPTH: DepthLevels = { bids: new Float64Array(), asks: new Float64Array() };
const NOT_YET: FeedStatus = { phase: 'connecting', heardAt: 0, resyncs: 0 };

export type BarListener = (bar: Bar, of: { readonly symbol: string; readonly interval: Interval }) => void;
/** Gives a fresh ticket for the private stream. */
export type TicketSource = () => Promise<string>;

/** The part of a Worker that is used, so that a test can bring its own. */
export interface FeedWorker {
  postMessage(message: ToWorker): void;
  listen(listener: (message: FromWorker) => void): void;
}

export class Feed {
  readonly ladder = new LadderStore();
  readonly account = new AccountStore();
  readonly tape = new Store<readonly TapeTrade[] | undefined>(undefined);
  readonly depth = new Store<DepthLevels>(NO_DEPTH);
  readonly tickers = new Store<ReadonlyMap<string, Ticker>>(new Map());
  readonly status = new Store<FeedStatus>(NOT_YET);
  readonly #worker: FeedWorker;
  readonly #barListeners = new Set<BarListener>();
  readonly #returnListeners = new Set<() => void>();
  #view: View | undefined;
  #ticketSource: TicketSource | undefined;

  constructor(worker: FeedWorker) {
    this.#worker = worker;
    worker.listen((message) => this.#take(message));
  }

  start(baseUrl: string): void {
    this.#worker.postMessage({ type: 'start', baseUrl });
  }

  /** What is not of the market in view is dropped at once: another market's numbers are never shown under this one's name. */
  show(view: View | undefined): void {
    if (view?.symbol !== this.#view?.symbol) {
      this.ladder.clear();
      this.tape.set(undefined);
      this.depth.set(NO_DEPTH);
    }
    this.#view = view;
    this.#worker.postMessage({ type: 'view', view });
  }

  setVisibility(visibility: 'visible' | 'hidden'): void {
    this.#worker.postMessage({ type: 'visibility', visibility });
  }

  setPace(hertz: number): void {
    this.#worker.postMessage({ type: 'pace', hertz });
  }

  signIn(tickets: TicketSource): void {
    this.#ticketSource = tickets;
    this.#worker.postMessage({ type: 'account', account: 'signedIn' });
  }

  signOut(): void {
    this.#ticketSource = undefined;
    this.account.clear();
    this.#worker.postMessage({ type: 'account', account: 'signedOut' });
  }

  onBar(listener: BarListener): () => void {
    this.#barListeners.add(listener);
    return () => this.#barListeners.delete(listener);
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

  #take(message: FromWorker): void {
    switch (message.type) {
      case 'status':
        return this.status.set(message.status);
      case 'tickers':
        return this.#putTickers(message.tickers);
      case 'private':
        if (this.#ticketSource !== undefined) this.account.take(message.message);
        return;
      case 'ticketWanted':
        return void this.#sendTicket();
      default:
        if (message.symbol === this.#view?.symbol) this.#takeMarket(message, this.#view);
    }
  }

  #takeMarket(message: Extract<FromWorker, { readonly symbol: string }>, view: View): void {
    switch (message.type) {
      case 'ladder':
        if (message.step === view.step) this.ladder.put(message.frame);
        return;
      case 'depth':
        return this.depth.set({ bids: message.bids, asks: message.asks });
      case 'tape':
        return this.tape.set(message.trades);
      case 'bar':
        for (const listener of this.#barListeners) listener(message.bar, message);
        return;
      case 'returned':
        for (const listener of this.#returnListeners) listener();
    }
  }

  #putTickers(tickers: readonly Ticker[]): void {
    if (tickers.length === 0) return;
    this.tickers.set(new Map([...this.tickers.get(), ...tickers.map((ticker) => [ticker.s, ticker] as const)]));
  }

  async #sendTicket(): Promise<void> {
    const source = this.#ticketSource;
    // Without a ticket the worker asks again by itself; an ended session shows elsewhere.
    const ticket = await source?.().catch(() => undefined);
    if (source === this.#ticketSource) this.#worker.postMessage({ type: 'ticket', ticket });
  }
}
