/** What the record of funds says, in the words of the public contract. */
import {
  ApiError,
  type CallData,
  type Fund,
  type FundDetail,
  type FundEntry,
  type FundHoldings,
  type FundPoint,
  type FundRange,
  type FundShare,
} from '@orrery/api';
import type { Asset } from '@orrery/protocol';
import {
  FUND_CUTOFF_MS,
  FUND_FEE_PPM,
  FUND_LOCK_MS,
  FUND_VALUATION_MS,
  feeShares,
  fundSubscriptionMin,
  valuationFor,
  worthAtNav,
} from '@orrery/rules';
import { type AccountId, type AssetId, assetId, atoms, millis, printDecimal } from '@orrery/units';
import { sql } from 'kysely';
import { changePercent, fallPercent, percentOf, sharpeOf } from './figures.ts';
import type { LiveFunds } from './live.ts';
import { type FundPlan, planOf } from './plans.ts';
import { monthBefore } from './simulated-month.ts';
import type { EntryRow, FundDb, FundRow } from './tables.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** NAVs have nine digits more than the money, and are of a share: of 10^decimals atoms. */
const NAV_DIGITS = 9;
const HOLDINGS_DELAY_MS = 10 * 60_000;
/** Of the mean and the deviation of daily returns. */
const SHARPE_DAYS = 365;
const POINTS_MAX = 1_000;

/** How far back a range goes, and of how much time it has the last valuation. */
const RANGES: Readonly<Record<Exclude<FundRange, 'all'>, { readonly back: number; readonly bucket: number }>> = {
  '1d': { back: DAY_MS, bucket: FUND_VALUATION_MS },
  '7d': { back: 7 * DAY_MS, bucket: HOUR_MS },
  '30d': { back: 30 * DAY_MS, bucket: 4 * HOUR_MS },
};

export interface ReadParts {
  readonly db: FundDb;
  readonly live: LiveFunds;
  readonly plans: readonly FundPlan[];
  readonly now: () => number;
}

/** A fund with the assets of its money and its shares. */
export interface KnownFund {
  readonly row: FundRow;
  readonly money: Asset;
  readonly share: Asset;
}

type FundNav = CallData['fundNav'];

export class FundReads {
  readonly #parts: ReadParts;
  /** What changes by a valuation or a request only. */
  readonly #kept = new Map<string, Promise<unknown>>();

  constructor(parts: ReadParts) {
    this.#parts = parts;
  }

  /** History has something new. */
  forget(): void {
    this.#kept.clear();
  }

