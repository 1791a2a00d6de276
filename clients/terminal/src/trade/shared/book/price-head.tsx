/** What stands above the prices of the book and of the tape. */
import type { ReactElement } from 'react';
import { useText } from '../../../kit/i18n/text.tsx';
import { useMarket } from '../../../market/market-context.tsx';

/** A longer coin has no room in the column, and stands in the name of the market. */
const COIN_MAX = 5;

export function PriceHead(): ReactElement {
  const text = useText();
  const { quoteName } = useMarket();
  return <span>{quoteName.length > COIN_MAX ? text('trade.price') : text('trade.priceIn', { coin: quoteName })}</span>;
}
