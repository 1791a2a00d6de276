/** What an account was worth at full hours or days, and what its trading cost: read from the rows of its hours. */
import type { PortfolioFee, PortfolioHistory, PortfolioRange, PortfolioSummary } from '@orrery/api';
import { type AccountId, addAtoms, assert, assetId, atoms, type Atoms, marketId, NO_ATOMS, printAtoms, ticks } from '@orrery/units';
import type { MarketsView } from '@orrery/views';
import type { Kysely } from 'kysely';
import { EquityWalk, type HoldingChange, type PriceChange } from './equity-walk.ts';
import { pricesAt } from './hour-store.ts';
import { HOUR_MS } from './hours.ts';
import type { ProjectorTables } from './tables.ts';
import { VALUE_COIN } from './valuation.ts';

const DAY_MS = 24 * HOUR_MS;

/** How far a range goes back, and the time between two of its points, in milliseconds. */
const RANGES: Readonly<Record<PortfolioRange, { readonly lengthMs: number; readonly intervalMs: number }>> = {
  '1d': { lengthMs: DAY_MS, intervalMs: HOUR_MS },
  '7d': { lengthMs: 7 * DAY_MS, intervalMs: HOUR_MS },
  '30d': { lengthMs: 30 * DAY_MS, intervalMs: HOUR_MS },
  '90d': { lengthMs: 90 * DAY_MS, intervalMs: DAY_MS },
};

interface Query {
  readonly account: AccountId;
  readonly range: PortfolioRange;
}

type Read = <Answer>(ask: (db: Kysely<ProjectorTables>) => Promise<Answer>) => Promise<Answer>;

export class Portfolio {
  readonly #read: Read;
  readonly #markets: MarketsView;

  /** @param parts.read asks one state of history */
  constructor(parts: { read: Read; markets: MarketsView }) {
    this.#read = parts.read;
    this.#markets = parts.markets;
  }

  async history({ account, range }: Query): Promise<PortfolioHistory> {
    const { lengthMs, intervalMs } = RANGES[range];
    const { now, first, changes } = await this.#read(async (db) => {
      const at = await timeOf(db);
      const begin = floorTo(at - lengthMs, intervalMs);
      return { now: at, first: begin, changes: { holdings: await holdingsOf(db, account, begin), prices: await pricesSince(db, begin) } };
    });
    const times: number[] = [];
    for (let time = first; time <= now; time += intervalMs) times.push(time);
    const walk = new EquityWalk(changes, this.#markets, this.#decimals());
    const points = times.map((time) => walk.to(time, time)).filter((point) => point !== undefined);
    return { range, intervalMs, points, latest: walk.to(Number.POSITIVE_INFINITY, now) ?? null };
  }

  async summary({ account, range }: Query): Promise<PortfolioSummary> {
    const { until, since, rows } = await this.#read(async (db) => {
      const at = await timeOf(db);
      const begin = floorTo(at - RANGES[range].lengthMs, HOUR_MS);
      return { until: at, since: begin, rows: await tradingSince(db, account, begin) };
    });
    const usdc = (amount: Atoms): string => printAtoms(amount, this.#decimals());
    const fees = rows.filter((row) => row.fees > NO_ATOMS);
    return {
      range,
      since,
      until,
      trades: rows.reduce((sum, { trades }) => sum + trades, 0),
      volume: usdc(rows.map(({ volume }) => volume).reduce(addAtoms, NO_ATOMS)),
      fees: fees.map((row): PortfolioFee => {
        const asset = this.#markets.asset(row.asset);
        assert(asset !== undefined, `asset ${row.asset} was registered before it was used`);
        return { coin: asset.code, amount: printAtoms(row.fees, asset.decimals), value: usdc(row.feesValue) };
      }),
      feesValue: usdc(fees.map(({ feesValue }) => feesValue).reduce(addAtoms, NO_ATOMS)),
    };
  }

  #decimals(): number {
    return this.#markets.assetByCode(VALUE_COIN)?.decimals ?? 0;
  }
}

const floorTo = (at: number, step: number): number => Math.max(at - (at % step), 0);

/** Of the last command that is in history. */
async function timeOf(db: Kysely<ProjectorTables>): Promise<number> {
  return (await db.selectFrom('projector_offset').select('at').executeTakeFirstOrThrow()).at;
}

/** What there was at `begin`, as one change for each asset, and every later change. */
async function holdingsOf(db: Kysely<ProjectorTables>, account: AccountId, begin: number): Promise<readonly HoldingChange[]> {
  const newest = db
    .selectFrom('projector_hour')
    .select((of) => ['asset', of.fn.max<number>('ends_at').as('ends_at'), of.fn.sum<string>('net_deposits').as('net_deposits')])
    .where('account', '=', account)
    .where('ends_at', '<=', begin)
    .groupBy('asset')
    .as('newest');
  const before = await db
    .selectFrom('projector_hour as row')
    .innerJoin(newest, (on) => on.onRef('newest.asset', '=', 'row.asset').onRef('newest.ends_at', '=', 'row.ends_at'))
    .select(['row.ends_at', 'row.asset', 'row.total', 'newest.net_deposits'])
    .where('row.account', '=', account)
    .orderBy('row.asset')
    .execute();
  const later = await db
    .selectFrom('projector_hour')
    .select(['ends_at', 'asset', 'total', 'net_deposits'])
    .where('account', '=', account)
    .where('ends_at', '>', begin)
    .orderBy('ends_at')
    .orderBy('asset')
    .execute();
  return [...before.map((row) => ({ ...row, ends_at: begin })), ...later].map((row) => ({
    endsAt: row.ends_at,
    asset: assetId(row.asset),
    total: atoms(BigInt(row.total)),
    netDeposits: atoms(BigInt(row.net_deposits)),
  }));
}

/** The prices that held at `begin`, and every later one. */
async function pricesSince(db: Kysely<ProjectorTables>, begin: number): Promise<readonly PriceChange[]> {
  const later = await db
    .selectFrom('projector_index_price')
    .selectAll()
    .where('ends_at', '>', begin)
    .orderBy('ends_at')
    .orderBy('market')
    .execute();
  return [...(await pricesAt(db, begin)), ...later].map(({ ends_at: endsAt, market, price }) => ({
    endsAt,
    market: marketId(market),
    price: ticks(price),
  }));
}

async function tradingSince(db: Kysely<ProjectorTables>, account: AccountId, begin: number) {
  const rows = await db
    .selectFrom('projector_hour')
    .select((of) => [
      'asset',
      of.fn.sum<string>('trades').as('trades'),
      of.fn.sum<string>('volume').as('volume'),
      of.fn.sum<string>('fees').as('fees'),
      of.fn.sum<string>('fees_value').as('fees_value'),
    ])
    .where('account', '=', account)
    .where('ends_at', '>', begin)
    .groupBy('asset')
    .orderBy('asset')
    .execute();
  return rows.map((row) => ({
    asset: assetId(row.asset),
    trades: Number(row.trades),
    volume: atoms(BigInt(row.volume)),
    fees: atoms(BigInt(row.fees)),
    feesValue: atoms(BigInt(row.fees_value)),
  }));
}
