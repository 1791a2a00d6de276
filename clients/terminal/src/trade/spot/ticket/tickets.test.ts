import { expect, test } from 'vitest';
import { accountOf } from '../../../kit/storage/account-in-view.ts';
import { edit, pick, prefill, ticketOf } from './tickets.ts';
import type { Tickets } from './tickets.ts';

const NONE: Tickets = new Map();
const bitcoin = { account: accountOf('1'), symbol: 'BTC_USDC' };
const soso = { account: accountOf('1'), symbol: 'WSOSO_USDC' };
const visitor = { account: undefined, symbol: 'BTC_USDC' };

test('[S1] what is typed for one market is not in the ticket of another, and is there again on return', () => {
  const tickets = edit(NONE, bitcoin, { price: '107763.7', size: '0.5' });
  expect(ticketOf(tickets, soso).form).toMatchObject({ price: '', size: '' });
  expect(ticketOf(edit(tickets, soso, { size: '12' }), bitcoin).form).toMatchObject({ price: '107763.7', size: '0.5' });
});

test('[S1] a ticket belongs to its account; what a visitor typed is there once they have signed in', () => {
  const tickets = edit(NONE, bitcoin, { size: '0.5' });
  expect(ticketOf(tickets, { ...bitcoin, account: accountOf('2') }).form.size).toBe('');
  expect(ticketOf(tickets, visitor).form.size).toBe('');
  expect(ticketOf(edit(NONE, visitor, { size: '0.2' }), bitcoin).form.size).toBe('0.2');
});

test('a size that was taken as the most is no bound any more once the order is another', () => {
  const taken = edit(NONE, bitcoin, { size: '0.5', unit: 'base', most: '0.5' });
  expect(ticketOf(taken, bitcoin).form.most).toBe('0.5');
  expect(ticketOf(edit(taken, bitcoin, { price: '60000' }), bitcoin).form.most).toBe('0.5');
  for (const other of [{ side: 'sell' }, { unit: 'quote' }, { tab: 'market' }, { waits: 'pair' }, { stopKind: 'market' }] as const)
    expect(ticketOf(edit(taken, bitcoin, other), bitcoin).form.most).toBe('');
});

test('another market begins with the kind of order that was made last', () => {
  const tickets = edit(NONE, bitcoin, { tab: 'stop', side: 'sell', size: '1', trigger: '50000' });
  expect(ticketOf(tickets, soso).form).toMatchObject({ tab: 'stop', side: 'sell', size: '', trigger: '', price: '' });
});

test('the middle of the market fills the price until it is the person’s own, an emptied one too', () => {
  const filled = prefill(NONE, bitcoin, '60000');
  expect(ticketOf(filled, bitcoin).form.price).toBe('60000');
  expect(ticketOf(prefill(filled, bitcoin, '60010'), bitcoin).form.price).toBe('60010');
  const emptied = edit(filled, bitcoin, { price: '' });
  expect(ticketOf(prefill(emptied, bitcoin, '60010'), bitcoin).form.price).toBe('');
  expect(ticketOf(prefill(pick(NONE, bitcoin, { price: '59000' }), bitcoin, '60010'), bitcoin).form.price).toBe('59000');
});

test('a level of the book fills price and size; a price alone leaves the size', () => {
  const picked = pick(edit(NONE, bitcoin, { tab: 'market', unit: 'quote', size: '100' }), bitcoin, { price: '60000', size: '1.5' });
  expect(ticketOf(picked, bitcoin).form).toMatchObject({ tab: 'limit', price: '60000', size: '1.5', unit: 'base' });
  expect(ticketOf(pick(picked, bitcoin, { price: '59000' }), bitcoin).form).toMatchObject({ price: '59000', size: '1.5' });
});

test('a level can be picked for an order on a side', () => {
  expect(ticketOf(pick(NONE, bitcoin, { price: '60000', size: '1', side: 'sell' }), bitcoin).form).toMatchObject({
    side: 'sell',
    price: '60000',
  });
});

test('a price picked for a stop market order is its trigger', () => {
  const stop = edit(NONE, bitcoin, { tab: 'stop', stopKind: 'market' });
  expect(ticketOf(pick(stop, bitcoin, { price: '59000' }), bitcoin).form).toMatchObject({ tab: 'stop', trigger: '59000', price: '' });
});
