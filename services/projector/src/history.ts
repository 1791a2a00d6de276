/** What is over, read from SQL, newest first; and the past of the markets, oldest first. */
import { ApiError, orderText, type Bill, type BillKind, type Fill, type Order, type Transfer, type Withdrawal } from '@orrery/api';
import { countUpTo } from '@orrery/foundation';
import type { Contract, Market, Side, Wallet } from '@orrery/protocol';
import { POINTS } from '@orrery/rules';
import {
  accountId,
  type AccountId,
  assert,
  type AssetId,
  assetId,
  atoms,
  lots,
  marketId,
  type MarketId,
  millis,
  type Millis,
  type OrderId,
  type Seq,
  seq,
  ticks,
  tradeId,
} from '@orrery/units';
import { type Candle, CANDLES_KEPT, type MarketsView, type TapeTrade, TRADES_KEPT } from '@orrery/views';
import { type Kysely, sql } from 'kysely';
import { ContractHistory } from './contract-history.ts';
import { Portfolio } from './portfolio.ts';
import { fundingMoves, internalWithdrawals, type FundingMove, type FundingQuery, type InternalWithdrawal } from './funding-moves.ts';
import { cursorOf, NOTHING, pageOf, type PageOf, type Slot } from './page.ts';
import { printBill, printFill, printTransfer, printWithdrawal } from './print.ts';
import { stateOf } from './store.ts';
import type { Projector } from './projector.ts';
import type { ProjectorTables } from './tables.ts';

interface Slice extends Slot {
  readonly account: AccountId;
}

interface Range {
  readonly startTime?: Millis;
  readonly endTime?: Millis;
}

const DAY_MS = 86_400_000;

/** Points and deeds of an account. */
export interface AccountActivity {
  readonly orders: number;
  /** Quote atoms traded in all. */
  readonly volume: bigint;
  readonly firstDepositAt: number | undefined;
  readonly firstTransferAt: number | undefined;
  readonly firstOrderAt: number | undefined;
  readonly firstFillAt: number | undefined;
  readonly firstClaimAt: number | undefined;
}

/** What one account did on one UTC day, beside the trades of the accounts of one query with one another. */
export interface DayActivity {
  readonly account: AccountId;
  /** When the day began, unix milliseconds. */
  readonly dayAt: number;
  readonly orders: number;
  /** For a fee, with an account that is none of the query's. */
  readonly trades: number;
  /** Quote atoms of those trades. */
  readonly volume: bigint;
  /** The same of perpetual contracts: orders that the account placed itself, and trades and their volume in USDC atoms. */
  readonly contractOrders: number;
  readonly contractTrades: number;
  readonly contractVolume: bigint;
}

interface DayQuery {
  readonly accounts: readonly AccountId[];
  readonly from: number;
  readonly until: number;
}

type Read = <Answer>(ask: (db: Kysely<ProjectorTables>) => Promise<Answer>) => Promise<Answer>;

export interface HistoryParts {
  readonly db: Kysely<ProjectorTables>;
  readonly markets: MarketsView;
  readonly contractOf: (market: MarketId) => Contract | undefined;
  readonly projector: Pick<Projector, 'status' | 'reached'>;
}

export class History {
  readonly #db: Kysely<ProjectorTables>;
  readonly #markets: MarketsView;
  readonly #projector: Pick<Projector, 'status' | 'reached'>;
  readonly portfolio: Portfolio;
  readonly contracts: ContractHistory;
  /** The newest command that is in anything read so far. */
  #seen = seq(0);

  /** `markets` is what is listed, updated by its owner; rows are converted to text with it. */
  constructor(parts: HistoryParts) {
    const { db, markets, projector, contractOf } = parts;
    this.#db = db;
    this.#markets = markets;
    this.#projector = projector;
    const read: Read = (ask) => this.#read(ask);
    this.portfolio = new Portfolio({ read, markets, contractOf });
    this.contracts = new ContractHistory({ read, markets, contractOf });
  }

