/** Numbers of the OTC desk: what an order costs outside, and the bounds of what people ask for. */
import {
  atoms,
  cents,
  divCeil,
  divFloor,
  fiatPrice,
  type Atoms,
  type Cents,
  type FiatPrice,
  type Millis,
  type SignedPpm,
} from '@orrery/units';
import type { Side } from '@orrery/protocol';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Floating advertisements are not taken at an assist price that is older. */
export const ASSIST_PRICE_STALE_MS = MINUTE_MS;
/** Without a command for longer, the exchange was away, and what people had to do by a time they have to do later. */
export const OTC_OUTAGE_MS = MINUTE_MS;
/** What is over is known this long: an advertisement that was taken down, an order that ended. */
export const OTC_REMEMBERED_MS = 7 * DAY_MS;
/** Live advertisements of one account. */
export const ADVERTISEMENTS_PER_ACCOUNT = 20;
/** Open orders that one account has taken. */
export const OTC_ORDERS_PER_ACCOUNT = 20;
/** The same before it has finished one. */
export const OTC_ORDERS_OF_NEWCOMER = 3;
/** A buyer who cancels this number of orders within a day, or lets them expire, makes nothing new for a day. */
export const OTC_CANCELS_PER_DAY = 5;
export const OTC_CANCELS_WINDOW_MS = DAY_MS;
export const OTC_PAUSE_MS = DAY_MS;
/** The most steps of timers within one command. */
export const OTC_TIMERS_PER_COMMAND = 16;
/** The longest time that the desk's terms may name, and a buyer may have to pay. */
export const OTC_TERM_MS_MAX = 30 * DAY_MS;
export const PAY_WINDOW_MS_MAX = DAY_MS;
/** How far a floating price may be from the assist price. */
export const PREMIUM_PPM_MAX = 500_000;
/** A hundred milliards of a fiat unit for a coin, and ten billions of it for an order. */
export const FIAT_PRICE_MAX = fiatPrice(10n ** 15n);
export const FIAT_TOTAL_MAX = cents(10n ** 15n);
/** Assist prices of one command. */
export const ASSIST_PRICES_MAX = 64;

const MILLION = 1_000_000n;
/** A price has four decimals, a total two. */
const PRICE_UNITS_PER_CENT = 100n;

interface Traded {
  /** Of the asset. */
  readonly decimals: number;
  readonly price: FiatPrice;
  /** Of the taker, against whom is rounded. */
  readonly taker: Side;
}

/** Price units times atoms of one whole coin in a cent. */
const unitsPerCent = (decimals: number): bigint => 10n ** BigInt(decimals) * PRICE_UNITS_PER_CENT;

/** What an amount costs outside: a cent up where it is no whole number of them and the taker buys, down when the taker sells. */
export function fiatTotal(amount: Atoms, { decimals, price, taker }: Traded): Cents {
  const divide = taker === 'buy' ? divCeil : divFloor;
  return cents(divide(amount * price, unitsPerCent(decimals)));
}

/** What a total buys: an atom down where it is no whole number of them and the taker buys, up when the taker sells. */
export function amountForTotal(total: Cents, { decimals, price, taker }: Traded): Atoms {
  const divide = taker === 'buy' ? divFloor : divCeil;
  return atoms(divide(total * unitsPerCent(decimals), price));
}

/** The assist price with a premium, to the nearest unit, half up. */
export const floatingPrice = (assist: FiatPrice, premium: SignedPpm): FiatPrice =>
  fiatPrice(divFloor(2n * assist * (MILLION + BigInt(premium)) + MILLION, 2n * MILLION));

/** Whether a price that was set at a time can still be taken. */
export const isAssistFresh = (setAt: Millis, at: Millis): boolean => at - setAt <= ASSIST_PRICE_STALE_MS;
