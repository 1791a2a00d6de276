/** Orders as their two sides read them, from SQL. Nobody else finds one. */
import {
  ApiError,
  type DataOf,
  type OtcActor,
  type OtcAppealReason,
  type OtcDecision,
  type OtcOrder,
  type OtcOrderDetail,
  type otcOrderRoutes,
  type OtcOrderStatus,
  type OtcPaymentMethod,
  type QueryOf,
} from '@orrery/api';
import { type AccountId, accountId, assetId, atoms, cents, fiatPrice } from '@orrery/units';
import { type Selectable, sql } from 'kysely';
import type { Board } from './board.ts';
import type { Coins } from './coins.ts';
import { isEnd, statementIs } from './ids.ts';
import { amountText, priceText, totalText } from './money.ts';
import type { PaymentMethods } from './payment-methods.ts';
import type { IdentityPort, PersonKeysPort } from './ports.ts';
import { openedText } from './sealed.ts';
import type { OtcDb, OtcTables } from './tables.ts';
import type { Traders } from './traders.ts';

export type OrderRow = Selectable<OtcTables['otc_order']>;
type ListQuery = QueryOf<(typeof otcOrderRoutes)['otcOrders']>;

export type Role = 'BUYER' | 'SELLER';

export interface OrdersParts {
  readonly db: OtcDb;
  readonly coins: Coins;
  readonly keys: PersonKeysPort;
  readonly board: Board;
  readonly traders: Traders;
  readonly methods: PaymentMethods;
  readonly identities: IdentityPort;
  readonly now: () => number;
}

export class Orders {
  readonly #parts: OrdersParts;

  constructor(parts: OrdersParts) {
    this.#parts = parts;
  }

  /** @throws ApiError UnknownThing unless the account is a side of it. */
  async row(account: AccountId, orderId: string): Promise<OrderRow> {
    const row = await this.any(Number(orderId));
    if (row === undefined || (row.buyer !== account && row.seller !== account)) throw new ApiError('UnknownThing', { field: 'orderId' });
    return row;
  }

  any(orderId: number): Promise<OrderRow | undefined> {
    return this.#parts.db.selectFrom('otc_order').selectAll().where('order_id', '=', orderId).executeTakeFirst();
  }

  /** The one that a taker made under this id. */
  ofClient(taker: AccountId, clientOrderId: string): Promise<OrderRow | undefined> {
    return this.#parts.db
      .selectFrom('otc_order')
      .selectAll()
      .where('taker', '=', taker)
      .where('client_order_id', '=', clientOrderId)
      .orderBy('order_id', 'desc')
      .executeTakeFirst();
  }

