/** What is over in perpetual contracts, read from SQL, newest first. */
import type {
  ClosedPosition,
  EndedTwap,
  FundingPayment,
  FundingRateRecord,
  FuturesBill,
  FuturesBillType,
  FuturesFill,
  InsuranceCause,
  InsuranceChange,
  Liquidation,
} from '@orrery/api';
import { countUpTo } from '@orrery/foundation';
import type { Asset, Contract, OrderSource, Side, Wallet } from '@orrery/protocol';
import { FEE_TIER_DAYS, weightedVolume } from '@orrery/rules';
import {
  type AccountId,
  accountId,
  assetId,
  type AssetId,
  assert,
  atoms,
  type Atoms,
  type MarketId,
  marketId,
  type Millis,
  millis,
  NO_ATOMS,
  type OrderId,
  orderId,
  printAtoms,
  printTicks,
  ticks,
  type Ticks,
} from '@orrery/units';
import type { MarketsView, OrderState } from '@orrery/views';
import { type Kysely, sql } from 'kysely';
import {
  type ContractTexts,
  kindsOf,
  printClosedPosition,
  printContractFill,
  printFuturesBill,
  printLiquidation,
  sideName,
  textsOf,
} from './contract-print.ts';
import { cut, type Cursored, cursorOf, cursorParts, type Cut, NOTHING, pageOf, type PageOf, type Slot } from './page.ts';
import { stateOf } from './store.ts';
import type { ProjectorTables } from './tables.ts';
import { endedTwaps } from './twap-history.ts';

interface Range {
  readonly startTime?: Millis;
  readonly endTime?: Millis;
}

interface Slice extends Range, Slot {
  readonly account: AccountId;
  /** Of one contract. */
  readonly market?: MarketId;
}

interface BillQuery extends Range, Cut {
  readonly account: AccountId;
  readonly market?: MarketId;
  readonly coin?: string;
  readonly type?: FuturesBillType;
}

/** A minute of marks or indices. */
export interface PriceMinute {
  readonly openTime: Millis;
  readonly open: Ticks;
  readonly high: Ticks;
  readonly low: Ticks;
  readonly close: Ticks;
}

/** What an account traded in some full UTC days, in USDC atoms. */
export interface TradedVolume {
  readonly account: AccountId;
  readonly perpetual: Atoms;
  readonly spot: Atoms;
  /** In contracts, as the maker. */
  readonly maker: Atoms;
}

const DAY_MS = 86_400_000;

type Read = <Answer>(ask: (db: Kysely<ProjectorTables>) => Promise<Answer>) => Promise<Answer>;

interface ContractHistoryParts {
  /** Asks one state of history. */
  readonly read: Read;
  readonly markets: MarketsView;
  readonly contractOf: (market: MarketId) => Contract | undefined;
}

export class ContractHistory {
  readonly #read: Read;
  readonly #markets: MarketsView;
  readonly #contractOf: (market: MarketId) => Contract | undefined;

  constructor({ read, markets, contractOf }: ContractHistoryParts) {
    this.#read = read;
    this.#markets = markets;
    this.#contractOf = contractOf;
  }

