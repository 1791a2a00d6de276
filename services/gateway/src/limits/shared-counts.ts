/**
 * Counts that no restart forgets and that all processes of the exchange share: in SQL, for windows of fixed length that begin at multiples
 * of it (days at midnight UTC). Whose they are, such as a network address or the name of who tries to log in, is there as a keyed hash.
 */
import { createHmac } from 'node:crypto';
import { ApiError } from '@orrery/api';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { tooMany } from './rates.ts';
import { Recent } from './recent.ts';
import { COUNT_TABLE } from './tables.ts';

/** The SQL database; `memory` counts in this process alone, for tests. */
export type CountStore = 'memory' | { query(statement: { text: string; values?: unknown[]; name?: string }): Promise<unknown> };

export interface Count {
  /** What is counted, such as `faucet`. */
  readonly name: string;
  readonly owner: string | number;
  /** In one window. */
  readonly most: number;
  readonly perMs: number;
}

/** Who was refused is refused from memory until the window ends: a flood does not reach the database. */
const REFUSED_MAX = 16_384;
const RETRY_SECONDS = 2;
const SWEEP_MS = 60_000;

export class SharedCounts {
  readonly #store: CountStore;
  readonly #key: Buffer;
  readonly #now: () => number;
  readonly #limiters = new Map<string, RateLimiterAbstract>();
  readonly #refused = new Recent<string, true>(REFUSED_MAX);
  readonly #sweeping: NodeJS.Timeout;

  /** @param parts.key is not in the database: from a copy of it nobody's counts can be found */
  constructor(parts: { store: CountStore; key: Buffer; now: () => number }) {
    this.#store = parts.store;
    this.#key = parts.key;
    this.#now = parts.now;
    this.#sweeping = setInterval(() => void this.#sweep(), SWEEP_MS).unref();
  }

  /** Rejects with 429 and the time to wait above the limit, and with 502 when the database does not answer: then it cannot serve the call either. */
  async take(count: Count): Promise<void> {
    const key = this.#keyOf(count);
    const waitMs = count.perMs - (this.#now() % count.perMs);
    const refused = `${count.name} ${key}`;
    if (this.#refused.get(refused) !== undefined) throw tooMany(waitMs);
    try {
      await this.#limiterOf(count).consume(key);
    } catch (error) {
      if (!(error instanceof RateLimiterRes))
        throw new ApiError('Upstream', { field: 'the database', retryAfterSeconds: RETRY_SECONDS, cause: error });
      this.#refused.set(refused, true);
      throw tooMany(waitMs);
    }
  }

  /** Adds what has been taken already. @returns the count of all processes in this window, above the limit or not. */
  async add(count: Count, points: number): Promise<number> {
    return (await this.#limiterOf(count).penalty(this.#keyOf(count), points)).consumedPoints;
  }

  close(): void {
    clearInterval(this.#sweeping);
  }

  #keyOf({ owner, perMs }: Count): string {
    const mark = createHmac('sha256', this.#key).update(String(owner)).digest('base64url');
    return `${mark} ${Math.floor(this.#now() / perMs)}`;
  }

  #limiterOf({ name, most, perMs }: Count): RateLimiterAbstract {
    let limiter = this.#limiters.get(name);
    if (limiter === undefined) {
      limiter = limiterIn(this.#store, { keyPrefix: name, points: most, duration: perMs / 1_000 });
      this.#limiters.set(name, limiter);
    }
    return limiter;
  }

  /** Rows that stay because the database is away are cleared next time. */
  async #sweep(): Promise<void> {
    if (this.#store === 'memory') return;
    await this.#store.query({ text: `delete from ${COUNT_TABLE} where expire < $1`, values: [Date.now()] }).catch(() => undefined);
  }
}

const limiterIn = (store: CountStore, options: { keyPrefix: string; points: number; duration: number }): RateLimiterAbstract =>
  store === 'memory'
    ? new RateLimiterMemory(options)
    : new RateLimiterPostgres({
        ...options,
        storeClient: store,
        storeType: 'pool',
        tableName: COUNT_TABLE,
        tableCreated: true,
        clearExpiredByTimeout: false,
      });
