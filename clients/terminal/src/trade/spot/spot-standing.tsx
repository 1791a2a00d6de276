import type { ReactElement } from 'react';
import { Standing } from '../../areas/standing/standing.tsx';
import { useMarket } from '../../market/market-context.tsx';

export function SpotStanding(): ReactElement {
  return <Standing market={useMarket()} />;
}
