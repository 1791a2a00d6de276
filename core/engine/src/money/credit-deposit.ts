import type { CreditDeposit, Event } from '@orrery/protocol';
import { reject } from '@orrery/rules';
import type { Account } from '../accounts/account.ts';
import { pay } from '../ledger/movements.ts';
import type { Exchange } from '../state/exchange.ts';
import { checkAmount, checkChainAsset, checkKey, unknownAsset } from './check-money.ts';
import { bodyOf, memoryOf } from './money-records.ts';

/** Credits a final deposit to the funding wallet, once for ever. A blocked account's deposit waits in SUSPENSE. */
export function creditDeposit(exchange: Exchange, command: CreditDeposit): Event[] {
  const { key, address, asset, amount } = command;
  const deposits = exchange.money.bodies('deposit');
  const body = bodyOf(address, asset, amount);
  const memory = memoryOf(deposits, key, body);
  if (memory === 'same') return [{ type: 'CommandRepeated', key }];
  const refusal = checkKey(key, 'key') ?? checkChainAsset(exchange, asset) ?? checkAmount(amount) ?? unknownAsset(exchange, asset);
  if (refusal !== undefined) return [refusal];
  if (memory === 'other') return [reject('KeyConflict', 'key')];
  // After this point nothing fails.
  exchange.money.remember('deposit', key, body);
  const events: Event[] = [];
  const account = exchange.accounts.at(address) ?? openAccountAt(exchange, command, events);
  const suspended = account.blocked;
  const { ledger } = exchange;
  const to = suspended ? ledger.system('SUSPENSE', asset) : ledger.of(account.id, 'funding', asset);
  pay(ledger, ledger.system('EXTERNAL', asset), to, amount);
  if (suspended) account.suspended.push({ key, asset, amount });
  events.push({ type: 'DepositCredited', key, account: account.id, asset, amount, suspended });
  return events;
}

function openAccountAt(exchange: Exchange, { address }: CreditDeposit, events: Event[]): Account {
  const account = exchange.accounts.open(address);
  events.push({ type: 'AccountOpened', account: account.id, address });
  return account;
}
