/**
 * The one door to what the exchange sends by itself: the market in view, the tickers, the account. What a component shows of it is read by the
 * hooks of `use-streams.ts`; these are for all else. The stream is started when the first of them is used.
 */
import type { Order, Ticker } from '@orrery/api';
import { browserFeed } from '../../feed/browser-feed.ts';
import type { AccountNews } from '../../feed/account-store.ts';
import type { BarListener } from '../../feed/feed.ts';
import type { BookSideName, LadderRow, LadderTop } from '../../feed/ladder-store.ts';
import type { Chaos, FeedStatus, View } from '../../feed/messages.ts';
import { running } from '../../feed/running.ts';
import type { TapeTrade } from '../../feed/tape.ts';

export type { AccountNews, AccountView } from '../../feed/account-store.ts';
export type { BookSideName, LadderRow, LadderTop } from '../../feed/ladder-store.ts';
export type { ContractNews, FeedStatus, TopicState, View } from '../../feed/messages.ts';

/** The market in view. */
export const marketStream = {
  show: (view: View): void => browserFeed().show(view),
  /** No market is in view any more. */
  leave: (): void => browserFeed().show(undefined),
  /** How often a page is shown what changed, times a second. */
  setPace: (hertz: number): void => browserFeed().setPace(hertz),
  onBar: (listener: BarListener): (() => void) => browserFeed().onBar(listener),
  /** After an absence: what was drawn may have holes. */
  onReturn: (listener: () => void): (() => void) => browserFeed().onReturn(listener),
  row: (side: BookSideName, index: number): LadderRow | undefined => browserFeed().ladder.row(side, index),
  /** `undefined` until the book has come. */
  top(): LadderTop | undefined {
    const { ladder } = browserFeed();
    return ladder.loaded() ? ladder.top() : undefined;
  },
  /** Newest first; `undefined` until they have come. */
  trades: (): readonly TapeTrade[] | undefined => browserFeed().tape.get(),
};

export const tickerStream = {
  of: (symbol: string): Ticker | undefined => browserFeed().tickers.get().get(symbol),
  /** Read by a call before the stream has sent any. */
  offer: (tickers: readonly Ticker[]): void => browserFeed().offerTickers(tickers),
};

export const accountStream = {
  /** Open orders, newest first. */
  orders: (): readonly Order[] => browserFeed().account.get().orders,
  onNews: (listener: (news: AccountNews) => void): (() => void) => browserFeed().account.onNews(listener),
};

/** For testers: the page offers it in the environment `test` only. */
export const disturbStream = (chaos: Chaos): void => browserFeed().disturb(chaos);

/** `undefined` on pages that never needed the stream; it is not started for this. */
export const streamStatus = (): FeedStatus | undefined => running.get()?.status.get();
