import { assert } from '@orrery/units';
import type { CreditDeposit, Event } from '@orrery/protocol';
import { reject } from '@orrery/rules';
import type { Account, SuspendedDeposit } from '../accounts/account.ts';
import { pay } from '../ledger/movements.ts';
import type { MoneyState } from './money-state.ts';
import { checkAmount, checkChainAsset, checkKey, unknownAsset } from './check-money.ts';
import { bodyOfDeposit, memoryOf } from './money-records.ts';
import { repayWriteOff } from './write-off-deposit.ts';

/**
 * Credits a final deposit to the funding wallet, once per key. A deposit of a blocked account, and of a fund, waits in SUSPENSE; one that was suspended
 * because its block was gone is given back, and one that was written off meanwhile pays the exchange back first.
 */
export function creditDeposit(state: MoneyState, command: CreditDeposit): Event[] {
  const { key, address, asset, amount } = command;
  const deposits = state.money.bodies('deposit');
  const body = bodyOfDeposit(command);
  const memory = memoryOf(deposits, key, body);
  if (memory === 'same') return giveBack(state, command);
  const refusal = checkKey(key, 'key') ?? checkChainAsset(state, asset) ?? checkAmount(amount) ?? unknownAsset(state, asset);
  if (refusal !== undefined) return [refusal];
  if (memory === 'other') return [reject('KeyConflict', 'key')];
  // After this point nothing fails.
  state.money.remember('deposit', key, body);
  const events: Event[] = [];
  const account = state.accounts.at(address) ?? openAccountAt(state, command, events);
  events.push(credit({ state, account, from: 'EXTERNAL', deposit: { key, asset, amount } }));
  return events;
}

function giveBack(state: MoneyState, command: CreditDeposit): Event[] {
  const { money, accounts } = state;
  const { key } = command;
  const orphan = money.orphan(key);
  if (orphan === undefined) return money.writtenOff(key) === undefined ? [{ type: 'CommandRepeated', key }] : takeIn(state, command);
  // After this point nothing fails.
  money.forget('orphan', key);
  const { asset, amount } = orphan;
  return [credit({ state, account: accounts.known(orphan.account), from: 'SUSPENSE', deposit: { key, asset, amount } })];
}

function takeIn(state: MoneyState, { key, asset, amount, address }: CreditDeposit): Event[] {
  const account = state.accounts.at(address);
  assert(account !== undefined, 'a deposit that was written off has its account');
  // After this point nothing fails.
  const { left, events } = repayWriteOff(state, key, amount);
  return [credit({ state, account, from: 'EXTERNAL', deposit: { key, asset, amount: left } }), ...events];
}

interface Credit {
  readonly state: MoneyState;
  readonly account: Account;
  readonly from: 'EXTERNAL' | 'SUSPENSE';
  readonly deposit: SuspendedDeposit;
}

function credit({ state: { accounts, ledger, funds }, account, from, deposit }: Credit): Event {
  const { key, asset, amount } = deposit;
  const suspended = accounts.is(account.id, 'blocked') || funds.of(account.id) !== undefined;
  const to = suspended ? ledger.system('SUSPENSE', asset) : ledger.of(account.id, 'funding', asset);
  pay(ledger, ledger.system(from, asset), to, amount);
  if (suspended) account.suspended = [...account.suspended, deposit];
  return { type: 'DepositCredited', key, account: account.id, asset, amount, suspended };
}

function openAccountAt(state: MoneyState, { address }: CreditDeposit, events: Event[]): Account {
  const account = state.accounts.open(address);
  events.push({ type: 'AccountOpened', account: account.id, address });
  return account;
}