  /** Orders that are over, of these sources where they are given. */
  async orders(query: Slice & { readonly side?: Side; readonly sources?: readonly OrderSource[] }): Promise<PageOf<OrderState>> {
    const after = cursorOf(query.id);
    if (after === 'unknown') return NOTHING;
    return this.#read(async (db) => {
      let select = db
        .selectFrom('projector_order')
        .where('account', '=', query.account)
        .where('status', '=', 'closed')
        .where('contract', 'is not', null);
      if (query.market !== undefined) select = select.where('market', '=', query.market);
      if (query.side !== undefined) select = select.where('side', '=', query.side);
      if (query.sources !== undefined) select = select.where(sql<string>`contract->>'source'`, 'in', query.sources);
      if (query.startTime !== undefined) select = select.where('created_at', '>=', query.startTime);
      if (query.endTime !== undefined) select = select.where('created_at', '<=', query.endTime);
      const total = await countUpTo(db, select.select('order_id'));
      if (after !== undefined) select = select.where('order_id', '<', after);
      return pageOf(select.selectAll().orderBy('order_id', 'desc'), {
        slot: query,
        total,
        print: stateOf,
        nameOf: (row) => String(row.order_id),
      });
    });
  }

  async order(query: { readonly account: AccountId; readonly orderId: OrderId }): Promise<OrderState | undefined> {
    const row = await this.#read((db) =>
      db
        .selectFrom('projector_order')
        .selectAll()
        .where('order_id', '=', query.orderId)
        .where('account', '=', query.account)
        .where('status', '=', 'closed')
        .where('contract', 'is not', null)
        .executeTakeFirst(),
    );
    return row === undefined ? undefined : stateOf(row);
  }

  /** Settle atoms that the fills of these orders realised. */
  async closeProfits(query: { readonly account: AccountId; readonly orderIds: readonly OrderId[] }): Promise<ReadonlyMap<OrderId, Atoms>> {
    if (query.orderIds.length === 0) return new Map();
    const rows = await this.#read((db) =>
      db
        .selectFrom('projector_fill')
        .select((of) => ['order_id', of.fn.sum<string>('close_profit').as('profit')])
        .where('account', '=', query.account)
        .where('order_id', 'in', query.orderIds)
        .where('close_profit', 'is not', null)
        .groupBy('order_id')
        .execute(),
    );
    return new Map(rows.map(({ order_id: id, profit }) => [orderId(id), atoms(BigInt(profit))]));
  }

  async fills(query: Slice & { readonly orderId?: OrderId }): Promise<PageOf<FuturesFill>> {
    const after = cursorOf(query.id);
    if (after === 'unknown') return NOTHING;
    return this.#read(async (db) => {
      let select = db.selectFrom('projector_fill').where('account', '=', query.account).where('contract_volume', 'is not', null);
      if (query.market !== undefined) select = select.where('market', '=', query.market);
      if (query.orderId !== undefined) select = select.where('order_id', '=', query.orderId);
      if (query.startTime !== undefined) select = select.where('at', '>=', query.startTime);
      if (query.endTime !== undefined) select = select.where('at', '<=', query.endTime);
      const total = await countUpTo(db, select.select('trade_id'));
      if (after !== undefined) select = select.where('trade_id', '<', after);
      return pageOf(select.selectAll().orderBy('trade_id', 'desc'), {
        slot: query,
        total,
        print: (row) => printContractFill(row, this.#terms(row.market)),
        nameOf: (row) => String(row.trade_id),
      });
    });
  }

  async closedPositions(query: Slice): Promise<PageOf<ClosedPosition>> {
    const after = cursorParts(query.id, 2);
    if (after === 'unknown') return NOTHING;
    return this.#read(async (db) => {
      let select = db.selectFrom('projector_closed_position').where('account', '=', query.account);
      if (query.market !== undefined) select = select.where('market', '=', query.market);
      if (query.startTime !== undefined) select = select.where('closed_at', '>=', query.startTime);
      if (query.endTime !== undefined) select = select.where('closed_at', '<=', query.endTime);
      const total = await countUpTo(db, select.select('seq'));
      if (after !== undefined) {
        const [seq = 0, market = 0] = after.numbers;
        // One command may close several.
        select = select.where(sql<boolean>`(-seq, market, position_side) > (${-seq}, ${market}::bigint, ${after.rest})`);
      }
      return pageOf(select.selectAll().orderBy('seq', 'desc').orderBy('market').orderBy('position_side'), {
        slot: query,
        total,
        print: (row) => printClosedPosition(row, this.#terms(row.market)),
        nameOf: (row) => `${row.seq}:${row.market}:${row.position_side}`,
      });
    });
  }

  async liquidations(query: Slice): Promise<PageOf<Liquidation>> {
    const after = cursorParts(query.id, 2);
    if (after === 'unknown') return NOTHING;
    return this.#read(async (db) => {
      let select = db.selectFrom('projector_liquidation').where('account', '=', query.account);
      if (query.market !== undefined) select = select.where('market', '=', query.market);
      if (query.startTime !== undefined) select = select.where('at', '>=', query.startTime);
      if (query.endTime !== undefined) select = select.where('at', '<=', query.endTime);
      const total = await countUpTo(db, select.select('seq'));
      if (after !== undefined) {
        const [seq = 0, place = 0] = after.numbers;
        select = select.where(sql<boolean>`(seq, place) < (${seq}, ${place}::bigint)`);
      }
      return pageOf(select.selectAll().orderBy('seq', 'desc').orderBy('place', 'desc'), {
        slot: query,
        total,
        print: (row) => printLiquidation(row, this.#terms(row.market)),
        nameOf: (row) => `${row.seq}:${row.place}`,
      });
    });
  }

  /** TWAP orders that are over. */
  twaps(query: Slice): Promise<PageOf<EndedTwap>> {
    return this.#read((db) => endedTwaps(db, query, (market) => this.#terms(market)));
  }

  /** The changes of the wallets of futures. */
  async bills(query: BillQuery): Promise<Cursored<FuturesBill>> {
    const asset = query.coin === undefined ? undefined : this.#markets.assetByCode(query.coin)?.asset;
    const after = cursorOf(query.id);
    if ((query.coin !== undefined && asset === undefined) || after === 'unknown') return cut([], query, () => '');
    const rows = await this.#read((db) => {
      let select = db
        .selectFrom('projector_bill')
        .selectAll()
        .where('account', '=', query.account)
        .where('wallet', 'in', ['futures', 'coinFutures'] satisfies Wallet[]);
      if (query.market !== undefined) select = select.where('market', '=', query.market);
      if (asset !== undefined) select = select.where('asset', '=', asset);
      if (query.type !== undefined) select = select.where('kind', 'in', kindsOf(query.type));
      if (query.startTime !== undefined) select = select.where('at', '>=', query.startTime);
      if (query.endTime !== undefined) select = select.where('at', '<=', query.endTime);
      if (after !== undefined) select = select.where('id', '<', after);
      return select
        .orderBy('id', 'desc')
        .limit(query.limit + 1)
        .execute();
    });
    const { items, ...ends } = cut(rows, query, ({ id }) => String(id));
    return {
      ...ends,
      items: items.map((row) => {
        return printFuturesBill(row, this.#asset(assetId(row.asset)), row.market === null ? null : this.#terms(row.market).contract.symbol);
      }),
    };
  }

  async fundingPayments(
    query: Range & Cut & { readonly account: AccountId; readonly market?: MarketId },
  ): Promise<Cursored<FundingPayment>> {
    const after = cursorOf(query.id);
    if (after === 'unknown') return cut([], query, () => '');
    const rows = await this.#read((db) => {
      let select = db.selectFrom('projector_funding').selectAll().where('account', '=', query.account);
      if (query.market !== undefined) select = select.where('market', '=', query.market);
      if (query.startTime !== undefined) select = select.where('at', '>=', query.startTime);
      if (query.endTime !== undefined) select = select.where('at', '<=', query.endTime);
      if (after !== undefined) select = select.where('id', '<', after);
      return select
        .orderBy('id', 'desc')
        .limit(query.limit + 1)
        .execute();
    });
    const { items, ...ends } = cut(rows, query, ({ id }) => String(id));
    return {
      ...ends,
      items: items.map((row) => {
        const { contract, money, coin } = this.#terms(row.market);
        return {
          id: String(row.id),
          symbol: contract.symbol,
          positionSide: sideName(row.position_side),
          coin,
          amount: money(row.amount),
          createdTime: row.at,
        };
      }),
    };
  }

  /** The rates that were settled. */
  async fundingRates(query: Cut & { readonly market: MarketId }): Promise<Cursored<FundingRateRecord>> {
    const after = cursorOf(query.id);
    if (after === 'unknown') return cut([], query, () => '');
    const rows = await this.#read((db) => {
      let select = db.selectFrom('projector_funding_rate').selectAll().where('market', '=', query.market);
      if (after !== undefined) select = select.where('interval_end', '<', after);
      return select
        .orderBy('interval_end', 'desc')
        .limit(query.limit + 1)
        .execute();
    });
    const { items, ...ends } = cut(rows, query, (row) => String(row.interval_end));
    return {
      ...ends,
      items: items.map((row) => {
        const { contract } = this.#terms(row.market);
        return {
          id: String(row.interval_end),
          symbol: contract.symbol,
          fundingRate: printAtoms(atoms(BigInt(row.rate_ppb)), PPB_DECIMALS),
          price: printTicks(ticks(row.price), contract.pricePrecision),
          collectionInterval: contract.fundingIntervalMs / HOUR_MS,
          createdTime: row.interval_end,
        };
      }),
    };
  }

  /** The changes of the insurance fund, of one asset where it is given. */
  async insurance(query: Cut & { readonly asset?: AssetId }): Promise<Cursored<InsuranceChange>> {
    const after = cursorOf(query.id);
    if (after === 'unknown') return cut([], query, () => '');
    const rows = await this.#read((db) => {
      let select = db.selectFrom('projector_insurance').selectAll();
      if (query.asset !== undefined) select = select.where('asset', '=', query.asset);
      if (after !== undefined) select = select.where('id', '<', after);
      return select
        .orderBy('id', 'desc')
        .limit(query.limit + 1)
        .execute();
    });
    const { items, ...ends } = cut(rows, query, ({ id }) => String(id));
    return {
      ...ends,
      items: items.map(({ id, asset, amount, change, cause, at }) => {
        const { code, decimals } = this.#asset(assetId(asset));
        const money = (text: string): string => printAtoms(atoms(BigInt(text)), decimals);
        return {
          id: String(id),
          coin: code,
          amount: money(amount),
          change: money(change),
          cause: cause as InsuranceCause,
          createdTime: at,
        };
      }),
    };
  }

  /** The newest minutes of a contract's mark or index that opened from `from` to before `to`, oldest first. */
  async priceMinutes(query: {
    readonly market: MarketId;
    readonly source: 'mark' | 'index';
    readonly from: Millis;
    readonly to: Millis;
    readonly limit: number;
  }): Promise<readonly PriceMinute[]> {
    const rows = await this.#read((db) =>
      db
        .selectFrom('projector_price_candle')
        .selectAll()
        .where('market', '=', query.market)
        .where('source', '=', query.source)
        .where('open_time', '>=', query.from)
        .where('open_time', '<', query.to)
        .orderBy('open_time', 'desc')
        .limit(query.limit)
        .execute(),
    );
    return rows.toReversed().map(({ open_time: openTime, open, high, low, close }) => ({
      openTime: millis(openTime),
      open: ticks(open),
      high: ticks(high),
      low: ticks(low),
      close: ticks(close),
    }));
  }

  /** The weighted volume of an account in the 14 full UTC days before that of `now`, from which its fee tier comes; USDC atoms. */
  async tierVolume(account: AccountId, now: number): Promise<Atoms> {
    const [volume] = await this.volumes({ now, account });
    return volume === undefined ? NO_ATOMS : weightedVolume(volume.perpetual, volume.spot);
  }

  /** What each account traded in the 14 full UTC days before that of `now`; without `account` of all that traded. */
  async volumes({ now, account }: { readonly now: number; readonly account?: AccountId }): Promise<readonly TradedVolume[]> {
    const today = now - (now % DAY_MS);
    const rows = await this.#read((db) => {
      let select = db
        .selectFrom('projector_day')
        .select((of) => [
          'account',
          of.fn.sum<string>('contract_volume').as('perpetual'),
          of.fn.sum<string>('volume').as('spot'),
          of.fn.sum<string>('contract_maker_volume').as('maker'),
        ])
        .where('day_at', '<', today)
        .where('day_at', '>=', today - FEE_TIER_DAYS * DAY_MS);
      if (account !== undefined) select = select.where('account', '=', account);
      return select.groupBy('account').orderBy('account').execute();
    });
    return rows.map((row) => ({
      account: accountId(row.account),
      perpetual: atoms(BigInt(row.perpetual)),
      spot: atoms(BigInt(row.spot)),
      maker: atoms(BigInt(row.maker)),
    }));
  }

  #terms(market: number): ContractTexts {
    const contract = this.#contractOf(marketId(market));
    assert(contract !== undefined, `contract ${market} was registered before it was used`);
    return textsOf(contract, this.#asset(contract.settle));
  }

  #asset(asset: AssetId): Asset {
    const found = this.#markets.asset(asset);
    assert(found !== undefined, `asset ${asset} was registered before it was used`);
    return found;
  }
}

const HOUR_MS = 3_600_000;
const PPB_DECIMALS = 9;
