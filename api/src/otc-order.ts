/** Orders of OTC trading: from the escrow of the coin to its release, with chat, receipts and disputes. */
import { Type, type Static } from 'typebox';
import {
  ClientOrderId,
  Coin,
  Cursor,
  Decimal,
  DecimalInput,
  listed,
  listedHistory,
  Millis,
  Nonce,
  nullable,
  Page,
  PageSize,
  Signature,
  SignedMessage,
  strict,
} from './fields.ts';
import { FILE_TYPES } from './file.ts';
import {
  OtcCurrency,
  OtcId,
  OtcKey,
  OtcOrderStatus,
  OtcPaymentMethod,
  OtcPriceInput,
  OtcSide,
  otcText,
  OtcTotalInput,
  OtcTrader,
} from './otc-fields.ts';
import { PasskeyAnswer } from './passkey-text.ts';
import { routes } from './route.ts';
import { OneTimeCode } from './security.ts';

/** Chat and receipts are kept for this long after their order has ended. */
export const OTC_CHAT_KEPT_DAYS = 180;

export const OTC_APPEAL_REASONS = [
  'NOT_PAID',
  'WRONG_AMOUNT',
  'PAID_BY_ANOTHER_NAME',
  'FALSE_RECEIPT',
  'NOT_RELEASED',
  'PAID_TOO_LATE',
  'OTHER',
] as const;
const AppealReason = Type.Enum([...OTC_APPEAL_REASONS]);
export type OtcAppealReason = Static<typeof AppealReason>;

/** Who made a step: the exchange by the clock, or an arbiter. */
const Actor = Type.Enum(['BUYER', 'SELLER', 'ARBITER', 'EXCHANGE']);
export type OtcActor = Static<typeof Actor>;

const OrderSide = Type.Enum(['BUY', 'SELL'], { description: 'of the caller' });

export const OtcOrder = Type.Object({
  orderId: OtcId,
  clientOrderId: nullable(ClientOrderId, { description: 'of the caller; null where the other side made the order' }),
  advertisingId: OtcId,
  status: OtcOrderStatus,
  side: OrderSide,
  counterpart: OtcTrader,
  coin: Coin,
  currency: OtcCurrency,
  price: Decimal,
  amount: Decimal,
  total: Decimal,
  createdTime: Millis,
  updatedTime: Millis,
  deadline: nullable(Type.Integer({ minimum: 0 }), {
    description:
      'when this status ends by itself, in milliseconds of the exchange: CREATED expires, PAID becomes DISPUTED, a decision is executed',
  }),
  unread: Type.Integer({ minimum: 0, description: 'messages since you read the chat' }),
});
export type OtcOrder = Static<typeof OtcOrder>;

export const OtcDecision = Type.Object({
  outcome: Type.Enum(['RELEASED', 'RETURNED']),
  reason: Type.String(),
  at: Millis,
  executesAt: nullable(Type.Integer({ minimum: 0 }), {
    description: 'until then the side against whom it went may appeal; null once executed',
  }),
  appealedBy: nullable(Type.Enum(['BUYER', 'SELLER'])),
});
export type OtcDecision = Static<typeof OtcDecision>;

export const OtcOrderDetail = Type.Object({
  ...OtcOrder.properties,
  serverTime: Millis,
  escrow: Type.Object({ amount: Decimal, state: Type.Enum(['HELD', 'RELEASED', 'RETURNED']) }),
  steps: Type.Array(Type.Object({ status: OtcOrderStatus, at: Millis, by: Actor })),
  paymentMethods: Type.Array(OtcPaymentMethod, { description: 'of the seller: in full while the order is live, masked afterwards' }),
  conditions: nullable(Type.String()),
  payerName: nullable(Type.String(), {
    description: "the buyer's verified name, for a seller who is verified too; null once the order has ended",
  }),
  canDisputeAt: nullable(Type.Integer({ minimum: 0 }), { description: 'when a dispute can be opened; null where none can' }),
  canAppeal: Type.Boolean({ description: 'a decision went against you and can be appealed' }),
  decision: nullable(OtcDecision),
  statements: Type.Array(
    Type.Object({
      by: Actor,
      kind: Type.Enum(['DISPUTE', 'EVIDENCE', 'APPEAL']),
      reason: nullable(AppealReason),
      text: Type.String(),
      receiptIds: Type.Array(OtcKey),
      at: Millis,
    }),
    { description: 'of both sides, in a dispute' },
  ),
  appraisal: nullable(Type.Enum(['POSITIVE', 'NEGATIVE']), { description: 'yours' }),
});
export type OtcOrderDetail = Static<typeof OtcOrderDetail>;

