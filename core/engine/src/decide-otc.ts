/** The commands of the OTC desk. Before rules 9 there are none. */
import type { Event, OtcCommand } from '@orrery/protocol';
import { reject } from '@orrery/rules';
import type { Exchange } from './exchange.ts';

export function decideOtc(exchange: Exchange, command: OtcCommand): Event[] {
  if (exchange.rules < 9) return [reject('RulesTooOld')];
  return [reject('OtcClosed', command.type)];
}
