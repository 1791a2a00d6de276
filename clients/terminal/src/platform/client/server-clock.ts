/**
 * The time of the exchange, learned from the `Date` of its answers: countdowns to what it does are right on a device whose clock is not.
 */
import { clockHook } from '../../kit/ui/use-now.ts';

const SECOND_MS = 1_000;

/** One answer: the second that it names began somewhere between the two readings of the device's clock, or before them. */
export interface DatedAnswer {
  readonly date: number;
  readonly sentAt: number;
  readonly receivedAt: number;
}

export class ServerClock {
  readonly #deviceNow: () => number;
  /** Between these the exchange is ahead of the device, milliseconds. */
  #least = Number.NEGATIVE_INFINITY;
  #most = Number.POSITIVE_INFINITY;

  constructor(deviceNow: () => number) {
    this.#deviceNow = deviceNow;
  }

  /** Each answer narrows the bounds; one that contradicts them says that a clock was set. */
  hear({ date, sentAt, receivedAt }: DatedAnswer): void {
    const [least, most] = [date - receivedAt, date + SECOND_MS - sentAt];
    const isOther = least > this.#most || most < this.#least;
    this.#least = isOther ? least : Math.max(least, this.#least);
    this.#most = isOther ? most : Math.min(most, this.#most);
  }

  /** Unix milliseconds. A device whose clock may be right is believed. */
  now(): number {
    return this.#deviceNow() + Math.round(this.#aheadMs());
  }

  #aheadMs(): number {
    if (this.#least <= 0 && this.#most >= 0) return 0;
    return (this.#least + this.#most) / 2;
  }
}

export const serverClock = new ServerClock(Date.now);

/** `fetch` that reports to the clock when each answer was made. */
export function dated(send: typeof fetch, clock: ServerClock, deviceNow: () => number): typeof fetch {
  return async (input, init) => {
    const sentAt = deviceNow();
    const answer = await send(input, init);
    const date = Date.parse(answer.headers.get('date') ?? '');
    if (!Number.isNaN(date)) clock.hear({ date, sentAt, receivedAt: deviceNow() });
    return answer;
  };
}

/** The time of the exchange. */
export const useServerNow = clockHook(() => serverClock.now());
