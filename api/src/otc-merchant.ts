/** Merchants of OTC trading, and what operators decide: disputes, applications, payments from a deposit. */
import { Type, type Static } from 'typebox';
import { AddressText, Coin, Count, Decimal, DecimalInput, listed, Millis, nullable, Page, PageSize, strict } from './fields.ts';
import { FILE_TYPES } from './file.ts';
import { Reason } from './operation.ts';
import { Proposal } from './operator.ts';
import { OTC_APPEAL_REASONS, OtcDecision } from './otc-order.ts';
import { OtcCurrency, OtcId, OtcKey, OtcOrderStatus, OtcPaymentMethod, otcText, OtcTrader, TraderId } from './otc-fields.ts';
import { routes } from './route.ts';

/** USDC: a dispute over more is decided by two operators. */
export const OTC_TWO_OPERATORS_ABOVE = 1_000;

/** WAITING for an operator, with the deposit in escrow; LEFT: the deposit was returned. */
export const OTC_MERCHANT_STATES = ['NONE', 'WAITING', 'APPROVED', 'REFUSED', 'LEFT'] as const;
const MerchantState = Type.Enum([...OTC_MERCHANT_STATES]);
export type OtcMerchantState = Static<typeof MerchantState>;

const MerchantName = Type.String({ minLength: 3, maxLength: 24, pattern: '^[0-9A-Za-z][0-9A-Za-z ._-]{1,22}[0-9A-Za-z]$' });

export const OtcMerchantInfo = Type.Object({
  ...OtcTrader.properties,
  state: MerchantState,
  since: nullable(Millis, { description: 'of the approval' }),
  deposit: Type.String({ description: 'in escrow' }),
  depositCoin: Coin,
  answer: nullable(Type.String(), { description: 'of the operator who refused; to the applicant alone' }),
  tradedDays30: Type.Array(Type.Object({ coin: Coin, amount: Decimal }), { description: 'released within 30 days, both sides' }),
  appraisals: Type.Array(Type.Object({ appraisal: Type.Enum(['POSITIVE', 'NEGATIVE']), text: nullable(Type.String()), at: Millis }), {
    description: 'the last 20',
  }),
});
export type OtcMerchantInfo = Static<typeof OtcMerchantInfo>;

const own = { access: 'session', rate: 'otc', sameOrigin: true } as const;

export const otcMerchantRoutes = routes({
  applyAsOtcMerchant: {
    ...own,
    method: 'POST',
    path: '/otc/api/merchant/apply',
    summary:
      'Apply to be a merchant: the deposit moves from the funding wallet into escrow, and comes back when the application is refused. A merchant whose deposit has ' +
      'paid for a dispute fills it up by the same call without a name and a text: only what is missing moves, and repeated nothing does.',
    body: strict({ name: Type.Optional(MerchantName), text: Type.Optional(otcText(500, 'for the operator who decides')) }),
    response: OtcMerchantInfo,
  },
  leaveOtcMerchants: {
    ...own,
    method: 'POST',
    path: '/otc/api/merchant/leave',
    summary:
      'End being a merchant, or take an application back: the deposit returns. Refused while an order is open or an advertisement is not taken down.',
    body: strict({}),
    response: OtcMerchantInfo,
  },
  otcMerchant: {
    method: 'GET',
    path: '/otc/api/merchant/info',
    access: 'public',
    rate: 'public',
    summary: 'What is known of somebody in OTC trading.',
    query: strict({ traderId: TraderId }),
    response: OtcMerchantInfo,
  },
  ownOtcMerchant: {
    method: 'GET',
    path: '/otc/api/merchant/mine',
    access: 'session',
    rate: 'read',
    summary: 'What is known of you in OTC trading, and where your application stands.',
    response: OtcMerchantInfo,
  },
  otcMerchants: {
    method: 'GET',
    path: '/otc/api/merchant/list',
    access: 'public',
    rate: 'public',
    summary: 'Merchants, those with most finished orders first.',
    query: strict({ page: Type.Optional(Page), pageSize: Type.Optional(PageSize) }),
    response: listed(OtcTrader),
  },
});

const Party = Type.Object({
  account: Count,
  trader: OtcTrader,
  verifiedName: nullable(Type.String({ description: 'in full: the payment must come from it' })),
  statements: Type.Array(
    Type.Object({
      kind: Type.Enum(['DISPUTE', 'EVIDENCE', 'APPEAL']),
      reason: nullable(Type.Enum([...OTC_APPEAL_REASONS])),
      text: nullable(Type.String({ description: 'null once its author is deleted' })),
      receiptIds: Type.Array(OtcKey),
      at: Millis,
    }),
  ),
  receipts: Type.Array(
    Type.Object({
      receiptId: OtcKey,
      type: Type.Enum([...FILE_TYPES]),
      url: Type.String({ description: 'path and query, good for 60 seconds; images have the operator and the time across them' }),
      createdTime: Millis,
    }),
  ),
});

export const OtcDispute = Type.Object({
  orderId: OtcId,
  status: OtcOrderStatus,
  coin: Coin,
  amount: Decimal,
  currency: OtcCurrency,
  total: Decimal,
  worth: nullable(Type.String(), { description: 'of the amount in USDC; null without a price' }),
  operators: Type.Enum([1, 2], { description: 'whose agreement a decision takes' }),
  buyer: Count,
  seller: Count,
  disputedTime: Millis,
  state: Type.Enum(['WAITING', 'DECIDED', 'APPEALED', 'ENDED'], {
    description: 'WAITING for a decision; DECIDED and open to an appeal; APPEALED: waiting for the second decision; ENDED',
  }),
});
export type OtcDispute = Static<typeof OtcDispute>;

