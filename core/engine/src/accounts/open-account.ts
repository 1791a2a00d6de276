import type { Event, OpenAccount } from '@orrery/protocol';
import type { Exchange } from '../exchange.ts';

/** The same address gives the same account for ever. */
export function openAccount(exchange: Exchange, { address }: OpenAccount): Event[] {
  const account = exchange.accounts.at(address) ?? exchange.accounts.open(address);
  return [{ type: 'AccountOpened', account: account.id, address }];
}
