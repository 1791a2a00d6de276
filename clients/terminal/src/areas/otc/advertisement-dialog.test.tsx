// @vitest-environment happy-dom
/** An advertisement that is changed: another amount is of the version that was shown, and where that is no longer the present one it is said. */
import type { Balance, OwnOtcAdvertisement } from '@orrery/api';
import { act, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import '../../testing/silent-feed.ts';
import { openDialog } from '../../kit/ui/dialogs.tsx';
import { held, Refusal } from '../../testing/fake-exchange.ts';
import { comeIntoView, exchange, newPerson, show } from '../../testing/stage.tsx';
import { AdvertisementDialog } from './advertisement-dialog.tsx';

const METHOD = 'a'.repeat(32);
const own = {
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
  payWindowMinutes: 15,
  conditions: null,
  autoReply: null,
  paymentMethodIds: [METHOD],
  version: 4,
} as unknown as OwnOtcAdvertisement;

const sent = (): readonly unknown[] => exchange.received('updateOtcAdvertisement').map(({ body }) => body);
const save = (): Promise<void> => userEvent.click(document.querySelector('button[type=submit]') ?? document.body);

async function enter(name: string, value: string): Promise<void> {
  const field = await screen.findByRole('textbox', { name });
  await userEvent.clear(field);
  await userEvent.type(field, value);
}

const balances = [{ balanceType: 'funding', coin: 'USDC', balance: '500', availableBalance: '500' } as Balance];

beforeEach(async () => {
  exchange.answer('balances', () => balances);
  exchange.answer('coins', () => [{ id: 1, coin: 'USDC', name: 'USDC', precision: 6, displayPrecision: 2 }]);
  exchange.answer('otcInfo', () => ({ coins: ['USDC'], minuteSeconds: 60 }) as never);
  exchange.answer('otcPaymentMethods', () => ({
    list: [{ paymentMethodId: METHOD, kind: 'BANK', name: 'Alice', number: '1', bank: 'Bank', masked: false, createdTime: 1 }],
    total: 1,
  }));
  await comeIntoView(newPerson());
  await show(<></>);
  act(() => void openDialog(AdvertisementDialog, { changed: own }));
});

test('[A11] another amount is sent with the version that was shown; that it has changed since is said in the form', async () => {
  exchange.answer('updateOtcAdvertisement', () => {
    throw new Refusal({ status: 409, msg: 'the advertisement has changed since this version of it', reason: 'AdvertisementVersionStale' });
  });
  await screen.findByRole('button', { name: /Max/ });
  await enter('Amount available from now on', '150');
  await save();
  await waitFor(() => expect(sent()).toMatchObject([{ advertisingId: '7', amount: '150', version: 4 }]));
  await screen.findByText(/^The advertisement has changed since you opened it/);
});

test('[A11] another price names no amount and no version: it is taken whatever orders have taken meanwhile', async () => {
  exchange.answer('updateOtcAdvertisement', () => own);
  await enter('Price for 1 USDC', '7.2');
  await save();
  await waitFor(() => expect(sent()).toHaveLength(1));
  expect(sent()).toMatchObject([{ advertisingId: '7', price: '7.2' }]);
  expect(Object.keys(sent()[0] ?? {})).not.toContain('version');
});

test('[A11] what is typed before the balances are known stays when they are, in the same field, which keeps the focus', async () => {
  const reading = held<readonly Balance[]>();
  exchange.answer('balances', reading.answer as never);
  // Another account: nothing is known of it.
  await comeIntoView(newPerson());
  act(() => void openDialog(AdvertisementDialog, { changed: own }));
  const field: HTMLInputElement = await screen.findByRole('textbox', { name: 'Amount available from now on' });
  await userEvent.clear(field);
  await userEvent.type(field, '15');
  expect(screen.queryByRole('button', { name: /Max/ })).toBeNull();
  reading.give(balances);
  await screen.findByRole('button', { name: /Max/ });
  expect(document.activeElement).toBe(field);
  await userEvent.keyboard('0');
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Amount available from now on' }).value).toBe('150');
});
