/** What was begun in one account is never done in the next: the wallet changes its account between a question and its answer, and after an answer was lost. */
import type { Page } from 'playwright-core';
import type { Hex } from 'viem';
import { generatePrivateKey } from 'viem/accounts';
import { expect, test } from 'vitest';
import { browser, visit, withBrowser } from './browser.ts';
import { nextAddress } from './caller-address.ts';
import { ticketOf } from './futures-trader.ts';
import { InjectedWallet, WALLET_NAME } from './injected-wallet.ts';
import { acceptTerms, chooseWallet, claimTokens, establishConnection, fundSpot, toast } from './newcomer.ts';
import { program, withSharedProgram } from './with-shared-program.ts';

const CLOSED = 'The account in view has changed. What was open for the previous one was closed.';

let page: Page;
let wallet: InjectedWallet;
const [alice, bob] = [generatePrivateKey(), generatePrivateKey()];

withSharedProgram();
withBrowser();

/** Both accounts of one wallet have come in; the second is in view. */
async function bothComeIn(): Promise<void> {
  wallet = new InjectedWallet(program.url, alice);
  const visited = await visit(browser, { url: program.url, prepare: (context) => wallet.install(context) });
  ({ page } = visited);
  await page.goto('/trade/spot/BTC_USDC');
  await chooseWallet(page, new RegExp(`^${WALLET_NAME}`));
  await comeIn();
  await visited.context.setExtraHTTPHeaders({ 'x-forwarded-for': nextAddress() });
  await wallet.switchAccount(page, bob);
  await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click();
  await comeIn();
}

/** The steps of a newcomer, with money in spot at their end. */
async function comeIn(): Promise<void> {
  await acceptTerms(page);
  await claimTokens(page);
  await fundSpot(page);
  await establishConnection(page);
}

async function switchTo(key: Hex): Promise<void> {
  await wallet.switchAccount(page, key);
  await page.getByRole('banner').getByText(wallet.address.slice(-4)).first().waitFor();
}

/** What the page sends from now on to places whose path names this. */
function writesTo(part: string): readonly string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes(part)) sent.push(request.headers()['x-orrery-account'] ?? 'nobody');
  });
  return sent;
}

test('what was begun in one account is never done in the next', async () => {
  await bothComeIn();
  await confirmationCloses();
  await transferIsOfferedToItsOwner();
});

/** A confirmation closes when the wallet changes its account, and its order is placed in neither. */
async function confirmationCloses(): Promise<void> {
  await switchTo(alice);
  const orders = writesTo('/order/create');
  const ticket = ticketOf(page);
  await ticket.getByRole('button', { name: 'Bid' }).click();
  const bid = Number((await ticket.getByRole('textbox', { name: 'Price' }).inputValue()).replaceAll(',', ''));
  await ticket.getByRole('textbox', { name: 'Price' }).fill((bid * 0.97).toFixed(1));
  await ticket.getByRole('textbox', { name: 'Size' }).fill('0.01');
  await ticket.getByRole('button', { name: 'Buy 0.01 BTC' }).click();
  const confirm = page.getByRole('dialog', { name: 'Confirm Order' });
  await confirm.waitFor();
  await switchTo(bob);
  await confirm.waitFor({ state: 'hidden' });
  await toast(page).getByText(CLOSED).waitFor();
  await page.getByRole('tab', { name: 'Open orders', exact: true }).waitFor();
  await switchTo(alice);
  await page.getByRole('tab', { name: 'Open orders', exact: true }).waitFor();
  expect(orders).toEqual([]);
}

/** A transfer without an answer is offered again to its own account alone. */
async function transferIsOfferedToItsOwner(): Promise<void> {
  await switchTo(alice);
  const transfers = writesTo('/asset/transfer');
  const form = page.getByRole('dialog', { name: 'Transfer' });
  const openForm = (): Promise<void> =>
    page
      .getByRole('button', { name: /^Transfer/ })
      .first()
      .click();
  // By a link: a page that is loaded again has the session of one account.
  await page.getByRole('banner').getByRole('link', { name: 'Portfolio' }).click();
  await page.waitForURL('**/portfolio');
  await openForm();
  await page.route('**/asset/transfer', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
  await form.getByRole('combobox', { name: 'From' }).selectOption({ label: 'Spot' });
  await form.getByRole('combobox', { name: 'To' }).selectOption({ label: 'Futures' });
  await form.getByRole('combobox', { name: 'Coin' }).selectOption({ label: 'USDC' });
  await form.getByRole('textbox', { name: 'Amount' }).fill('123');
  await form.getByRole('button', { name: /^Transfer / }).click();
  const again = form.getByRole('button', { name: 'Send again' });
  await again.waitFor();
  await page.unroute('**/asset/transfer');
  await switchTo(bob);
  await form.waitFor({ state: 'hidden' });
  await openForm();
  await form.getByRole('combobox', { name: 'From' }).waitFor();
  expect(await again.isVisible()).toBe(false);
  await form.getByRole('button', { name: 'Close' }).click();
  const [own] = transfers;
  await switchTo(alice);
  await openForm();
  await again.click();
  await form.waitFor({ state: 'hidden' });
  await toast(page).getByText(/123/).waitFor();
  // Each try, the last one too, was for the account that began it.
  expect(new Set(transfers)).toEqual(new Set([own]));
}
