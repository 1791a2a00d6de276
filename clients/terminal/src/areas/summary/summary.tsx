/** What stands under the order ticket once the checklist is done: the coins of the market, the last fills in it, and the next task. */
import type { ReactElement } from 'react';
import type { TradedMarket } from '../../market/market.ts';
import { useSteps } from '../onboarding/use-steps.ts';
import { Holdings } from './holdings.tsx';
import { LastFills } from './last-fills.tsx';
import { NextTask } from './next-task.tsx';

export function AccountSummary({ market }: { readonly market: TradedMarket }): ReactElement | null {
  const { steps, isKnown } = useSteps();
  if (!isKnown || steps.some(({ state }) => state !== 'done')) return null;
  return (
    <div className="flex flex-col divide-y divide-line">
      <Holdings market={market} />
      <LastFills market={market} />
      <NextTask />
    </div>
  );
}
