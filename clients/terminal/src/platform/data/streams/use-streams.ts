/** What the stream brings, for components: each hook subscribes to one thing and renders only when it changes. */
import type { AggregateTicker, FundingRate, Ticker } from '@orrery/api';
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { browserFeed } from '../../feed/browser-feed.ts';
import type { DepthLevels, Feed } from '../../feed/feed.ts';
import type { BookSideName, LadderRow, LadderTop } from '../../feed/ladder-store.ts';
import type { TapeTrade } from '../../feed/tape.ts';
import type { Loaded } from '../../../kit/ui/loaded.ts';
import { healthIn } from './healths.ts';
import type { Health } from './health.ts';
import { streamedOf } from './streamed.ts';

function useHealth(feed: Feed): Health {
  const { subscribe, get } = healthIn(feed, 'market');
  return useSyncExternalStore(subscribe, get);
}

function useStreamed<Value>(value: Value | undefined): Loaded<Value> {
  const feed = browserFeed();
  const health = useHealth(feed);
  return streamedOf({ value, health, heardAt: feed.status.get().heardAt, retry: feed.retry });
}

/** One row of the book, whose state is that of its best prices. */
export function useLadderRow(side: BookSideName, index: number): LadderRow | undefined {
  const { ladder } = browserFeed();
  const subscribe = useCallback((listener: () => void) => ladder.subscribeRow(side, index, listener), [ladder, side, index]);
  return useSyncExternalStore(subscribe, () => ladder.row(side, index));
}

/** The best prices of the market in view: known as soon as its book is. */
export function useLadderTop(): Loaded<LadderTop> {
  const { ladder } = browserFeed();
  return useStreamed(useSyncExternalStore(ladder.subscribeTop, () => (ladder.loaded() ? ladder.top() : undefined)));
}

export function useDepth(): Loaded<DepthLevels> {
  const { depth } = browserFeed();
  const levels = useSyncExternalStore(depth.subscribe, depth.get);
  return useStreamed(levels.symbol === undefined ? undefined : levels);
}

export function useTape(): Loaded<readonly TapeTrade[]> {
  const { tape } = browserFeed();
  return useStreamed(useSyncExternalStore(tape.subscribe, tape.get));
}

export function useTicker(symbol: string): Loaded<Ticker> {
  const { tickers } = browserFeed();
  return useStreamed(useSyncExternalStore(tickers.subscribe, () => tickers.get().get(symbol)));
}

/** Of a contract, by the exchange's name of it. */
export function useContractQuote(wire: string): Loaded<AggregateTicker> {
  const { quotes } = browserFeed();
  return useStreamed(useSyncExternalStore(quotes.subscribe, () => quotes.get().get(wire)));
}

/** Of every contract, by the exchange's names of them. */
export function useContractQuotes(): Loaded<ReadonlyMap<string, AggregateTicker>> {
  const { quotes } = browserFeed();
  return useStreamed(useSyncExternalStore(quotes.subscribe, quotes.get));
}

export function useContractFunding(wire: string): Loaded<FundingRate> {
  const { funding } = browserFeed();
  const known = useSyncExternalStore(funding.subscribe, funding.get);
  return useStreamed(known?.symbol === wire ? known : undefined);
}

const SECOND_MS = 1_000;

/** Milliseconds since the stream was last heard, while that is too long; `undefined` while all is well. */
export function useStaleness(): number | undefined {
  const feed = browserFeed();
  const isAway = useHealth(feed) !== 'fresh';
  const heardAt = useSyncExternalStore(feed.status.subscribe, () => (isAway ? feed.status.get().heardAt : 0));
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isAway) return undefined;
    const tick = (): void => setNow(Date.now());
    tick();
    const timer = setInterval(tick, SECOND_MS);
    return () => clearInterval(timer);
  }, [isAway]);
  return isAway && heardAt > 0 ? Math.max(0, now - heardAt) : undefined;
}
