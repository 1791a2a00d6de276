import type { Event, SetAccountFlag } from '@orrery/protocol';
import { reject } from '@orrery/rules';
import type { Millis } from '@orrery/units';
import { pay } from '../ledger/movements.ts';
import { closeOrdersOf } from '../orders/cancel-all-orders.ts';
import type { Turn } from '../orders/turn.ts';
import type { Exchange } from '../exchange.ts';
import type { Account } from './account.ts';

/** Blocking closes the account's open orders in every market; unblocking credits the deposits that waited. */
export function setAccountFlag(exchange: Exchange, command: SetAccountFlag, at: Millis): Event[] {
  const { account: id, flag, value } = command;
  const account = exchange.accounts.get(id);
  if (account === undefined) return [reject('UnknownAccount', 'account')];
  // After this point nothing fails.
  exchange.accounts.set(id, flag, value);
  const turn: Turn = { exchange, at, events: [{ type: 'AccountFlagSet', account: id, flag, value }] };
  if (flag === 'blocked' && value) closeOrdersOf(turn, id, () => true, 'accountBlocked');
  if (flag === 'blocked' && !value) creditSuspended(turn, account);
  return turn.events;
}

/** Each waiting deposit is told again, now as credited. */
function creditSuspended({ exchange, events }: Turn, account: Account): void {
  const { ledger } = exchange;
  for (const { key, asset, amount } of account.suspended) {
    pay(ledger, ledger.system('SUSPENSE', asset), ledger.of(account.id, 'funding', asset), amount);
    events.push({ type: 'DepositCredited', key, account: account.id, asset, amount, suspended: false });
  }
  account.suspended = [];
}
