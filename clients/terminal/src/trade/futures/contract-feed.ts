/** Candles of a contract by pages into the past; book, trades and the newest candle come by the worker's stream. */
import { useEffect } from 'react';
import type { BarSource } from '../../market/chart/chart-port.ts';
import { ask } from '../../platform/data/calls.ts';
import type { Interval } from '../../platform/feed/bars.ts';
import { marketStream } from '../../platform/data/streams/streams.ts';
import { barOf } from '../../platform/feed/from-wire.ts';
import type { View } from '../../platform/data/streams/streams.ts';
import { wireOf } from '../../platform/feed/perpetual.ts';

const CANDLE_PAGE = 500;

export type PriceSource = 'LAST' | 'MARK' | 'INDEX';

/** As the chart asks for them. */
export function contractCandles(source: PriceSource): (symbol: string, interval: Interval) => BarSource {
  return (symbol, interval) => ({
    async history({ before }) {
      const endTime = before === undefined ? {} : { endTime: before - 1 };
      const query = { symbol: wireOf(symbol), interval, source, limit: CANDLE_PAGE, ...endTime };
      const klines = await ask('futuresKlines', { query, ignoreToken: true });
      return { bars: klines.map(barOf).toSorted((left, right) => left.time - right.time), more: klines.length === CANDLE_PAGE };
    },
  });
}

/** Keeps the feed on the contract in view, as long as it is in view. */
export function useContractFeed(view: View): void {
  useEffect(() => marketStream.show(view), [view]);
  useEffect(() => () => marketStream.leave(), []);
}
