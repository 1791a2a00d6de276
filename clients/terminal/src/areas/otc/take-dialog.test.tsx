// @vitest-environment happy-dom
/** An advertisement as a person takes it: one of two figures is typed, the other follows, and the order is made at the price that was shown. */
import type { Balance, OtcAdvertisement, OtcOrderDetail } from '@orrery/api';
import { act, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import '../../testing/silent-feed.ts';
import { refresh } from '../../platform/data/calls.ts';
import { openDialog } from '../../kit/ui/dialogs.tsx';
import { Refusal, silence } from '../../testing/fake-exchange.ts';
import { comeIntoView, exchange, newPerson, show } from '../../testing/stage.tsx';
import { TakeDialog } from './take-dialog.tsx';

const METHOD = 'a'.repeat(32);
const trader = {
  traderId: '4f1d2c7b9a3e',
  nickname: 'Golden Bridge',
  merchant: true,
  verified: true,
  finished: 12,
  completionRate: '98.7',
  medianReleaseSeconds: 240,
  positive: 10,
  negative: 1,
};
const sale: OtcAdvertisement = {
  advertisingId: '7',
  side: 'SELL',
  coin: 'USDC',
  currency: 'cny',
  priceType: 'FIXED',
  price: '7.12',
  premium: null,
  available: '100',
  minTotal: '50',
  maxTotal: '712',
  paymentKinds: ['BANK'],
  payWindowMinutes: 15,
  conditions: 'Own name only.',
  status: 'PUBLISHED',
  takeable: true,
  trader,
  createdTime: 1,
};

const open = async (advertisement: OtcAdvertisement, total = ''): Promise<void> => {
  exchange.answer('otcAdvertisements', () => ({ list: [advertisement], total: 1 }));
  await show(<></>);
  act(() => void openDialog(TakeDialog, { advertisement, total }));
  await screen.findByText(/fixed once the order is made/);
};
const field = (name: string): HTMLInputElement => screen.getByRole('textbox', { name });
const send = (): Promise<void> => userEvent.click(document.querySelector('button[type=submit]') ?? document.body);
const sent = (): readonly unknown[] => exchange.received('createOtcOrder').map(({ body }) => body);

beforeEach(async () => {
  exchange.answer('balances', () => [{ balanceType: 'funding', coin: 'USDC', balance: '20', availableBalance: '20' } as Balance]);
  exchange.answer('coins', () => [{ id: 1, coin: 'USDC', name: 'USDC', precision: 6, displayPrecision: 2 }]);
  exchange.answer('otcInfo', () => ({ coins: ['USDC'], minuteSeconds: 60 }) as never);
  exchange.answer('otcOrders', () => ({ list: [], total: 0 }));
  exchange.answer('otcPaymentMethods', () => ({
    list: [{ paymentMethodId: METHOD, kind: 'BANK', name: 'Alice', number: '62', bank: 'A bank', masked: false }],
    total: 1,
  }));
  exchange.answer('createOtcOrder', () => ({ orderId: '31' }) as OtcOrderDetail);
  await comeIntoView(newPerson());
});

test('[A11] what is received follows from what is paid, rounded as the exchange does, and the order has the price that was shown', async () => {
  await open(sale);
  await userEvent.type(field('You pay'), '500');
  await waitFor(() => expect(field('You receive').value).toBe('70.224719'));
  await screen.findByText('70.224719 USDC of the seller, until the payment is confirmed');
  await send();
  await waitFor(() => expect(sent()).toMatchObject([{ advertisingId: '7', total: '500', price: '7.12' }]));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('[A11] by the amount of the coin the total follows, and the amount is what is sent', async () => {
  await open(sale);
  await userEvent.type(field('You receive'), '10.000001');
  await waitFor(() => expect(field('You pay').value).toBe('71.21'));
  await send();
  await waitFor(() => expect(sent()).toMatchObject([{ amount: '10.000001' }]));
  expect(sent()[0]).not.toHaveProperty('total');
});

test.each(['49.99', '712.01'])('a total of %s is outside the limits, and nothing is sent', async (typed) => {
  await open(sale);
  await userEvent.type(field('You pay'), typed);
  await send();
  expect(await screen.findAllByText('From 50 to 712 CNY.')).not.toHaveLength(0);
  await waitFor(() => expect(field('You pay').getAttribute('aria-invalid')).toBe('true'));
  expect(sent()).toEqual([]);
});

test('[A11] who sells chooses where to be paid, and sells no more than is in the funding wallet', async () => {
  await open({ ...sale, side: 'BUY' });
  await userEvent.type(field('You are paid'), '500');
  await send();
  await screen.findByText('Your funding wallet has 20 USDC. Move coins there first.');
  await userEvent.clear(field('You are paid'));
  await userEvent.type(field('You are paid'), '71.2');
  await send();
  await screen.findByText('Choose at least one.');
  await userEvent.click(screen.getByRole('checkbox', { name: /A bank/ }));
  await send();
  await waitFor(() => expect(sent()).toMatchObject([{ total: '71.2', paymentMethodIds: [METHOD] }]));
});

test('[A11] an order without an answer is looked for under its id, and is not made twice', async () => {
  exchange.answer('createOtcOrder', silence);
  await open(sale, '500');
  await send();
  await screen.findByText('Buy USDC for 500.00 CNY');
  exchange.answer('createOtcOrder', () => ({ orderId: '31' }) as OtcOrderDetail);
  await userEvent.click(screen.getByRole('button', { name: 'Send again' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const ids = exchange.received('createOtcOrder').map(({ body }) => body.clientOrderId);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
});

test('what is refused is said in the form, and an advertisement that takes no orders says so', async () => {
  exchange.answer('createOtcOrder', () => {
    throw new Refusal({ status: 409, msg: 'a sentence of the exchange' });
  });
  await open(sale, '500');
  await send();
  await screen.findByText('a sentence of the exchange');
});

test('an advertisement that has gone cannot be taken', async () => {
  await open({ ...sale, takeable: false }, '500');
  await screen.findByText('This advertisement takes no orders now.');
  expect(document.querySelector<HTMLButtonElement>('button[type=submit]')?.disabled).toBe(true);
});

const submit = (): HTMLButtonElement | null => document.querySelector('button[type=submit]');

test('[A11] a price that gets worse while it is read is accepted by a press of its own, before the order can be made', async () => {
  await open(sale, '500');
  exchange.answer('otcAdvertisements', () => ({ list: [{ ...sale, price: '7.5' }], total: 1 }));
  await act(() => refresh('otcAdvertisements'));
  await screen.findByText('The price was 7.12 and is 7.5 now.');
  expect([field('You receive').value, submit()?.disabled]).toEqual(['66.666666', true]);
  await userEvent.click(screen.getByRole('button', { name: 'Accept' }));
  await waitFor(() => expect(submit()?.disabled).toBe(false));
  await send();
  await waitFor(() => expect(sent()).toMatchObject([{ total: '500', price: '7.5' }]));
});

test('[A11] a better price is taken at once, and one that goes back from there is a worse one', async () => {
  await open({ ...sale, side: 'BUY' }, '71.2');
  exchange.answer('otcAdvertisements', () => ({ list: [{ ...sale, side: 'BUY', price: '7.5' }], total: 1 }));
  await act(() => refresh('otcAdvertisements'));
  await screen.findByText('The price was 7.12 and is 7.5 now.');
  expect(submit()?.disabled).toBe(false);
  exchange.answer('otcAdvertisements', () => ({ list: [{ ...sale, side: 'BUY' }], total: 1 }));
  await act(() => refresh('otcAdvertisements'));
  await screen.findByText('The price was 7.5 and is 7.12 now.');
  expect(submit()?.disabled).toBe(true);
});

test('[A11] an advertisement that is taken down while it is read takes no order', async () => {
  await open(sale, '500');
  exchange.answer('otcAdvertisements', () => ({ list: [], total: 0 }));
  await act(() => refresh('otcAdvertisements'));
  await screen.findByText('This advertisement takes no orders now.');
  expect(submit()?.disabled).toBe(true);
});

test('[A11] with another account in view the dialog closes, and nothing is sent', async () => {
  await open(sale, '500');
  await comeIntoView(newPerson());
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent()).toEqual([]);
});
