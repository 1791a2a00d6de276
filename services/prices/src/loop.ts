/**
 * An endless series from one month. Before the anchor the month is as it was recorded; after it the month repeats, adjusted so that it
 * begins where the last one ended: scaled fully at its first minute, not at all at its last. So the price never jumps and never drifts away.
 */
import type { Millis, Ticks } from '@orrery/units';
import { assert, ticks } from '@orrery/units';
import type { Minute, Minutes, Month } from './month.ts';

export const MINUTE_MS = 60_000;

export interface LoopedMinute extends Minute {
  /** Minutes since the anchor; negative before it. Names the minute in all of time. */
  readonly index: number;
}

export class Loop {
  readonly #minutes: Minutes;
  readonly #anchor: Millis;
  readonly #first: bigint;
  readonly #last: bigint;

  /** @param anchor a whole minute: the month's last one ends there */
  constructor({ minutes }: Month, anchor: Millis) {
    const first = minutes.at(0);
    const last = minutes.at(-1);
    assert(first !== undefined && last !== undefined, 'a month has minutes');
    assert(anchor % MINUTE_MS === 0, 'the anchor is a whole minute');
    this.#minutes = minutes;
    this.#anchor = anchor;
    this.#first = BigInt(first.open);
    this.#last = BigInt(last.close);
  }

  /** The whole minute in which `at` lies; none before the month began. */
  minuteAt(at: Millis): LoopedMinute | undefined {
    const index = Math.floor((at - this.#anchor) / MINUTE_MS);
    const count = this.#minutes.length;
    if (index < -count) return undefined;
    const place = ((index % count) + count) % count;
    const minute = this.#minutes.at(place);
    assert(minute !== undefined, 'every place of the month has a minute');
    const { open, high, low, close } = index < 0 ? minute : this.#bend(minute, place);
    return { index, open, high, low, close };
  }

  #bend({ open, high, low, close }: Minute, place: number): Minute {
    const bentOpen = this.#scale(open, place);
    const bentClose = this.#scale(close, place + 1);
    return {
      open: bentOpen,
      high: ticks(Math.max(this.#scale(high, place), bentOpen, bentClose)),
      low: ticks(Math.min(this.#scale(low, place), bentOpen, bentClose)),
      close: bentClose,
    };
  }

  /** Times last/first at place 0, times 1 behind the last place, in a straight line between; rounded to the nearest tick. */
  #scale(price: Ticks, place: number): Ticks {
    const count = BigInt(this.#minutes.length);
    const done = BigInt(place);
    const factor = this.#last * (count - done) + this.#first * done;
    const divisor = this.#first * count;
    return ticks(Number((2n * BigInt(price) * factor + divisor) / (2n * divisor)));
  }
}
