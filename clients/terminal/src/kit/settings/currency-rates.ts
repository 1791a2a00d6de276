/** What a US dollar costs in the currencies that a person may choose, as the exchange states it. One USDC counts as one dollar. */
import { create } from 'zustand';
import type { Currency } from '../format/fiat.ts';

export interface StatedRate {
  readonly currency: string;
  /** Decimal text. */
  readonly perUsd: string;
  /** The day it is of. */
  readonly date: string;
  /** Whose rate it is, in words. */
  readonly source: string;
}

const DOLLAR = { perUsd: '1' } as const;

export const useCurrencyRates = create<{ readonly rates: readonly StatedRate[] }>()(() => ({ rates: [] }));

export const stateRates = (rates: readonly StatedRate[]): void => useCurrencyRates.setState({ rates });

/** `undefined` while the exchange has stated none. */
export const rateOf = (rates: readonly StatedRate[], currency: Currency): Pick<StatedRate, 'perUsd'> | undefined =>
  currency === 'usd' ? DOLLAR : rates.find((rate) => rate.currency === currency);
