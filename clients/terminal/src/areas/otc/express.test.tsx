// @vitest-environment happy-dom
/** The best offer for an amount: asked for when the fingers rest, and taken with one press at the price that was shown. */
import type { OtcAdvertisement, OtcOrderDetail } from '@orrery/api';
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { beforeEach, expect, test } from 'vitest';
import '../../testing/silent-feed.ts';
import { held, silence } from '../../testing/fake-exchange.ts';
import { comeIntoView, exchange, newPerson, show } from '../../testing/stage.tsx';
import { refresh } from '../../platform/data/calls.ts';
import { signOut } from '../../platform/session/session.ts';
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
  const button = screen.getByRole('button', { name: 'Buy 70.224719 USDC' });
  await waitFor(() => expect(button.getAttribute('aria-busy')).toBe('false'));
  await userEvent.click(button);
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

const HOUR_MS = 3_600_000;
const offered = async (): Promise<HTMLElement> => {
  await userEvent.type(screen.getByRole('textbox', { name: 'I want to spend' }), '500');
  const button = await screen.findByRole('button', { name: 'Buy 70.224719 USDC' });
  await waitFor(() => expect(button.getAttribute('aria-busy')).toBe('false'));
  return button;
};
const pause = (millis: number): Promise<void> => act(() => new Promise<void>((resolve) => setTimeout(resolve, millis)));
/** Until it is shown. */
async function readAgain(): Promise<void> {
  await act(() => refresh('otcAdvertisements'));
  await pause(50);
}
const made = (): readonly unknown[] => exchange.received('createOtcOrder');

test('[A11] while the session of the last visit comes back the offer waits for it, and no wallet is asked for', async () => {
  const session = held<never>();
  const person = newPerson();
  const answer = {
    accountId: person.account,
    address: person.address,
    termsAccepted: true,
    connected: true,
    sessionEndsAt: Date.now() + HOUR_MS,
  };
  exchange.answer('accountInfo', session.answer);
  const returning = comeIntoView(person);
  await userEvent.type(screen.getByRole('textbox', { name: 'I want to spend' }), '500');
  const button = await screen.findByRole('button', { name: 'Buy 70.224719 USDC' });
  await userEvent.click(button);
  offers = [{ ...best, conditions: 'Own name only.' }];
  await readAgain();
  await userEvent.click(await screen.findByRole('button', { name: 'Review the order' }));
  // Wallets are looked for before their dialog opens.
  await pause(1_000);
  expect([screen.queryByRole('dialog'), made().length]).toEqual([null, 0]);
  session.give(answer as never);
  await returning;
  await screen.findByRole('dialog', { name: /^Buy USDC/ });
});

test('[A11] a visitor who presses signs in, and sees the order again before it is made', async () => {
  await act(signOut);
  await userEvent.click(await offered());
  await screen.findByRole('dialog', { name: /wallet/ });
  await comeIntoView(newPerson());
  await screen.findByRole('dialog', { name: /^Buy USDC/ });
  expect(made()).toEqual([]);
});

test('[A11] an offer that comes in the place of another is not taken by a press that was meant for the other', async () => {
  await offered();
  offers = [{ ...best, advertisingId: '8', price: '7.13' }];
  await readAgain();
  await screen.findByText('70.126227 USDC');
  const other = screen.getByRole('button', { name: 'Buy 70.126227 USDC' });
  fireEvent.click(other);
  await pause(200);
  expect(made()).toEqual([]);
  await waitFor(() => expect(other.getAttribute('aria-busy')).toBe('false'));
  fireEvent.click(other);
  await waitFor(() => expect(made()).toMatchObject([{ body: { advertisingId: '8', price: '7.13' } }]));
});

test('[A11] an order without an answer is looked for though its advertisement takes no more', async () => {
  exchange.answer('createOtcOrder', silence);
  await userEvent.click(await offered());
  await screen.findByText('Buy USDC for 500.00 CNY');
  offers = [];
  await readAgain();
  await screen.findByText('Buy USDC for 500.00 CNY');
});

test('[A11] a second press while the page of the order is on its way makes no second order', async () => {
  cleanup();
  const root = createRootRoute();
  const page = held<null>();
  const routes = [
    createRoute({ getParentRoute: () => root, path: '/', component: Part }),
    createRoute({ getParentRoute: () => root, path: '/otc/order/$orderId', loader: page.answer, component: () => <p>Order 31</p> }),
  ];
  const router = createRouter({ routeTree: root.addChildren(routes), history: createMemoryHistory({ initialEntries: ['/'] }) });
  await show(<RouterProvider router={router as never} />);
  await screen.findByRole('textbox', { name: 'I want to spend' });
  const button = await offered();
  await userEvent.click(button);
  await screen.findByText('Order made');
  await userEvent.click(button);
  page.give(null);
  await screen.findByText('Order 31');
  expect(made()).toHaveLength(1);
});
