import { contract } from '@orrery/api';
import { expect, test } from 'vitest';
import { checkShape } from './answer-check.ts';
import { checkSchema } from './schema-check.ts';

const BLOCK = { number: 7, hash: '0xab', parentHash: '0xaa', time: 1, gasUsed: '0', lucky: false, transactions: [] };

test.each([
  ['chainBlock', null],
  ['chainBlock', { number: 'one', hash: 7 }],
  ['notices', { list: [] }],
  ['notices', [null]],
  ['tickers', { BTC_USDC: '1' }],
  ['klines', null],
  ['balances', 'none'],
  ['awardNews', undefined],
])('%s that answers %j is refused, by its shape and by its schema', (name, data) => {
  expect(contract).toHaveProperty(name);
  expect(checkShape(name, data)).toMatch('an answer of another shape');
  expect(checkSchema(name, data)).toMatch('an answer of another shape');
});

test('an answer of its shape is taken, and so is what nobody looks at', () => {
  expect(checkShape('chainBlock', BLOCK)).toBeUndefined();
  expect(checkShape('notices', [])).toBeUndefined();
  expect(checkShape('time', null)).toBeUndefined();
});

test('the schema says what is wrong with an answer, and where', () => {
  expect(checkSchema('time', 'noon')).toMatch(/^an answer of another shape: /);
  expect(checkSchema('notices', [])).toBeUndefined();
});
