/** The commands of perpetual contracts. Before rules 5 there are none. */
import type { ContractCommand, Event } from '@orrery/protocol';
import { reject } from '@orrery/rules';
import type { Exchange } from './exchange.ts';

export function decideContract(_exchange: Exchange, _command: ContractCommand): Event[] {
  return [reject('RulesTooOld')];
}
