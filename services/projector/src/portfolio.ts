/** What an account was worth at full hours or days, and what its trading cost: read from the rows of its hours. */
import type { PortfolioFee, PortfolioHistory, PortfolioRange, PortfolioScope, PortfolioSummary } from '@orrery/api';
import type { Contract } from '@orrery/protocol';
import { isPracticeContract } from '@orrery/rules';
import {
  type AccountId,
  addAtoms,
  assert,
  assetId,
  atoms,
  type Atoms,
  type MarketId,
  marketId,
  NO_ATOMS,
  printAtoms,
  ticks,
} from '@orrery/units';
import type { MarketsView } from '@orrery/views';
import { type Kysely, sql } from 'kysely';
import { EquityWalk, type HoldingChange, type PositionChange, type PriceChange } from './equity-walk.ts';
import { fundGains } from './fund-gains.ts';
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
  readonly scope: PortfolioScope;
}

type Read = <Answer>(ask: (db: Kysely<ProjectorTables>) => Promise<Answer>) => Promise<Answer>;

export class Portfolio {
  readonly #read: Read;
  readonly #markets: MarketsView;
  readonly #contractOf: (market: MarketId) => Contract | undefined;

  /** @param parts.read asks one state of history */
  constructor(parts: { read: Read; markets: MarketsView; contractOf: (market: MarketId) => Contract | undefined }) {
    this.#read = parts.read;
    this.#markets = parts.markets;
    this.#contractOf = parts.contractOf;
  }

  async history({ account, range, scope }: Query): Promise<PortfolioHistory> {
    const { lengthMs, intervalMs } = RANGES[range];
    const { now, first, changes } = await this.#read(async (db) => {
      const at = await timeOf(db);
      const begin = floorTo(at - lengthMs, intervalMs);
      const holdings = await holdingsOf(db, { account, begin, scope });
      const prices = await pricesSince(db, begin);
      const positions = scope === 'spot' ? [] : await positionsOf(db, account, begin);
      const marks = positions.length === 0 ? [] : await marksSince(db, begin);
      const money = this.#markets.assetByCode(VALUE_COIN);
      const gains = scope === 'futures' || money === undefined ? [] : await fundGains(db, account, money.asset);
      return { now: at, first: begin, changes: { holdings, prices, positions, marks, gains } };
    });
    const times: number[] = [];
    for (let time = first; time <= now; time += intervalMs) times.push(time);
    const walk = new EquityWalk(changes, { markets: this.#markets, contractOf: this.#contractOf, decimals: this.#decimals() });
    const points = times.map((time) => walk.to(time, time)).filter((point) => point !== undefined);
    const beginning = beginningOf(changes.holdings, first);
    if (beginning !== undefined) points.unshift({ time: beginning, equity: '0', net: '0' });
    return { range, intervalMs, points, latest: walk.to(Number.POSITIVE_INFINITY, now) ?? null };
  }

  /** Practice is no trading. */
  async #closedSince(db: Kysely<ProjectorTables>, account: AccountId, begin: number): Promise<ClosedCount> {
    const rows = await db
      .selectFrom('projector_closed_position')
      .select(['market', sql<string>`count(*)`.as('closed'), sql<string>`count(*) filter (where profit - fees + funding > 0)`.as('won')])
      .where('account', '=', account)
      .where('closed_at', '>=', begin)
      .groupBy('market')
      .execute();
    const counted = rows.filter(({ market }) => {
      const contract = this.#contractOf(marketId(market));
      return contract === undefined || !isPracticeContract(contract);
    });
    const sum = (of: 'closed' | 'won'): number => counted.reduce((total, row) => total + Number(row[of]), 0);
    return { closedPositions: sum('closed'), wonPositions: sum('won') };
  }

  async summary({ account, range, scope }: Query): Promise<PortfolioSummary> {
    const { until, since, rows, positions } = await this.#read(async (db) => {
      const at = await timeOf(db);
      const begin = floorTo(at - RANGES[range].lengthMs, HOUR_MS);
      return {
        until: at,
        since: begin,
        rows: await tradingSince(db, { account, begin, scope }),
        positions: scope === 'spot' ? NO_POSITIONS : await this.#closedSince(db, account, begin),
      };
    });
    const usdc = (amount: Atoms): string => printAtoms(amount, this.#decimals());
    const fees = rows.filter((row) => row.fees !== NO_ATOMS);
    return {
      range,
      scope,
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
      ...positions,
    };
  }

  #decimals(): number {
    return this.#markets.assetByCode(VALUE_COIN)?.decimals ?? 0;
  }
}

interface RecordedChange extends HoldingChange {
  /** In its hour; 0 of what there was at the beginning. */
  readonly trades: number;
}

/**
 * The beginning of the hour in which the account had something for the first time: what was won or lost in that hour counts too. Undefined where that is before
 * `begin`, and where what there was at the end of the hour is not said to have come in: a coin whose price was not known, or balances from before these tables.
 */
function beginningOf(holdings: readonly RecordedChange[], begin: number): number | undefined {
  const endsAt = holdings[0]?.endsAt;
  if (endsAt === undefined || endsAt <= begin) return undefined;
  const rows = holdings.filter((row) => row.endsAt === endsAt);
  const isExplained = ({ total, netDeposits, trades }: RecordedChange): boolean =>
    total === NO_ATOMS || netDeposits !== NO_ATOMS || trades > 0;
  return rows.every(isExplained) ? endsAt - HOUR_MS : undefined;
}

const floorTo = (at: number, step: number): number => Math.max(at - (at % step), 0);

