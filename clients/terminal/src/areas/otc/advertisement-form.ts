/** The values of the form of an advertisement: what is wrong with them, and what is sent of them. */
import type { CallBody, OwnOtcAdvertisement } from '@orrery/api';
import { OTC_CURRENCIES } from '@orrery/api';
import { parseDecimal, printDecimal } from '@orrery/units';
import { Type, type Static } from 'typebox';
import { compareDecimals, decimal } from '../../kit/format/decimal.ts';
import type { FieldIssue, FieldIssues } from '../../kit/ui/use-form.ts';
import { FIAT_DECIMALS, PRICE_DECIMALS, takerSideOf, totalOf } from './otc-total.ts';

const TEXT_MAX = 500;
/** Per cent above or below the market price. */
const PREMIUM_MAX = '10';
/** 100 per cent, in ten-thousandths of one. */
const WHOLE = 1_000_000n;

export const advertisementSchema = Type.Object({
  side: Type.Enum(['SELL', 'BUY']),
  coin: Type.String(),
  currency: Type.Enum([...OTC_CURRENCIES]),
  priceType: Type.Enum(['FIXED', 'FLOATING']),
  price: Type.String(),
  premium: Type.String(),
  direction: Type.Enum(['above', 'below']),
  amount: Type.String({ minLength: 1 }),
  minTotal: Type.String({ minLength: 1 }),
  maxTotal: Type.String({ minLength: 1 }),
  methods: Type.Array(Type.String()),
  window: Type.Enum(['15', '30']),
  conditions: Type.String({ maxLength: TEXT_MAX }),
  autoReply: Type.String({ maxLength: TEXT_MAX }),
});
export type AdvertisementValues = Static<typeof advertisementSchema>;

const EMPTY: AdvertisementValues = {
  side: 'SELL',
  coin: 'USDC',
  currency: 'cny',
  priceType: 'FIXED',
  price: '',
  premium: '0',
  direction: 'above',
  amount: '',
  minTotal: '',
  maxTotal: '',
  methods: [],
  window: '15',
  conditions: '',
  autoReply: '',
};

export function valuesOf(changed: OwnOtcAdvertisement | undefined): AdvertisementValues {
  if (changed === undefined) return EMPTY;
  const { side, coin, currency, priceType, price, premium, available, minTotal, maxTotal, paymentMethodIds } = changed;
  return {
    side,
    coin,
    currency,
    priceType,
    price: priceType === 'FIXED' ? (price ?? '') : '',
    premium: (premium ?? '0').replace('-', ''),
    direction: premium?.startsWith('-') === true ? 'below' : 'above',
    amount: available,
    minTotal,
    maxTotal,
    methods: [...paymentMethodIds],
    window: changed.payWindowMinutes === 15 ? '15' : '30',
    conditions: changed.conditions ?? '',
    autoReply: changed.autoReply ?? '',
  };
}

const isPositive = (text: string, decimals: number): boolean => (parseDecimal(text, decimals) ?? 0n) > 0n;

/** Per cent with its sign, as the exchange takes it. */
export const premiumOf = ({ premium, direction }: Pick<AdvertisementValues, 'premium' | 'direction'>): string =>
  direction === 'below' && /[1-9]/.test(premium) ? `-${premium}` : premium;

/** What all of it is worth at a price; `undefined` while something is missing. */
export const wholeTotal = (
  { side, amount }: Pick<AdvertisementValues, 'side' | 'amount'>,
  { price, decimals }: { readonly price: string; readonly decimals: number },
): string | undefined => totalOf(amount, { price, side: takerSideOf({ side }), decimals });

/** The price of a floating one at a market price: to the nearest unit, half up, as the exchange does. */
export function floatingPrice(market: string, values: Pick<AdvertisementValues, 'premium' | 'direction'>): string | undefined {
  const known = market === '' ? '' : decimal(market).round(PRICE_DECIMALS).toFixed();
  const [unit, premium] = [parseDecimal(known, PRICE_DECIMALS), parseDecimal(values.premium, PRICE_DECIMALS)];
  if (unit === undefined || premium === undefined) return undefined;
  const signed = values.direction === 'below' ? -premium : premium;
  return printDecimal((unit * (WHOLE + signed) + WHOLE / 2n) / WHOLE, PRICE_DECIMALS);
}

interface Ground {
  readonly decimals: number;
  /** What may be put into escrow; `undefined` while it is not known, and where nothing is. */
  readonly most: string | undefined;
}

export function advertisementProblems(values: AdvertisementValues, { decimals, most }: Ground): FieldIssues<AdvertisementValues> {
  const { priceType, price, premium, amount, minTotal, maxTotal, methods } = values;
  const isWrongPremium = parseDecimal(premium, PRICE_DECIMALS) === undefined || compareDecimals(premium, PREMIUM_MAX) > 0;
  const totalFault: FieldIssue = { message: 'otc.ad.wrongTotal' };
  const amountFault = (): FieldIssue | undefined => {
    if (!isPositive(amount, decimals)) return { message: 'transfer.invalid', values: { decimals } };
    return most !== undefined && compareDecimals(amount, most) > 0 ? { message: 'transfer.tooMuch', values: { amount: most } } : undefined;
  };
  const maxFault = (): FieldIssue | undefined => {
    if (!isPositive(maxTotal, FIAT_DECIMALS)) return totalFault;
    return isPositive(minTotal, FIAT_DECIMALS) && compareDecimals(maxTotal, minTotal) < 0 ? { message: 'otc.ad.maxBelowMin' } : undefined;
  };
  return {
    price: priceType === 'FIXED' && !isPositive(price, PRICE_DECIMALS) ? { message: 'otc.ad.wrongPrice' } : undefined,
    premium: priceType === 'FLOATING' && isWrongPremium ? { message: 'otc.ad.wrongPremium' } : undefined,
    amount: amountFault(),
    minTotal: isPositive(minTotal, FIAT_DECIMALS) ? undefined : totalFault,
    maxTotal: maxFault(),
    methods: methods.length === 0 ? { message: 'otc.chooseMethod' } : undefined,
  };
}

/** What both a new advertisement and a changed one say. */
export function termsOf(values: AdvertisementValues) {
  const { priceType, price, amount, minTotal, maxTotal, methods, window, conditions, autoReply } = values;
  return {
    ...(priceType === 'FIXED' ? { price } : { premium: premiumOf(values) }),
    amount,
    minTotal,
    maxTotal,
    paymentMethodIds: methods,
    payWindowMinutes: window === '15' ? 15 : 30,
    ...(conditions.trim() !== '' && { conditions: conditions.trim() }),
    ...(autoReply.trim() !== '' && { autoReply: autoReply.trim() }),
  } satisfies Omit<CallBody['updateOtcAdvertisement'], 'advertisingId'>;
}

/**
 * What a change says: no amount where it stays as it was shown, since orders may have taken of it meanwhile, and it would be filled up; another one is of
 * the version that was shown. And a text that was removed.
 */
export function changeOf(values: AdvertisementValues, { available, version, conditions, autoReply }: Shown) {
  const { amount, ...terms } = termsOf(values);
  const isGone = (before: string | null, now: string): boolean => before !== null && now.trim() === '';
  return {
    ...terms,
    ...(amount !== available && { amount, version }),
    ...(isGone(conditions, values.conditions) && { conditions: ' ' }),
    ...(isGone(autoReply, values.autoReply) && { autoReply: ' ' }),
  } satisfies Omit<CallBody['updateOtcAdvertisement'], 'advertisingId'>;
}

type Shown = Pick<OwnOtcAdvertisement, 'available' | 'version' | 'conditions' | 'autoReply'>;
