import { expect, test } from 'vitest';
import { ticket } from './ticket.fixture.ts';
import { canonical, orderKind, takesPrice, typedNumber } from './ticket-form.ts';

test('a comma is read as the decimal point, and what is no number does not enter the field', () => {
  expect(typedNumber('0,5')).toBe('0.5');
  expect(typedNumber('.5')).toBe('0.5');
  expect(typedNumber('1 000')).toBe('1000');
  expect(typedNumber('')).toBe('');
  for (const text of ['-1', '1e5', '1.2.3', 'abc', '1,2,3', '٣']) expect(typedNumber(text)).toBeUndefined();
});

test('the wire gets canonical text', () => {
  expect(canonical('0.4060')).toBe('0.406');
  expect(canonical('007.')).toBe('7');
  expect(canonical('0.000')).toBe('0');
  expect(canonical('60000')).toBe('60000');
});

test('the tabs of the ticket are kinds of orders', () => {
  expect(orderKind(ticket({ tab: 'limit' }))).toBe('limit');
  expect(orderKind(ticket({ tab: 'market' }))).toBe('market');
  expect(orderKind(ticket({ tab: 'stop', stopKind: 'limit' }))).toBe('stopLimit');
  expect(orderKind(ticket({ tab: 'stop', stopKind: 'market' }))).toBe('stopMarket');
  expect(takesPrice(ticket({ tab: 'stop', stopKind: 'market' }))).toBe(false);
});
