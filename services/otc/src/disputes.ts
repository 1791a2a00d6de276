/** Disputes: what both sides say and show, and what operators decide. */
import {
  ApiError,
  type BodyOf,
  OTC_TWO_OPERATORS_ABOVE,
  type OtcDispute,
  type OtcDisputeDetail,
  type OtcOrderDetail,
  type otcOrderRoutes,
  type OtcOrderStatus,
} from '@orrery/api';
import type { AccountDirectory } from '@orrery/foundation';
import type { Heart } from '@orrery/protocol';
import {
  accountId,
  type AccountId,
  type Address,
  assetId,
  atoms,
  cents,
  fiatPrice,
  otcOrderId,
  parseDecimal,
  printDecimal,
} from '@orrery/units';
import { sql } from 'kysely';
import type { Chat } from './chat.ts';
import type { Coins } from './coins.ts';
import type { OtcFollower } from './follower.ts';
import { statementIs } from './ids.ts';
import { amountField, amountText, malformed, priceText, totalText } from './money.ts';
import { isAgainst, type OrderRow, type Orders, roleOf } from './orders.ts';
import type { AssistPort, ClusterPort, IdentityPort, PersonKeysPort } from './ports.ts';
import type { Receipts } from './receipts.ts';
import { submitted } from './refusals.ts';
import { sealed } from './sealed.ts';
import type { OtcDb } from './tables.ts';
import type { Traders } from './traders.ts';
import { notInState, type Trading } from './trading.ts';

/** Of one side of an order. */
const STATEMENTS_MAX = 20;
const WORTH_DECIMALS = 18;

type AppealWish = BodyOf<(typeof otcOrderRoutes)['appealOtcOrder']>;
type Kind = 'DISPUTE' | 'EVIDENCE' | 'APPEAL';

export interface Slice {
  readonly page: number;
  readonly size: number;
}

interface PageOf<Item> {
  readonly list: Item[];
  readonly total: number;
}

export interface OtcDecided {
  readonly orderId: string;
  /** Which decision of the order it is: 1, or 2 after an appeal. */
  readonly nth: number;
  readonly outcome: 'RELEASED' | 'RETURNED';
  readonly reason: string;
}

export interface OtcPayment {
  readonly orderId: string;
  readonly amount: string;
}

interface DisputesParts {
  readonly heart: Heart;
  readonly db: OtcDb;
  readonly keys: PersonKeysPort;
  readonly coins: Coins;
  readonly directory: AccountDirectory;
  readonly orders: Orders;
  readonly trading: Trading;
  readonly receipts: Receipts;
  readonly chat: Chat;
  readonly traders: Traders;
  readonly identities: IdentityPort;
  readonly clusters: ClusterPort;
  readonly follower: OtcFollower;
  readonly assist: AssistPort;
  readonly now: () => number;
}

export class Disputes {
  readonly #parts: DisputesParts;

  constructor(parts: DisputesParts) {
    this.#parts = parts;
  }

  /** Opens a dispute, says something in it, or appeals its decision: whichever the order is ready for. */
  async appeal(account: AccountId, wish: AppealWish): Promise<OtcOrderDetail> {
    const { orders, trading, receipts } = this.#parts;
    const { orderId, receiptIds = [] } = wish;
    if (wish.text.trim() === '') throw malformed('text');
    const row = await orders.row(account, orderId);
    for (const receiptId of receiptIds) await receipts.own(account, row.order_id, receiptId);
    await this.#checkRoom(account, row);
    if (row.status === 'PAID') {
      await trading.dispute(account, orderId);
      return this.#state(account, row, { ...wish, receiptIds, kind: 'DISPUTE' });
    }
    if (row.status !== 'DISPUTED') throw notInState(row);
    const decisions = await orders.decisionsOf(row.order_id);
    const [first] = decisions;
    const isAppeal = decisions.length === 1 && first !== undefined && first.executesAt !== null && isAgainst(first, roleOf(account, row));
    const statements = await orders.statementsOf(row.order_id);
    if (!isAppeal) {
      // Sent again by a page that got no answer: it is there already, as the dispute, the appeal or the evidence.
      if (statements.some((statement) => statement.account === account && isSame(statement, { ...wish, receiptIds })))
        return orders.detail(account, row);
      return this.#state(account, row, { ...wish, receiptIds, kind: 'EVIDENCE' });
    }
    const shown = new Set(statements.flatMap((statement) => statement.receiptIds));
    if (!receiptIds.some((receiptId) => !shown.has(receiptId)))
      throw new ApiError('MissingField', { field: 'receiptIds', message: 'an appeal needs a receipt that you have not shown before' });
    await trading.appeal(account, orderId);
    return this.#state(account, row, { ...wish, receiptIds, kind: 'APPEAL' });
  }

