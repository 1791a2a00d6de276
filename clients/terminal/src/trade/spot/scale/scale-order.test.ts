import { expect, test } from 'vitest';
import { CONTEXT } from '../ticket/ticket.fixture.ts';
import { readScale, scaleRequests } from './scale-order.ts';
import type { ScaleForm } from '../../shared/ticket/scale.ts';

const form = (part: Partial<ScaleForm>): ScaleForm => ({
  side: 'buy',
  lower: '59000',
  upper: '60000',
  size: '0.3',
  count: 3,
  distribution: 'flat',
  ...part,
});
const issueOf = (part: Partial<ScaleForm>) => readScale(form(part), CONTEXT).issue?.message;

test('each order of a scale is a limit order on the grid under an id of its own', () => {
  const { rungs, issue, value } = readScale(form({}), CONTEXT);
  expect(issue).toBeUndefined();
  expect(value).toBe(17_850_000_000n);
  const requests = scaleRequests('buy', CONTEXT, rungs, ['a', 'b', 'c']);
  expect(requests.map(({ price, totalAmount, clientOrderId }) => [price, totalAmount, clientOrderId])).toEqual([
    ['59000', '0.1', 'a'],
    ['59500', '0.1', 'b'],
    ['60000', '0.1', 'c'],
  ]);
});

test('what is wrong with a scale is said before anything is sent', () => {
  expect(issueOf({ size: '' })).toBeUndefined();
  expect(issueOf({ upper: '59000.1' })).toBe('scale.tooNarrow');
  expect(issueOf({ upper: '58000' })).toBe('scale.tooNarrow');
  expect(issueOf({ lower: '59000.12' })).toBe('trade.issue.priceDecimals');
  expect(issueOf({ size: '0.0000001' })).toBe('trade.issue.sizeDecimals');
  expect(issueOf({ size: '0.0001' })).toBe('scale.valueLow');
  expect(issueOf({ size: '0.00002' })).toBe('trade.issue.sizeLow');
  expect(issueOf({ upper: '70000' })).toBe('trade.issue.bandHigh');
  expect(issueOf({ size: '0.5' })).toBe('trade.issue.tooMuch');
  expect(issueOf({ side: 'sell', lower: '61000', upper: '62000', size: '0.5' })).toBe('trade.issue.tooMuch');
});
