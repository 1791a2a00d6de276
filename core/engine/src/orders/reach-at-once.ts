import { NO_TICKS } from '@orrery/units';
import { TRIGGER_PRICES } from '@orrery/protocol';
import type { Listed } from '../instruments/listed-market.ts';
import type { CommandScope } from './command-scope.ts';
import { presentPrices } from './present-prices.ts';

/** A price that a trigger waits for may be there already: then it acts next. */
export function reachAtOnce({ trading }: CommandScope, market: Listed): void {
  const present = presentPrices(market);
  for (const kind of TRIGGER_PRICES) if (present[kind] !== NO_TICKS) market.triggers.reach(kind, present[kind]);
  if (market.triggers.isPending) trading.pending.add(market.terms.market);
}
