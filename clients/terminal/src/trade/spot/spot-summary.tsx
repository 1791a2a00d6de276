import type { ReactElement } from 'react';
import { AccountSummary } from '../../areas/summary/summary.tsx';
import { useMarket } from '../../market/market-context.tsx';

export function SpotSummary(): ReactElement {
  return <AccountSummary market={useMarket()} />;
}