export const OtcMessage = Type.Object({
  messageId: OtcKey,
  by: Actor,
  own: Type.Boolean(),
  /** SYSTEM: a step of the order, or a deadline that has moved. */
  kind: Type.Enum(['TEXT', 'RECEIPT', 'SYSTEM']),
  text: nullable(Type.String(), {
    description:
      'plain text; of a SYSTEM line the status that the order has reached, or `LATER` and the milliseconds by which its deadline is later after an outage; null once its author is deleted',
  }),
  receiptId: nullable(OtcKey),
  hint: Type.Boolean({ description: 'it names a contact or a link outside: what is agreed there is not seen by an arbiter' }),
  at: Millis,
});
export type OtcMessage = Static<typeof OtcMessage>;

export const OtcReceipt = Type.Object({
  receiptId: OtcKey,
  orderId: OtcId,
  type: Type.Enum([...FILE_TYPES]),
  bytes: Type.Integer(),
  own: Type.Boolean(),
  createdTime: Millis,
});
export type OtcReceipt = Static<typeof OtcReceipt>;

export const CreateOtcOrder = strict(
  {
    advertisingId: OtcId,
    amount: Type.Optional(DecimalInput),
    total: Type.Optional(OtcTotalInput),
    price: Type.Optional(OtcPriceInput),
    paymentMethodIds: Type.Optional(Type.Array(OtcKey, { minItems: 1, maxItems: 5, uniqueItems: true })),
    clientOrderId: ClientOrderId,
  },
  'amount of the coin, or total of the currency: one of the two. price: that you saw; a worse one is refused as OtcPriceMoved. paymentMethodIds: of yours, where you sell. ' +
    'The same clientOrderId with the same content answers the same order',
);
export type CreateOtcOrder = Static<typeof CreateOtcOrder>;

export const ReleaseOtcOrder = strict(
  {
    orderId: OtcId,
    google: Type.Optional(OneTimeCode),
    passkey: Type.Optional(PasskeyAnswer),
    nonce: Type.Optional(Nonce),
    signature: Type.Optional(Signature),
    message: Type.Optional(SignedMessage),
  },
  'google: the code of the authenticator app, where one is bound; where a passkey is, its answer to the challenge of this order (purpose otc-release). Where neither is: ' +
    'nonce, signature and message of purpose otc-release, over exactly this amount, coin, order and buyer',
);
export type ReleaseOtcOrder = Static<typeof ReleaseOtcOrder>;

const ofOrder = strict({ orderId: OtcId });
const own = { access: 'session', rate: 'otc', sameOrigin: true } as const;

