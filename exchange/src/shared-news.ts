/**
 * News of accounts for every process on one database: what is announced in one reaches the streams of all. A row is written and the others are woken; what came
 * while one of them heard nothing is found in the rows. Rows go after some minutes: a page that was away for longer reads its lists again.
 */
import { randomUUID } from 'node:crypto';
import { CHANNEL, type Changes, repeat, statements } from '@orrery/foundation';
import type { NewsSource } from '@orrery/gateway';
import { type Generated, type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const TABLE = 'exchange_news';
/** Rows are looked for this much further back than the last look: none is missed that is committed later than others with a greater number. */
const LOOK_BACK_MS = 10_000;
const KEPT_MS = 300_000;
const SWEEP_MS = 60_000;
/** More than this many wait for no database: the oldest are dropped. */
const WAITING_MOST = 10_000;

type News = Parameters<Parameters<NewsSource['onNews']>[0]>[0];

export interface NewsTables {
  exchange_news: { id: Generated<number>; at: Generated<Date>; origin: string; news: string };
}

export const newsMigrations: Readonly<Record<string, Migration>> = {
  'exchange-001-news': statements([
    `create table ${TABLE} (id bigint generated always as identity primary key, at timestamptz not null default now(), origin text not null, news text not null)`,
    `create index ${TABLE}_at on ${TABLE} (at)`,
  ]),
};

interface NewsParts {
  /** What is announced in this process. */
  readonly own: NewsSource;
  readonly db: Kysely<NewsTables>;
  readonly changes: Changes;
  readonly onTrouble: (error: unknown) => void;
}

/** Each process announces these by itself: it reads them in history, or in rows of its own clock. */
const isEverywhere = (news: News): boolean =>
  news.resType === 'uClaim' || (news.resType === 'znxMessage' && news.data.detailType === 'NOTICE');

export class SharedNews implements NewsSource {
  /** Resolves when everything that is announced from then on in any process is heard. */
  readonly started: Promise<void>;
  readonly #parts: NewsParts;
  readonly #origin = randomUUID();
  readonly #listeners = new Set<(news: News) => void>();
  readonly #endings: readonly (() => unknown)[];
  /** When each row of the last minutes was found, by its number. */
  readonly #found = new Map<number, number>();
  /** When rows were looked for last, by the clock that only grows; undefined until it is known what was there before this process. */
  #lookedAt: number | undefined;
  #waiting: News[] = [];
  #writing: Promise<void> | undefined;
  #reading: Promise<void> | undefined;
  #isToRead = true;

  constructor(parts: NewsParts) {
    this.#parts = parts;
    const { own, changes, db, onTrouble } = parts;
    const sweeping = repeat({ every: SWEEP_MS, lease: undefined, work: () => sweep(db), onTrouble });
    this.#endings = [
      own.onNews((news) => this.#announce(news)),
      changes.subscribe({
        changed: (table, origin) => {
          if (table === TABLE && origin !== this.#origin) void this.#readSoon();
        },
        missed: () => void this.#readSoon(),
      }),
      () => sweeping.stop(),
    ];
    this.started = this.#readSoon();
  }

  onNews(listener: (news: News) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** What waits is written first. */
  async stop(): Promise<void> {
    for (const end of this.#endings) await end();
    await this.#writing;
    await this.#reading;
  }

  #announce(news: News): void {
    this.#deliver(news);
    if (isEverywhere(news)) return;
    this.#waiting.push(news);
    if (this.#waiting.length > WAITING_MOST) this.#waiting.shift();
    this.#writing ??= this.#write().finally(() => (this.#writing = undefined));
  }

  #deliver(news: News): void {
    for (const listener of this.#listeners) listener(news);
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const taken = this.#waiting;
      this.#waiting = [];
      try {
        const { db } = this.#parts;
        await db.transaction().execute(async (tx) => {
          await tx
            .insertInto('exchange_news')
            .values(taken.map((news) => ({ origin: this.#origin, news: JSON.stringify(news) })))
            .execute();
          await sql`select pg_notify(${CHANNEL}, ${`${TABLE} ${this.#origin}`})`.execute(tx);
        });
      } catch (error) {
        // It has reached the streams of this process; those of others read their lists again when they look.
        this.#parts.onTrouble(error);
      }
    }
  }

  #readSoon(): Promise<void> {
    this.#isToRead = true;
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #read(): Promise<void> {
    while (this.#isToRead) {
      this.#isToRead = false;
      try {
        await this.#look();
      } catch (error) {
        this.#parts.onTrouble(error);
      }
    }
  }

  async #look(): Promise<void> {
    const now = performance.now();
    const before = this.#lookedAt;
    const rows = await this.#rows(before === undefined ? KEPT_MS : now - before + LOOK_BACK_MS);
    this.#lookedAt = now;
    for (const [id, at] of this.#found) {
      if (now - at <= KEPT_MS) break;
      this.#found.delete(id);
    }
    for (const { id, news } of rows) {
      if (this.#found.has(id)) continue;
      this.#found.set(id, now);
      if (before !== undefined) this.#deliver(JSON.parse(news) as News);
    }
  }

  /** Of other processes, in their order. */
  #rows(backMs: number): Promise<readonly { id: number; news: string }[]> {
    return this.#parts.db
      .selectFrom('exchange_news')
      .select(['id', 'news'])
      .where('at', '>', ago(backMs))
      .where('origin', '<>', this.#origin)
      .orderBy('id')
      .execute();
  }
}

async function sweep(db: Kysely<NewsTables>): Promise<void> {
  await db.deleteFrom('exchange_news').where('at', '<', ago(KEPT_MS)).execute();
}

/** By the clock of the database. */
const ago = (ms: number) => sql<Date>`now() - ${ms}::float8 * interval '1 millisecond'`;
