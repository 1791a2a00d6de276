import type { CommandRejected, Event, Transfer } from '@orrery/protocol';
import { isTransferRoute, reject } from '@orrery/rules';
import { pay } from '../ledger/movements.ts';
import type { MoneyState } from './money-state.ts';
import { checkAmount, checkChainAsset, checkKey, checkTerms, unknownAsset } from './check-money.ts';
import { bodyOf, memoryOf, type Memory } from './money-records.ts';

/** Moves free money between two wallets of one account: both legs or none. */
export function transfer(state: MoneyState, command: Transfer): Event[] {
  const { account, transferId, asset, amount, from, to } = command;
  const transfers = state.money.bodies('transfer');
  const key = bodyOf(account, transferId);
  const body = bodyOf(asset, amount, from, to);
  const memory = memoryOf(transfers, key, body);
  if (memory === 'same') return [{ type: 'CommandRepeated', key: transferId }];
  const refusal = refuseTransfer(state, command, memory);
  if (refusal !== undefined) return [refusal];
  // After this point nothing fails.
  state.money.remember('transfer', key, body);
  const { ledger } = state;
  pay(ledger, ledger.of(account, from, asset), ledger.of(account, to, asset), amount);
  return [{ type: 'Transferred', account, transferId, asset, amount, from, to }];
}

function refuseTransfer(state: MoneyState, command: Transfer, memory: Memory): CommandRejected | undefined {
  const malformed =
    checkKey(command.transferId, 'transferId') ??
    (command.from === command.to ? reject('InvalidCombination', 'to') : undefined) ??
    checkChainAsset(state, command.asset) ??
    checkAmount(command.amount) ??
    unknownAsset(state, command.asset);
  if (malformed !== undefined) return malformed;
  if (!state.accounts.has(command.account)) return reject('UnknownAccount', 'account');
  if (state.accounts.is(command.account, 'blocked')) return reject('AccountBlocked', 'account');
  const terms = checkTerms(state, command.account);
  if (terms !== undefined) return terms;
  if (!isTransferRoute(command.from, command.to)) return reject('TransferRouteClosed', 'to');
  if (isOfCoins(command) && state.rules < 5) return reject('RulesTooOld');
  if (memory === 'other') return reject('KeyConflict', 'transferId');
  const { ledger } = state;
  const free = ledger.free(ledger.of(command.account, command.from, command.asset));
  return free < command.amount ? reject('InsufficientBalance', 'amount') : undefined;
}

const isOfCoins = ({ from, to }: Transfer): boolean => from === 'coinFutures' || to === 'coinFutures';
