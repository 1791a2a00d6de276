import type { Balance } from '@orrery/api';
import { expect, test } from 'vitest';
import type { AccountView } from '../../platform/data/streams/streams.ts';
import { balancesOf } from './one-source.ts';

const balance = (coin: string, amount: string, worth: string | null): Balance => ({
  coin,
  balanceType: 'spot',
  balance: amount,
  freeze: '0',
  availableBalance: amount,
  estimatedTotalAmount: worth,
  estimatedAvailableAmount: worth,
  estimatedCoinType: 'USDC',
});
const stream = (...balances: readonly Balance[]): AccountView => ({
  isReady: true,
  orders: [],
  balances: new Map(balances.map((row) => [`spot:${row.coin}`, row])),
});

test('amounts are those of the stream, and a worth is that of the call while it is for the same amount', () => {
  const read = [balance('ETH', '1', '2500'), balance('BTC', '1', '60000')];
  expect(balancesOf(read, stream(balance('ETH', '1', '2400'), balance('BTC', '0.5', '30000')))).toEqual([
    balance('ETH', '1', '2500'),
    balance('BTC', '0.5', '30000'),
  ]);
});

test('without a whole stream the call has the word, and without a call the stream', () => {
  const read = [balance('ETH', '1', '2500')];
  expect(balancesOf(read, undefined)).toBe(read);
  expect(balancesOf(read, { ...stream(), isReady: false })).toBe(read);
  expect(balancesOf(undefined, stream(balance('ETH', '2', '5000')))).toEqual([balance('ETH', '2', '5000')]);
  expect(balancesOf(undefined, undefined)).toBeUndefined();
});

test('an empty coin that only the call lists stays listed, one with an amount that the stream does not know is gone', () => {
  expect(balancesOf([balance('SOL', '0', '0'), balance('BNB', '3', '1')], stream())).toEqual([balance('SOL', '0', '0')]);
});