  reached(wanted: Seq): Promise<void> {
    return this.#projector.reached(wanted);
  }

  async orders(query: Slice & Range & { symbol?: string; state?: 3 | 4; side?: Side }): Promise<PageOf<Order>> {
    const market = this.#marketId(query.symbol);
    const after = cursorOf(query.id);
    if (market === 'unknown' || after === 'unknown') return NOTHING;
    return this.#read(async (db) => {
      let select = db
        .selectFrom('projector_order')
        .where('account', '=', query.account)
        .where('status', '=', 'closed')
        .where('contract', 'is', null);
      if (market !== undefined) select = select.where('market', '=', market);
      if (query.state !== undefined) select = select.where('close_reason', query.state === 3 ? '=' : '<>', 'filled');
      if (query.side !== undefined) select = select.where('side', '=', query.side);
      if (query.startTime !== undefined) select = select.where('created_at', '>=', query.startTime);
      if (query.endTime !== undefined) select = select.where('created_at', '<=', query.endTime);
      const total = await countUpTo(db, select.select('order_id'));
      if (after !== undefined) select = select.where('order_id', '<', after);
      return pageOf(select.selectAll().orderBy('order_id', 'desc'), {
        slot: query,
        total,
        print: (row) => orderText(stateOf(row), this.#listing(marketId(row.market))),
        nameOf: (row) => String(row.order_id),
      });
    });
  }

  async order(query: { account: AccountId; orderId: OrderId }): Promise<Order | undefined> {
    const row = await this.#read((db) =>
      db
        .selectFrom('projector_order')
        .selectAll()
        .where('order_id', '=', query.orderId)
        .where('account', '=', query.account)
        .where('status', '=', 'closed')
        .where('contract', 'is', null)
        .executeTakeFirst(),
    );
    return row === undefined ? undefined : orderText(stateOf(row), this.#listing(marketId(row.market)));
  }

  async fills(query: Slice & Range & { symbol?: string; orderId?: OrderId }): Promise<PageOf<Fill>> {
    const market = this.#marketId(query.symbol);
    const after = cursorOf(query.id);
    if (market === 'unknown' || after === 'unknown') return NOTHING;
    return this.#read(async (db) => {
      let select = db.selectFrom('projector_fill').where('account', '=', query.account).where('contract_volume', 'is', null);
      if (market !== undefined) select = select.where('market', '=', market);
      if (query.orderId !== undefined) select = select.where('order_id', '=', query.orderId);
      if (query.startTime !== undefined) select = select.where('at', '>=', query.startTime);
      if (query.endTime !== undefined) select = select.where('at', '<=', query.endTime);
      const total = await countUpTo(db, select.select('trade_id'));
      // Nobody trades with themselves: an account has one fill of a trade.
      if (after !== undefined) select = select.where('trade_id', '<', after);
      return pageOf(select.selectAll().orderBy('trade_id', 'desc'), {
        slot: query,
        total,
        print: (row) => printFill(row, this.#listing(marketId(row.market))),
        nameOf: (row) => String(row.trade_id),
      });
    });
  }

  async bills(query: Slice & Range & { wallet?: Wallet; coin?: string; kind?: BillKind; reference?: string }): Promise<PageOf<Bill>> {
    const asset = this.#assetId(query.coin);
    const after = cursorOf(query.id);
    if (asset === 'unknown' || after === 'unknown') return NOTHING;
    return this.#read(async (db) => {
      let select = db.selectFrom('projector_bill').where('account', '=', query.account);
      if (asset !== undefined) select = select.where('asset', '=', asset);
      if (query.wallet !== undefined) select = select.where('wallet', '=', query.wallet);
      if (query.kind !== undefined) select = select.where('kind', '=', query.kind);
      if (query.reference !== undefined) select = select.where('reference', '=', query.reference);
      if (query.startTime !== undefined) select = select.where('at', '>=', query.startTime);
      if (query.endTime !== undefined) select = select.where('at', '<=', query.endTime);
      const total = await countUpTo(db, select.select('id'));
      if (after !== undefined) select = select.where('id', '<', after);
      return pageOf(select.selectAll().orderBy('id', 'desc'), {
        slot: query,
        total,
        print: (row) => printBill(row, this.#asset(assetId(row.asset))),
        nameOf: (row) => String(row.id),
      });
    });
  }

  async transfers(query: Slice & { coin?: string }): Promise<PageOf<Transfer>> {
    const asset = this.#assetId(query.coin);
    const after = cursorOf(query.id);
    if (asset === 'unknown' || after === 'unknown') return NOTHING;
    return this.#read(async (db) => {
      let select = db.selectFrom('projector_transfer').where('account', '=', query.account);
      if (asset !== undefined) select = select.where('asset', '=', asset);
      const total = await countUpTo(db, select.select('seq'));
      if (after !== undefined) select = select.where('seq', '<', after);
      return pageOf(select.selectAll().orderBy('seq', 'desc'), {
        slot: query,
        total,
        print: (row) => printTransfer(row, this.#asset(assetId(row.asset))),
        nameOf: (row) => String(row.seq),
      });
    });
  }

  async withdrawals(query: Slice & { coin?: string }): Promise<PageOf<Withdrawal>> {
    const asset = this.#assetId(query.coin);
    const after = cursorOf(query.id);
    if (asset === 'unknown' || after === 'unknown') return NOTHING;
    return this.#read(async (db) => {
      let select = db.selectFrom('projector_withdrawal').where('account', '=', query.account);
      if (asset !== undefined) select = select.where('asset', '=', asset);
      const total = await countUpTo(db, select.select('seq'));
      if (after !== undefined) select = select.where('seq', '<', after);
      return pageOf(select.selectAll().orderBy('seq', 'desc'), {
        slot: query,
        total,
        print: (row) => printWithdrawal(row, this.#asset(assetId(row.asset))),
        nameOf: (row) => String(row.seq),
      });
    });
  }

  /** The minutes in which our own market traded, oldest first. */
  async minutes({ market }: Pick<Market, 'market'>): Promise<readonly Candle[]> {
    const rows = await this.#read((db) =>
      db.selectFrom('projector_candle').selectAll().where('market', '=', market).orderBy('open_time', 'desc').limit(CANDLES_KEPT).execute(),
    );
    return rows.toReversed().map((row) => ({
      openTime: millis(row.open_time),
      open: ticks(row.open),
      high: ticks(row.high),
      low: ticks(row.low),
      close: ticks(row.close),
      volume: lots(row.volume),
      quoteVolume: atoms(BigInt(row.quote_volume)),
    }));
  }

  /** The last trades, oldest first. */
  async trades({ market }: Pick<Market, 'market'>): Promise<readonly TapeTrade[]> {
    const rows = await this.#read((db) => newestTrades(db, market));
    return rows.map((row) => ({
      tradeId: tradeId(row.trade_id),
      market,
      price: ticks(row.price),
      size: lots(row.size),
      takerSide: row.side as Side,
      at: millis(row.at),
      seq: seq(row.seq),
    }));
  }

  async activity(account: AccountId): Promise<AccountActivity> {
    const row = await this.#read((db) => db.selectFrom('projector_activity').selectAll().where('account', '=', account).executeTakeFirst());
    return {
      orders: row?.orders ?? 0,
      volume: BigInt(row?.volume ?? '0'),
      firstDepositAt: row?.first_deposit_at ?? undefined,
      firstTransferAt: row?.first_transfer_at ?? undefined,
      firstOrderAt: row?.first_order_at ?? undefined,
      firstFillAt: row?.first_fill_at ?? undefined,
      firstClaimAt: row?.first_claim_at ?? undefined,
    };
  }

  /**
   * In the UTC days from that of `from` to that of `until`, both with them; unix milliseconds. What `accounts` traded with one another is
   * left out.
   */
  async dayActivity(query: DayQuery): Promise<readonly DayActivity[]> {
    const { accounts, from, until } = query;
    if (accounts.length === 0) return [];
    const [rows, inside] = await this.#read(async (db) => [
      await db
        .selectFrom('projector_day')
        .select(['account', 'day_at', 'orders', 'trades', 'volume', 'contract_orders', 'contract_trades', 'contract_volume'])
        .where('account', 'in', accounts)
        .where('day_at', '>', from - DAY_MS)
        .where('day_at', '<=', until)
        .orderBy('day_at')
        .orderBy('account')
        .execute(),
      accounts.length === 1 ? [] : await tradedInside(db, query),
    ]);
    const left = new Map(inside.map((row) => [`${row.account} ${row.day_at}`, row]));
    return rows.map((row) => {
      const own = left.get(`${row.account} ${row.day_at}`);
      return {
        account: accountId(row.account),
        dayAt: row.day_at,
        orders: row.orders,
        trades: row.trades - (own?.trades ?? 0),
        volume: BigInt(row.volume) - BigInt(own?.volume ?? '0'),
        contractOrders: row.contract_orders,
        contractTrades: row.contract_trades - (own?.contract_trades ?? 0),
        contractVolume: BigInt(row.contract_volume) - BigInt(own?.contract_volume ?? '0'),
      };
    });
  }

  /** What changed the funding wallets of these accounts in these assets, in the order of the ledger. Atoms; below zero where it left. */
  fundingMoves(query: FundingQuery): Promise<readonly FundingMove[]> {
    return this.#read((db) => fundingMoves(db, query));
  }

  /** Withdrawals from one account to another, in the order of the ledger. */
  internalWithdrawals(): Promise<readonly InternalWithdrawal[]> {
    return this.#read(internalWithdrawals);
  }

  async hasTraded(account: AccountId): Promise<boolean> {
    return (await this.activity(account)).firstFillAt !== undefined;
  }

  /** How many of `accounts` have traded for a fee with an account that is none of `except`, which names one at least. */
  async countTraders({ accounts, except }: { accounts: readonly AccountId[]; except: readonly AccountId[] }): Promise<number> {
    const { count } = await this.#read((db) =>
      db
        .selectFrom('projector_activity')
        .select((of) => of.fn.countAll<number>().as('count'))
        .where('account', 'in', accounts)
        .where((of) =>
          of.exists(
            of
              .selectFrom('projector_fill as own')
              .innerJoin('projector_fill as other', (on) =>
                on.onRef('other.trade_id', '=', 'own.trade_id').onRef('other.role', '<>', 'own.role'),
              )
              .select('own.trade_id')
              .whereRef('own.account', '=', 'projector_activity.account')
              .where('own.fee', '>', '0')
              .where('other.account', 'not in', except),
          ),
        )
        .executeTakeFirstOrThrow(),
    );
    return count;
  }

  /** POINTS awarded in all, less what was taken back. */
  async points(account: AccountId): Promise<bigint> {
    const asset = this.#markets.assetByCode(POINTS)?.asset;
    if (asset === undefined) return 0n;
    const { sum } = await this.#read((db) =>
      db
        .selectFrom('projector_award')
        .select((of) => of.fn.sum<string | null>('amount').as('sum'))
        .where('account', '=', account)
        .where('asset', '=', asset)
        .executeTakeFirstOrThrow(),
    );
    return BigInt(sum ?? '0');
  }

  /** Whether the account was in a trade, from `from` until before `until`, for which it paid a fee. */
  async hasPaidFee(query: { account: AccountId; from: number; until: number }): Promise<boolean> {
    const latest = await this.#read((db) =>
      db
        .selectFrom('projector_fill')
        .select('at')
        .where('account', '=', query.account)
        .where('at', '<', query.until)
        .where('fee', '>', '0')
        .orderBy('trade_id', 'desc')
        .limit(1)
        .executeTakeFirst(),
    );
    return latest !== undefined && latest.at >= query.from;
  }

  /**
   * Reads one state of history, and none that is older than what was read or promised when it was asked for: when the database crashes it may
   * lose the newest rows, until they are written again. Of two that are asked for at once, the one that sees more may be answered first.
   */
  async #read<Answer>(ask: (db: Kysely<ProjectorTables>) => Promise<Answer>): Promise<Answer> {
    const least = Math.max(this.#seen, this.#projector.status().seq);
    return this.#db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (db) => {
        const offset = await db.selectFrom('projector_offset').select('seq').executeTakeFirstOrThrow();
        if (offset.seq < least) {
          throw new ApiError('NotNow', { message: 'history is being written again', retryAfterSeconds: 1 });
        }
        this.#seen = seq(Math.max(this.#seen, offset.seq));
        return ask(db);
      });
  }

  #marketId(symbol: string | undefined): MarketId | 'unknown' | undefined {
    return symbol === undefined ? undefined : (this.#markets.marketBySymbol(symbol)?.market.market ?? 'unknown');
  }

  #assetId(coin: string | undefined): AssetId | 'unknown' | undefined {
    return coin === undefined ? undefined : (this.#markets.assetByCode(coin)?.asset ?? 'unknown');
  }

  #asset(asset: AssetId) {
    const found = this.#markets.asset(asset);
    assert(found !== undefined, `asset ${asset} was registered before it was used`);
    return found;
  }

  #listing(market: MarketId) {
    const listed = this.#markets.market(market)?.market;
    assert(listed !== undefined, `market ${market} was registered before it was used`);
    return { market: listed, base: this.#asset(listed.base), quote: this.#asset(listed.quote) };
  }
}

