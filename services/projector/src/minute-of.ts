/** A trade as a part of the candle of its minute. */
import type { Trade } from '@orrery/protocol';
import type { Millis } from '@orrery/units';
import { type Candle, openTimeOf } from '@orrery/views';

export const minuteOf = ({ price, size, notional }: Trade, at: Millis): Candle => ({
  openTime: openTimeOf('1m', at),
  open: price,
  high: price,
  low: price,
  close: price,
  volume: size,
  quoteVolume: notional,
});
