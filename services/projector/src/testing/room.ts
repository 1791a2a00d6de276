/** A database, a heart with an open market, and projectors over both. */
import type { Kysely } from 'kysely';
import { leaseMigrations } from '@orrery/foundation';
import type { Heart } from '@orrery/protocol';
import type { MarketId } from '@orrery/units';
import { load, MarketsView } from '@orrery/views';
import { expect } from 'vitest';
import type { Database } from '../../../../exchange/src/database.ts';
import { registerListing } from '../../../../exchange/src/listing.ts';
import { MemoryHeart } from '../../../../exchange/src/testing/memory-heart.ts';
import { temporaryDatabase } from '../../../../exchange/src/testing/temporary-database.ts';
import {
  emptyProjection,
  History,
  type HistorySource,
  migrations,
  type Projector,
  type ProjectorOptions,
  type ProjectorTables,
  startProjector,
  Timelines,
} from '../index.ts';
import { Contracts } from '../contracts.ts';
import type { LocalProjector } from '../projector.ts';
import { TABLES } from '../tables.ts';
import { openMarket } from './market-day.ts';

export interface StartedProjector extends LocalProjector {
  readonly history: History;
  readonly timelines: Timelines;
  /** History as read by a reader to which the projector reports another status. */
  historyOf(said: Pick<Projector, 'status'>, from?: Kysely<ProjectorTables>): History;
}

const BEGINNING = 1_795_000_000_000;
const TICK_MS = 700;

const sourceOf = (over: Heart): HistorySource => ({
  seq: () => over.status().seq,
  covers: () => true,
  present: () => over.open(),
  subscribe: (after) => over.subscribe(after),
});

export class Room {
  readonly db: Database<ProjectorTables>;
  /** Grows with every command. */
  readonly clock = { now: BEGINNING };
  readonly troubles: unknown[] = [];
  heart: MemoryHeart;

  private constructor(db: Database<ProjectorTables>) {
    this.db = db;
    this.heart = this.#newHeart();
  }

  static async open(): Promise<Room> {
    return new Room(await temporaryDatabase<ProjectorTables>({ ...leaseMigrations, ...migrations }));
  }

  /** Another heart, and nothing written of it. */
  async begin(): Promise<MemoryHeart> {
    this.troubles.length = 0;
    await emptyProjection(this.db.sql);
    this.heart = this.#newHeart();
    await registerListing(this.heart);
    await openMarket(this.heart);
    return this.heart;
  }

  async start(
    over: Heart = this.heart,
    options: Pick<ProjectorOptions, 'timer' | 'isBusy' | 'lease' | 'houseAddresses'> = {},
  ): Promise<StartedProjector> {
    const { db, troubles } = this;
    const started = await startProjector({ ...options, source: sourceOf(over), db: db.sql, onTrouble: (error) => troubles.push(error) });
    const markets = new MarketsView();
    const contracts = new Contracts();
    load(over.open(), markets, { apply: (event) => contracts.list(event) });
    const contractOf = (market: MarketId) => contracts.contract(market);
    const historyOf = (said: Pick<Projector, 'status'>, from = db.sql): History =>
      new History({ db: from, markets, contractOf, projector: { status: () => said.status(), reached: (at) => started.reached(at) } });
    return Object.assign(started, {
      history: historyOf(started),
      historyOf,
      timelines: new Timelines({ db: db.sql, markets, caughtUp: () => started.reached(over.status().seq) }),
    });
  }

  /** Every row of every table, in an order of its own. */
  async everything(): Promise<Record<string, readonly string[]>> {
    const tables: Record<string, readonly string[]> = {};
    for (const table of TABLES)
      tables[table] = (await this.db.sql.selectFrom(table).selectAll().execute()).map((row) => JSON.stringify(row)).sort();
    return tables;
  }

  async caughtUp(projector: Projector): Promise<void> {
    const { seq } = this.heart.status();
    await projector.reached(seq);
    expect(projector.status()).toEqual({ seq, lag: 0, failure: undefined });
  }

  #newHeart(): MemoryHeart {
    return new MemoryHeart(() => {
      this.clock.now += TICK_MS;
      return this.clock.now;
    });
  }
}