/** Those of persons have fills; those within the house are kept apart. Oldest first. */
async function newestTrades(db: Kysely<ProjectorTables>, market: MarketId) {
  const persons = await db
    .selectFrom('projector_fill')
    .select(['trade_id', 'price', 'size', 'side', 'at', 'seq'])
    .where('market', '=', market)
    .where('role', '=', 'TAKER')
    .orderBy('trade_id', 'desc')
    .limit(TRADES_KEPT)
    .execute();
  const house = await db
    .selectFrom('projector_house_trade')
    .select(['trade_id', 'price', 'size', 'side', 'at', 'seq'])
    .where('market', '=', market)
    .execute();
  return [...persons, ...house].sort((left, right) => left.trade_id - right.trade_id).slice(-TRADES_KEPT);
}

/** What each of `accounts` traded for a fee with the others, by the UTC day. */
const tradedInside = (db: Kysely<ProjectorTables>, { accounts, from, until }: DayQuery) =>
  db
    .selectFrom('projector_fill as own')
    .innerJoin('projector_fill as other', (on) => on.onRef('other.trade_id', '=', 'own.trade_id').onRef('other.role', '<>', 'own.role'))
    .select([
      'own.account',
      sql<number>`own.at - own.at % ${sql.lit(DAY_MS)}`.as('day_at'),
      sql<number>`count(*) filter (where own.contract_volume is null)`.as('trades'),
      sql<string>`coalesce(sum(own.notional) filter (where own.contract_volume is null), 0)`.as('volume'),
      sql<number>`count(*) filter (where own.contract_volume is not null)`.as('contract_trades'),
      sql<string>`coalesce(sum(own.contract_volume), 0)`.as('contract_volume'),
    ])
    .where('own.account', 'in', accounts)
    .where('other.account', 'in', accounts)
    .where('own.fee', '>', '0')
    .where(sql<number>`own.at - own.at % ${sql.lit(DAY_MS)}`, '>', from - DAY_MS)
    .where(sql<number>`own.at - own.at % ${sql.lit(DAY_MS)}`, '<=', until)
    .groupBy(['own.account', 'day_at'])
    .execute();
