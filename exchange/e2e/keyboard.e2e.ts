/** The newcomer's whole way by keys alone, in a real browser on the whole program: the focus is never lost, and no control is far. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { browser, visit, withBrowser } from './browser.ts';
import { Keys } from './keys.ts';
import { termsDialog, toast } from './newcomer.ts';
import { program, withSharedProgram } from './with-shared-program.ts';

/** From the first Tab to the transfer after the first orders; what is typed into a field counts as one. */
const KEYS_OF_THE_WAY = 130;

withSharedProgram();
withBrowser();

const ticketOf = (page: Page) => page.getByRole('form', { name: 'Order ticket' });
const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name });

test('[R5, S1] a newcomer connects, signs, claims, funds, establishes, orders, cancels and transfers by keys alone; after each step the focus is where the next begins', async () => {
  const { page, complaints } = await visit(browser, { url: program.url });
  await page.goto('/');
  await page.getByText(/^Live/).waitFor();
  const keys = new Keys(page);
  const ticket = ticketOf(page);

  // A skip link leads to the ticket; its button is the next step, and stays it from step to step.
  await keys.press('Tab');
  await keys.reach(page.getByRole('link', { name: 'Skip to Order ticket' }));
  await keys.press('Enter');
  await keys.reach(ticket.getByRole('button', { name: 'Connect wallet' }));
  await keys.press('Enter');
  await keys.reach(dialogOf(page, 'Connect wallet').getByRole('button', { name: /^Burner wallet/ }));
  await keys.press('Enter');

  const terms = termsDialog(page);
  for (const name of [/Terms of Use and the Privacy Policy/, /Cookie Policy/]) {
    await keys.reach(terms.getByRole('checkbox', { name }));
    await keys.press('Space');
  }
  await keys.reach(terms.getByRole('button', { name: 'Accept' }));
  await keys.press('Enter');
  await terms.waitFor({ state: 'hidden' });
  await keys.land(ticket);

  await keys.reach(ticket.getByRole('button', { name: 'Claim test tokens' }));
  await keys.press('Enter');
  const faucet = dialogOf(page, 'You have joined the whitelist successfully');
  await keys.reach(faucet.getByRole('button', { name: 'Claim', exact: true }));
  await keys.press('Enter');
  await faucet.waitFor({ state: 'hidden' });
  await keys.land(ticket);

  await keys.reach(ticket.getByRole('button', { name: 'Fund Wallet' }));
  await keys.press('Enter');
  const fund = dialogOf(page, 'Fund Wallet');
  await keys.reach(fund.getByRole('button', { name: 'Transfer all coins' }));
  await keys.press('Enter');
  await fund.waitFor({ state: 'hidden' });
  await keys.land(ticket);

  await keys.reach(ticket.getByRole('button', { name: 'Establish Connection' }));
  await keys.press('Enter');
  const connection = dialogOf(page, 'Establish Connection');
  await keys.reach(connection.getByRole('button', { name: 'Establish Connection' }));
  await keys.press('Enter');
  await connection.waitFor({ state: 'hidden' });

  // The button of the order has the focus; price and size are before it.
  await keys.land(ticket);
  const order = ticket.getByRole('button', { name: /^Buy/ }).last();
  await order.waitFor();
  const size = ticket.getByRole('textbox', { name: 'Size' });
  await keys.reach(size, 'Shift+Tab');
  await keys.type('0.002');
  await keys.reach(ticket.getByRole('textbox', { name: 'Price' }), 'Shift+Tab');
  await keys.type('50000');
  await keys.press('Enter');
  const confirm = dialogOf(page, 'Confirm Order');
  await keys.reach(confirm.getByRole('button', { name: 'Confirm' }));
  await keys.press('Enter');
  await confirm.waitFor({ state: 'hidden' });
  await keys.land(ticket);

  // F6 leads from panel to panel.
  await keys.reach(page.getByRole('region', { name: 'Orders and balances' }), 'F6');
  await keys.reach(page.getByRole('button', { name: 'Cancel the order to Buy 0.002 BTC' }));
  await Promise.all([toast(page).getByText('Order cancelled').waitFor(), keys.press('Enter')]);
  await keys.land(page.getByRole('region', { name: 'Orders and balances' }));

  await keys.reach(page.getByRole('region', { name: 'Order ticket' }), 'F6');
  await keys.reach(ticket.getByRole('button', { name: 'Add funds' }));
  await keys.press('Enter');
  await keys.reach(fund.getByRole('button', { name: /^Transfer Move coins/ }));
  await keys.press('Enter');
  const transfer = dialogOf(page, 'Transfer');
  await keys.reach(transfer.getByRole('combobox', { name: 'From' }));
  await keys.press('s');
  await keys.reach(transfer.getByRole('textbox', { name: 'Amount' }));
  await keys.type('1');
  await keys.reach(transfer.getByRole('button', { name: /^Transfer 1 / }));
  await keys.press('Enter');
  await transfer.waitFor({ state: 'hidden' });
  await keys.land(ticket);

  expect(keys.count).toBeLessThanOrEqual(KEYS_OF_THE_WAY);
  expect(complaints).toEqual([]);
});
