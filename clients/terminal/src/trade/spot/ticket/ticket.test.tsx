// @vitest-environment happy-dom
/** Orders of spot as a person gives them by the ticket: confirmed, pressed twice, without an answer, and with another account in view meanwhile. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import '../../../testing/silent-feed.ts';
import { useSettings } from '../../../kit/settings/settings.ts';
import { accountOf, setView } from '../../../kit/storage/account-in-view.ts';
import { held, Refusal, silence } from '../../../testing/fake-exchange.ts';
import { comeIntoView, exchange, newPerson, show } from '../../../testing/stage.tsx';
import type { Person } from '../../../testing/stage.tsx';
import { BTC } from '../../../market/market.fixture.ts';
import { MarketProvider } from '../../../market/market-context.tsx';
import { Ticket } from './ticket.tsx';
import { editTicket } from './ticket-store.ts';

const CLOSED = 'The account in view has changed. What was open for the previous one was closed.';
const NOT_SENT = 'The account in view has changed. Nothing was sent.';

let alice: Person;
let bob: Person;

const field = (name: string): HTMLElement => screen.getByRole('textbox', { name });
const buy = (): HTMLElement => screen.getByRole('button', { name: /^Buy 0\.1 BTC$/ });
const confirmation = (): Promise<HTMLElement> => screen.findByRole('dialog', { name: 'Confirm Order' });
const orders = () => exchange.received('createOrder');

/** What would be bought, without pressing the button. */
function write(): void {
  fireEvent.change(field('Price'), { target: { value: '60000' } });
  fireEvent.change(field('Size'), { target: { value: '0.1' } });
  field('Size').focus();
}

beforeEach(async () => {
  [alice, bob] = [newPerson(), newPerson()];
  useSettings.getState().set('confirmLimitOrders', true);
  exchange.answer('createOrder', () => '1');
  await comeIntoView(alice);
  await show(
    <MarketProvider value={BTC}>
      <Ticket />
    </MarketProvider>,
  );
});

test('[S3] Enter writes the order, Enter confirms it, and it is placed once, for the account that confirmed', async () => {
  write();
  await userEvent.keyboard('{Enter}');
  const dialog = await confirmation();
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Confirm'));
  expect([dialog.contains(document.activeElement), orders()]).toEqual([true, []]);
  await userEvent.keyboard('{Enter}');
  await screen.findByText('Order placed');
  expect(orders().map(({ by, as, body }) => [by, as, body.totalAmount])).toEqual([[alice.account, alice.account, '0.1']]);
});

test('[S3] a confirmation that is closed places nothing, and the ticket is as it was', async () => {
  write();
  fireEvent.click(buy());
  fireEvent.click(within(await confirmation()).getByRole('button', { name: 'Close' }));
  expect([orders(), buy().isConnected]).toEqual([[], true]);
});

test('a confirmation of one account is closed when another comes into view, with a sentence, and nothing is placed in either', async () => {
  write();
  fireEvent.click(buy());
  await confirmation();
  await comeIntoView(bob);
  await screen.findByText(CLOSED);
  expect(screen.queryByRole('dialog')).toBeNull();
  await comeIntoView(alice);
  expect([orders(), buy().isConnected]).toEqual([[], true]);
});

test('confirmed in the moment in which the account changes, the order is sent for nobody, and that is said', async () => {
  write();
  fireEvent.click(buy());
  const confirm = within(await confirmation()).getByRole('button', { name: 'Confirm' });
  // The press comes first; what it leads to, after the other account.
  confirm.click();
  setView({ address: bob.address, account: bob.account });
  await screen.findByText(NOT_SENT);
  expect(orders()).toEqual([]);
});

test('pressed twice it is one order', async () => {
  useSettings.getState().set('confirmLimitOrders', false);
  const answer = held<string>();
  exchange.answer('createOrder', answer.answer);
  write();
  await userEvent.dblClick(buy());
  await userEvent.keyboard('{Enter}');
  answer.give('1');
  await screen.findByText('Order placed');
  expect(orders().length).toBe(1);
});

test('what the exchange refuses because the account has changed meanwhile waits for its account, under its id', async () => {
  useSettings.getState().set('confirmLimitOrders', false);
  exchange.answer('createOrder', () => {
    throw new Refusal({ status: 409, msg: NOT_SENT, reason: 'AccountChanged' });
  });
  write();
  fireEvent.click(buy());
  await screen.findByText(NOT_SENT);
  await screen.findByRole('group', { name: 'Order without an answer' });
});

test('[S3] without an answer the same order goes out again under its id, offered to its own account alone', async () => {
  useSettings.getState().set('confirmLimitOrders', false);
  exchange.answer('createOrder', silence);
  write();
  fireEvent.click(buy());
  await screen.findByRole('group', { name: 'Order without an answer' });
  await comeIntoView(bob);
  expect(screen.queryByRole('group', { name: 'Order without an answer' })).toBeNull();
  await comeIntoView(alice);
  exchange.answer('createOrder', () => '1');
  fireEvent.click(await screen.findByRole('button', { name: 'Send again' }));
  await screen.findByText('Order placed');
  const [first, ...others] = orders().map(({ by, body }) => `${by} ${body.clientOrderId}`);
  expect(others).toEqual([first]);
});

test('[S3] while an order has no answer its ticket cannot be changed; once it is placed the size is empty, and the price stays', async () => {
  useSettings.getState().set('confirmLimitOrders', false);
  exchange.answer('createOrder', silence);
  write();
  fireEvent.click(buy());
  await screen.findByRole('group', { name: 'Order without an answer' });
  editTicket({ account: accountOf(alice.account), symbol: BTC.symbol }, { size: '9', price: '1' });
  expect([field('Price'), field('Size')].map((shown) => (shown as HTMLInputElement).value)).toEqual(['60000', '0.1']);
  expect(field('Size').closest('fieldset')?.disabled).toBe(true);
  exchange.answer('createOrder', () => '1');
  fireEvent.click(screen.getByRole('button', { name: 'Send again' }));
  await screen.findByText('Order placed');
  expect([field('Price'), field('Size')].map((shown) => (shown as HTMLInputElement).value)).toEqual(['60000', '']);
});

test('[S3] an order whose answer was lost is found among the orders, and is not sent again', async () => {
  useSettings.getState().set('confirmLimitOrders', false);
  exchange.answer('createOrder', silence);
  exchange.answer('order', () => ({}) as never);
  write();
  fireEvent.click(buy());
  await screen.findByText('Order placed');
  expect(orders().length).toBe(1);
});

test('the person can stop waiting for an answer, and then orders again', async () => {
  useSettings.getState().set('confirmLimitOrders', false);
  exchange.answer('createOrder', silence);
  write();
  fireEvent.click(buy());
  fireEvent.click(await screen.findByRole('button', { name: 'Stop waiting' }));
  exchange.answer('createOrder', () => '1');
  fireEvent.click(buy());
  await screen.findByText('Order placed');
  expect(new Set(orders().map(({ body }) => body.clientOrderId)).size).toBe(2);
});
