import { expect, test } from 'vitest';
import { ticket } from './ticket.fixture.ts';
import { orderKind, takesPrice } from './ticket-form.ts';
import { canonical } from '../../shared/ticket/ticket-text.ts';

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
