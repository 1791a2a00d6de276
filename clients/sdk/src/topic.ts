/** What can be listened to on the stream: its name, and the messages that begin and end it. */
import type {
  AccountTopicNews,
  Balance,
  Deal,
  IndexPrice,
  Interval,
  Kline,
  Order,
  Subscribe,
  Ticker,
  Unsubscribe,
  UserTrade,
} from '@orrery/api';
import type { DepthReplica } from './depth-replica.ts';

export interface MarketListener {
  /** After every update that leaves the depth proven. */
  onDepth?(depth: DepthReplica): void;
  /** The depth can not be relied on until the next `onDepth`. */
  onDepthLost?(): void;
  onDeal?(deal: Deal): void;
}

export interface AccountListener {
  /** Drop what was received: everything there is follows, then `onReady`. */
  onReset?(): void;
  onBalance?(balance: Balance): void;
  onOrder?(order: Order): void;
  onTrade?(trade: UserTrade): void;
  /** The trades of the commands between these, without the last, are not sent: the call `fills` has them. */
  onGap?(missing: { readonly from: number; readonly to: number }): void;
  /** News outside trading, of any topic: also of one that this client does not know yet. The site message of an award comes beside it. */
  onTopic?(news: AccountTopicNews): void;
  onReady?(): void;
}

export interface KlineTopic {
  readonly symbol: string;
  readonly interval: Interval;
}

/** Who listens, by the kind of topic. */
export interface Listeners {
  readonly market: MarketListener;
  readonly kline: (kline: Kline) => void;
  readonly ticker: (ticker: Ticker) => void;
  readonly indexPrice: (price: IndexPrice) => void;
}

export interface Topic {
  readonly name: string;
  readonly begin: Subscribe;
  readonly end: Unsubscribe;
}

export const marketTopic = (symbol: string): Topic => ({
  name: `market ${symbol}`,
  begin: { sub: 'subSymbol', symbol },
  end: { unsub: 'subSymbol', symbol },
});

export const klineTopic = ({ symbol, interval }: KlineTopic): Topic => ({
  name: `kline ${symbol} ${interval}`,
  begin: { sub: 'subKline', symbol, type: interval },
  end: { unsub: 'subKline', symbol, type: interval },
});

export const tickerTopic: Topic = { name: 'ticker', begin: { sub: 'subStats' }, end: { unsub: 'subStats' } };

export const indexPriceTopic = (symbol: string): Topic => ({
  name: `index ${symbol}`,
  begin: { sub: 'subIndex', symbol },
  end: { unsub: 'subIndex', symbol },
});