/** Of the last command that is in history. */
async function timeOf(db: Kysely<ProjectorTables>): Promise<number> {
  return (await db.selectFrom('projector_offset').select('at').executeTakeFirstOrThrow()).at;
}

/** The parts of an hour's row that a scope counts. */
const COUNTED = {
  all: { total: sql<string>`row.total`, net: sql<string>`row.net_deposits` },
  futures: { total: sql<string>`row.futures_total`, net: sql<string>`row.futures_net` },
  spot: { total: sql<string>`row.total - row.futures_total`, net: sql<string>`row.net_deposits - row.futures_net` },
} as const satisfies Readonly<Record<PortfolioScope, unknown>>;

/** What there was at `begin`, as one change for each asset, and every later change. */
async function holdingsOf(
  db: Kysely<ProjectorTables>,
  { account, begin, scope }: { account: AccountId; begin: number; scope: PortfolioScope },
): Promise<readonly RecordedChange[]> {
  const counted = COUNTED[scope];
  const newest = db
    .selectFrom('projector_hour as row')
    .select((of) => ['asset', of.fn.max<number>('ends_at').as('ends_at'), sql<string>`sum(${counted.net})`.as('net')])
    .where('account', '=', account)
    .where('ends_at', '<=', begin)
    .groupBy('asset')
    .as('newest');
  const before = await db
    .selectFrom('projector_hour as row')
    .innerJoin(newest, (on) => on.onRef('newest.asset', '=', 'row.asset').onRef('newest.ends_at', '=', 'row.ends_at'))
    .select(['row.ends_at', 'row.asset', counted.total.as('total'), 'newest.net'])
    .where('row.account', '=', account)
    .orderBy('row.asset')
    .execute();
  const later = await db
    .selectFrom('projector_hour as row')
    .select(['ends_at', 'asset', counted.total.as('total'), counted.net.as('net'), 'trades'])
    .where('account', '=', account)
    .where('ends_at', '>', begin)
    .orderBy('ends_at')
    .orderBy('asset')
    .execute();
  return [...before.map((row) => ({ ...row, ends_at: begin, trades: 0 })), ...later].map((row) => ({
    endsAt: row.ends_at,
    asset: assetId(row.asset),
    total: atoms(BigInt(row.total)),
    netDeposits: atoms(BigInt(row.net)),
    trades: row.trades,
  }));
}

/** What each position was at `begin`, and every later change. */
async function positionsOf(db: Kysely<ProjectorTables>, account: AccountId, begin: number): Promise<readonly PositionChange[]> {
  const before = await db
    .selectFrom('projector_position_hour')
    .selectAll()
    .distinctOn(['market', 'position_side'])
    .where('account', '=', account)
    .where('ends_at', '<=', begin)
    .orderBy('market')
    .orderBy('position_side')
    .orderBy('ends_at', 'desc')
    .execute();
  const later = await db
    .selectFrom('projector_position_hour')
    .selectAll()
    .where('account', '=', account)
    .where('ends_at', '>', begin)
    .orderBy('ends_at')
    .orderBy('market')
    .orderBy('position_side')
    .execute();
  return [...before, ...later].map((row) => ({
    endsAt: row.ends_at,
    market: marketId(row.market),
    positionSide: row.position_side,
    size: row.size,
    cost: atoms(BigInt(row.cost)),
  }));
}

/** The marks that held at `begin`, and every later one. */
async function marksSince(db: Kysely<ProjectorTables>, begin: number): Promise<readonly PriceChange[]> {
  const before = await db
    .selectFrom('projector_mark_price')
    .selectAll()
    .distinctOn('market')
    .where('ends_at', '<=', begin)
    .orderBy('market')
    .orderBy('ends_at', 'desc')
    .execute();
  const later = await db
    .selectFrom('projector_mark_price')
    .selectAll()
    .where('ends_at', '>', begin)
    .orderBy('ends_at')
    .orderBy('market')
    .execute();
  return [...before, ...later].map(({ ends_at: endsAt, market, price }) => ({ endsAt, market: marketId(market), price: ticks(price) }));
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

/** The parts of an hour's trading that a scope counts. */
const TRADED = {
  all: {
    trades: sql<string>`sum(trades)`,
    volume: sql<string>`sum(volume)`,
    fees: sql<string>`sum(fees)`,
    value: sql<string>`sum(fees_value)`,
  },
  futures: {
    trades: sql<string>`sum(contract_trades)`,
    volume: sql<string>`sum(contract_volume)`,
    fees: sql<string>`sum(contract_fees)`,
    value: sql<string>`sum(contract_fees_value)`,
  },
  spot: {
    trades: sql<string>`sum(trades - contract_trades)`,
    volume: sql<string>`sum(volume - contract_volume)`,
    fees: sql<string>`sum(fees - contract_fees)`,
    value: sql<string>`sum(fees_value - contract_fees_value)`,
  },
} as const satisfies Readonly<Record<PortfolioScope, unknown>>;

async function tradingSince(
  db: Kysely<ProjectorTables>,
  { account, begin, scope }: { account: AccountId; begin: number; scope: PortfolioScope },
) {
  const counted = TRADED[scope];
  const rows = await db
    .selectFrom('projector_hour')
    .select(['asset', counted.trades.as('trades'), counted.volume.as('volume'), counted.fees.as('fees'), counted.value.as('fees_value')])
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

type ClosedCount = Pick<PortfolioSummary, 'closedPositions' | 'wonPositions'>;

const NO_POSITIONS: ClosedCount = { closedPositions: 0, wonPositions: 0 };
