import type { Event, OpenAccount } from '@orrery/protocol';
import type { Accounts } from './accounts.ts';

/** The same address always gives the same account. */
export function openAccount(accounts: Accounts, { address }: OpenAccount): Event[] {
  const account = accounts.at(address) ?? accounts.open(address);
  return [{ type: 'AccountOpened', account: account.id, address }];
}
