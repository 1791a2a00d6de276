/** What the calls of OTC trading share: persons trade coins for money outside with one another, and the exchange holds the coin meanwhile. */
import { Type, type Static } from 'typebox';
import { Coin, Decimal, Millis, nullable } from './fields.ts';

export const OTC_CURRENCIES = ['usd', 'cny'] as const;
export const OtcCurrency = Type.Enum([...OTC_CURRENCIES]);
export type OtcCurrency = Static<typeof OtcCurrency>;

/** Of the one who advertises. */
export const OTC_SIDES = ['BUY', 'SELL'] as const;
export const OtcSide = Type.Enum([...OTC_SIDES]);
export type OtcSide = Static<typeof OtcSide>;

/** CREATED: the buyer pays until the deadline. PAID: the seller checks and releases. DISPUTED: an arbiter decides. The others are ends. */
export const OTC_ORDER_STATUSES = ['CREATED', 'PAID', 'DISPUTED', 'RELEASED', 'RETURNED', 'CANCELLED', 'EXPIRED'] as const;
export const OtcOrderStatus = Type.Enum([...OTC_ORDER_STATUSES]);
export type OtcOrderStatus = Static<typeof OtcOrderStatus>;

export const OTC_PAYMENT_KINDS = ['BANK', 'ALIPAY', 'WECHAT', 'OTHER'] as const;
export const OtcPaymentKind = Type.Enum([...OTC_PAYMENT_KINDS]);
export type OtcPaymentKind = Static<typeof OtcPaymentKind>;

export const OtcId = Type.String({ maxLength: 16, pattern: '^[1-9][0-9]{0,15}$', description: 'given by the exchange' });
/** Of rows that are kept in SQL: payment methods, receipts, messages. */
export const OtcKey = Type.String({ minLength: 32, maxLength: 32, pattern: '^[0-9a-f]{32}$', description: 'given by the exchange' });

/** Currency for one whole coin. */
export const OtcPriceInput = Type.String({
  maxLength: 16,
  pattern: '^(0|[1-9][0-9]{0,10})(\\.[0-9]{1,4})?$',
  examples: ['7.12'],
  description: 'currency for one whole coin, at most 4 decimals',
});
export const OtcTotalInput = Type.String({
  maxLength: 16,
  pattern: '^(0|[1-9][0-9]{0,12})(\\.[0-9]{1,2})?$',
  examples: ['500', '71.20'],
  description: 'of the currency, at most 2 decimals',
});
export const OtcPremium = Type.String({
  maxLength: 8,
  pattern: '^-?(10|[0-9](\\.[0-9]{1,4})?)$',
  examples: ['-0.5', '1.25'],
  description: 'per cent above the assist price, from -10 to 10, at most 4 decimals',
});
/** What people write to one another, without control characters but line breaks. */
export const otcText = (maxLength: number, description?: string) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '^[^\\u0000-\\u0009\\u000b-\\u001f\\u007f]+$',
    ...(description !== undefined && { description }),
  });

export const TraderId = Type.String({ minLength: 12, maxLength: 12, pattern: '^[0-9a-f]{12}$', description: 'of a person in OTC trading' });

/** What others see of somebody, computed from orders that have ended. */
export const OtcTrader = Type.Object({
  traderId: TraderId,
  nickname: Type.String({ description: 'the name of a merchant, else Trader and four characters' }),
  merchant: Type.Boolean({ description: 'the badge: approved, with a deposit in escrow' }),
  verified: Type.Boolean({ description: 'an identity is approved' }),
  finished: Type.Integer({ minimum: 0, description: 'orders that were released, ever' }),
  completionRate: nullable(
    Type.String({ description: 'of 30 days, per cent: released of all that ended by this person; null without an order' }),
  ),
  medianReleaseSeconds: nullable(Type.Integer({ minimum: 0 }), {
    description: 'from paid to released, of the last 100 orders this person has sold; null without one',
  }),
  positive: Type.Integer({ minimum: 0, description: 'appraisals' }),
  negative: Type.Integer({ minimum: 0 }),
});
export type OtcTrader = Static<typeof OtcTrader>;

/** A payment method as its owner sees it, or the other side of a live order. */
export const OtcPaymentMethod = Type.Object({
  paymentMethodId: OtcKey,
  kind: OtcPaymentKind,
  name: Type.String({ description: 'of the holder; masked once an order has ended' }),
  number: Type.String({ description: 'of the account; masked once an order has ended' }),
  bank: nullable(Type.String()),
  masked: Type.Boolean(),
});
export type OtcPaymentMethod = Static<typeof OtcPaymentMethod>;

export const OtcEscrow = Type.Object({
  coin: Coin,
  advertised: Decimal,
  inOrders: Decimal,
  deposits: Type.String({ description: 'of merchants' }),
  total: Type.String({ description: 'what the exchange holds of the coin for OTC: the sum of the three' }),
});
export type OtcEscrow = Static<typeof OtcEscrow>;

/** News of an account's OTC trading: what has changed is read by `orderId` or `advertisingId`. */
export const OtcNews = Type.Object({
  kind: Type.Enum(['ORDER', 'MESSAGE', 'ADVERTISING', 'MERCHANT', 'APPRAISAL', 'DISPUTE']),
  orderId: nullable(OtcId),
  advertisingId: nullable(OtcId),
  status: nullable(OtcOrderStatus, { description: 'of the order, where it has changed' }),
  at: Millis,
});
export type OtcNews = Static<typeof OtcNews>;
