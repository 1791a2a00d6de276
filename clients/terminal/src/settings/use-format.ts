/** The person's formats as ready functions, for components. */
import { formatDecimal } from '../format/number-format.ts';
import type { DecimalStyle } from '../format/number-format.ts';
import { formatFiat } from '../format/fiat.ts';
import { formatTime } from '../format/time.ts';
import { useSettings } from './settings.ts';

export interface Formats {
  number(text: string | undefined, style?: Omit<DecimalStyle, 'format'>): string;
  fiat(text: string | undefined): string;
  /** `YYYY-MM-DD HH:mm:ss` in the chosen zone. */
  time(millis: number): string;
}

export function useFormat(): Formats {
  const format = useSettings((settings) => settings.numberFormat);
  const currency = useSettings((settings) => settings.currency);
  const zone = useSettings((settings) => settings.timeZone);
  return {
    number: (text, style) => formatDecimal(text, { ...style, format }),
    fiat: (text) => formatFiat(text, { format, currency }),
    time: (millis) => formatTime(millis, { zone, separator: '-' }),
  };
}
