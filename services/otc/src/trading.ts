/** The steps of an order, by its two sides. Each is idempotent: repeated by its own side it answers the same order. */
import {
  ApiError,
  type BodyOf,
  type Caller,
  type CreateOtcOrder,
  type OtcOrderDetail,
  type otcOrderRoutes,
  type Principal,
  type ReleaseOtcOrder,
} from '@orrery/api';
import { Turns } from '@orrery/foundation';
import type { Command, Heart } from '@orrery/protocol';
import { type AccountId, accountId, advertisementId, assetId, atoms, NO_ATOMS, NO_CENTS, otcOrderId } from '@orrery/units';
import type { Advertised, Board } from './board.ts';
import type { Coins } from './coins.ts';
import type { OtcFollower } from './follower.ts';
import { appraisalIs, isEnd } from './ids.ts';
import { amountField, amountText, malformed, priceField, totalField } from './money.ts';
import type { Announcements } from './news.ts';
import { counterpartOf, type OrderRow, type Orders } from './orders.ts';
import type { PaymentMethods } from './payment-methods.ts';
import type { ClusterPort, PersonKeysPort, ProofPort } from './ports.ts';
import { submitted } from './refusals.ts';
import { sealed } from './sealed.ts';
import type { OtcDb } from './tables.ts';
import type { Traders } from './traders.ts';

const DAY_MS = 86_400_000;

interface TradingParts {
  readonly heart: Heart;
  readonly db: OtcDb;
  readonly keys: PersonKeysPort;
  readonly coins: Coins;
  readonly board: Board;
  readonly orders: Orders;
  readonly methods: PaymentMethods;
  readonly traders: Traders;
  readonly follower: OtcFollower;
  readonly announcements: Announcements;
  readonly proofs: ProofPort;
  readonly clusters: ClusterPort;
  readonly now: () => number;
}

type Step = 'MarkOtcOrderPaid' | 'ReleaseOtcOrder' | 'CancelOtcOrder' | 'DisputeOtcOrder' | 'AppealOtcDecision';

export class Trading {
  readonly #parts: TradingParts;
  readonly #turns = new Turns<AccountId>();

  constructor(parts: TradingParts) {
    this.#parts = parts;
  }