  /** OPEN: those that wait longest first. ENDED: newest first. */
  async list({ page, size }: Slice, state: 'OPEN' | 'ENDED' = 'OPEN'): Promise<PageOf<OtcDispute>> {
    const wanted = this.#parts.db
      .selectFrom('otc_order')
      .where('disputed_at', 'is not', null)
      .where('ended_at', state === 'OPEN' ? 'is' : 'is not', null);
    const rows = await wanted
      .selectAll()
      .orderBy('disputed_at', state === 'OPEN' ? 'asc' : 'desc')
      .orderBy('order_id')
      .limit(size)
      .offset((page - 1) * size)
      .execute();
    const { total } = await wanted.select((of) => of.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    return { list: await Promise.all(rows.map((row) => this.#dispute(row))), total };
  }

  /** @throws ApiError UnknownThing unless the order is or was disputed. */
  async find(orderId: string): Promise<OtcDispute> {
    return this.#dispute(await this.#row(orderId));
  }

  /** @param reviewer the number of the operator who looks. */
  async detail(orderId: string, reviewer: string): Promise<Omit<OtcDisputeDetail, 'conflict'>> {
    const { db, orders, chat, coins, now } = this.#parts;
    const row = await this.#row(orderId);
    const statements = await orders.statementsOf(row.order_id);
    const party = async (account: number) => {
      const { traders, identities, receipts } = this.#parts;
      return {
        account,
        trader: await traders.of(accountId(account)),
        verifiedName: await identities.realNameOf(accountId(account)),
        statements: statements
          .filter((statement) => statement.account === account)
          .map(({ kind, reason, text, receiptIds, at }) => ({ kind, reason, text, receiptIds, at })),
        receipts: await receipts.ofDispute(row.order_id, account, reviewer),
      };
    };
    const deposit = await db.selectFrom('otc_deposit').selectAll().where('account', '=', payerOf(row)).executeTakeFirst();
    const paid = await db.selectFrom('otc_deposit_paid').select('order_id').where('order_id', '=', row.order_id).executeTakeFirst();
    return {
      ...(await this.#dispute(row)),
      price: priceText(fiatPrice(BigInt(row.price))),
      serverTime: now(),
      steps: await orders.stepsOf(row.order_id),
      paymentMethods: await orders.methodsOf(row.order_id),
      sides: { buyer: await party(row.buyer), seller: await party(row.seller) },
      messages: await chat.ofDispute(row.order_id),
      decision: (await orders.decisionsOf(row.order_id)).at(-1) ?? null,
      deposit: deposit === undefined ? '0' : amountText(atoms(BigInt(deposit.amount)), coins.byId(assetId(deposit.asset))),
      depositPaid: paid !== undefined,
    };
  }

  /** Whether the account of one of these addresses is a side of the order, or in a cluster with one. */
  async isSide(orderId: string, addresses: readonly Address[]): Promise<boolean> {
    const { buyer, seller } = await this.#row(orderId);
    const accounts = addresses.flatMap((address) => this.#parts.directory.find(address)?.account ?? []);
    for (const side of [buyer, seller]) {
      const members = await this.#parts.clusters.membersOf(accountId(side));
      if (accounts.some((account) => account === side || members.includes(account))) return true;
    }
    return false;
  }

  /** Which decision the order waits for; undefined while it waits for none. */
  async awaited(orderId: string): Promise<number | undefined> {
    const row = await this.#row(orderId);
    if (row.status !== 'DISPUTED') return undefined;
    const decisions = await this.#parts.orders.decisionsOf(row.order_id);
    if (decisions.length === 0) return 1;
    return decisions.length === 1 && decisions[0]?.appealedBy !== null ? 2 : undefined;
  }

  async say(orderId: string, text: string): Promise<void> {
    const row = await this.#row(orderId);
    if (row.ended_at !== null) throw notInState(row);
    await this.#parts.chat.sendAsArbiter(row, text);
  }

  /** Decided the same way again nothing happens. @throws ApiError when it was decided otherwise, or waits for no decision. */
  async decide({ orderId, nth, outcome, reason }: OtcDecided): Promise<void> {
    const { heart, db, follower } = this.#parts;
    // A command before a crash may have decided it.
    await follower.reached(await heart.end());
    const number = Number(orderId);
    const there = await db.selectFrom('otc_decision').selectAll().where('order_id', '=', number).where('nth', '=', nth).executeTakeFirst();
    if (there !== undefined && there.at !== null) {
      if (there.outcome === outcome) return;
      throw new ApiError('UnknownThing', { field: 'orderId', message: 'this dispute is decided' });
    }
    if ((await this.awaited(orderId)) !== nth)
      throw new ApiError('UnknownThing', { field: 'orderId', message: 'this dispute waits for no decision' });
    const facts = { outcome, reason };
    await db
      .insertInto('otc_decision')
      .values({ order_id: number, nth, at: null, executes_at: null, appealed_by: null, ...facts })
      .onConflict((conflict) => conflict.columns(['order_id', 'nth']).doUpdateSet(facts))
      .execute();
    const { seq } = await submitted(heart, this.#parts.coins, {
      type: 'DecideOtcDispute',
      order: otcOrderId(number),
      outcome,
      nth: nth === 2 ? 2 : 1,
    });
    await follower.reached(seq);
  }

  /** What a payment of this order's deposit would be. @throws ApiError UnknownThing, OtcOrderNotInState while it is open, AlreadyThere when one was made, MalformedField. */
  async checkPayment({ orderId, amount }: OtcPayment): Promise<void> {
    const row = await this.#row(orderId);
    if (row.ended_at === null) throw notInState(row);
    const { db, coins } = this.#parts;
    const paid = await db.selectFrom('otc_deposit_paid').select('order_id').where('order_id', '=', row.order_id).executeTakeFirst();
    if (paid !== undefined)
      throw new ApiError('AlreadyThere', { field: 'orderId', message: 'a payment from the deposit was made for this order' });
    const deposit = await db.selectFrom('otc_deposit').selectAll().where('account', '=', payerOf(row)).executeTakeFirst();
    if (deposit === undefined) throw new ApiError('UnknownMerchant', { field: 'orderId' });
    if (amountField(amount, coins.byId(assetId(deposit.asset))) > BigInt(deposit.amount))
      throw malformed('amount', 'amount must not be above what lies in the deposit');
  }

  /** Paid again nothing happens. @throws ApiError with the reason of the engine. */
  async pay(payment: OtcPayment): Promise<void> {
    const { heart, db, coins, follower } = this.#parts;
    await follower.reached(await heart.end());
    const row = await this.#row(payment.orderId);
    const paid = await db.selectFrom('otc_deposit_paid').select('order_id').where('order_id', '=', row.order_id).executeTakeFirst();
    if (paid !== undefined) return;
    await this.checkPayment(payment);
    const deposit = await db.selectFrom('otc_deposit').select('asset').where('account', '=', payerOf(row)).executeTakeFirstOrThrow();
    const amount = amountField(payment.amount, coins.byId(assetId(deposit.asset)));
    const command = { type: 'PayFromMerchantDeposit' as const, key: `otc-order-${row.order_id}`, order: otcOrderId(row.order_id), amount };
    await follower.reached((await submitted(heart, coins, command)).seq);
  }

  async #row(orderId: string): Promise<OrderRow> {
    const row = await this.#parts.orders.any(Number(orderId));
    if (row === undefined || row.disputed_at === null) throw new ApiError('UnknownThing', { field: 'orderId' });
    return row;
  }

  async #dispute(row: OrderRow): Promise<OtcDispute> {
    const asset = this.#parts.coins.byId(assetId(row.asset));
    const worth = this.#worthOf(row);
    const decisions = await this.#parts.orders.decisionsOf(row.order_id);
    const appealed = decisions.length === 1 && decisions[0]?.appealedBy !== null;
    return {
      orderId: String(row.order_id),
      status: row.status as OtcOrderStatus,
      coin: asset.code,
      amount: amountText(atoms(BigInt(row.amount)), asset),
      currency: row.currency === 'usd' ? 'usd' : 'cny',
      total: totalText(cents(BigInt(row.total))),
      worth: worth === undefined ? null : printDecimal(worth, WORTH_DECIMALS),
      operators: worth === undefined || worth > BigInt(OTC_TWO_OPERATORS_ABOVE) * 10n ** BigInt(WORTH_DECIMALS) ? 2 : 1,
      buyer: row.buyer,
      seller: row.seller,
      disputedTime: row.disputed_at ?? 0,
      state: row.ended_at !== null ? 'ENDED' : decisions.length === 0 ? 'WAITING' : appealed ? 'APPEALED' : 'DECIDED',
    };
  }

  /** In dollars at the outside price, of which one USDC is one; without a price it takes two operators. */
  #worthOf({ asset, amount }: OrderRow): bigint | undefined {
    const { code, decimals } = this.#parts.coins.byId(assetId(asset));
    const text = this.#parts.assist().find(({ coin, currency }) => coin === code && currency === 'usd')?.price ?? null;
    const price = text === null ? undefined : parseDecimal(text, WORTH_DECIMALS);
    return price === undefined ? undefined : (BigInt(amount) * price) / 10n ** BigInt(decimals);
  }

  async #checkRoom(account: AccountId, { order_id: orderId }: OrderRow): Promise<void> {
    const { count } = await this.#parts.db
      .selectFrom('otc_statement')
      .select(sql<number>`count(*)`.as('count'))
      .where('order_id', '=', orderId)
      .where('account', '=', account)
      .executeTakeFirstOrThrow();
    if (count >= STATEMENTS_MAX)
      throw new ApiError('TooMany', { field: 'statements', message: `each side says at most ${STATEMENTS_MAX} things in a dispute` });
  }

  async #state(
    account: AccountId,
    row: OrderRow,
    { kind, reason, text, receiptIds }: AppealWish & { receiptIds: readonly string[]; kind: Kind },
  ): Promise<OtcOrderDetail> {
    const { db, keys, receipts, orders, now } = this.#parts;
    const at = now();
    await db
      .insertInto('otc_statement')
      .values({
        order_id: row.order_id,
        account,
        by_role: roleOf(account, row),
        kind,
        reason,
        sealed: await sealed(keys, account, statementIs(row.order_id, at), text.trim()),
        receipt_ids: [...receiptIds],
        at,
      })
      .execute();
    await receipts.show(receiptIds);
    return orders.detail(account, await orders.row(account, String(row.order_id)));
  }
}

type Words = Pick<OtcOrderDetail['statements'][number], 'reason' | 'text' | 'receiptIds'>;

const isSame = (one: Words, other: Words): boolean =>
  one.reason === other.reason && one.text === other.text.trim() && one.receiptIds.join() === other.receiptIds.join();

/** Whose deposit pays: of the side against which the dispute went, whichever of the two has advertised; before its end, of the advertiser. */
function payerOf({ status, buyer, seller, advertiser }: OrderRow): number {
  if (status === 'RELEASED') return seller;
  return status === 'RETURNED' ? buyer : advertiser;
}