export const OtcDisputeDetail = Type.Object({
  ...OtcDispute.properties,
  price: Decimal,
  serverTime: Millis,
  steps: Type.Array(Type.Object({ status: OtcOrderStatus, at: Millis, by: Type.Enum(['BUYER', 'SELLER', 'ARBITER', 'EXCHANGE']) })),
  paymentMethods: Type.Array(OtcPaymentMethod, { description: 'of the seller, in full until the dispute has ended' }),
  sides: Type.Object({ buyer: Party, seller: Party }),
  messages: Type.Array(
    Type.Object({
      by: Type.Enum(['BUYER', 'SELLER', 'ARBITER', 'EXCHANGE']),
      kind: Type.Enum(['TEXT', 'RECEIPT', 'SYSTEM']),
      text: nullable(Type.String()),
      receiptId: nullable(OtcKey),
      hint: Type.Boolean(),
      at: Millis,
    }),
    { description: 'the chat, oldest first, the last 500' },
  ),
  decision: nullable(OtcDecision),
  deposit: Type.String({
    description:
      "of the side against which it was decided, before the end of the advertiser, where a merchant's; what a payment from it can be at most",
  }),
  depositPaid: Type.Boolean({ description: 'a payment from the deposit was made for this order' }),
  conflict: Type.Boolean({ description: 'you, or an account in a cluster with yours, is a side: you cannot decide' }),
});
export type OtcDisputeDetail = Static<typeof OtcDisputeDetail>;

export const OtcApplication = Type.Object({
  traderId: TraderId,
  account: Count,
  name: Type.String(),
  text: nullable(Type.String({ description: 'null once the person is deleted' })),
  deposit: Decimal,
  verified: Type.Boolean(),
  finished: Count,
  state: MerchantState,
  appliedTime: Millis,
});
export type OtcApplication = Static<typeof OtcApplication>;

export const ArbiterAccounts = Type.Object({
  addresses: Type.Array(AddressText),
  declaredTime: nullable(Millis, { description: 'null while nothing is declared: nothing can be decided then' }),
});
export type ArbiterAccounts = Static<typeof ArbiterAccounts>;

const desk = { access: 'operator', rate: 'otc', role: 'operator' } as const;

export const otcDeskRoutes = routes({
  otcArbiter: {
    method: 'GET',
    path: '/pro/o/otc/arbiter/info',
    access: 'operator',
    role: 'operator',
    rate: 'read',
    summary: 'Which accounts of this exchange you have said are yours.',
    response: ArbiterAccounts,
  },
  declareOtcArbiter: {
    ...desk,
    method: 'POST',
    path: '/pro/o/otc/arbiter/declare',
    summary:
      'Say which accounts of this exchange are yours, or that none is: needed before the first decision of a dispute, and written to the audit log. An account once declared stays.',
    body: strict({ addresses: Type.Array(AddressText, { maxItems: 10, uniqueItems: true }) }),
    response: ArbiterAccounts,
  },
  otcDisputes: {
    method: 'GET',
    path: '/pro/o/otc/dispute/list',
    access: 'operator',
    role: 'viewer',
    rate: 'read',
    summary: 'Disputes, those that wait longest first; ENDED: those that are over, newest first.',
    query: strict({ state: Type.Optional(Type.Enum(['OPEN', 'ENDED'])), page: Type.Optional(Page), pageSize: Type.Optional(PageSize) }),
    response: listed(OtcDispute),
  },
  otcDispute: {
    ...desk,
    method: 'POST',
    path: '/pro/o/otc/dispute/detail',
    summary: 'A dispute with the evidence of both sides. It shows personal data: each view is a row of the audit log.',
    body: strict({ orderId: OtcId }),
    response: OtcDisputeDetail,
  },
  sendOtcDeskMessage: {
    ...desk,
    method: 'POST',
    path: '/pro/o/otc/dispute/message',
    summary: 'Write to both sides of a dispute, as its arbiter.',
    body: strict({ orderId: OtcId, text: otcText(1_000) }),
    response: Type.Null(),
  },
  decideOtcDispute: {
    ...desk,
    method: 'POST',
    path: '/pro/o/otc/dispute/decide',
    summary:
      'Decide a dispute: the coin is RELEASED to the buyer or RETURNED to the seller, with the reason that both read. Over more than 1,000 USDC this is only proposed: the answer then ' +
      'names the proposal. The first decision is executed when its time for an appeal is over, the second at once. Refused to one who is a side, or in a cluster with one.',
    body: strict({ orderId: OtcId, outcome: Type.Enum(['RELEASED', 'RETURNED']), reason: Reason }),
    response: Type.Object({ proposalId: nullable(Count) }),
  },
  payFromOtcDeposit: {
    ...desk,
    method: 'POST',
    path: '/pro/o/otc/dispute/pay-from-deposit',
    summary: 'Propose to pay the other side of an ended order from the deposit of its merchant: once for an order, by two operators.',
    body: strict({ orderId: OtcId, amount: DecimalInput, reason: Reason }),
    response: Proposal,
  },
  otcApplications: {
    method: 'GET',
    path: '/pro/o/otc/merchant/list',
    access: 'operator',
    role: 'viewer',
    rate: 'read',
    summary: 'Applications of merchants, those that wait first, the longest first.',
    query: strict({ page: Type.Optional(Page), pageSize: Type.Optional(PageSize) }),
    response: listed(OtcApplication),
  },
  decideOtcMerchant: {
    ...desk,
    method: 'POST',
    path: '/pro/o/otc/merchant/decide',
    summary:
      'Approve an application, or refuse it with the reason that the person reads: then the deposit returns. REFUSED ends a merchant as well.',
    body: strict({ traderId: TraderId, decision: Type.Enum(['APPROVED', 'REFUSED']), reason: Type.Optional(Reason) }),
    response: Type.Null(),
  },
});
