/** Token buckets: who has made too many calls, and when the next one is taken. */
import { ApiError } from '@orrery/api';
import type { Rate } from './limits.ts';

interface Bucket {
  tokens: number;
  filledAt: number;
  day: number;
  usedToday: number;
}

const DAY_MS = 86_400_000;
/** Above this many buckets the full ones are dropped: a full bucket and no bucket are the same. */
const SWEEP_ABOVE = 10_000;

export class Buckets {
  readonly #buckets = new Map<string, Bucket>();
  readonly #now: () => number;
  #sweepAbove = SWEEP_ABOVE;

  constructor(now: () => number) {
    this.#now = now;
  }

  get size(): number {
    return this.#buckets.size;
  }

  /** Takes `weight` calls out of the bucket of `key`, or throws 429 with the time to wait. */
  take(key: string, rate: Rate, weight = 1): void {
    const now = this.#now();
    const bucket = this.#filled(key, rate, now);
    if (rate.perDay !== undefined && bucket.usedToday + weight > rate.perDay) {
      throw tooMany(DAY_MS - (now % DAY_MS));
    }
    if (bucket.tokens < weight) throw tooMany(((weight - bucket.tokens) * rate.perMs) / rate.count);
    bucket.tokens -= weight;
    bucket.usedToday += weight;
  }

  #filled(key: string, rate: Rate, now: number): Bucket {
    const day = Math.floor(now / DAY_MS);
    const bucket = this.#buckets.get(key);
    if (bucket === undefined) {
      if (this.#buckets.size >= this.#sweepAbove) this.#sweep(now);
      const fresh = { tokens: rate.burst, filledAt: now, day, usedToday: 0 };
      this.#buckets.set(key, fresh);
      return fresh;
    }
    bucket.tokens = Math.min(rate.burst, bucket.tokens + (Math.max(0, now - bucket.filledAt) * rate.count) / rate.perMs);
    bucket.filledAt = now;
    if (bucket.day !== day) {
      bucket.day = day;
      bucket.usedToday = 0;
    }
    return bucket;
  }

  /** Evicts what has been unused for longer than any bucket takes to fill, daily counts included. */
  #sweep(now: number): void {
    const today = Math.floor(now / DAY_MS);
    for (const [key, bucket] of this.#buckets) {
      const idle = now - bucket.filledAt;
      if (bucket.day !== today || (bucket.usedToday < 100 && idle > 3_600_000)) this.#buckets.delete(key);
    }
    this.#sweepAbove = Math.max(SWEEP_ABOVE, this.#buckets.size * 2);
  }
}

const tooMany = (waitMs: number): ApiError =>
  new ApiError('TooManyRequests', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) });
