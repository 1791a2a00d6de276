/** Candles of a contract by pages into the past; book, trades and the newest candle come by the worker's stream. */
import { useEffect } from 'react';
import type { BarSource } from '../../../chart/chart-port.ts';
import { ask } from '../../../data/calls.ts';
import type { Interval } from '../../../feed/bars.ts';
import { marketStream } from '../../../data/streams/streams.ts';
import { barOf } from '../../../feed/from-wire.ts';
import type { View } from '../../../data/streams/streams.ts';
import { wireOf } from '../../../feed/perpetual.ts';

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
