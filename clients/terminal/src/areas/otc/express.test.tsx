// @vitest-environment happy-dom
/** The best offer for an amount: asked for when the fingers rest, and taken with one press at the price that was shown. */
import type { OtcAdvertisement, OtcOrderDetail } from '@orrery/api';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import '../../testing/silent-feed.ts';
import { comeIntoView, exchange, newPerson, show } from '../../testing/stage.tsx';
import { Express } from './express.tsx';
import { useFilters } from './use-filters.ts';
import type { ReactElement } from 'react';

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
