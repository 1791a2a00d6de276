/** The calls of this service. Who makes them is proven already. */
import {
  type Handlers,
  OTC_CURRENCIES,
  OTC_TWO_OPERATORS_ABOVE,
  ApiError,
  type Caller,
  type otcAdvertisingRoutes,
  type OtcInfo,
  type otcMerchantRoutes,
  type otcOrderRoutes,
  type otcPaymentMethodRoutes,
  type otcReceiptRoutes,
} from '@orrery/api';
import { type AccountId, assetId, atoms } from '@orrery/units';
import { sql } from 'kysely';
import type { Advertising } from './advertising.ts';
import type { Board } from './board.ts';
import type { Chat } from './chat.ts';
import type { Coins } from './coins.ts';
import type { DeskState } from './desk-state.ts';
import type { Disputes } from './disputes.ts';
import type { Merchants } from './merchants.ts';
import { amountText } from './money.ts';
import type { Orders } from './orders.ts';
import type { PaymentMethods } from './payment-methods.ts';
import type { ProofPort, SessionPort } from './ports.ts';
import type { Receipts } from './receipts.ts';
import type { OtcDb } from './tables.ts';
import type { Traders } from './traders.ts';
import type { Trading } from './trading.ts';

export interface Parts {
  readonly db: OtcDb;
  readonly coins: Coins;
  readonly desk: DeskState;
  readonly board: Board;
  readonly advertising: Advertising;
  readonly methods: PaymentMethods;
  readonly orders: Orders;
  readonly trading: Trading;
  readonly chat: Chat;
  readonly receipts: Receipts;
  readonly disputes: Disputes;
  readonly merchants: Merchants;
  readonly traders: Traders;
  readonly proofs: ProofPort;
  readonly sessions: SessionPort;
  readonly minuteMs: number;
}

const PAGE_SIZE = 10;

/** Calls of everybody have no principal: who is signed in reads by the session. */
const readerOf = ({ sessions }: Pick<Parts, 'sessions'>, { bearer }: Pick<Caller, 'bearer'>): AccountId | undefined =>
  bearer === undefined ? undefined : sessions.accountOf(bearer);

export const advertisingHandlers = (parts: Parts): Handlers<typeof otcAdvertisingRoutes> => {
  const { board, advertising } = parts;
  return {
    otcInfo: () => infoOf(parts),
    otcAdvertisements: ({ query, caller }) => board.list(query, readerOf(parts, caller)),
    otcOwnAdvertisements: ({ query, principal: { account } }) => board.mine(account, query),
    createOtcAdvertisement: ({ body, principal: { account } }) => advertising.create(account, body),
    updateOtcAdvertisement: ({ body, principal: { account } }) => advertising.update(account, body),
    setOtcAdvertisementStatus: ({ body: { advertisingId, status }, principal: { account } }) =>
      advertising.setStatus(account, advertisingId, status),
  };
};

export const paymentMethodHandlers = ({ methods, proofs }: Parts): Handlers<typeof otcPaymentMethodRoutes> => ({
  async otcPaymentMethods({ principal: { account } }) {
    const list = await methods.list(account);
    return { list, total: list.length };
  },
  async addOtcPaymentMethod({ body, principal, caller: { origin } }) {
    await proofs.checkChange({ principal, origin, given: body });
    return methods.add(principal.account, body);
  },
  async removeOtcPaymentMethod({ body: { paymentMethodId }, principal: { account } }) {
    await methods.remove(account, paymentMethodId);
    return { paymentMethodId };
  },
});

