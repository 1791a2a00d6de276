import type { AccountId } from '@orrery/units';
import type { Event } from '@orrery/protocol';
import { pay } from '../ledger/movements.ts';
import type { MoneyState } from './money-state.ts';

/** Credits the deposits that waited while the account was blocked; each is emitted again, now as credited. */
export function creditSuspended({ accounts, ledger, funds }: MoneyState, id: AccountId, events: Event[]): void {
  // Money reaches a fund by subscriptions alone.
  if (funds.of(id) !== undefined) return;
  const account = accounts.known(id);
  for (const { key, asset, amount } of account.suspended) {
    pay(ledger, ledger.system('SUSPENSE', asset), ledger.of(id, 'funding', asset), amount);
    events.push({ type: 'DepositCredited', key, account: id, asset, amount, suspended: false });
  }
  account.suspended = [];
}
