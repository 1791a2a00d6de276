/** Candles of a market by pages into the past, as the chart asks for them. */
import type { Kline } from '@orrery/api';
import { http } from '../client/client.ts';
import type { Bar, BarSource, Interval } from './chart-port.ts';

const PAGE = 500;

/** Floats are for drawing only: nothing is computed from a candle. */
function barOf(kline: Kline): Bar {
  return {
    time: kline.t,
    open: Number(kline.o),
    high: Number(kline.h),
    low: Number(kline.l),
    close: Number(kline.c),
    volume: Number(kline.a),
  };
}

export function candles(symbol: string, interval: Interval): BarSource {
  return {
    async history({ before }) {
      const endTime = before === undefined ? {} : { endTime: before - 1 };
      const klines = await http.load('klines', { query: { symbol, interval, limit: PAGE, ...endTime }, ignoreToken: true });
      const bars = klines.map(barOf).toSorted((left, right) => left.time - right.time);
      return { bars, more: klines.length === PAGE };
    },
  };
}
