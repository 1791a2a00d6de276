/** Decimal text of the API and the whole numbers of the engine. */
import { ApiError } from '@orrery/api';
import type { Asset, Pricing } from '@orrery/protocol';
import {
  type Atoms,
  type Cents,
  cents,
  divFloor,
  fiatPrice,
  type FiatPrice,
  parseAtoms,
  parseDecimal,
  printAtoms,
  printDecimal,
  type SignedPpm,
  signedPpm,
} from '@orrery/units';

const PRICE_DECIMALS = 4;
const TOTAL_DECIMALS = 2;
/** Per cent have four decimals, which are parts per million. */
const PREMIUM_DECIMALS = 4;
const MILLION = 1_000_000n;
const PREMIUM_MAX = 100_000;

export const priceText = (price: FiatPrice): string => printDecimal(price, PRICE_DECIMALS);
export const totalText = (total: Cents): string => printDecimal(total, TOTAL_DECIMALS);
export const amountText = (amount: Atoms, { decimals }: Asset): string => printAtoms(amount, decimals);
export const premiumText = (premium: number): string => printDecimal(BigInt(premium), PREMIUM_DECIMALS);

export const malformed = (field: string, message?: string): ApiError =>
  new ApiError('MalformedField', { field, ...(message !== undefined && { message }) });

/** @throws ApiError MalformedField unless it is above 0. */
export function priceField(text: string, field = 'price'): FiatPrice {
  const price = parseDecimal(text, PRICE_DECIMALS);
  if (price === undefined || price === 0n) throw malformed(field);
  return fiatPrice(price);
}

/** @throws ApiError MalformedField unless it is above 0. */
export function totalField(text: string, field: string): Cents {
  const total = parseDecimal(text, TOTAL_DECIMALS);
  if (total === undefined || total === 0n) throw malformed(field);
  return cents(total);
}

/** @throws ApiError MalformedField unless it is above 0 and whole atoms. */
export function amountField(text: string, asset: Asset, field = 'amount'): Atoms {
  const amount = parseAtoms(text, asset.decimals);
  if (amount === undefined || amount === 0n) throw malformed(field, `${field} must be above 0, with at most ${asset.decimals} decimals`);
  return amount;
}

/** @throws ApiError MalformedField beyond 10 per cent. */
export function premiumField(text: string): SignedPpm {
  const isBelow = text.startsWith('-');
  const digits = parseDecimal(isBelow ? text.slice(1) : text, PREMIUM_DECIMALS);
  if (digits === undefined || digits > PREMIUM_MAX) throw malformed('premium', 'premium must be from -10 to 10 per cent');
  return signedPpm(isBelow ? -Number(digits) : Number(digits));
}

/** The price at which an order would be made at this moment, as the engine computes it: to the nearest unit, half up. Undefined without an assist price. */
export function currentPrice(pricing: Pricing, assist: FiatPrice | undefined): FiatPrice | undefined {
  if (pricing.kind === 'FIXED') return pricing.price;
  if (assist === undefined) return undefined;
  return fiatPrice(divFloor(assist * (MILLION + BigInt(pricing.premium)) + MILLION / 2n, MILLION));
}

/** What an amount costs, rounded down. */
export const worthOf = (amount: Atoms, price: FiatPrice, { decimals }: Asset): Cents =>
  cents(divFloor(amount * price, 10n ** BigInt(decimals) * 100n));
