// @vitest-environment happy-dom
/** A transfer as a person makes it: what is wrong is said at its field, Enter sends it, and Escape closes what was not touched. */
import type { Balance } from '@orrery/api';
import { act, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import '../../testing/silent-feed.ts';
import { refresh } from '../../platform/data/calls.ts';
import { openDialog } from '../../kit/ui/dialogs.tsx';
import { Refusal } from '../../testing/fake-exchange.ts';
import { comeIntoView, exchange, newPerson, show } from '../../testing/stage.tsx';
import { TransferDialog } from './transfer-dialog.tsx';

const USDC = { balanceType: 'spot', coin: 'USDC', balance: '12.5', availableBalance: '12.5' } as Balance;

const ROUTE = { from: 'spot', to: 'futures' } as const;
const initial = { ...ROUTE, coin: 'USDC' } as const;

beforeEach(async () => {
  exchange.answer('balances', () => [USDC]);
  exchange.answer('coins', () => [{ id: 1, coin: 'USDC', name: 'USDC', precision: 6, displayPrecision: 2 }]);
  exchange.answer('transfers', () => ({ list: [], total: 0, next: null }));
  exchange.answer('transfer', () => ({ transferId: '1' }));
  await comeIntoView(newPerson());
  await show(<></>);
  act(() => void openDialog(TransferDialog, { initial }));
  await screen.findByText('Available 12.50 USDC');
});

const amount = (): HTMLElement => screen.getByRole('textbox', { name: 'Amount' });
const send = (): Promise<void> => userEvent.click(document.querySelector('button[type=submit]') ?? document.body);
const sent = (): readonly unknown[] => exchange.received('transfer').map(({ body }) => body);

test.each([
  ['13', 'At most 12.5 USDC is available.'],
  ['0', 'Enter an amount above zero.'],
  ['1.1234567', 'Enter an amount with at most 6 decimals.'],
])('an amount of %s is said to be wrong, and nothing is sent', async (typed, words) => {
  await userEvent.type(amount(), typed);
  await send();
  await screen.findByText(words);
  await waitFor(() => expect(document.activeElement).toBe(amount()));
  expect(sent()).toEqual([]);
});

test('Max takes all that is available; the button says what is sent, and the dialog closes with it', async () => {
  await userEvent.click(screen.getByRole('button', { name: 'Max' }));
  await userEvent.click(screen.getByRole('button', { name: 'Transfer 12.5 USDC' }));
  await screen.findByText('Transferred 12.5 USDC');
  expect(sent()).toMatchObject([{ coin: 'USDC', amount: '12.5', from: 'spot', to: 'futures' }]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('Escape closes it while nothing was entered, and leaves it once something was', async () => {
  await userEvent.type(amount(), '5');
  await userEvent.keyboard('{Escape}');
  expect(screen.getByRole('dialog')).toBeTruthy();
});

test('Escape with nothing entered closes it', async () => {
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('what is refused is said in the form, once, and the amount stays', async () => {
  exchange.answer('transfer', () => {
    throw new Refusal({ status: 422, msg: 'not enough margin', reason: 'InsufficientMargin' });
  });
  await userEvent.type(amount(), '5');
  await send();
  expect(await screen.findAllByText('Not enough margin.')).toHaveLength(1);
  expect((amount() as HTMLInputElement).value).toBe('5');
});

test.each([
  ['a coin that was chosen, of which nothing is left', 'USDC', [{ ...USDC, coin: 'BTC' }]],
  ['the first coin, before which another comes', undefined, [{ ...USDC, coin: 'BTC' }, USDC]],
])('an amount stays one of %s', async (_name, coin, later) => {
  await userEvent.keyboard('{Escape}');
  act(() => void openDialog(TransferDialog, { initial: { ...ROUTE, ...(coin !== undefined && { coin }) } }));
  await screen.findByText('Available 12.50 USDC');
  await userEvent.type(amount(), '5');
  exchange.answer('balances', () => later as Balance[]);
  await act(() => refresh('balances'));
  const choice = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Coin' });
  await waitFor(() => expect(choice.options).toHaveLength(2));
  expect(choice.value).toBe('USDC');
  expect(screen.queryByRole('button', { name: 'Transfer 5 BTC' })).toBeNull();
});
