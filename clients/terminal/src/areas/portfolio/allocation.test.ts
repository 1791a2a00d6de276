import type { Balance } from '@orrery/api';
import { expect, test } from 'vitest';
import { allocation } from './allocation.ts';

const row = (coin: string, estimatedTotalAmount: string | null, balanceType: Balance['balanceType'] = 'spot'): Balance => ({
  coin,
  balanceType,
  balance: '1',
  availableBalance: '1',
  freeze: '0',
  estimatedTotalAmount,
  estimatedAvailableAmount: estimatedTotalAmount,
  estimatedCoinType: 'USDC',
});

test('a coin counts once over all wallets, the most valuable first, with its share rounded down', () => {
  const parts = allocation([row('USDC', '100'), row('BTC', '150', 'funding'), row('BTC', '50'), row('SOSO', null), row('ETH', '0')]);
  expect(parts).toEqual([
    { coin: 'BTC', value: '200', percent: '66.6' },
    { coin: 'USDC', value: '100', percent: '33.3' },
  ]);
});

test('from the sixth on the coins are one part', () => {
  const parts = allocation(['70', '60', '50', '40', '30', '20', '10'].map((value, at) => row(`C${at}`, value)));
  expect(parts.map(({ coin, value }) => `${coin ?? 'others'} ${value}`)).toEqual([
    'C0 70',
    'C1 60',
    'C2 50',
    'C3 40',
    'C4 30',
    'others 30',
  ]);
});

test('an account without value has no parts', () => {
  expect(allocation([row('ETH', '0'), row('SOSO', null)])).toEqual([]);
});
