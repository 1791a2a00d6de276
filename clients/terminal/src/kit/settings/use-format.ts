/** The person's formats as ready functions, for components. */
import { formatDecimal } from '../format/number-format.ts';
import type { DecimalStyle } from '../format/number-format.ts';
import { formatFiat } from '../format/fiat.ts';
import { formatTime } from '../format/time.ts';
import { rateOf, useCurrencyRates } from './currency-rates.ts';
import { useSettings } from './settings.ts';

/** Of one length for every amount: the number of dots says nothing. */
export const HIDDEN = '\u2022'.repeat(6);

export interface Formats {
  number(text: string | undefined, style?: Omit<DecimalStyle, 'format'>): string;
  /** An amount in US dollars, in the chosen currency. */
  fiat(text: string | undefined): string;
  /** `number` for what a person owns: dots while amounts are hidden. */
  own(text: string | undefined, style?: Omit<DecimalStyle, 'format'>): string;
  /** `fiat` for what a person owns. */
  ownFiat(text: string | undefined): string;
  /** `YYYY-MM-DD HH:mm:ss` in the chosen zone. */
  time(millis: number): string;
}

export function useFormat(): Formats {
  const format = useSettings((settings) => settings.numberFormat);
  const currency = useSettings((settings) => settings.currency);
  const perUsd = useCurrencyRates(({ rates }) => rateOf(rates, currency)?.perUsd);
  const zone = useSettings((settings) => settings.timeZone);
  const isHidden = useSettings((settings) => settings.hideAmounts);
  const number: Formats['number'] = (text, style) => formatDecimal(text, { ...style, format });
  const fiat: Formats['fiat'] = (text) => formatFiat(text, { format, currency, perUsd });
  return {
    number,
    fiat,
    own: (text, style) => (isHidden ? HIDDEN : number(text, style)),
    ownFiat: (text) => (isHidden ? HIDDEN : fiat(text)),
    time: (millis) => formatTime(millis, { zone, separator: '-' }),
  };
}
