/** Advertisements of OTC trading, and payment methods. */
import { Type, type Static } from 'typebox';
import { ClientOrderId, Coin, Decimal, DecimalInput, Millis, Page, PageSize, listed, nullable, strict } from './fields.ts';
import {
  OTC_CURRENCIES,
  OtcCurrency,
  OtcEscrow,
  OtcId,
  OtcKey,
  OtcPaymentKind,
  OtcPaymentMethod,
  OtcPremium,
  OtcPriceInput,
  OtcSide,
  otcText,
  OtcTotalInput,
  OtcTrader,
  TraderId,
} from './otc-fields.ts';
import { PasskeyAnswer } from './passkey-text.ts';
import { routes } from './route.ts';
import { OneTimeCode } from './security.ts';

export const OTC_METHODS_MAX = 10;
export const OTC_METHODS_PER_ADVERTISEMENT = 5;
/** An hour, of an account. */
export const OTC_ADVERTISEMENTS_PER_HOUR = 10;

/** EXHAUSTED: nothing is left that could be bought; it is PUBLISHED again when an order ends without a release. */
export const OTC_ADVERTISING_STATUSES = ['PUBLISHED', 'PAUSED', 'TAKEN_DOWN', 'EXHAUSTED'] as const;
const AdvertisingStatus = Type.Enum([...OTC_ADVERTISING_STATUSES]);
export type OtcAdvertisingStatus = Static<typeof AdvertisingStatus>;

const PriceType = Type.Enum(['FIXED', 'FLOATING']);
const PayWindow = Type.Enum([15, 30], { description: 'minutes in which the buyer pays' });
const MethodIds = Type.Array(OtcKey, { minItems: 1, maxItems: OTC_METHODS_PER_ADVERTISEMENT, uniqueItems: true });
const Conditions = otcText(500, 'shown before an order is made');
const AutoReply = otcText(500, 'the first message of each order');

export const OtcAdvertisement = Type.Object({
  advertisingId: OtcId,
  side: OtcSide,
  coin: Coin,
  currency: OtcCurrency,
  priceType: PriceType,
  price: nullable(Decimal, { description: 'at this time; null while a floating one has no price that is fresh' }),
  premium: nullable(OtcPremium),
  available: Type.String({ description: 'of the coin' }),
  minTotal: Type.String(),
  maxTotal: Type.String({ description: 'what can be taken at most at this time' }),
  paymentKinds: Type.Array(OtcPaymentKind),
  payWindowMinutes: PayWindow,
  conditions: nullable(Type.String()),
  status: AdvertisingStatus,
  takeable: Type.Boolean({ description: 'an order can be made of it: it is published, its price is fresh, its advertiser is not blocked' }),
  trader: OtcTrader,
  createdTime: Millis,
});
export type OtcAdvertisement = Static<typeof OtcAdvertisement>;

export const OwnOtcAdvertisement = Type.Object({
  ...OtcAdvertisement.properties,
  clientAdvertisingId: ClientOrderId,
  paymentMethodIds: Type.Array(OtcKey),
  autoReply: nullable(Type.String()),
  inOrders: Type.String({ description: 'of the coin, in orders that are open' }),
  updatedTime: Millis,
  version: Type.Integer({ minimum: 1, description: 'one more with each change, those by orders included' }),
});
export type OwnOtcAdvertisement = Static<typeof OwnOtcAdvertisement>;

export const CreateOtcAdvertisement = strict(
  {
    clientAdvertisingId: Type.Optional(ClientOrderId),
    side: OtcSide,
    coin: Coin,
    currency: OtcCurrency,
    priceType: PriceType,
    price: Type.Optional(OtcPriceInput),
    premium: Type.Optional(OtcPremium),
    amount: DecimalInput,
    minTotal: OtcTotalInput,
    maxTotal: OtcTotalInput,
    paymentMethodIds: MethodIds,
    payWindowMinutes: PayWindow,
    conditions: Type.Optional(Conditions),
    autoReply: Type.Optional(AutoReply),
  },
  'side: yours. price: needed where FIXED; premium where FLOATING. paymentMethodIds: of yours; who sells is paid there, who buys pays by methods of these kinds. ' +
    'clientAdvertisingId: the same again with the same content changes nothing, and answers the same',
);
export type CreateOtcAdvertisement = Static<typeof CreateOtcAdvertisement>;

export const UpdateOtcAdvertisement = strict(
  {
    advertisingId: OtcId,
    price: Type.Optional(OtcPriceInput),
    premium: Type.Optional(OtcPremium),
    amount: Type.Optional(DecimalInput),
    minTotal: Type.Optional(OtcTotalInput),
    maxTotal: Type.Optional(OtcTotalInput),
    paymentMethodIds: Type.Optional(MethodIds),
    payWindowMinutes: Type.Optional(PayWindow),
    conditions: Type.Optional(Conditions),
    autoReply: Type.Optional(AutoReply),
    version: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  },
  'What is not given stays. version: that you saw; where the advertisement has changed since, the change is refused as AdvertisementVersionStale. amount: what is available from now on; not given, it stays what orders leave of it. price makes it FIXED, premium FLOATING',
);
export type UpdateOtcAdvertisement = Static<typeof UpdateOtcAdvertisement>;

