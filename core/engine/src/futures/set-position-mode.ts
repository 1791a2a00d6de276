import type { Event, SetPositionMode } from '@orrery/protocol';
import type { Exchange } from '../exchange.ts';
import { refuseHolder, refuseUse } from './refuse-holder.ts';

/** Only without a position or an open order in any contract of the payoff. The mode that it has already is a repetition. */
export function setPositionMode(exchange: Exchange, { account, payoff, mode }: SetPositionMode): Event[] {
  const refusal = refuseHolder(exchange, account);
  if (refusal !== undefined) return [refusal];
  const holder = exchange.positions.holder(account);
  if (holder[payoff] === mode) return [{ type: 'CommandRepeated', key: mode }];
  const isOfPayoff = (terms: { readonly payoff: string } | undefined): boolean => terms?.payoff === payoff;
  const exposures = holder.exposures.filter(({ contract }) => isOfPayoff(contract.terms));
  const inUse = refuseUse(exchange, account, exposures, (id) => isOfPayoff(exchange.contracts.get(id)?.terms));
  if (inUse !== undefined) return [inUse];
  // After this point nothing fails.
  holder[payoff] = mode;
  return [{ type: 'PositionModeSet', account, payoff, mode }];
}
