// @vitest-environment happy-dom
/** The deposit of a merchant: filled up from the funding wallet where a dispute was paid from it, after both were shown before and after. */
import type { Balance, OtcMerchantInfo } from '@orrery/api';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import '../../testing/silent-feed.ts';
import { Refusal } from '../../testing/fake-exchange.ts';
import { comeIntoView, exchange, newPerson, show } from '../../testing/stage.tsx';
import { OwnMerchant } from './own-merchant.tsx';

let own: OtcMerchantInfo;
let funding: string;

beforeEach(async () => {
  funding = '1000';
  own = { traderId: '4f1d2c7b9a3e', state: 'APPROVED', deposit: '350', depositCoin: 'USDC', since: 1, answer: null } as OtcMerchantInfo;
  exchange.answer('otcInfo', () => ({ merchantDeposit: '500', depositCoin: 'USDC', minuteSeconds: 60 }) as never);
  exchange.answer('ownOtcMerchant', () => own);
  exchange.answer('balances', () => [{ balanceType: 'funding', coin: 'USDC', balance: funding, availableBalance: funding } as Balance]);
  exchange.answer('applyAsOtcMerchant', () => (own = { ...own, deposit: '500' }));
  await comeIntoView(newPerson());
});

const button = (name: string): HTMLButtonElement[] => screen.queryAllByRole<HTMLButtonElement>('button', { name });
const open = async (): Promise<void> => {
  await show(<OwnMerchant />);
  await userEvent.click(await screen.findByRole('button', { name: 'Fill up deposit' }));
  await screen.findByRole('dialog');
};
const submit = (): HTMLButtonElement => document.querySelector<HTMLButtonElement>('button[type=submit]') ?? expect.fail('no dialog');

test('[A11] what is missing moves, as the receipt says, and then the button is gone', async () => {
  await open();
  await screen.findByText('350 → 500 USDC');
  await screen.findByText('1,000 → 850 USDC');
  expect(exchange.received('applyAsOtcMerchant')).toEqual([]);
  await userEvent.click(submit());
  await screen.findByText('Deposit filled up');
  expect(exchange.received('applyAsOtcMerchant').map(({ body }) => body)).toEqual([{}]);
  await waitFor(() => expect(button('Fill up deposit')).toEqual([]));
});

test('[A11] without the money it says so, and nothing goes', async () => {
  funding = '149.99';
  await open();
  await screen.findByText('There is not enough in your funding wallet.');
  expect(submit().disabled).toBe(true);
});

test('[A11] balances that cannot be read say so, and nothing goes', async () => {
  exchange.answer('balances', () => {
    throw new Refusal({ status: 400, msg: 'not now' });
  });
  await open();
  await screen.findByRole('button', { name: 'Try again' });
  expect(submit().disabled).toBe(true);
});

test.each([
  { state: 'APPROVED', deposit: '500' },
  { state: 'WAITING', deposit: '350' },
  { state: 'LEFT', deposit: '0' },
] as const)('[A11] nothing is to be filled up: %o', async (over) => {
  own = { ...own, ...over };
  await show(<OwnMerchant />);
  await screen.findByRole('link', { name: 'Your public page' });
  expect(button('Fill up deposit')).toEqual([]);
});
