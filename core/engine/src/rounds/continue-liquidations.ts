import type { Millis } from '@orrery/units';
import type { Event } from '@orrery/protocol';
import type { Exchange } from '../exchange.ts';
import { takeSteps } from '../liquidation/run-liquidations.ts';

/** The next steps of what a round of prices left over. Without any, nothing changes and nothing is emitted. */
export function continueLiquidations(exchange: Exchange, at: Millis): Event[] {
  const events: Event[] = [];
  takeSteps({ trading: exchange, state: exchange, at, events });
  for (const { contract, triggers } of exchange.contracts.values()) if (triggers.isPending) exchange.pending.add(contract.terms.market);
  return events;
}
