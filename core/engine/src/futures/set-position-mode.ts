import type { Event, SetPositionMode } from '@orrery/protocol';
import { reject } from '@orrery/rules';
import type { Exchange } from '../exchange.ts';
import type { ContractState } from '../positions/contract-state.ts';
import { refuseHolder, refuseUse } from './refuse-holder.ts';

/** Only without a position or an open order in any contract of the margin group. The mode that it has already is a repetition. */
export function setPositionMode(exchange: Exchange, { account, payoff: group, mode }: SetPositionMode): Event[] {
  // Before rules 7 there is no practice.
  if (group === 'practice' && exchange.rules < 7) return [reject('RulesTooOld')];
  const refusal = refuseHolder(exchange, account);
  if (refusal !== undefined) return [refusal];
  const holder = exchange.positions.holder(account);
  if (holder[group] === mode) return [{ type: 'CommandRepeated', key: mode }];
  const isOfGroup = (contract: ContractState | undefined): boolean => contract?.group === group;
  const exposures = holder.exposures.filter(({ contract }) => isOfGroup(contract));
  const inUse = refuseUse(exchange, account, exposures, (id) => isOfGroup(exchange.contracts.get(id)?.contract));
  if (inUse !== undefined) return [inUse];
  // After this point nothing fails.
  holder[group] = mode;
  return [{ type: 'PositionModeSet', account, payoff: group, mode }];
}