export const orderHandlers = ({ orders, trading, chat, disputes }: Parts): Handlers<typeof otcOrderRoutes> => ({
  createOtcOrder: ({ body, principal: { account } }) => trading.create(account, body),
  otcOrders: ({ query, principal: { account } }) => orders.list(account, query),
  otcOrder: ({ query: { orderId }, principal: { account } }) => trading.read(account, orderId),
  markOtcOrderPaid: ({ body: { orderId }, principal: { account } }) => trading.markPaid(account, orderId),
  releaseOtcOrder: ({ body, principal, caller }) => trading.release(principal, body, caller),
  cancelOtcOrder: ({ body: { orderId }, principal: { account } }) => trading.cancel(account, orderId),
  appealOtcOrder: ({ body, principal: { account } }) => disputes.appeal(account, body),
  async sendOtcMessage({ body, principal: { account } }) {
    return chat.send(account, await orders.row(account, body.orderId), body);
  },
  async otcMessages({ query, principal: { account } }) {
    return chat.read(account, await orders.row(account, query.orderId), query);
  },
  appraiseOtcOrder: ({ body, principal: { account } }) => trading.appraise(account, body),
});

export const receiptHandlers = ({ orders, receipts }: Parts): Handlers<typeof otcReceiptRoutes> => ({
  async uploadOtcReceipt({ query: { orderId }, body, principal: { account } }) {
    return receipts.upload(account, await orders.row(account, orderId), body);
  },
  otcReceipt: ({ query: { receiptId }, principal: { account } }) => receipts.detail(account, receiptId),
});

export const merchantHandlers = ({ merchants, traders }: Parts): Handlers<typeof otcMerchantRoutes> => ({
  applyAsOtcMerchant: ({ body, principal: { account } }) => merchants.apply(account, body),
  leaveOtcMerchants: ({ principal: { account } }) => merchants.leave(account),
  async otcMerchant({ query: { traderId } }) {
    const account = await traders.accountOf(traderId);
    if (account === undefined) throw new ApiError('UnknownThing', { field: 'traderId' });
    return merchants.info(account, undefined);
  },
  ownOtcMerchant: ({ principal: { account } }) => merchants.info(account, account),
  otcMerchants: ({ query: { page = 1, pageSize = PAGE_SIZE } }) => merchants.list({ page, size: pageSize }),
});

/** @throws ApiError NotNow while the desk is not open. */
async function infoOf({ db, coins, desk, board, merchants, minuteMs }: Parts): Promise<OtcInfo> {
  const { terms } = desk;
  if (terms === undefined) throw new ApiError('NotNow', { retryAfterSeconds: 5 });
  const inOrders = await db
    .selectFrom('otc_order')
    .select(['asset', sql<string>`sum(amount)`.as('amount')])
    .where('ended_at', 'is', null)
    .groupBy('asset')
    .execute();
  const deposits = await merchants.deposits();
  const depositCoin = coins.byId(assetId(terms.depositAsset));
  return {
    coins: coins.traded().map(({ code }) => code),
    currencies: [...OTC_CURRENCIES],
    minuteSeconds: minuteMs / 1_000,
    disputeAfterSeconds: Math.round(terms.disputeAfterMs / 1_000),
    autoDisputeSeconds: Math.round(terms.autoDisputeMs / 1_000),
    appealSeconds: Math.round(terms.appealWindowMs / 1_000),
    holdSeconds: Math.round(terms.holdMs / 1_000),
    merchantDeposit: amountText(terms.merchantDeposit, depositCoin),
    depositCoin: depositCoin.code,
    twoOperatorsAbove: String(OTC_TWO_OPERATORS_ABOVE),
    escrow: coins.traded().map((asset) => {
      const of = (rows: readonly { readonly asset: number; readonly amount: string | bigint }[]): bigint =>
        rows.filter((row) => row.asset === asset.asset).reduce((sum, row) => sum + BigInt(row.amount), 0n);
      const advertised = board
        .all()
        .filter((one) => one.asset === asset.asset && one.side === 'sell')
        .reduce((sum, one) => sum + one.available, 0n);
      const sums = { advertised, inOrders: of(inOrders), deposits: of(deposits) };
      const text = (sum: bigint): string => amountText(atoms(sum), asset);
      return {
        coin: asset.code,
        advertised: text(sums.advertised),
        inOrders: text(sums.inOrders),
        deposits: text(sums.deposits),
        total: text(sums.advertised + sums.inOrders + sums.deposits),
      };
    }),
  };
}
