/** What several pages of OTC trading read, and how they say money. */
import { OTC_PAYMENT_KINDS } from '@orrery/api';
import type { OtcCurrency, OtcInfo, OtcMerchantInfo, OtcPaymentKind } from '@orrery/api';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { useData } from '../../platform/data/use-data.ts';
import type { Loaded } from '../../kit/ui/loaded.ts';
import { coinDecimals } from '../balances/coin-decimals.ts';
import { coinName } from '../balances/coin-name.ts';
import { FIAT_DECIMALS } from './otc-total.ts';

const MINUTE_S = 60;

/** Terms change by an act of the exchange: what was read is good for the page. */
export const useOtcInfo = (): Loaded<OtcInfo> => useData({ name: 'otcInfo', of: 'everybody', staleMs: Number.POSITIVE_INFINITY });

/** The person as others see them, by whose id what is their own is known. The stream says when it changes. */
export const useOwnTrader = (): Loaded<OtcMerchantInfo> =>
  useData({ name: 'ownOtcMerchant', of: 'account', staleMs: Number.POSITIVE_INFINITY });

export interface OtcWords {
  /** `1,250.00 CNY`. Totals are exact to the cent. */
  readonly money: (total: string, currency: OtcCurrency) => string;
  /** With the decimals of the amount itself, so that nothing is rounded away. */
  readonly exact: (amount: string, coin: string) => string;
  /** With the decimals in which the coin is shown in tables. */
  readonly short: (amount: string, coin: string) => string;
  readonly number: (amount: string) => string;
  readonly kinds: (kinds: readonly OtcPaymentKind[]) => string;
}

export function useOtcWords(): OtcWords {
  const text = useText();
  const format = useFormat();
  return {
    money: (total, currency) => `${format.number(total, { decimals: FIAT_DECIMALS })} ${text(`otcName.currency.${currency}`)}`,
    exact: (amount, coin) => `${format.number(amount)} ${coinName(coin)}`,
    short: (amount, coin) => `${format.number(amount, { decimals: coinDecimals(coin) })} ${coinName(coin)}`,
    number: (amount) => format.number(amount),
    kinds: (kinds) => [...kinds].map((kind) => text(`otcName.kind.${kind}`)).join(', '),
  };
}

export const PAYMENT_KINDS: readonly OtcPaymentKind[] = OTC_PAYMENT_KINDS;

/** What a minute of a payment window lasts where it is no minute; `undefined` where it is. */
export function useTrialMinute(): number | undefined {
  const seconds = useOtcInfo().value?.minuteSeconds;
  return seconds === undefined || seconds === MINUTE_S ? undefined : seconds;
}