  /** Newest first. */
  async list(account: AccountId, query: ListQuery): Promise<DataOf<(typeof otcOrderRoutes)['otcOrders']>> {
    const { page = 1, pageSize = 10, side, status, coin, advertisingId } = query;
    const asset = coin === undefined ? undefined : this.#parts.coins.field(coin).asset;
    const wanted = this.#parts.db
      .selectFrom('otc_order')
      .where((of) => {
        const bought = of('buyer', '=', account);
        const sold = of('seller', '=', account);
        return side === undefined ? of.or([bought, sold]) : side === 'BUY' ? bought : sold;
      })
      .$if(status === 'OPEN', (all) => all.where('ended_at', 'is', null))
      .$if(status !== undefined && status !== 'OPEN', (all) => all.where('status', '=', status ?? ''))
      .$if(asset !== undefined, (all) => all.where('asset', '=', asset ?? 0))
      .$if(advertisingId !== undefined, (all) => all.where('advertisement', '=', Number(advertisingId)));
    const rows = await wanted
      .selectAll()
      .orderBy('order_id', 'desc')
      .limit(pageSize)
      .offset((page - 1) * pageSize)
      .execute();
    const { total } = await wanted.select((of) => of.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    return { list: await Promise.all(rows.map((row) => this.#shown(account, row))), total };
  }

  async detail(account: AccountId, row: OrderRow): Promise<OtcOrderDetail> {
    const { db, coins, board, now } = this.#parts;
    const role = roleOf(account, row);
    const isLive = row.ended_at === null;
    const asset = coins.byId(assetId(row.asset));
    const decisions = await this.decisionsOf(row.order_id);
    const decision = decisions.at(-1);
    const appraisal = await db
      .selectFrom('otc_appraisal')
      .select('appraisal')
      .where('order_id', '=', row.order_id)
      .where('account', '=', account)
      .executeTakeFirst();
    return {
      ...(await this.#shown(account, row)),
      serverTime: now(),
      escrow: {
        amount: amountText(atoms(BigInt(row.amount)), asset),
        state: isLive ? 'HELD' : row.status === 'RELEASED' ? 'RELEASED' : 'RETURNED',
      },
      steps: await this.stepsOf(row.order_id),
      paymentMethods: await this.methodsOf(row.order_id),
      conditions: board.all().find(({ advertisement }) => advertisement === row.advertisement)?.text.conditions ?? null,
      payerName: isLive && role === 'SELLER' ? await this.#payerName(row) : null,
      canDisputeAt: row.status === 'PAID' ? row.disputable_at : null,
      canAppeal:
        row.status === 'DISPUTED' &&
        decision !== undefined &&
        isAgainst(decision, role) &&
        decisions.length === 1 &&
        decision.executesAt !== null,
      decision: decision ?? null,
      statements: (await this.statementsOf(row.order_id)).map(({ by, kind, reason, text, receiptIds, at }) => ({
        by,
        kind,
        reason,
        text,
        receiptIds,
        at,
      })),
      appraisal: (appraisal?.appraisal ?? null) as OtcOrderDetail['appraisal'],
    };
  }

  async stepsOf(orderId: number): Promise<OtcOrderDetail['steps']> {
    const rows = await this.#parts.db.selectFrom('otc_step').selectAll().where('order_id', '=', orderId).orderBy('nth').execute();
    return rows.map((row) => ({ status: row.status as OtcOrderStatus, at: row.at, by: row.by_role as OtcActor }));
  }

  /** In full while the order is live, masked afterwards: the bytes are gone then. */
  async methodsOf(orderId: number): Promise<OtcPaymentMethod[]> {
    const rows = await this.#parts.db
      .selectFrom('otc_order_method')
      .selectAll()
      .where('order_id', '=', orderId)
      .orderBy('method_id')
      .execute();
    return Promise.all(rows.map((row) => this.#parts.methods.shown(row)));
  }

  /** The first one first. */
  async decisionsOf(orderId: number): Promise<OtcDecision[]> {
    const rows = await this.#parts.db
      .selectFrom('otc_decision')
      .selectAll()
      .where('order_id', '=', orderId)
      .where('at', 'is not', null)
      .orderBy('nth')
      .execute();
    return rows.map((row) => ({
      outcome: row.outcome as OtcDecision['outcome'],
      reason: row.reason,
      at: row.at ?? 0,
      executesAt: row.executes_at,
      appealedBy: row.appealed_by as OtcDecision['appealedBy'],
    }));
  }

  /** Oldest first. */
  async statementsOf(orderId: number): Promise<(OtcOrderDetail['statements'][number] & { readonly account: number })[]> {
    const rows = await this.#parts.db.selectFrom('otc_statement').selectAll().where('order_id', '=', orderId).orderBy('nth').execute();
    return Promise.all(
      rows.map(async (row) => ({
        account: row.account,
        by: row.by_role as OtcActor,
        kind: row.kind as 'DISPUTE' | 'EVIDENCE' | 'APPEAL',
        reason: row.reason as OtcAppealReason,
        text: (await openedText(this.#parts.keys, accountId(row.account), statementIs(row.order_id, row.at), row.sealed)) ?? '',
        receiptIds: row.receipt_ids,
        at: row.at,
      })),
    );
  }

  async #shown(account: AccountId, row: OrderRow): Promise<OtcOrder> {
    const { db, coins, traders } = this.#parts;
    const role = roleOf(account, row);
    const asset = coins.byId(assetId(row.asset));
    const { unread } = await db
      .selectFrom('otc_message')
      .select(sql<number>`count(*)`.as('unread'))
      .where('order_id', '=', row.order_id)
      .where('kind', '!=', 'SYSTEM')
      .where('at', '>', role === 'BUYER' ? row.buyer_seen_at : row.seller_seen_at)
      .where((of) => of.or([of('account', 'is', null), of('account', '!=', account)]))
      .executeTakeFirstOrThrow();
    return {
      orderId: String(row.order_id),
      clientOrderId: row.taker === account ? row.client_order_id : null,
      advertisingId: String(row.advertisement),
      status: row.status as OtcOrderStatus,
      side: role === 'BUYER' ? 'BUY' : 'SELL',
      counterpart: await traders.of(counterpartOf(account, row)),
      coin: asset.code,
      currency: row.currency === 'usd' ? 'usd' : 'cny',
      price: priceText(fiatPrice(BigInt(row.price))),
      amount: amountText(atoms(BigInt(row.amount)), asset),
      total: totalText(cents(BigInt(row.total))),
      createdTime: row.created_at,
      updatedTime: row.updated_at,
      deadline: isEnd(row.status) || row.deadline === 0 ? null : row.deadline,
      unread,
    };
  }

  /** Each knows the other's only where both have shown who they are. */
  async #payerName({ buyer, seller }: OrderRow): Promise<string | null> {
    const { identities } = this.#parts;
    return identities.isVerified(accountId(seller)) ? identities.realNameOf(accountId(buyer)) : null;
  }
}

export const roleOf = (account: AccountId, { buyer }: Pick<OrderRow, 'buyer'>): Role => (buyer === account ? 'BUYER' : 'SELLER');
export const counterpartOf = (account: AccountId, { buyer, seller }: Pick<OrderRow, 'buyer' | 'seller'>): AccountId =>
  accountId(buyer === account ? seller : buyer);
/** Whether a decision went against this side. */
export const isAgainst = ({ outcome }: Pick<OtcDecision, 'outcome'>, role: Role): boolean =>
  (outcome === 'RELEASED') === (role === 'SELLER');
