/** The candles whose intervals have ended: each is sent once as it is final, before the first of the next interval. */
import type { Interval } from '@orrery/api';
import { millis, type MarketId, type Millis } from '@orrery/units';
import { openTimeOf, type Candle, type CandlesView } from '@orrery/views';

/** After a pause the newest of them are sent; the others are read. */
const ENDED_MAX = 10;

interface Asked {
  readonly candles: CandlesView;
  readonly market: MarketId;
  readonly interval: Interval;
  /** `flat`: an interval without a trade repeats the last close; `none`: it has no candle, as of a mark that was not known. */
  readonly without: 'flat' | 'none';
}

/** Of one topic: the interval that was open when it was last looked at. */
export class EndedCandles {
  readonly #asked: Asked;
  #open: Millis;

  constructor(asked: Asked, now: number) {
    this.#asked = asked;
    this.#open = openTimeOf(asked.interval, millis(now));
  }

  /** Oldest first; a clock that went back ends nothing twice. */
  until(now: number): readonly Candle[] {
    const { candles, without, ...place } = this.#asked;
    const open = openTimeOf(place.interval, millis(now));
    if (open <= this.#open) return [];
    const range = { ...place, limit: ENDED_MAX, from: this.#open, to: millis(open - 1) };
    this.#open = open;
    return without === 'flat' ? candles.continuous({ ...range, now: millis(now) }) : candles.candles(range);
  }
}
