/** The bar of a practice market: striped, and named by the word, so that nobody takes it for the market that it follows. */
import type { ReactElement } from 'react';
import { useText } from '../../../kit/i18n/text.tsx';
import { useMarket } from '../../../market/market-context.tsx';

export function PracticeStripes(): ReactElement | null {
  const text = useText();
  const { quote } = useMarket();
  if (quote !== 'PRACTICE') return null;
  return (
    <p role="note" className="striped flex h-6 shrink-0 items-center justify-center border-b border-warn px-2 text-sm text-fg">
      <span className="truncate bg-page px-2">{text('practice.header', { coin: quote })}</span>
    </p>
  );
}