  /** @throws ApiError with the reason; then there is no order. */
  create(account: AccountId, wish: CreateOtcOrder): Promise<OtcOrderDetail> {
    if ((wish.amount === undefined) === (wish.total === undefined))
      throw new ApiError('MissingField', { field: 'amount', message: 'give amount or total, one of the two' });
    return this.#turns.take(account, async () => {
      const { heart, coins, board, orders, follower } = this.#parts;
      const before = await this.#madeBefore(account, wish);
      if (before !== undefined) return orders.detail(account, before);
      const one = board.find(Number(wish.advertisingId));
      const asset = coins.byId(assetId(one.asset));
      const price = wish.price === undefined ? board.priceOf(one) : priceField(wish.price);
      if (price === undefined) throw new ApiError('AssistPriceStale', { field: 'advertisingId' });
      await this.#refuseOneOwner(account, one);
      await this.#wishMethods(account, one, wish);
      await follower.reached(
        (
          await submitted(heart, coins, {
            type: 'CreateOtcOrder',
            account,
            clientOrderId: wish.clientOrderId,
            advertisement: advertisementId(one.advertisement),
            amount: wish.amount === undefined ? NO_ATOMS : amountField(wish.amount, asset),
            total: wish.total === undefined ? NO_CENTS : totalField(wish.total, 'total'),
            price,
          })
        ).seq,
      );
      const row = await orders.ofClient(account, wish.clientOrderId);
      if (row === undefined) throw new Error('an order that was made is not there');
      return orders.detail(account, row);
    });
  }

  markPaid(account: AccountId, orderId: string): Promise<OtcOrderDetail> {
    return this.#step(account, orderId, 'MarkOtcOrderPaid');
  }

  cancel(account: AccountId, orderId: string): Promise<OtcOrderDetail> {
    return this.#step(account, orderId, 'CancelOtcOrder');
  }

  /** With the second factor of the seller, or a signature over exactly this: checked first, used up once. */
  async release(principal: Principal, { orderId, ...given }: ReleaseOtcOrder, { origin }: Pick<Caller, 'origin'>): Promise<OtcOrderDetail> {
    const { orders, coins, traders, proofs } = this.#parts;
    const { account } = principal;
    const row = await orders.row(account, orderId);
    // What is released already needs no proof: the answer was lost, and its code is used up.
    if (row.status === 'RELEASED' && row.seller === account) return orders.detail(account, row);
    if (row.seller !== account) throw new ApiError('NotPartyOfOrder', { field: 'orderId', message: 'only the seller releases the coin' });
    if (row.status !== 'PAID') throw notInState(row);
    const asset = coins.byId(assetId(row.asset));
    const terms = {
      orderId,
      amount: amountText(atoms(BigInt(row.amount)), asset),
      coin: asset.code,
      buyer: traders.idOf(accountId(row.buyer)),
    };
    await proofs.checkRelease({ principal, origin, given, terms });
    return this.#step(account, orderId, 'ReleaseOtcOrder');
  }

  dispute(account: AccountId, orderId: string): Promise<OtcOrderDetail> {
    return this.#step(account, orderId, 'DisputeOtcOrder');
  }

  appeal(account: AccountId, orderId: string): Promise<OtcOrderDetail> {
    return this.#step(account, orderId, 'AppealOtcDecision');
  }

  /** Of an order with which something became of the coin; changed within a day of its end. */
  async appraise(
    account: AccountId,
    { orderId, appraisal, text }: BodyOf<(typeof otcOrderRoutes)['appraiseOtcOrder']>,
  ): Promise<OtcOrderDetail> {
    const { orders, db, keys, traders, now } = this.#parts;
    const row = await orders.row(account, orderId);
    if (!isEnd(row.status) || (row.status !== 'RELEASED' && row.disputed_at === null)) throw notInState(row);
    const there = await db
      .selectFrom('otc_appraisal')
      .select('at')
      .where('order_id', '=', row.order_id)
      .where('account', '=', account)
      .executeTakeFirst();
    if (there !== undefined && now() - there.at > DAY_MS) throw new ApiError('AlreadyThere', { field: 'appraisal' });
    const words = text?.trim() ?? '';
    const facts = { appraisal, sealed: words === '' ? null : await sealed(keys, account, appraisalIs(row.order_id), words) };
    const of = counterpartOf(account, row);
    await db
      .insertInto('otc_appraisal')
      .values({ order_id: row.order_id, account, of_account: of, at: now(), ...facts })
      .onConflict((conflict) => conflict.columns(['order_id', 'account']).doUpdateSet(facts))
      .execute();
    traders.forget(of);
    return orders.detail(account, row);
  }

  /** The reader has it in view. */
  async read(account: AccountId, orderId: string): Promise<OtcOrderDetail> {
    const { orders, announcements } = this.#parts;
    const row = await orders.row(account, orderId);
    await announcements.seen(account, row.order_id);
    return orders.detail(account, row);
  }

  async #step(account: AccountId, orderId: string, type: Step): Promise<OtcOrderDetail> {
    const { heart, coins, orders, follower } = this.#parts;
    const row = await orders.row(account, orderId);
    const command: Command = { type, account, order: otcOrderId(row.order_id) };
    try {
      await follower.reached((await submitted(heart, coins, command)).seq);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // What the engine has forgotten has ended, and stands in SQL.
      await follower.reached(await heart.end());
      if (error.data.reason === 'OtcOrderNotInState' || error.data.reason === 'UnknownOtcOrder')
        throw notInState(await orders.row(account, orderId));
      throw error;
    }
    return orders.detail(account, await orders.row(account, orderId));
  }

  /** The order that this call has made already, at the price of that moment. @throws ApiError KeyConflict where another call has made it. */
  async #madeBefore(account: AccountId, wish: CreateOtcOrder): Promise<OrderRow | undefined> {
    const { orders, coins } = this.#parts;
    const row = await orders.ofClient(account, wish.clientOrderId);
    if (row === undefined) return undefined;
    const asset = coins.byId(assetId(row.asset));
    const isSame =
      String(row.advertisement) === wish.advertisingId &&
      (wish.amount === undefined || amountField(wish.amount, asset) === BigInt(row.amount)) &&
      (wish.total === undefined || totalField(wish.total, 'total') === BigInt(row.total));
    if (!isSame) throw new ApiError('KeyConflict', { field: 'clientOrderId' });
    return row;
  }

  /** Nobody trades with oneself by another account. */
  async #refuseOneOwner(account: AccountId, { account: advertiser }: Advertised): Promise<void> {
    if (account === advertiser) throw new ApiError('OwnAdvertisement', { field: 'advertisingId' });
    const members = await this.#parts.clusters.membersOf(account);
    if (members.includes(advertiser)) throw new ApiError('OneOwner', { field: 'advertisingId' });
  }

  /** A taker who sells says where the money comes: by a method that the buyer pays by. */
  async #wishMethods(account: AccountId, one: Advertised, { paymentMethodIds, clientOrderId }: CreateOtcOrder): Promise<void> {
    const { db, methods, now } = this.#parts;
    if (one.side === 'sell') {
      if (paymentMethodIds !== undefined) throw malformed('paymentMethodIds', 'the seller says where to pay');
      return;
    }
    if (paymentMethodIds === undefined) throw new ApiError('MissingField', { field: 'paymentMethodIds' });
    const kinds = await methods.kindsOf(db, account, paymentMethodIds);
    if (!kinds.every((kind) => one.paymentKinds.includes(kind)))
      throw malformed('paymentMethodIds', `the buyer pays by ${one.paymentKinds.join(', ')}`);
    await db
      .insertInto('otc_order_wish')
      .values({ account, client_order_id: clientOrderId, method_ids: [...paymentMethodIds], created_at: now() })
      // An order that is there keeps the methods that it was made with.
      .onConflict((conflict) => conflict.columns(['account', 'client_order_id']).doUpdateSet({ method_ids: [...paymentMethodIds] }))
      .execute();
  }
}

export const notInState = ({ status }: Pick<OrderRow, 'status'>): ApiError =>
  new ApiError('OtcOrderNotInState', { field: 'orderId', message: `the order is ${status}` });
