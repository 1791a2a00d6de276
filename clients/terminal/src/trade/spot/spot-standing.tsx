import type { ReactElement } from 'react';
import { Standing } from '../../standing/standing.tsx';
import { useMarket } from '../shared/market-context.tsx';

export function SpotStanding(): ReactElement {
  return <Standing market={useMarket()} />;
}
