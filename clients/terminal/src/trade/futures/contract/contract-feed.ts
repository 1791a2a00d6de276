/**
 * Book, trades and candles of the contract in view, read again and again while the page is in view, in the stores that the panels of every kind
 * of market look at. The worker's stream carries spot.
 */
import type { AggregateTicker, FuturesDeal, Ticker } from '@orrery/api';
import { parseLots, parseTicks } from '@orrery/units';
import { useEffect } from 'react';
import type { BarSource } from '../../../chart/chart-port.ts';
import { ask } from '../../../data/calls.ts';
import type { Interval } from '../../../feed/bars.ts';
import { browserFeed } from '../../../feed/browser-feed.ts';
import { barOf, pairsOf, sideOf } from '../../../feed/from-wire.ts';
import { packLadder } from '../../../feed/ladder.ts';
import type { View } from '../../../feed/messages.ts';
import { mergeTape } from '../../../feed/tape.ts';
import type { TapeTrade } from '../../../feed/tape.ts';
import { perpetual, wireOf } from './contract-market.ts';
import { QUOTE_POLL_MS } from './use-contracts.ts';

const LEVELS = 200;
const CANDLE_PAGE = 500;
const everybody = { ignoreToken: true } as const;

export type PriceSource = 'LAST' | 'MARK' | 'INDEX';

/** Candles of the contract by pages into the past, as the chart asks for them. */
export function contractCandles(source: PriceSource): (symbol: string, interval: Interval) => BarSource {
  return (symbol, interval) => ({
    async history({ before }) {
      const endTime = before === undefined ? {} : { endTime: before - 1 };
      const query = { symbol: wireOf(symbol), interval, source, limit: CANDLE_PAGE, ...endTime };
      const klines = await ask('futuresKlines', { query, ...everybody });
      return { bars: klines.map(barOf).toSorted((left, right) => left.time - right.time), more: klines.length === CANDLE_PAGE };
    },
  });
}

export const tickerOf = ({ m: _mark, ...ticker }: AggregateTicker): Ticker => ({ ...ticker, s: perpetual(ticker.s) });

/** Trades that this contract cannot count are left out. */
export function tapeOf(deals: readonly FuturesDeal[], { pricePrecision, sizePrecision }: View): readonly TapeTrade[] {
  return deals.flatMap(({ id, t: time, p, a, m }) => {
    const price = parseTicks(p, pricePrecision);
    const size = parseLots(a, sizePrecision);
    return price === undefined || size === undefined
      ? []
      : [{ id: Number(id), time, price, size, takerSide: m === 'BID' ? 'buy' : 'sell' }];
  });
}

async function readDepth(view: View): Promise<void> {
  const { b, a } = await ask('futuresDepth', { query: { symbol: wireOf(view.symbol), level: LEVELS }, ...everybody });
  const [bids, asks] = [sideOf(b, view), sideOf(a, view)];
  const feed = browserFeed();
  feed.put({ type: 'ladder', symbol: view.symbol, step: view.step, frame: packLadder(bids, asks, view) });
  feed.put({ type: 'depth', symbol: view.symbol, bids: pairsOf(bids), asks: pairsOf(asks) });
}

async function readTrades(view: View): Promise<void> {
  const deals = await ask('futuresDeals', { query: { symbol: wireOf(view.symbol), num: 60 }, ...everybody });
  const feed = browserFeed();
  const trades = mergeTape(feed.tape.get() ?? [], tapeOf(deals, view));
  if (trades !== feed.tape.get()) feed.put({ type: 'tape', symbol: view.symbol, trades });
}

async function readBar(view: View, source: PriceSource): Promise<void> {
  const { symbol, interval } = view;
  const [newest] = await ask('futuresKlines', { query: { symbol: wireOf(symbol), interval, source, limit: 1 }, ...everybody });
  if (newest !== undefined) browserFeed().put({ type: 'bar', symbol, interval, bar: barOf(newest) });
}

async function readTickers(): Promise<void> {
  browserFeed().putTickers((await ask('aggregateTickers', everybody)).map(tickerOf));
}

/** Keeps the feed's stores on the contract in view. What could not be read is read at the next beat. */
export function useContractFeed(view: View, source: PriceSource): void {
  useEffect(() => {
    browserFeed().showApart(view);
    let isGone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const beat = async (): Promise<void> => {
      if (document.visibilityState === 'visible') {
        await Promise.allSettled([readDepth(view), readTrades(view), readBar(view, source), readTickers()]);
      }
      if (!isGone) timer = setTimeout(() => void beat(), QUOTE_POLL_MS);
    };
    void beat();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [view, source]);
  useEffect(() => () => browserFeed().show(undefined), []);
}
