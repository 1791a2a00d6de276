import { expect, test } from 'vitest';
import { advertisementProblems, changeOf, floatingPrice, premiumOf, termsOf, valuesOf, wholeTotal } from './advertisement-form.ts';
import type { AdvertisementValues } from './advertisement-form.ts';

const values: AdvertisementValues = {
  ...valuesOf(undefined),
  price: '7.12',
  amount: '100',
  minTotal: '50',
  maxTotal: '500',
  methods: ['a'.repeat(32)],
};
const ground = { decimals: 6, most: '250' };

const wrong = (changes: Partial<AdvertisementValues>): readonly string[] =>
  Object.entries(advertisementProblems({ ...values, ...changes }, ground)).flatMap(([field, issue]) =>
    issue === undefined ? [] : [`${field} ${issue.message}`],
  );

test.each([
  [{}, []],
  [{ price: '' }, ['price otc.ad.wrongPrice']],
  [{ price: '7.12345' }, ['price otc.ad.wrongPrice']],
  [{ priceType: 'FLOATING', price: '', premium: '0.5' }, []],
  [{ priceType: 'FLOATING', premium: '10.1' }, ['premium otc.ad.wrongPremium']],
  [{ amount: '0' }, ['amount transfer.invalid']],
  [{ amount: '250.000001' }, ['amount transfer.tooMuch']],
  [{ minTotal: '1.234' }, ['minTotal otc.ad.wrongTotal']],
  [{ maxTotal: '49.99' }, ['maxTotal otc.ad.maxBelowMin']],
  [{ methods: [] }, ['methods otc.chooseMethod']],
] as const)('[A11] of an advertisement with %j is wrong: %j', (changes, expected) => {
  expect(wrong(changes as Partial<AdvertisementValues>)).toEqual(expected);
});

test('a price below the market has a minus, and none at the market', () => {
  expect(premiumOf({ premium: '0.5', direction: 'below' })).toBe('-0.5');
  expect(premiumOf({ premium: '0.5', direction: 'above' })).toBe('0.5');
  expect(premiumOf({ premium: '0', direction: 'below' })).toBe('0');
});

test('[A11] what all of it brings: who sells is the one whom a taker rounds for', () => {
  const at = { price: '7.12', decimals: 6 };
  expect(wholeTotal({ amount: '1.000001', side: 'SELL' }, at)).toBe('7.13');
  expect(wholeTotal({ amount: '1.000001', side: 'BUY' }, at)).toBe('7.12');
  expect(wholeTotal({ amount: '', side: 'BUY' }, at)).toBeUndefined();
});

test.each([
  ['7.1234', '0', 'above', '7.1234'],
  ['7.1234', '0.5', 'above', '7.159'],
  ['7.1234', '10', 'below', '6.4111'],
  ['7.123449', '0', 'above', '7.1234'],
  ['', '1', 'above', undefined],
] as const)('[A11] at a market price of %s, %s%% %s it, the price is %s', (market, premium, direction, price) => {
  expect(floatingPrice(market, { premium, direction })).toBe(price);
});

test('what is sent has one kind of price, and no text that is empty', () => {
  expect(termsOf({ ...values, conditions: '  ', autoReply: ' Hello ' })).toEqual({
    price: '7.12',
    amount: '100',
    minTotal: '50',
    maxTotal: '500',
    paymentMethodIds: ['a'.repeat(32)],
    payWindowMinutes: 15,
    autoReply: 'Hello',
  });
  expect(termsOf({ ...values, priceType: 'FLOATING', premium: '1', direction: 'below' })).toMatchObject({ premium: '-1' });
});

test('a change names the amount, and the version that was shown, only where it is another one, and a text that was removed', () => {
  const shown = { available: '100', version: 4, conditions: 'No third parties.', autoReply: null };
  const { amount: _, ...terms } = termsOf({ ...values, price: '7.13' });
  expect(changeOf({ ...values, price: '7.13', conditions: 'No third parties.' }, shown)).toEqual({
    ...terms,
    conditions: 'No third parties.',
  });
  expect(changeOf({ ...values, amount: '150', conditions: '' }, shown)).toMatchObject({ amount: '150', version: 4, conditions: ' ' });
});
