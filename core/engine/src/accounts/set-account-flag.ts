import type { Event, SetAccountFlag } from '@orrery/protocol';
import { reject } from '@orrery/rules';
import type { Accounts } from './accounts.ts';

/** What follows from it is in `aftermath.ts`. */
export function setAccountFlag(accounts: Accounts, { account, flag, value }: SetAccountFlag): Event[] {
  if (!accounts.has(account)) return [reject('UnknownAccount', 'account')];
  // After this point nothing fails.
  accounts.set(account, flag, value);
  return [{ type: 'AccountFlagSet', account, flag, value }];
}