export const OtcInfo = Type.Object({
  coins: Type.Array(Coin),
  currencies: Type.Array(Type.Enum([...OTC_CURRENCIES])),
  minuteSeconds: Type.Number({ description: 'what a minute of a payment window lasts; 60, except where the exchange is tried out' }),
  disputeAfterSeconds: Type.Integer({ description: 'from paid, until either side may open a dispute' }),
  autoDisputeSeconds: Type.Integer({ description: 'from paid, until a dispute opens by itself' }),
  appealSeconds: Type.Integer({ description: 'in which the first decision of a dispute can be appealed' }),
  holdSeconds: Type.Integer({ description: 'in which a person without a finished order cannot withdraw what was bought' }),
  merchantDeposit: Type.String(),
  depositCoin: Coin,
  twoOperatorsAbove: Type.String({ description: 'USDC: a dispute over more is decided by two operators' }),
  escrow: Type.Array(OtcEscrow),
});
export type OtcInfo = Static<typeof OtcInfo>;

const own = { access: 'session', rate: 'otc', sameOrigin: true } as const;

export const otcAdvertisingRoutes = routes({
  otcInfo: {
    method: 'GET',
    path: '/otc/api/info',
    access: 'public',
    rate: 'public',
    summary: 'The terms of OTC trading, and what the exchange holds for it, by coin.',
    response: OtcInfo,
  },
  otcAdvertisements: {
    method: 'GET',
    path: '/otc/api/advertising/list',
    access: 'public',
    rate: 'public',
    summary:
      'Advertisements of which an order can be made, the best price first. side is that of the advertiser: SELL for one who wants to buy. total: those that take an order ' +
      'of it, so the first is the best one for it. A session finds none of its own.',
    query: strict({
      side: Type.Optional(OtcSide),
      coin: Type.Optional(Coin),
      currency: Type.Optional(OtcCurrency),
      total: Type.Optional(OtcTotalInput),
      paymentKind: Type.Optional(OtcPaymentKind),
      merchants: Type.Optional(Type.Enum(['ONLY'], { description: 'of merchants only' })),
      traderId: Type.Optional(TraderId),
      page: Type.Optional(Page),
      pageSize: Type.Optional(PageSize),
    }),
    response: listed(OtcAdvertisement),
  },
  otcOwnAdvertisements: {
    method: 'GET',
    path: '/otc/api/advertising/mine',
    access: 'read',
    rate: 'read',
    summary: 'Your advertisements, newest first.',
    query: strict({ status: Type.Optional(AdvertisingStatus), page: Type.Optional(Page), pageSize: Type.Optional(PageSize) }),
    response: listed(OwnOtcAdvertisement),
  },
  createOtcAdvertisement: {
    ...own,
    method: 'POST',
    path: '/otc/api/advertising/create',
    summary: 'Publish an advertisement. To sell, its coin moves from the funding wallet into escrow. At most 10 an hour.',
    body: CreateOtcAdvertisement,
    response: OwnOtcAdvertisement,
  },
  updateOtcAdvertisement: {
    ...own,
    method: 'POST',
    path: '/otc/api/advertising/update',
    summary: 'Change an advertisement; orders that are there keep their terms.',
    body: UpdateOtcAdvertisement,
    response: OwnOtcAdvertisement,
  },
  setOtcAdvertisementStatus: {
    ...own,
    method: 'POST',
    path: '/otc/api/advertising/status',
    summary: 'Pause an advertisement, publish it again, or take it down without return: its coin goes back to the funding wallet.',
    body: strict({ advertisingId: OtcId, status: Type.Enum(['PUBLISHED', 'PAUSED', 'TAKEN_DOWN']) }),
    response: OwnOtcAdvertisement,
  },
});

export const AddOtcPaymentMethod = strict(
  {
    kind: OtcPaymentKind,
    name: otcText(100, 'of the holder'),
    number: Type.String({ minLength: 3, maxLength: 64, pattern: '^[0-9A-Za-z@.+_ -]{3,64}$', description: 'of the account' }),
    bank: Type.Optional(otcText(100)),
    google: Type.Optional(OneTimeCode),
    passkey: Type.Optional(PasskeyAnswer),
  },
  'bank: its name, needed of a bank. google, passkey: needed where one is bound, for others are paid there. passkey: with purpose change',
);
export type AddOtcPaymentMethod = Static<typeof AddOtcPaymentMethod>;

export const otcPaymentMethodRoutes = routes({
  otcPaymentMethods: {
    method: 'GET',
    path: '/otc/api/payment-method/list',
    access: 'session',
    rate: 'read',
    summary: 'Your payment methods, the latest first. They are encrypted under a key of yours, which your deletion destroys.',
    response: listed(OtcPaymentMethod),
  },
  addOtcPaymentMethod: {
    ...own,
    method: 'POST',
    path: '/otc/api/payment-method/add',
    summary: 'Add a payment method, at most 10. The other side of a live order sees it, nobody else.',
    body: AddOtcPaymentMethod,
    response: OtcPaymentMethod,
  },
  removeOtcPaymentMethod: {
    ...own,
    method: 'POST',
    path: '/otc/api/payment-method/remove',
    summary:
      'Remove a payment method. Orders that are there keep it until they end; an advertisement of yours that is not taken down must not name it.',
    body: strict({ paymentMethodId: OtcKey }),
    response: Type.Object({ paymentMethodId: OtcKey }),
  },
});
