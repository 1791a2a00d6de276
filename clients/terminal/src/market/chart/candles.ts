/** Candles of a market by pages into the past, as the chart asks for them. */
import { ask } from '../../platform/data/calls.ts';
import { barOf } from '../../platform/feed/from-wire.ts';
import type { BarSource } from './chart-port.ts';
import type { Interval } from '../../platform/feed/bars.ts';

const PAGE = 500;

export function candles(symbol: string, interval: Interval): BarSource {
  return {
    async history({ before }) {
      const endTime = before === undefined ? {} : { endTime: before - 1 };
      const klines = await ask('klines', { query: { symbol, interval, limit: PAGE, ...endTime }, ignoreToken: true });
      const bars = klines.map(barOf).toSorted((left, right) => left.time - right.time);
      return { bars, more: klines.length === PAGE };
    },
  };
}
