// @vitest-environment happy-dom
/** Orders of a contract as a person gives them by the ticket: confirmed, asked twice, without an answer, and with another account in view meanwhile. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import '../../../testing/silent-feed.ts';
import { useSettings } from '../../../kit/settings/settings.ts';
import { setView } from '../../../kit/storage/account-in-view.ts';
import { held, silence } from '../../../testing/fake-exchange.ts';
import { comeIntoView, exchange, newPerson, show } from '../../../testing/stage.tsx';
import type { Person } from '../../../testing/stage.tsx';
import { MarketProvider } from '../../../market/market-context.tsx';
import { BTC_PERPETUAL } from '../../../market/contract.fixture.ts';
import { ContractTicket } from './contract-ticket.tsx';
import { openContractOrders } from './open-contract-orders.ts';

const CLOSED = 'The account in view has changed. What was open for the previous one was closed.';
const NOT_SENT = 'The account in view has changed. Nothing was sent.';

let alice: Person;
let bob: Person;

const field = (name: string): HTMLElement => screen.getByRole('textbox', { name });
const buy = (): HTMLElement => screen.getByRole('button', { name: 'Buy BTC' });
const confirmation = (): Promise<HTMLElement> => screen.findByRole('dialog', { name: 'Confirm Order' });
const orders = () => exchange.received('createFuturesOrder');

/** What would be bought, without pressing the button. */
function write(): void {
  fireEvent.change(field('Price'), { target: { value: '60000' } });
  fireEvent.change(field('Size'), { target: { value: '0.1' } });
  field('Size').focus();
}

beforeEach(async () => {
  [alice, bob] = [newPerson(), newPerson()];
  useSettings.getState().set('confirmLimitOrders', true);
  exchange.answer('createFuturesOrder', () => '1');
  exchange.answer('futuresOrderHistory', () => ({ items: [] }) as never);
  await comeIntoView(alice);
  await show(
    <MarketProvider value={BTC_PERPETUAL}>
      <ContractTicket />
    </MarketProvider>,
  );
});

test('Enter writes the order, Enter confirms it, and it is placed once, for the account that confirmed', async () => {
  write();
  await userEvent.keyboard('{Enter}');
  await confirmation();
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Confirm'));
  expect(orders()).toEqual([]);
  await userEvent.keyboard('{Enter}');
  await screen.findByText('Order placed');
  expect(orders().map(({ by, as, body }) => [by, as, body.origQty])).toEqual([[alice.account, alice.account, '0.1']]);
});

test('a confirmation of one account is closed when another comes into view, with a sentence, and nothing is placed in either', async () => {
  write();
  fireEvent.click(buy());
  await confirmation();
  await comeIntoView(bob);
  await screen.findByText(CLOSED);
  expect(screen.queryByRole('dialog')).toBeNull();
  await comeIntoView(alice);
  expect([orders(), openContractOrders.of(alice.account)]).toEqual([[], []]);
});

test('confirmed in the moment in which the account changes, the order is sent for nobody, and that is said', async () => {
  write();
  fireEvent.click(buy());
  const confirm = within(await confirmation()).getByRole('button', { name: 'Confirm' });
  // The press comes first; what it leads to, after the other account.
  confirm.click();
  setView({ address: bob.address, account: bob.account });
  await screen.findByText(NOT_SENT);
  expect([orders(), openContractOrders.of(alice.account), openContractOrders.of(bob.account)]).toEqual([[], [], []]);
});

test('pressed twice it is one order', async () => {
  useSettings.getState().set('confirmLimitOrders', false);
  const answer = held<string>();
  exchange.answer('createFuturesOrder', answer.answer);
  write();
  await userEvent.dblClick(buy());
  answer.give('1');
  await screen.findByText('Order placed');
  expect(orders().length).toBe(1);
});

test('asked about twice it is asked about once, and is one order', async () => {
  write();
  const form = screen.getByRole('form', { name: 'Order ticket' });
  fireEvent.submit(form);
  fireEvent.submit(form);
  const dialogs = await screen.findAllByRole('dialog', { name: 'Confirm Order', hidden: true });
  expect(dialogs.length).toBe(1);
  fireEvent.click(within(await confirmation()).getByRole('button', { name: 'Confirm' }));
  await screen.findByText('Order placed');
  expect(orders().length).toBe(1);
});

test('without an answer the same order goes out again under its id, offered to its own account alone', async () => {
  useSettings.getState().set('confirmLimitOrders', false);
  exchange.answer('createFuturesOrder', silence);
  write();
  fireEvent.click(buy());
  await screen.findByRole('group', { name: 'Order without an answer' });
  await comeIntoView(bob);
  expect(screen.queryByRole('group', { name: 'Order without an answer' })).toBeNull();
  await comeIntoView(alice);
  exchange.answer('createFuturesOrder', () => '1');
  fireEvent.click(await screen.findByRole('button', { name: 'Send again' }));
  await screen.findByText('Order placed');
  const [first, ...others] = orders().map(({ by, body }) => `${by} ${body.clientOrderId}`);
  expect(others).toEqual([first]);
});

/** Each figure of the question by its name. */
async function figures(): Promise<Readonly<Record<string, string>>> {
  const dialog = await confirmation();
  const names = [...dialog.querySelectorAll('dt')].map(({ textContent }) => textContent ?? '');
  const values = [...dialog.querySelectorAll('dd')].map(({ textContent }) => textContent ?? '');
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
}

test('before an order is sent, it is said what it is, what it costs and needs, and what protects it would bring', async () => {
  fireEvent.click(screen.getByRole('checkbox', { name: 'TP/SL' }));
  write();
  fireEvent.change(field('Take profit'), { target: { value: '62000' } });
  fireEvent.change(field('Stop loss'), { target: { value: '59400' } });
  fireEvent.click(buy());
  const said = await figures();
  expect(within(await confirmation()).getByText('Limit · GTC · BTC/USDC')).toBeTruthy();
  expect(within(await confirmation()).getByText('Buy 0.1 BTC')).toBeTruthy();
  expect(said).toMatchObject({
    Price: '60,000.0 USDC',
    'Order value': '6,000.00 USDC',
    // As a maker: no book is known.
    'Estimated fee': '1.20 USDC',
    Leverage: '10× Cross',
    // A tenth, and the fee of a taker.
    'Margin needed': '603.00 USDC',
    'Take profit at 62,000.0': '+200.00 USDC (+33.33%)',
    'Stop loss at 59,400.0': '−60.00 USDC (−10.00%)',
  });
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(orders()).toEqual([]);
});
