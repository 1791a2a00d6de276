import { expect, test } from 'vitest';
import { give, isWhole, waysOf, waysOfFactors, waysOfMoney } from './factor.ts';

test.each([
  // app    passkey  a change               money         a change of the factors
  [false, false, [], [], []],
  [true, false, ['google'], ['google'], ['google', 'backup']],
  [false, true, ['passkey'], ['passkey'], ['passkey', 'backup']],
  [true, true, ['passkey', 'google'], ['passkey'], ['passkey', 'google', 'backup']],
] as const)('[A3] with an app %s and a passkey %s, a change takes %j, money %j, the factors %j', (app, passkey, change, money, factors) => {
  const account = { googleSecurityStatus: app, passkeySecurityStatus: passkey };
  expect(waysOf(account)).toEqual(change);
  expect(waysOfMoney(account)).toEqual(money);
  expect(waysOfFactors(account)).toEqual(factors);
});

test('what is not known yet has no way', () => {
  for (const ways of [waysOf, waysOfMoney, waysOfFactors]) expect(ways(undefined)).toEqual([]);
});

test.each([
  [undefined, '', true, {}],
  ['google', '12345', false, { google: '12345' }],
  ['google', '123456', true, { google: '123456' }],
  ['google', '', false, {}],
  ['backup', 'ABCDEFGHIJK', false, { backup: 'ABCDEFGHIJK' }],
  ['backup', 'ABCDEFGHIJKL', true, { backup: 'ABCDEFGHIJKL' }],
] as const)('%s with "%s" is whole: %s, and is sent as %j', async (way, code, whole, given) => {
  expect(isWhole({ way, code })).toBe(whole);
  expect(await give({ way, code })).toEqual(given);
});

test('a passkey needs nothing typed', () => {
  expect(isWhole({ way: 'passkey', code: '' })).toBe(true);
});
