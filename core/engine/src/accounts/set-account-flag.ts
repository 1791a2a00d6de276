import type { Event, SetAccountFlag } from '@orrery/protocol';
import { reject } from '@orrery/rules';
import type { Millis } from '@orrery/units';
import { pay } from '../ledger/movements.ts';
import { closeOrdersOf } from '../orders/cancel-all-orders.ts';
import type { Exchange } from '../state/exchange.ts';
import type { Account } from './account.ts';

/** Blocking closes the account's open orders in every market; unblocking credits the deposits that waited. */
export function setAccountFlag(exchange: Exchange, command: SetAccountFlag, at: Millis): Event[] {
  const { account: id, flag, value } = command;
  const account = exchange.accounts.get(id);
  if (account === undefined) return [reject('UnknownAccount', 'account')];
  // After this point nothing fails.
  if (value) account.flags.add(flag);
  else account.flags.delete(flag);
  const events: Event[] = [{ type: 'AccountFlagSet', account: id, flag, value }];
  if (flag !== 'blocked') return events;
  return events.concat(value ? closeOrdersOf(exchange, account, () => true, 'accountBlocked', at) : creditSuspended(exchange, account));
}

/** Each waiting deposit is told again, now as credited. */
function creditSuspended(exchange: Exchange, account: Account): Event[] {
  const { ledger } = exchange;
  const credited = account.suspended;
  account.suspended = [];
  return credited.map(({ key, asset, amount }) => {
    pay(ledger, ledger.system('SUSPENSE', asset), ledger.of(account.id, 'funding', asset), amount);
    return { type: 'DepositCredited', key, account: account.id, asset, amount, suspended: false };
  });
}
