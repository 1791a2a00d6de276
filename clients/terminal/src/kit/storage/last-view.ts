/** What was in view last, of either kind of market: `/` opens it. Kept under the name that other terminals of the family use. */
import { previousCurrencyPair } from './remembered.ts';

export interface MarketView {
  readonly kind: 'spot' | 'futures';
  /** As it stands in the address. */
  readonly pair: string;
}

/** A pair alone is one of spot: so it was written before contracts were remembered. */
const FUTURES = 'futures/';

export const lastView = {
  /** `undefined` for a newcomer. */
  read(): MarketView | undefined {
    const text = previousCurrencyPair.read();
    if (text === '') return undefined;
    return text.startsWith(FUTURES) ? { kind: 'futures', pair: text.slice(FUTURES.length) } : { kind: 'spot', pair: text };
  },
  write: ({ kind, pair }: MarketView): void => previousCurrencyPair.write(kind === 'futures' ? FUTURES + pair : pair),
};
