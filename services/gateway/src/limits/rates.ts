/**
 * Token buckets in memory: who has made too many calls, and when the next one is taken. Several processes give out of their buckets what they hear that the
 * others gave (`shared-rates.ts`). What must outlive the process, or be exact between processes, is in `shared-counts.ts`.
 */
import { ApiError } from '@orrery/api';
import type { Rate } from './limits.ts';
import { Recent } from './recent.ts';

interface Bucket {
  /** Calls that are not forgotten yet: a full bucket has none. */
  used: number;
  usedAt: number;
  /** After how many milliseconds one of them is forgotten. */
  msEach: number;
  /** Of those, what the others have not been sent. */
  unsent: number;
}

/** What an owner has used, and how quickly it is forgotten: for the other processes. */
export type Use = readonly [table: string, owner: string | number, weight: number, msEach: number];

/** Each class has a table of its own, so that strangers cannot evict what accounts have used up. */
const OWNERS_MAX = 16_384;
/** Who has used less of a burst than this part is not worth a message. */
const WORTH_SENDING = 1 / 8;

export class Buckets {
  readonly #tables = new Map<string, Recent<string | number, Bucket>>();
  readonly #now: () => number;
  readonly #toSend: Map<string, Map<string | number, Bucket>> | undefined;

  /** @param isShared remembers what the others are to be sent */
  constructor(now: () => number, isShared = false) {
    this.#now = now;
    this.#toSend = isShared ? new Map() : undefined;
  }

  /** Buckets held, of all classes. */
  get size(): number {
    return [...this.#tables.values()].reduce((sum, table) => sum + table.size, 0);
  }

  /** Takes `weight` calls out of the bucket that `owner` has in `table`, or throws 429 with the time to wait. */
  take(table: string, owner: string | number, rate: Rate, weight = 1): void {
    const bucket = this.#bucketOf(table, owner, rate.perMs / rate.count);
    const lacking = weight - (rate.burst - bucket.used);
    if (lacking > 0) throw tooMany(lacking * bucket.msEach);
    bucket.used += weight;
    if (this.#toSend === undefined) return;
    bucket.unsent += weight;
    if (bucket.used >= rate.burst * WORTH_SENDING) this.#queue(this.#toSend, table, owner, bucket);
  }

  /** What others have given: below nothing left the owner waits for all of it. */
  given([table, owner, weight, msEach]: Use): void {
    this.#bucketOf(table, owner, msEach).used += weight;
  }

  /** What the others have not been sent yet; counted as sent from here on. */
  takeUnsent(): readonly Use[] {
    const uses: Use[] = [];
    for (const [table, buckets] of this.#toSend ?? []) {
      for (const [owner, bucket] of buckets) {
        uses.push([table, owner, bucket.unsent, bucket.msEach]);
        bucket.unsent = 0;
      }
    }
    this.#toSend?.clear();
    return uses;
  }

  #queue(toSend: Map<string, Map<string | number, Bucket>>, table: string, owner: string | number, bucket: Bucket): void {
    let buckets = toSend.get(table);
    if (buckets === undefined) {
      buckets = new Map();
      toSend.set(table, buckets);
    }
    buckets.set(owner, bucket);
  }

  /** As it is now. */
  #bucketOf(name: string, owner: string | number, msEach: number): Bucket {
    const now = this.#now();
    let table = this.#tables.get(name);
    if (table === undefined) {
      table = new Recent(OWNERS_MAX);
      this.#tables.set(name, table);
    }
    const bucket = table.get(owner);
    if (bucket === undefined) {
      const fresh = { used: 0, usedAt: now, msEach, unsent: 0 };
      table.set(owner, fresh);
      return fresh;
    }
    bucket.used = Math.max(0, bucket.used - Math.max(0, now - bucket.usedAt) / msEach);
    // What is forgotten here is not to be remembered elsewhere.
    bucket.unsent = Math.min(bucket.unsent, bucket.used);
    bucket.usedAt = now;
    bucket.msEach = msEach;
    return bucket;
  }
}

export const tooMany = (waitMs: number): ApiError =>
  new ApiError('TooManyRequests', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) });
