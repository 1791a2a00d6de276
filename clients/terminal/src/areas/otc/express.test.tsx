// @vitest-environment happy-dom
/** The best offer for an amount: asked for when the fingers rest, and taken with one press at the price that was shown. */
import type { OtcAdvertisement, OtcOrderDetail } from '@orrery/api';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { beforeEach, expect, test } from 'vitest';
import '../../testing/silent-feed.ts';
import { comeIntoView, exchange, newPerson, show } from '../../testing/stage.tsx';
import { Express } from './express.tsx';
import { useFilters } from './use-filters.ts';

const best = {
  advertisingId: '7',
  side: 'SELL',
  coin: 'USDC',
  currency: 'cny',
  priceType: 'FIXED',
  price: '7.12',
  paymentKinds: ['BANK'],
  payWindowMinutes: 15,
  conditions: null,
  takeable: true,
  trader: {
    traderId: '4f1d2c7b9a3e',
    nickname: 'Golden Bridge',
    merchant: true,
    verified: true,
    finished: 12,
    completionRate: '98.7',
    medianReleaseSeconds: 240,
    positive: 10,
    negative: 1,
  },
} as unknown as OtcAdvertisement;

function Part(): ReactElement {
  const [filters, change] = useFilters();
  return <Express filters={filters} change={change} />;
}

let offers: readonly OtcAdvertisement[];

beforeEach(async () => {
  offers = [best];
  exchange.answer('coins', () => [{ id: 1, coin: 'USDC', name: 'USDC', precision: 6, displayPrecision: 2 }]);
  exchange.answer('otcInfo', () => ({ coins: ['USDC', 'BTC'], minuteSeconds: 60 }) as never);
  exchange.answer('otcAdvertisements', () => ({ list: [...offers], total: offers.length }));
  exchange.answer('otcOrders', () => ({ list: [], total: 0 }));
  exchange.answer('createOtcOrder', () => ({ orderId: '31' }) as OtcOrderDetail);
  await comeIntoView(newPerson());
  await show(<Part />);
});

const asked = (): readonly unknown[] => exchange.received('otcAdvertisements').map(({ query }) => query);

test('[A11] the best advertisement for what is spent: one press makes its order', async () => {
  await screen.findByText('Enter an amount to see the best offer.');
  expect(asked()).toEqual([]);
  await userEvent.type(screen.getByRole('textbox', { name: 'I want to spend' }), '500');
  await screen.findByText('70.224719 USDC');
  // Not at each key.
  expect(asked()).toEqual([{ side: 'SELL', coin: 'USDC', currency: 'cny', total: '500', page: '1', pageSize: '10' }]);
  await userEvent.click(screen.getByRole('button', { name: 'Buy 70.224719 USDC' }));
  await waitFor(() =>
    expect(exchange.received('createOtcOrder').map(({ body }) => body)).toMatchObject([
      { advertisingId: '7', total: '500', price: '7.12' },
    ]),
  );
});

test('[A11] who advertises with conditions, and who buys, is reviewed first', async () => {
  offers = [{ ...best, conditions: 'Own name only.' }];
  await userEvent.type(screen.getByRole('textbox', { name: 'I want to spend' }), '500');
  await screen.findByRole('button', { name: 'Review the order' });
  expect(screen.queryByRole('button', { name: /^Buy [\d.]+/ })).toBeNull();
});

test('an amount that nobody takes says so', async () => {
  offers = [];
  await userEvent.type(screen.getByRole('textbox', { name: 'I want to spend' }), '5');
  await screen.findByText(/^Nobody takes an order of this amount now/);
});

test('[A11] nobody is offered an advertisement of their own', async () => {
  exchange.answer('ownOtcMerchant', () => ({ traderId: 'aaaaaaaaaaaa' }) as never);
  offers = [{ ...best, price: '7', trader: { ...best.trader, traderId: 'aaaaaaaaaaaa' } }, best];
  await comeIntoView(newPerson());
  await userEvent.type(screen.getByRole('textbox', { name: 'I want to spend' }), '500');
  await screen.findByRole('button', { name: 'Buy 70.224719 USDC' });
});

test('[A11] what is typed while the amount before it is on its way into the address stays', async () => {
  const written: string[] = [];
  let arrive: (total: string) => void = () => undefined;
  function Slow(): ReactElement {
    const [filters, change] = useFilters();
    const [total, setTotal] = useState('');
    useEffect(() => {
      arrive = setTotal;
    }, []);
    return <Express filters={{ ...filters, total }} change={{ ...change, total: (next) => void written.push(next) }} />;
  }
  cleanup();
  await show(<Slow />);
  const field: HTMLInputElement = screen.getByRole('textbox', { name: 'I want to spend' });
  await userEvent.type(field, '5');
  await waitFor(() => expect(written).toEqual(['5']));
  expect(field.value).toBe('5');
  await userEvent.type(field, '0');
  act(() => arrive('5'));
  expect(field.value).toBe('50');
  await waitFor(() => expect(written).toEqual(['5', '50']));
  // By a link.
  act(() => arrive('700'));
  expect(field.value).toBe('700');
});

test('an amount with more than two decimals is not looked for, stays as it was typed, and is said to be wrong', async () => {
  const field: HTMLInputElement = screen.getByRole('textbox', { name: 'I want to spend' });
  await userEvent.type(field, '5.125');
  await screen.findByText('Enter an amount above zero with at most 2 decimals.');
  expect(field.value).toBe('5.125');
  expect(asked()).toEqual([]);
});
