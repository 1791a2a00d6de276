/** One table: a field, what is entered wrongly, and the sentence that says so. */
import { atoms, lots, ticks } from '@orrery/units';
import { expect, test } from 'vitest';
import { activateLanguage, addTexts } from '../../../kit/i18n/catalog.ts';
import { en } from '../../../kit/i18n/messages/en/index.ts';
import { say } from '../../../kit/i18n/text.tsx';
import { BTC_PERPETUAL } from '../../../market/contract.fixture.ts';
import { bandIssue, issueOf, protectionIssue, readPrice, readSize, triggerIssue, valueIssue, valueOf } from './order-rules.ts';
import type { Read } from './order-rules.ts';
import { closableIssue, readLeverage, readMoney } from './position-rules.ts';

addTexts('en', en);
activateLanguage('en');

const market = BTC_PERPETUAL;
const MARK = ticks(600_000);
const LONG = { direction: 'long', from: MARK, shown: '60,000.0' } as const;
const SHORT = { direction: 'short', from: MARK, shown: '60,000.0' } as const;
const WALLET = { decimals: 6, coin: 'USDC', most: atoms(12_500_000n) };

const FIELDS = {
  price: (text) => readPrice(text, market),
  size: (text) => readSize(text, market),
  leverage: (text) => readLeverage(text, 40),
  money: (text) => readMoney(text, WALLET),
  buyLimit: (text) => bandIssue(ticks(Number(text)), 'buy', MARK, market),
  sellLimit: (text) => bandIssue(ticks(Number(text)), 'sell', MARK, market),
  value: (text) => valueIssue(atoms(BigInt(text)), market.terms, { decimals: 6, coin: 'USDC' }),
  buyTrigger: (text) => triggerIssue(ticks(Number(text)), 'buy', MARK),
  sellTrigger: (text) => triggerIssue(ticks(Number(text)), 'sell', MARK),
  takeProfitOfLong: (text) => protectionIssue('profit', ticks(Number(text)), LONG),
  takeProfitOfShort: (text) => protectionIssue('profit', ticks(Number(text)), SHORT),
  stopOfLong: (text) => protectionIssue('stop', ticks(Number(text)), LONG),
  stopOfShort: (text) => protectionIssue('stop', ticks(Number(text)), SHORT),
  closes: (text) => closableIssue(lots(Number(text)), lots(2_000), market),
} as const satisfies Readonly<Record<string, (text: string) => Read<number | bigint>>>;

const sentence = (field: keyof typeof FIELDS, text: string): string | undefined => {
  const issue = issueOf<number | bigint>(FIELDS[field](text));
  return issue && say(issue.message, issue.values);
};

test.each<[keyof typeof FIELDS, string, string]>([
  ['price', '60000.05', 'At most 1 decimal'],
  ['price', '0', 'The price must be above zero'],
  ['price', '1000000.1', 'At most 1000000'],
  ['size', '0.000001', 'At most 5 decimals'],
  ['size', '0', 'At least 0.00001 BTC'],
  ['size', '100.00001', 'At most 100 BTC'],
  ['leverage', '3.7', 'A whole number from 1 to 40'],
  ['leverage', '0', 'From 1 to 40.'],
  ['leverage', '41', 'From 1 to 40.'],
  ['money', '0', 'More than zero'],
  ['money', '1.0000001', 'At most 6 decimals'],
  ['money', '12.500001', 'At most 12.5 USDC'],
  ['buyLimit', '660001', 'At most 66000: 10% above the market'],
  ['sellLimit', '539999', 'At least 54000: 10% below the market'],
  ['value', '4999999', 'Order value at least 5 USDC'],
  ['value', '4000000000001', 'Order value at most 4000000 USDC'],
  ['buyTrigger', '600000', 'A buy stop triggers above the last price'],
  ['sellTrigger', '600000', 'A sell stop triggers below the last price'],
  ['takeProfitOfLong', '600000', 'Take profit must be above 60,000.0'],
  ['takeProfitOfShort', '600000', 'Take profit must be below 60,000.0'],
  ['stopOfLong', '600000', 'Stop loss must be below 60,000.0'],
  ['stopOfShort', '600000', 'Stop loss must be above 60,000.0'],
  ['closes', '2001', 'At most 0.02 BTC can be closed'],
])('%s of %s: %s', (field, text, words) => {
  expect(sentence(field, text)).toBe(words);
});

test.each<[keyof typeof FIELDS, string, number | bigint | undefined]>([
  ['price', '60000.5', 600_005],
  ['price', '007.50', 75],
  ['price', '', undefined],
  ['size', '0.1', 10_000],
  ['leverage', '40', 40],
  ['leverage', '3.0', 3],
  ['money', '12.5', 12_500_000n],
  ['buyLimit', '660000', undefined],
  ['sellLimit', '700000', undefined],
  ['value', '5000000', undefined],
  ['buyTrigger', '600001', undefined],
  ['takeProfitOfLong', '600001', undefined],
  ['takeProfitOfShort', '599999', undefined],
  ['stopOfLong', '599999', undefined],
  ['stopOfShort', '600001', undefined],
  ['closes', '2000', undefined],
])('%s of %s is taken', (field, text, value) => {
  expect([sentence(field, text), valueOf<number | bigint>(FIELDS[field](text))]).toEqual([undefined, value]);
});

test('the side of a trigger is not judged while the price is not known', () => {
  expect(protectionIssue('stop', ticks(900_000), { ...LONG, from: ticks(0) })).toBeUndefined();
  expect(triggerIssue(ticks(1), 'buy', ticks(0))).toBeUndefined();
  expect(bandIssue(ticks(900_000), 'buy', ticks(0), market)).toBeUndefined();
});
