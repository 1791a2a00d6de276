/** What the page and its feed worker say to each other. */
import type {
  AccountTopicNews,
  AggregateTicker,
  Balance,
  FundingRate,
  FuturesFill,
  FuturesOrder,
  KlineSource,
  Liquidation,
  Order,
  OwnTwap,
  Ticker,
  UserTrade,
} from '@orrery/api';
import type { Bar, Interval } from './bars.ts';
import type { ContractAccountView } from './contract-account-store.ts';
import type { TapeTrade } from './tape.ts';

/** What the page looks at: everything the worker subscribes to follows from it. */
export interface View {
  readonly symbol: string;
  readonly pricePrecision: number;
  readonly sizePrecision: number;
  readonly interval: Interval;
  /** Of which price the candles of a contract are; of trades unless given. */
  readonly source?: KlineSource;
  /** Ticks merged into one row of the order book. */
  readonly step: number;
  readonly rows: number;
}

export type ToWorker =
  | { readonly type: 'start'; readonly baseUrl: string }
  | { readonly type: 'view'; readonly view: View | undefined }
  /** A hidden page is sent nothing; when it shows again everything is read again. */
  | { readonly type: 'visibility'; readonly visibility: 'visible' | 'hidden' }
  /** Answers `ticketWanted`; without a ticket when none could be had. */
  | { readonly type: 'ticket'; readonly ticket: string | undefined }
  /** Answers `listenKeyWanted`. */
  | { readonly type: 'listenKey'; readonly key: string | undefined }
  /** `session` counts the accounts that the page had in view: what is sent of one names it. */
  | { readonly type: 'account'; readonly account: 'signedIn' | 'signedOut'; readonly session: number }
  | { readonly type: 'pace'; readonly hertz: number }
  | { readonly type: 'chaos'; readonly chaos: Chaos };

/** Trouble that a tester asks for, in the environment `test` only. */
export type Chaos =
  /** The connection is lost once. */
  | { readonly trouble: 'drop' }
  /** The next change of the book is lost: its number is missing. */
  | { readonly trouble: 'skip' }
  /** Every message comes later; 0 ends it. */
  | { readonly trouble: 'delay'; readonly millis: number };

/** `failed`: the worker could not be loaded, and is tried again. */
export type FeedPhase = 'connecting' | 'live' | 'reconnecting' | 'paused' | 'failed';

/** `idle` while nobody looks at the topic, `waiting` while it is wanted and not there, or not to be relied on. */
export type TopicState = 'idle' | 'waiting' | 'fresh';

/** Each has a stream of its own, for market data and for the account. */
export type StreamKind = 'spot' | 'contracts';

/** What is known of the account on one of the streams. */
export interface OwnStatus {
  readonly phase: FeedPhase;
  readonly state: TopicState;
  /** When all of it was last known to hold, unix milliseconds; 0 before it was. */
  readonly heardAt: number;
}

/** Of the stream that the market in view is on. */
export interface FeedStatus {
  readonly phase: FeedPhase;
  /** When market data last came, unix milliseconds; 0 before the first. */
  readonly heardAt: number;
  /** Times the book had to be read again because of a gap or a wrong checksum. */
  readonly resyncs: number;
  readonly book: TopicState;
  /** The account on this stream. */
  readonly account: TopicState;
  /** Times the stream was opened again. */
  readonly reconnects: number;
}

export type PrivateMessage =
  /** The whole state is sent from here on. */
  | { readonly kind: 'begin' }
  | { readonly kind: 'balance'; readonly balance: Balance }
  | { readonly kind: 'order'; readonly order: Order }
  | { readonly kind: 'trade'; readonly trade: UserTrade }
  /** News outside trading, of any topic. */
  | { readonly kind: 'topic'; readonly news: AccountTopicNews }
  /** The whole state has been sent: changes follow. */
  | { readonly kind: 'ready' };

/** What happens to the account in contracts, for toasts. */
export type ContractNews =
  | { readonly kind: 'order'; readonly order: FuturesOrder }
  | { readonly kind: 'trade'; readonly fill: FuturesFill }
  | { readonly kind: 'liquidation'; readonly step: Liquidation }
  | { readonly kind: 'twap'; readonly twap: OwnTwap };

export type OwnMessage =
  | { readonly type: 'private'; readonly message: PrivateMessage }
  /** The parts of it that changed. */
  | { readonly type: 'contractAccount'; readonly changed: Partial<ContractAccountView> }
  | { readonly type: 'contractNews'; readonly news: ContractNews };

type MarketMessage =
  | { readonly type: 'ladder'; readonly symbol: string; readonly step: number; readonly frame: Float64Array }
  /** Pairs of price and size, best first. */
  | { readonly type: 'depth'; readonly symbol: string; readonly bids: Float64Array; readonly asks: Float64Array }
  | { readonly type: 'tape'; readonly symbol: string; readonly trades: readonly TapeTrade[] }
  | { readonly type: 'tickers'; readonly tickers: readonly Ticker[] }
  | { readonly type: 'bar'; readonly symbol: string; readonly interval: Interval; readonly source?: KlineSource; readonly bar: Bar }
  /** Of every contract, by the name that the exchange has for it. */
  | { readonly type: 'quotes'; readonly quotes: readonly AggregateTicker[] }
  | { readonly type: 'funding'; readonly funding: FundingRate }
  /** The stream was away: bars and trades between may be missing. */
  | { readonly type: 'returned'; readonly symbol: string }
  /** How long the exchange takes to answer over the stream of spot, milliseconds; `undefined` once it does not answer. */
  | { readonly type: 'roundTrip'; readonly millis: number | undefined }
  | { readonly type: 'ticketWanted' }
  | { readonly type: 'listenKeyWanted' };

/** What one of the feeds in the worker says, by itself. */
export type FromFeed = MarketMessage | OwnMessage | { readonly type: 'status'; readonly status: FeedStatus };

/** What the page is sent. What is an account's names the session that it is of. */
export type FromWorker =
  | MarketMessage
  | (OwnMessage & { readonly session: number })
  | { readonly type: 'status'; readonly status: FeedStatus; readonly own: Readonly<Record<StreamKind, OwnStatus>> };

export type Post<Message = FromFeed> = (message: Message, transfer?: Transferable[]) => void;
