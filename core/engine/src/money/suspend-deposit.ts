import { NO_ATOMS, assert, type Atoms } from '@orrery/units';
import type { Event, SuspendDeposit } from '@orrery/protocol';
import { reject } from '@orrery/rules';
import type { Account } from '../accounts/account.ts';
import type { MoneyState } from './money-state.ts';
import { checkKey } from './check-money.ts';
import { bodyOfOrphan } from './money-records.ts';
import { NOTHING_TAKEN, sumOf, takeFree } from './take-free.ts';

/**
 * The block of a credited deposit is gone: what the account has free of it goes into SUSPENSE. Nothing is owed beyond that, and no order is closed:
 * what is missing stays in the account in another form, and an account with an orphan can not withdraw.
 */
export function suspendDeposit(state: MoneyState, { key }: SuspendDeposit): Event[] {
  const malformed = checkKey(key, 'key');
  if (malformed !== undefined) return [malformed];
  const { money, accounts } = state;
  if (money.orphan(key) !== undefined || money.writtenOff(key) !== undefined) return [{ type: 'CommandRepeated', key }];
  const deposit = money.deposit(key);
  if (deposit === undefined) return [reject('UnknownDeposit', 'key')];
  // After this point nothing fails.
  const account = accounts.at(deposit.address);
  assert(account !== undefined, 'a credited deposit has its account');
  const { asset } = deposit;
  const waiting = waitingIn(account, key);
  const to = state.ledger.system('SUSPENSE', asset);
  const paid: Event[] = [];
  const taken = waiting === undefined ? takeFree(state, { account: account.id, asset, amount: deposit.amount, to }, paid) : NOTHING_TAKEN;
  const { fromCoinFutures, ...parts } = taken;
  const amount = waiting ?? sumOf(taken);
  money.remember('orphan', key, bodyOfOrphan({ account: account.id, asset, amount }));
  const suspended: Event = { type: 'DepositSuspended', key, account: account.id, asset, amount, ...parts };
  if (fromCoinFutures === NO_ATOMS) return [suspended, ...paid];
  return [suspended, { type: 'CoinFuturesSuspended', key, account: account.id, asset, amount: fromCoinFutures }, ...paid];
}

/** What came while the account was blocked lies in SUSPENSE already: it waits for the chain now, and no longer for the account. */
function waitingIn(account: Account, key: string): Atoms | undefined {
  const waiting = account.suspended.find((deposit) => deposit.key === key);
  account.suspended = account.suspended.filter((deposit) => deposit !== waiting);
  return waiting?.amount;
}
