/** What a US dollar costs in yuan, as an operator states it: the rate, its day and whose it is. Values are shown by it, nothing is computed from it. */
import type { CurrencyRate } from '@orrery/api';
import { StartError } from './start-error.ts';

/** A market rate needs a feed from outside; this says that it is none. */
export const DEFAULT_CNY_RATE = '7.1 2025-11-21 fixed, a round number near the rate of that day';

const RATE = /^(?<perUsd>[1-9]\d{0,2}(?:\.\d{1,6})?) (?<date>\d{4}-\d\d-\d\d) (?<source>\S.{0,119})$/;

/** @throws StartError naming the variable. */
export function parseCurrencyRate(text: string): CurrencyRate {
  const { perUsd, date, source } = RATE.exec(text)?.groups ?? {};
  if (perUsd === undefined || date === undefined || source === undefined || Number.isNaN(Date.parse(date)))
    throw new StartError(`ORRERY_CNY_RATE must be a rate, its day and its source, such as "${DEFAULT_CNY_RATE}", not "${text}"`);
  // The wire's form of a decimal: no zeros at its end.
  return { currency: 'cny', perUsd: perUsd.includes('.') ? perUsd.replace(/\.?0+$/, '') : perUsd, date, source };
}
