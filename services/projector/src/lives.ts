/**
 * How long history in SQL is kept, and what ends it. The time is that of history (`projector_offset.at`), so that rows that are still being written are never old.
 * Each step is a short transaction on rows that lie together by their primary key; where a step ended lies in memory, and is looked for again after a restart.
 */
import { type Kysely, sql } from 'kysely';
import { DAY_MS } from './batch.ts';
import { HOUR_MS } from './hours.ts';
import type { Tx } from './insert.ts';
import type { ProjectorTables } from './tables.ts';

/** Longer than any reader looks back: 45,000 minutes. */
export const MINUTES_KEPT_DAYS = 45;
/** Seven years with their leap days. */
export const RECORDS_KEPT_DAYS = 2_557;

const [MINUTES_KEPT_MS, RECORDS_KEPT_MS] = [MINUTES_KEPT_DAYS * DAY_MS, RECORDS_KEPT_DAYS * DAY_MS];
/** An order that rests ends after 90 days. */
const LONGEST_ORDER_MS = 91 * DAY_MS;
/** Rows that one step looks at. */
const PAGE = 500;

interface Records {
  readonly table: 'projector_order' | 'projector_fill' | 'projector_bill';
  readonly key: string;
  /** Grows with the key. */
  readonly time: string;
  /** After this time since then a row is old, whatever it is. */
  readonly keptMs: number;
  readonly isOld: (cutoff: number) => ReturnType<typeof sql>;
}

/** What else is there of an account is little, and kept for good: transfers, deposits, withdrawals, awards, funding, closed positions, liquidations, sums of days and hours. */
const RECORDS: readonly Records[] = [
  {
    table: 'projector_order',
    key: 'order_id',
    time: 'created_at',
    keptMs: RECORDS_KEPT_MS + LONGEST_ORDER_MS,
    isOld: (cutoff) => sql`status = 'closed' and updated_at < ${cutoff}`,
  },
  { table: 'projector_fill', key: 'trade_id', time: 'at', keptMs: RECORDS_KEPT_MS, isOld: (cutoff) => sql`at < ${cutoff}` },
  {
    table: 'projector_bill',
    key: 'id',
    time: 'at',
    keptMs: RECORDS_KEPT_MS,
    // By the other kinds the hands behind accounts, and what shares of funds had cost, are found.
    isOld: (cutoff) => sql`at < ${cutoff} and kind in ('TRADE', 'FEE', 'PROFIT', 'FUNDING')`,
  },
];

/** Minutes of a market. */
interface Series {
  readonly table: 'projector_candle' | 'projector_price_candle';
  readonly market: number;
  readonly source: 'mark' | 'index' | undefined;
}

export class HistoryLives {
  readonly #db: Kysely<ProjectorTables>;
  /** By table, the last key that was looked at. */
  readonly #looked = new Map<string, number>();
  /** Those of a day that may have minutes to join, and from where on. */
  #series: { readonly day: number; readonly open: Map<Series, number> } = { day: -1, open: new Map() };

  constructor(db: Kysely<ProjectorTables>) {
    this.#db = db;
  }

