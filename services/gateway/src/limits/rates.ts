/**
 * Token buckets in memory: who has made too many calls, and when the next one is taken. What must outlive the process, or be counted by
 * several processes together, is in `shared-counts.ts`.
 */
import { ApiError } from '@orrery/api';
import type { Rate } from './limits.ts';
import { Recent } from './recent.ts';

interface Bucket {
  tokens: number;
  filledAt: number;
}

/** Each class has a table of its own, so that strangers cannot evict what accounts have used up. */
const OWNERS_MAX = 16_384;

export class Buckets {
  readonly #tables = new Map<string, Recent<string | number, Bucket>>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Buckets held, of all classes. */
  get size(): number {
    return [...this.#tables.values()].reduce((sum, table) => sum + table.size, 0);
  }

  /** Takes `weight` calls out of the bucket that `owner` has in `table`, or throws 429 with the time to wait. */
  take(table: string, owner: string | number, rate: Rate, weight = 1): void {
    const bucket = this.#filled(table, owner, rate);
    if (bucket.tokens < weight) throw tooMany(((weight - bucket.tokens) * rate.perMs) / rate.count);
    bucket.tokens -= weight;
  }

  #filled(name: string, owner: string | number, rate: Rate): Bucket {
    const now = this.#now();
    let table = this.#tables.get(name);
    if (table === undefined) {
      table = new Recent(OWNERS_MAX);
      this.#tables.set(name, table);
    }
    const bucket = table.get(owner);
    if (bucket === undefined) {
      const fresh = { tokens: rate.burst, filledAt: now };
      table.set(owner, fresh);
      return fresh;
    }
    bucket.tokens = Math.min(rate.burst, bucket.tokens + (Math.max(0, now - bucket.filledAt) * rate.count) / rate.perMs);
    bucket.filledAt = now;
    return bucket;
  }
}

export const tooMany = (waitMs: number): ApiError =>
  new ApiError('TooManyRequests', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) });