export const otcOrderRoutes = routes({
  createOtcOrder: {
    ...own,
    method: 'POST',
    path: '/otc/api/order/create',
    summary:
      'Make an order of an advertisement: its coin is in escrow from then on, at the price of this moment. Three open orders of a person without a finished one; after five ' +
      'cancels of yours within a day none for a day.',
    body: CreateOtcOrder,
    response: OtcOrderDetail,
  },
  otcOrders: {
    method: 'GET',
    path: '/otc/api/order/list',
    access: 'read',
    rate: 'read',
    summary: 'Your orders, bought and sold, newest first; OPEN: those that have not ended.',
    query: strict({
      side: Type.Optional(OtcSide),
      status: Type.Optional(Type.Enum(['OPEN', ...OtcOrderStatus.enum])),
      coin: Type.Optional(Coin),
      advertisingId: Type.Optional(OtcId),
      page: Type.Optional(Page),
      pageSize: Type.Optional(PageSize),
    }),
    response: listed(OtcOrder),
  },
  otcOrder: {
    method: 'GET',
    path: '/otc/api/order/detail',
    access: 'session',
    rate: 'read',
    summary: 'One order of yours: its steps, its deadline, where the money goes, the other side.',
    query: ofOrder,
    response: OtcOrderDetail,
  },
  markOtcOrderPaid: {
    ...own,
    method: 'POST',
    path: '/otc/api/order/paid',
    summary: 'As the buyer: the money is sent. From here on no deadline returns the coin.',
    body: ofOrder,
    response: OtcOrderDetail,
  },
  releaseOtcOrder: {
    ...own,
    method: 'POST',
    path: '/otc/api/order/release',
    summary: 'As the seller: the money is there; the coin goes to the buyer. Released again nothing more happens.',
    body: ReleaseOtcOrder,
    response: OtcOrderDetail,
  },
  cancelOtcOrder: {
    ...own,
    method: 'POST',
    path: '/otc/api/order/cancel',
    summary: 'As the buyer: nothing was paid, or it came back; the coin goes back to the seller.',
    body: ofOrder,
    response: OtcOrderDetail,
  },
  appealOtcOrder: {
    ...own,
    method: 'POST',
    path: '/otc/api/order/appeal',
    summary:
      'Of a PAID order: open a dispute, 30 minutes after it was paid at the earliest. Of a DISPUTED one: say something for your side, with receipts; and once, after a decision ' +
      'against you that is not executed yet, appeal it: then with a receipt that you have not shown before. The same said again changes nothing.',
    body: strict({
      orderId: OtcId,
      reason: AppealReason,
      text: otcText(1_000),
      receiptIds: Type.Optional(Type.Array(OtcKey, { maxItems: 5, uniqueItems: true })),
    }),
    response: OtcOrderDetail,
  },
  sendOtcMessage: {
    ...own,
    method: 'POST',
    path: '/otc/api/order/message',
    summary: 'Write to the other side: a text, or a receipt that you have uploaded. The same clientMessageId again changes nothing.',
    body: strict({
      orderId: OtcId,
      clientMessageId: Type.String({ minLength: 8, maxLength: 36, pattern: '^[0-9a-zA-Z-]{8,36}$', description: 'made by the client' }),
      text: Type.Optional(otcText(1_000)),
      receiptId: Type.Optional(OtcKey),
    }),
    response: OtcMessage,
  },
  otcMessages: {
    method: 'GET',
    path: '/otc/api/order/messages',
    access: 'session',
    rate: 'read',
    summary: 'The chat of an order, newest first; read by it they are no longer unread. Kept 180 days after the order has ended.',
    query: strict({ orderId: OtcId, id: Type.Optional(Cursor), pageSize: Type.Optional(PageSize) }),
    response: listedHistory(OtcMessage),
  },
  appraiseOtcOrder: {
    ...own,
    method: 'POST',
    path: '/otc/api/order/appraise',
    summary: 'Say how the other side was, of an order that was released or that an arbiter has decided: once, and changed within a day.',
    body: strict({ orderId: OtcId, appraisal: Type.Enum(['POSITIVE', 'NEGATIVE']), text: Type.Optional(otcText(200)) }),
    response: OtcOrderDetail,
  },
});

export const otcReceiptRoutes = routes({
  uploadOtcReceipt: {
    method: 'POST',
    path: '/otc/api/receipt/upload',
    access: 'session',
    rate: 'upload',
    sameOrigin: true,
    upload: true,
    summary:
      'Upload a receipt or a picture for an order of yours that has not ended: the body is the file itself, by the rules of `/pro/u/file/upload`. Both sides and an arbiter ' +
      'see it once a message or a dispute names it.',
    query: ofOrder,
    response: OtcReceipt,
  },
  otcReceipt: {
    method: 'GET',
    path: '/otc/api/receipt/detail',
    access: 'session',
    rate: 'read',
    summary: 'A receipt of an order of yours, with a link that is good for 60 seconds.',
    query: strict({ receiptId: OtcKey }),
    response: Type.Object({ ...OtcReceipt.properties, url: Type.String({ description: 'path and query' }), expiresTime: Millis }),
  },
});
