import { expect, test } from 'vitest';
import { mostWithdrawal } from './most-withdrawal.ts';

const USDC = { available: '5000', worth: '5000', coin: 'USDC', decimals: 6 } as const;
const BTC = { available: '0.5', worth: '30000', coin: 'BTC', decimals: 8 } as const;

test.each([
  ['all of it where there is no quota', { ...USDC, left: null }, '5000'],
  ['all of it while the quota is not known', { ...USDC, left: undefined }, '5000'],
  ['all of it where the quota leaves more', { ...USDC, left: '5000' }, '5000'],
  ['what the quota leaves', { ...USDC, left: '1234.56' }, '1234.56'],
  ['nothing once it is used up', { ...USDC, left: '0' }, '0'],
  // 6,000 USDC at 60,000, and 0.2 % for the way.
  ['of another coin what that is worth, a bit less', { ...BTC, left: '6000' }, '0.0998'],
  ['all of it where its worth is not known', { ...BTC, worth: undefined, left: '1' }, '0.5'],
])('the most that may leave is %s', (_name, leaving, most) => {
  expect(mostWithdrawal(leaving)).toBe(most);
});