  list(): Promise<Fund[]> {
    return this.#keep('list', async () => {
      const rows = await this.#parts.db.selectFrom('fund').selectAll().orderBy('fund').execute();
      const known = rows.flatMap((row) => this.#known(row) ?? []);
      return Promise.all(known.map((fund) => this.#fundOf(fund)));
    });
  }

  async detail(fundId: string): Promise<FundDetail> {
    const detail = await this.#keep(`detail ${fundId}`, () => this.#detailOf(fundId));
    return { ...detail, nextValuation: this.#nextValuation() };
  }

  nav(fundId: string, range: FundRange): Promise<FundNav> {
    return this.#keep(`nav ${fundId} ${range}`, () => this.#navOf(fundId, range));
  }

  async holdings(fundId: string): Promise<FundHoldings> {
    const { row } = await this.find(fundId);
    const { db, now } = this.#parts;
    const shown = await db
      .selectFrom('fund_holdings')
      .select(['at', 'holdings'])
      .where('fund', '=', row.fund)
      .where('at', '<=', now() - HOLDINGS_DELAY_MS)
      .orderBy('at', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (shown === undefined) return { asOf: null, balances: [], positions: [], orders: [] };
    return { asOf: shown.at, ...(JSON.parse(shown.holdings) as Omit<FundHoldings, 'asOf'>) };
  }

  async mine(account: AccountId, fundId: string | undefined): Promise<FundShare[]> {
    const { db } = this.#parts;
    const wanted = fundId === undefined ? undefined : (await this.find(fundId)).row.fund;
    const holders = await db
      .selectFrom('fund_holder')
      .selectAll()
      .where('account', '=', account)
      .$if(wanted !== undefined, (query) => query.where('fund', '=', wanted ?? 0))
      .orderBy('fund')
      .execute();
    const waiting = await this.#waitingOf(account);
    const funds = new Set([...holders.map(({ fund }) => fund), ...waiting.keys()]);
    const rows = await db.selectFrom('fund').selectAll().orderBy('fund').execute();
    return rows.flatMap((row) => {
      const fund = funds.has(row.fund) && (wanted === undefined || wanted === row.fund) ? this.#known(row) : undefined;
      if (fund === undefined) return [];
      const holder = holders.find((one) => one.fund === row.fund);
      return [shareOf(fund, account, holder ?? NO_HOLDER, waiting.get(row.fund) ?? NOTHING_WAITS)];
    });
  }

  /** Newest first. @param after the id of the page */
  async history(
    account: AccountId,
    query: { readonly fundId: string | undefined; readonly after: string | undefined; readonly page: number; readonly size: number },
  ): Promise<{ list: FundEntry[]; total: number; next: string | null }> {
    const wanted = query.fundId === undefined ? undefined : (await this.find(query.fundId)).row.fund;
    const own = this.#parts.db
      .selectFrom('fund_entry')
      .where('account', '=', account)
      .$if(wanted !== undefined, (select) => select.where('fund', '=', wanted ?? 0));
    const { total } = await own.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const place = placeOf(query.after);
    const rows = await own
      .selectAll()
      .$if(place !== undefined, (select) => select.where(sql<boolean>`(seq, place) < (${place?.seq ?? 0}, ${place?.place ?? 0})`))
      .orderBy('seq', 'desc')
      .orderBy('place', 'desc')
      .offset(place === undefined ? (query.page - 1) * query.size : 0)
      .limit(query.size + 1)
      .execute();
    const shown = rows.slice(0, query.size);
    const last = shown.at(-1);
    const funds = new Map((await this.#parts.db.selectFrom('fund').selectAll().execute()).map((row) => [row.fund, this.#known(row)]));
    return {
      list: shown.flatMap((row) => {
        const fund = funds.get(row.fund);
        return fund === undefined ? [] : [entryOf(row, fund)];
      }),
      total,
      next: rows.length > query.size && last !== undefined ? entryId(last) : null,
    };
  }

  /** @throws ApiError UnknownFund */
  async find(fundId: string): Promise<KnownFund> {
    const asset = this.#parts.live.markets.assetByCode(fundId);
    const row =
      asset === undefined
        ? undefined
        : await this.#parts.db.selectFrom('fund').selectAll().where('fund', '=', asset.asset).executeTakeFirst();
    const known = row === undefined ? undefined : this.#known(row);
    if (known === undefined) throw new ApiError('UnknownFund', { field: 'fundId' });
    return known;
  }

  codeOf(fund: AssetId): string {
    return this.#parts.live.markets.asset(fund)?.code ?? '';
  }

  #nextValuation(): number {
    return valuationFor(millis(this.#parts.now()));
  }

  async #keep<Value>(key: string, read: () => Promise<Value>): Promise<Value> {
    const kept = this.#kept.get(key) as Promise<Value> | undefined;
    if (kept !== undefined) return kept;
    const reading = read();
    this.#kept.set(key, reading);
    // What failed is read again.
    reading.catch(() => {
      if (this.#kept.get(key) === reading) this.#kept.delete(key);
    });
    return reading;
  }

  #known(row: FundRow): KnownFund | undefined {
    const { markets } = this.#parts.live;
    const money = markets.asset(assetId(row.asset));
    const share = markets.asset(assetId(row.fund));
    return money === undefined || share === undefined ? undefined : { row, money, share };
  }

  async #fundOf({ row, money, share }: KnownFund): Promise<Fund> {
    const { name, strategy } = planOf(this.#parts.plans, share.code);
    return {
      fundId: share.code,
      name,
      strategy,
      coin: money.code,
      nav: navText(row.nav),
      aum: moneyText(row.worth, money),
      return7d: await this.#returnOf(row, 7 * DAY_MS),
      return30d: await this.#returnOf(row, 30 * DAY_MS),
      maxDrawdown: percentOf(BigInt(Math.floor(row.max_drawdown_ppm / 100))),
      capacity: moneyText(row.capacity, money),
      status: row.status,
    };
  }

  async #returnOf(row: FundRow, back: number): Promise<string | null> {
    const since = (row.valued_at ?? row.opened_at) - back;
    const before = await this.#parts.db
      .selectFrom('fund_valuation')
      .select('nav')
      .where('fund', '=', row.fund)
      .where('time', '<=', since)
      .orderBy('time', 'desc')
      .limit(1)
      .executeTakeFirst();
    return before === undefined || BigInt(before.nav) === 0n ? null : changePercent(BigInt(before.nav), BigInt(row.nav));
  }

  async #detailOf(fundId: string): Promise<Omit<FundDetail, 'nextValuation'>> {
    const fund = await this.find(fundId);
    const { row, money, share } = fund;
    const { db, plans } = this.#parts;
    const { summary, rules, risks } = planOf(plans, share.code);
    const days = await db
      .selectFrom('fund_day')
      .select('nav')
      .where('fund', '=', row.fund)
      .orderBy('day', 'desc')
      .limit(SHARPE_DAYS + 1)
      .execute();
    const first = await db
      .selectFrom('fund_valuation')
      .select('nav')
      .where('fund', '=', row.fund)
      .orderBy('time')
      .limit(1)
      .executeTakeFirstOrThrow();
    const { holders, leader } = await this.#holdersOf(row);
    const waiting = await db
      .selectFrom('fund_entry')
      .select([
        sql<string>`coalesce(sum(amount) filter (where kind = 'SUBSCRIPTION'), 0)`.as('money'),
        sql<string>`coalesce(sum(left_shares) filter (where kind = 'REDEMPTION'), 0)`.as('shares'),
      ])
      .where('fund', '=', row.fund)
      .where('status', 'in', ['WAITING', 'PARTIAL'])
      .executeTakeFirstOrThrow();
    // The day that goes on is none yet.
    const sharpe = sharpeOf(
      days
        .slice(1)
        .toReversed()
        .map(({ nav }) => Number(nav)),
    );
    return {
      ...(await this.#fundOf(fund)),
      text: { summary, rules: [...rules], risks: [...risks] },
      openedTime: row.opened_at,
      valuedTime: row.valued_at,
      waitsSince: row.missed_at,
      closingReason: row.reason as FundDetail['closingReason'],
      returnAll: changePercent(BigInt(first.nav), BigInt(row.nav)),
      sharpe: sharpe === undefined ? null : sharpe.toFixed(2),
      cash: moneyText(row.cash, money),
      shares: moneyText(row.shares, share),
      holders,
      leaderShare: BigInt(row.shares) === 0n ? '0' : percentOf((leader * 10_000n) / BigInt(row.shares)),
      waitingSubscriptions: moneyText(waiting.money, money),
      waitingRedemptions: moneyText(waiting.shares, share),
      performanceFee: String(FUND_FEE_PPM / 10_000n),
      minSubscription: printDecimal(fundSubscriptionMin(money), money.decimals),
      lockMs: FUND_LOCK_MS,
      valuationMs: FUND_VALUATION_MS,
      cutoffMs: FUND_CUTOFF_MS,
    };
  }

  async #holdersOf({ fund, leader }: FundRow): Promise<{ holders: number; leader: bigint }> {
    const { holders, leader_shares } = await this.#parts.db
      .selectFrom('fund_holder')
      .select([
        sql<number>`count(*) filter (where shares > 0)`.as('holders'),
        sql<string>`coalesce(sum(shares) filter (where account = ${leader}), 0)`.as('leader_shares'),
      ])
      .where('fund', '=', fund)
      .executeTakeFirstOrThrow();
    return { holders, leader: BigInt(leader_shares) };
  }

  async #navOf(fundId: string, range: FundRange): Promise<FundNav> {
    const { row, share } = await this.find(fundId);
    const end = row.valued_at ?? row.opened_at;
    const { back, bucket } = range === 'all' ? this.#allOf(row, end) : RANGES[range];
    const points = await this.#pointsOf(row, { from: end - back, bucket });
    const first = await this.#parts.db
      .selectFrom('fund_valuation')
      .select(['time', 'nav'])
      .where('fund', '=', row.fund)
      .orderBy('time')
      .limit(1)
      .executeTakeFirstOrThrow();
    const month = monthBefore(planOf(this.#parts.plans, share.code).strategy, { time: first.time, nav: BigInt(first.nav) });
    const simulated = month.filter(({ time }) => range === 'all' || time >= end - back);
    return { range, points, simulated: simulated.map(({ time, nav }) => ({ time, nav: navText(String(nav)) })) };
  }

  async #pointsOf(row: FundRow, { from, bucket }: { readonly from: number; readonly bucket: number }): Promise<FundPoint[]> {
    const place = sql`time / ${sql.lit(bucket)}`;
    const points = await this.#parts.db
      .selectFrom('fund_valuation')
      .distinctOn(place)
      .select(['time', 'nav', 'peak', 'btc'])
      .where('fund', '=', row.fund)
      .where('time', '>=', from)
      .orderBy(place, 'desc')
      .orderBy('time', 'desc')
      .limit(POINTS_MAX)
      .execute();
    const btc = this.#parts.live.markets.marketBySymbol('BTC_USDC')?.market;
    return points.toReversed().map((point) => ({
      time: point.time,
      nav: navText(point.nav),
      drawdown: fallPercent(BigInt(point.nav), BigInt(point.peak)),
      btc: point.btc === null || btc === undefined ? null : printDecimal(BigInt(point.btc), btc.pricePrecision),
    }));
  }

  /** All there is: by days once it is longer than a month. */
  #allOf({ opened_at }: FundRow, end: number): { back: number; bucket: number } {
    const back = end - opened_at;
    const finer = Object.values(RANGES).find((one) => back <= one.back);
    return { back, bucket: finer?.bucket ?? DAY_MS };
  }

  async #waitingOf(account: AccountId): Promise<ReadonlyMap<number, Waiting>> {
    const rows = await this.#parts.db
      .selectFrom('fund_entry')
      .select([
        'fund',
        sql<string>`coalesce(sum(amount) filter (where kind = 'SUBSCRIPTION'), 0)`.as('money'),
        sql<string>`coalesce(sum(left_shares) filter (where kind = 'REDEMPTION'), 0)`.as('shares'),
      ])
      .where('account', '=', account)
      .where('status', 'in', ['WAITING', 'PARTIAL'])
      .groupBy('fund')
      .execute();
    return new Map(rows.map(({ fund, money, shares }) => [fund, { money, shares }]));
  }
}

interface Waiting {
  readonly money: string;
  readonly shares: string;
}

const NOTHING_WAITS: Waiting = { money: '0', shares: '0' };
/** Of an account whose first subscription waits. */
const NO_HOLDER = { shares: '0', cost: '0', realised: '0', high_water_mark: '0', locked_until: 0 } as const;

const navText = (nav: string): string => printDecimal(BigInt(nav), NAV_DIGITS);
const moneyText = (amount: string, { decimals }: Asset): string => printDecimal(BigInt(amount), decimals);

function signedText(amount: bigint, { decimals }: Asset): string {
  return amount < 0n ? `-${printDecimal(-amount, decimals)}` : printDecimal(amount, decimals);
}

interface Held {
  readonly shares: string;
  readonly cost: string;
  readonly realised: string;
  readonly high_water_mark: string;
  readonly locked_until: number;
}

function shareOf({ row, money, share }: KnownFund, account: AccountId, holder: Held, waiting: Waiting): FundShare {
  const shares = atoms(BigInt(holder.shares));
  const nav = atoms(BigInt(row.nav));
  const value = worthAtNav(shares, nav);
  const isLeader = row.leader === account;
  const fee = isLeader ? atoms(0n) : feeShares(shares, nav, atoms(BigInt(holder.high_water_mark)));
  return {
    fundId: share.code,
    shares: moneyText(holder.shares, share),
    frozen: moneyText(waiting.shares, share),
    value: printDecimal(value, money.decimals),
    valuedAt: row.valued_at ?? row.opened_at,
    cost: moneyText(holder.cost, money),
    profit: signedText(value - BigInt(holder.cost), money),
    realised: signedText(BigInt(holder.realised), money),
    highWaterMark: navText(holder.high_water_mark),
    fee: printDecimal(worthAtNav(fee, nav), money.decimals),
    lockedUntil: holder.locked_until,
    isLeader,
    waiting: moneyText(waiting.money, money),
  };
}

const entryId = ({ seq, place }: Pick<EntryRow, 'seq' | 'place'>): string => `${seq}-${place}`;

/** @throws ApiError MalformedField unless it is the id of an entry */
function placeOf(id: string | undefined): { seq: number; place: number } | undefined {
  if (id === undefined) return undefined;
  const [, seq, place] = /^([0-9]{1,15})-([0-9]{1,6})$/.exec(id) ?? [];
  if (seq === undefined || place === undefined) throw new ApiError('MalformedField', { field: 'id' });
  return { seq: Number(seq), place: Number(place) };
}

function entryOf(row: EntryRow, { money, share }: KnownFund): FundEntry {
  // Of what waits, the shares that were asked for.
  const asked = row.kind === 'REDEMPTION' ? String(BigInt(row.shares ?? 0) + BigInt(row.left_shares)) : row.shares;
  return {
    entryId: entryId(row),
    fundId: share.code,
    kind: row.kind,
    requestId: row.request_id,
    status: row.status,
    amount: row.amount === null ? null : moneyText(row.amount, money),
    shares: asked === null ? null : moneyText(asked, share),
    fee: moneyText(row.fee, share),
    nav: row.nav === null ? null : navText(row.nav),
    earliest: row.earliest,
    reason: row.reason as FundEntry['reason'],
    createdTime: row.created_at,
    doneTime: row.done_at,
  };
}
