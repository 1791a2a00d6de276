// @vitest-environment happy-dom
/** What a side of an order presses: asked once more, made for the account that was in view, and not offered before its time. */
import type { OtcOrderDetail } from '@orrery/api';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import '../../testing/silent-feed.ts';
import { comeIntoView, exchange, newPerson, show } from '../../testing/stage.tsx';
import type { Person } from '../../testing/stage.tsx';
import { OrderActions } from './order-actions.tsx';

const order = {
  orderId: '31',
  coin: 'USDC',
  currency: 'cny',
  amount: '70.224719',
  total: '500',
  status: 'CREATED',
  side: 'BUY',
  canDisputeAt: null,
  canAppeal: false,
  decision: null,
} as unknown as OtcOrderDetail;

let alice: Person;

beforeEach(async () => {
  exchange.answer('markOtcOrderPaid', () => order);
  exchange.answer('cancelOtcOrder', () => order);
  alice = newPerson();
  await comeIntoView(alice);
});

const dialog = (): HTMLElement => screen.getByRole('dialog');

test('[A11] that it is paid is said after a question, for the account that was asked', async () => {
  await show(<OrderActions order={order} />);
  await userEvent.click(screen.getByRole('button', { name: 'I have paid' }));
  await screen.findByText(/Say so only once 500 CNY has left your account/);
  expect(exchange.received('markOtcOrderPaid')).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Not yet' }));
  expect(exchange.received('markOtcOrderPaid')).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'I have paid' }));
  await screen.findByRole('dialog');
  await userEvent.click([...dialog().querySelectorAll('button')].find((button) => button.textContent === 'I have paid') ?? dialog());
  await waitFor(() =>
    expect(exchange.received('markOtcOrderPaid')).toMatchObject([{ by: alice.account, as: alice.account, body: { orderId: '31' } }]),
  );
});

test('[A11] to cancel what was paid is warned of by other words', async () => {
  await show(<OrderActions order={{ ...order, status: 'PAID', canDisputeAt: 0 }} />);
  await userEvent.click(screen.getByRole('button', { name: 'Cancel the order' }));
  await screen.findByText(/Cancel only if your payment has come back to you/);
});

test('[A11] what cannot be done yet says why, and does nothing when it is pressed', async () => {
  await show(<OrderActions order={{ ...order, side: 'SELL' }} />);
  const release = screen.getByRole('button', { name: 'Release USDC' });
  expect(release.getAttribute('aria-disabled')).toBe('true');
  expect(document.getElementById(release.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
    'Possible once the buyer says it is paid.',
  );
  await userEvent.click(release);
  expect(screen.queryByRole('dialog')).toBeNull();
});
