import { describe, expect, test } from 'vitest';
import { addressProblem } from './address-problem.ts';
import { amountProblem } from './amount-problem.ts';

const problem = (text: string): string | undefined => amountProblem({ text, decimals: 6, available: '10.5', shown: '10.5 USDC' })?.message;

describe('a typed amount', () => {
  test.each([
    ['10.5', undefined],
    ['0.000001', undefined],
    ['10.500001', 'transfer.tooMuch'],
    ['0', 'transfer.zero'],
    ['0.000000', 'transfer.zero'],
    ['', 'transfer.invalid'],
    ['1e3', 'transfer.invalid'],
    ['-1', 'transfer.invalid'],
    ['0.0000001', 'transfer.invalid'],
    ['01', 'transfer.invalid'],
  ])('%j: %s', (text, id) => {
    expect(problem(text)).toBe(id);
  });
});

describe('a typed address', () => {
  test.each([
    ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', undefined],
    ['0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed', undefined],
    ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD', 'withdraw.badChecksum'],
    ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe', 'withdraw.invalidAddress'],
    ['5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed00', 'withdraw.invalidAddress'],
  ])('%s: %s', (text, id) => {
    expect(addressProblem(text)).toBe(id);
  });
});