  /** One step, if any is due. @returns false when nothing is */
  async step(): Promise<boolean> {
    const { at: now } = await this.#db.selectFrom('projector_offset').select('at').executeTakeFirstOrThrow();
    for (const records of RECORDS) if (await this.#endRecords(records, now)) return true;
    return this.#joinMinutes(now - MINUTES_KEPT_MS);
  }

  /** Looks at one page of a table. @returns whether all of the page was old */
  async #endRecords({ table, key, time, keptMs, isOld }: Records, now: number): Promise<boolean> {
    const after = this.#looked.get(table) ?? -1;
    const [column, moment] = [sql.ref<number>(key), sql.ref<number>(time)];
    const last = await this.#db.transaction().execute(async (tx) => {
      const page = sql<{ key: number; at: number }>`select ${column} as key, ${moment} as at from ${sql.table(table)}
        where ${column} > ${after} order by ${column} limit ${PAGE}`;
      const { rows } = await sql<{ key: number; at: number; rows: number }>`select max(key) as key, max(at) as at, count(*)::int as rows
        from (${page}) as page`.execute(tx);
      const [found] = rows;
      if (found === undefined || found.rows === 0) return undefined;
      await sql`delete from ${sql.table(table)} where ${column} > ${after} and ${column} <= ${found.key} and ${isOld(now - RECORDS_KEPT_MS)}`.execute(
        tx,
      );
      return found;
    });
    if (last === undefined || last.at >= now - keptMs) return false;
    this.#looked.set(table, last.key);
    return true;
  }

  /** Joins the minutes of one day of a market into hours. @returns whether there was a day */
  async #joinMinutes(cutoff: number): Promise<boolean> {
    const today = cutoff - (cutoff % DAY_MS);
    if (this.#series.day !== today) this.#series = { day: today, open: await this.#openSeries() };
    const { open } = this.#series;
    for (const [series, from] of open) {
      const minute = await this.#firstMinute(series, from);
      const day = minute === undefined ? today : minute - (minute % DAY_MS);
      if (day >= today) {
        open.delete(series);
        continue;
      }
      await this.#db.transaction().execute((tx) => joinDay(tx, series, day));
      open.set(series, day + DAY_MS);
      return true;
    }
    return false;
  }

  async #firstMinute(series: Series, from: number): Promise<number | undefined> {
    const { rows } = await sql<{ minute: number }>`select open_time as minute from ${sql.table(series.table)}
      where ${isOf(series)} and open_time >= ${from} and ${IS_MINUTE} order by open_time limit 1`.execute(this.#db);
    return rows[0]?.minute;
  }

  async #openSeries(): Promise<Map<Series, number>> {
    const trades = (await this.#marketsOf('projector_candle')).map((market): Series => ({
      table: 'projector_candle',
      market,
      source: undefined,
    }));
    const prices = (await this.#marketsOf('projector_price_candle')).flatMap((market) =>
      (['mark', 'index'] as const).map((source): Series => ({ table: 'projector_price_candle', market, source })),
    );
    return new Map([...trades, ...prices].map((series) => [series, 0]));
  }

  /** One look at the index for each. */
  async #marketsOf(table: Series['table']): Promise<readonly number[]> {
    const next = (after: ReturnType<typeof sql>) =>
      sql`select market from ${sql.table(table)} where market > ${after} order by market limit 1`;
    const { rows } = await sql<{ market: number }>`with recursive found as (
      (${next(sql`-1`)}) union all select (${next(sql`found.market`)}) from found where found.market is not null)
      select market from found where market is not null`.execute(this.#db);
    return rows.map(({ market }) => market);
  }
}

const IS_MINUTE = sql<boolean>`open_time % ${sql.lit(HOUR_MS)} <> 0`;

const isOf = ({ market, source }: Series) =>
  source === undefined ? sql`market = ${market}` : sql`market = ${market} and source = ${source}`;

/** The row of an hour is the one of its first minute, whether or not there was one. Joined again it is the same. */
async function joinDay(tx: Tx, series: Series, day: number): Promise<void> {
  const { table } = series;
  const where = sql`${isOf(series)} and open_time >= ${day} and open_time < ${day + DAY_MS}`;
  const hour = sql`open_time - open_time % ${sql.lit(HOUR_MS)}`;
  const prices = sql`(array_agg(open order by open_time))[1] as open, max(high) as high, min(low) as low, (array_agg(close order by open_time desc))[1] as close`;
  const { rows } =
    table === 'projector_candle'
      ? await sql<
          Record<string, unknown>
        >`select market, ${hour} as open_time, ${prices}, sum(volume)::bigint as volume, sum(quote_volume) as quote_volume
          from projector_candle where ${where} group by 1, 2`.execute(tx)
      : await sql<Record<string, unknown>>`select market, source, ${hour} as open_time, ${prices}
          from projector_price_candle where ${where} group by 1, 2, 3`.execute(tx);
  await sql`delete from ${sql.table(table)} where ${where}`.execute(tx);
  if (rows.length > 0)
    await sql`insert into ${sql.table(table)} select * from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)})`.execute(
      tx,
    );
}
