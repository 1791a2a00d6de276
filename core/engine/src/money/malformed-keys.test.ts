import { expect, test } from 'vitest';
import type { Command } from '@orrery/protocol';
import { atoms } from '@orrery/units';
import { Table } from '../testing/tape.ts';
import { accountOf, addressOf, assetOf } from '../testing/tape-people.ts';

const account = accountOf('alice');
const money = { asset: assetOf('USDC'), amount: atoms(1n) };

const KEYED: readonly (readonly [string, (key: string) => Command])[] = [
  ['key', (key) => ({ type: 'CreditDeposit', key, address: addressOf('alice'), ...money })],
  ['transferId', (transferId) => ({ type: 'Transfer', account, transferId, ...money, from: 'spot', to: 'funding' })],
  ['withdrawalId', (withdrawalId) => ({ type: 'RequestWithdrawal', account, withdrawalId, ...money, to: addressOf('bob') })],
  ['txHash', (txHash) => ({ type: 'MarkWithdrawalSent', withdrawalId: 'unknown', txHash })],
  ['txHash', (txHash) => ({ type: 'PostWithdrawal', withdrawalId: 'unknown', txHash })],
  ['key', (key) => ({ type: 'SuspendDeposit', key })],
  ['key', (key) => ({ type: 'WriteOffDeposit', key })],
  ['key', (key) => ({ type: 'FundBudget', key, budget: 'rewards', ...money })],
  ['key', (key) => ({ type: 'AwardFromBudget', key, budget: 'rewards', account, ...money })],
  ['key', (key) => ({ type: 'ReverseAward', key, awardKey: 'a' })],
  ['awardKey', (awardKey) => ({ type: 'ReverseAward', key: 'k', awardKey })],
  ['claimId', (claimId) => ({ type: 'ReserveFaucetClaim', account, claimId })],
];

test.each(KEYED)('a command without a proper %s is refused', (field, command) => {
  const table = new Table();
  for (const key of ['', 'two words', 'ключ', 'x'.repeat(201)]) {
    expect(table.give(command(key))).toEqual([{ type: 'CommandRejected', reason: 'InvalidField', field }]);
  }
});

test.each([0n, -1n, 10n ** 38n])('M8: an amount of %s is refused', (amount) => {
  const command: Command = { type: 'CreditDeposit', key: 'k', address: addressOf('alice'), asset: assetOf('USDC'), amount: atoms(amount) };
  expect(new Table().give(command)).toEqual([{ type: 'CommandRejected', reason: 'InvalidAmount', field: 'amount' }]);
});
