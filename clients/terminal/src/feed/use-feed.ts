/** The feed's stores as hooks: each subscribes to one thing and renders only when it changes. */
import type { AggregateTicker, Balance, FundingRate, Ticker } from '@orrery/api';
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import type { AccountView } from './account-store.ts';
import { browserFeed, runningFeed } from './browser-feed.ts';
import type { DepthLevels } from './feed.ts';
import type { BookSideName, LadderRow, LadderTop } from './ladder-store.ts';
import type { FeedStatus } from './messages.ts';
import type { TapeTrade } from './tape.ts';

export function useLadderRow(side: BookSideName, index: number): LadderRow | undefined {
  const { ladder } = browserFeed();
  const subscribe = useCallback((listener: () => void) => ladder.subscribeRow(side, index, listener), [ladder, side, index]);
  return useSyncExternalStore(subscribe, () => ladder.row(side, index));
}

/** `undefined` until the book of the market in view has been received. */
export function useLadderTop(): LadderTop | undefined {
  const { ladder } = browserFeed();
  const top = useSyncExternalStore(ladder.subscribeTop, ladder.top);
  return ladder.loaded() ? top : undefined;
}

export function useDepth(): DepthLevels {
  const { depth } = browserFeed();
  return useSyncExternalStore(depth.subscribe, depth.get);
}

export function useTape(): readonly TapeTrade[] | undefined {
  const { tape } = browserFeed();
  return useSyncExternalStore(tape.subscribe, tape.get);
}

export function useTicker(symbol: string): Ticker | undefined {
  const { tickers } = browserFeed();
  return useSyncExternalStore(tickers.subscribe, () => tickers.get().get(symbol));
}

export function useTickers(): ReadonlyMap<string, Ticker> {
  const { tickers } = browserFeed();
  return useSyncExternalStore(tickers.subscribe, tickers.get);
}

/** Of a contract, by the exchange's name of it; `undefined` until the stream has sent it. */
export function useContractQuote(wire: string): AggregateTicker | undefined {
  const { quotes } = browserFeed();
  return useSyncExternalStore(quotes.subscribe, () => quotes.get().get(wire));
}

export function useContractFunding(wire: string): FundingRate | undefined {
  const { funding } = browserFeed();
  const known = useSyncExternalStore(funding.subscribe, funding.get);
  return known?.symbol === wire ? known : undefined;
}

export function useFeedStatus(): FeedStatus {
  const { status } = browserFeed();
  return useSyncExternalStore(status.subscribe, status.get);
}

const silent = (): (() => void) => () => undefined;
const nothing = (): undefined => undefined;

/** `undefined` on pages that never needed the feed; it is not started for this. */
export function useRunningFeedStatus(): FeedStatus | undefined {
  const feed = useSyncExternalStore(runningFeed.subscribe, runningFeed.get);
  return useSyncExternalStore<FeedStatus | undefined>(feed?.status.subscribe ?? silent, feed?.status.get ?? nothing);
}

/** `undefined` on pages that never needed the feed. */
export function useRunningAccount(): AccountView | undefined {
  const feed = useSyncExternalStore(runningFeed.subscribe, runningFeed.get);
  return useSyncExternalStore<AccountView | undefined>(feed?.account.subscribe ?? silent, feed?.account.get ?? nothing);
}

export function useAccount(): AccountView {
  const { account } = browserFeed();
  return useSyncExternalStore(account.subscribe, account.get);
}

export function useSpotBalance(coin: string): Balance | undefined {
  const { account } = browserFeed();
  return useSyncExternalStore(account.subscribe, () => account.get().balances.get(`spot:${coin}`));
}

/** Data older than this is dimmed and shows its age. */
export const STALE_AFTER_MS = 3_000;

/** Milliseconds since the feed was last heard, while that is too long; `undefined` while all is well. */
export function useStaleness(): number | undefined {
  const status = useFeedStatus();
  const [now, setNow] = useState(() => Date.now());
  const isAway = status.phase === 'reconnecting' || status.phase === 'failed';
  useEffect(() => {
    if (!isAway) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isAway]);
  const age = now - status.heardAt;
  return isAway && status.heardAt > 0 && age >= STALE_AFTER_MS ? age : undefined;
}
