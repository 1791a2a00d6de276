// @vitest-environment happy-dom
/** A release as a seller makes it: nothing goes before the payment was seen, and with a bound app its code is what proves it. */
import type { OtcOrderDetail } from '@orrery/api';
import { act, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import '../../testing/silent-feed.ts';
import { openDialog } from '../../kit/ui/dialogs.tsx';
import { comeIntoView, exchange, newPerson, show } from '../../testing/stage.tsx';
import { ReleaseDialog } from './release-dialog.tsx';

const order = {
  orderId: '31',
  coin: 'USDC',
  currency: 'cny',
  amount: '70.224719',
  total: '500',
  side: 'SELL',
  payerName: 'Bob Example',
  counterpart: { traderId: '4f1d2c7b9a3e', nickname: 'Trader 4f1d' },
} as OtcOrderDetail;

const sent = (): readonly unknown[] => exchange.received('releaseOtcOrder').map(({ body }) => body);

beforeEach(async () => {
  exchange.answer('releaseOtcOrder', () => ({ ...order, status: 'RELEASED' }));
  await comeIntoView(newPerson());
  await show(<></>);
});

async function openWith(security: Readonly<Record<string, boolean>>): Promise<void> {
  exchange.answer('accountInfo', () => security as never);
  act(() => void openDialog(ReleaseDialog, { order }));
  await screen.findByText('Bob Example');
}

const submit = (): HTMLButtonElement => screen.getByRole('button', { name: 'Release' });

test('[A11] the code of the app releases exactly this order, once the payment was seen', async () => {
  await openWith({ googleSecurityStatus: true, passkeySecurityStatus: false });
  await screen.findByText('It goes to Trader 4f1d at once and can not be taken back.');
  expect(submit().disabled).toBe(true);
  await userEvent.type(await screen.findByRole('textbox'), '123456');
  await waitFor(() => expect(submit().disabled).toBe(false));
  await userEvent.click(submit());
  await screen.findByText('Check your account first.');
  expect(sent()).toEqual([]);
  await userEvent.click(screen.getByRole('checkbox', { name: 'I have seen 500.00 CNY arrive in my account' }));
  await userEvent.click(submit());
  await waitFor(() => expect(sent()).toEqual([{ orderId: '31', google: '123456' }]));
  await screen.findByText('Released 70.224719 USDC');
});

test('[A11] without a factor and without a wallet that signs nothing can be released, and it says why', async () => {
  await openWith({ googleSecurityStatus: false, passkeySecurityStatus: false });
  await screen.findByText(/Connect your wallet, or set up a factor/);
  expect(submit().disabled).toBe(true);
});
