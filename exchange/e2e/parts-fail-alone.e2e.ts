/** Odd answers and missing code, seen from the page: the part that they belong to says so, with a way on, and every other part works. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { browser, visit, withBrowser } from './browser.ts';
import { InjectedWallet, WALLET_NAME } from './injected-wallet.ts';
import { acceptTerms, chooseWallet } from './newcomer.ts';
import { program, withSharedProgram } from './with-shared-program.ts';

withSharedProgram();
withBrowser();

const answered = (data: unknown) => ({ contentType: 'application/json', body: JSON.stringify({ code: 0, msg: 'success', data }) });

/** At the trading page, where this address answers that. */
async function at(
  pattern: string,
  answer: { readonly status?: number; readonly contentType?: string; readonly body: string },
): Promise<Page> {
  const { page } = await visit(browser, {
    url: program.url,
    prepare: async (context) => void (await context.route(pattern, (route) => route.fulfill(answer))),
  });
  await page.goto('/trade/spot/BTC_USDC');
  return page;
}

/** What a person needs in order to trade. */
async function tradingStands(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: 'Settings' }).waitFor();
  await page.getByRole('form', { name: 'Order ticket' }).waitFor();
  await page.getByRole('region', { name: 'Order book' }).first().waitFor();
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms' }).waitFor();
}

test.each([
  ['the block of the footer', '**/pro/p/explorer/block*', null],
  ['the block of the footer', '**/pro/p/explorer/block*', { number: 'one', hash: 7 }],
  ['the notices', '**/pro/p/notice/list*', { list: [] }],
  ['the notices', '**/pro/p/notice/list*', [null]],
  ['the candles', '**/pro/p/quotation/kline*', null],
  ['the tickers', '**/pro/p/quotation/tickers*', { BTC_USDC: '1' }],
])('%s in another shape: everything else is there', async (_what, pattern, data) => {
  const page = await at(pattern, answered(data));
  const odd = page.waitForResponse((response) => response.url().includes(pattern.slice(2, -1)));
  await page.reload();
  await odd;
  await tradingStands(page);
  expect(await page.getByText('This page stopped working').count()).toBe(0);
});

test('code of a dialog that is missing after a new version was installed: the dialog says so, closes, and the terminal goes on', async () => {
  const page = await at('**/assets/settings-dialog-*.js', { status: 404, body: '' });
  await tradingStands(page);
  await page.getByRole('banner').getByRole('button', { name: 'Settings' }).click();
  const failed = page.getByRole('dialog');
  await failed.getByText('A new version is here: reload').waitFor();
  await failed.getByRole('button', { name: 'Reload' }).waitFor();
  await failed.getByRole('button', { name: 'Close' }).click();
  await failed.waitFor({ state: 'detached' });
  await tradingStands(page);
});

test('code of a list that is missing: what opens it says so', async () => {
  const page = await at('**/assets/notification-list-*.js', { status: 404, body: '' });
  await tradingStands(page);
  await page.getByRole('banner').getByRole('button', { name: 'Notifications' }).click();
  await page.getByRole('alert').getByText('A new version is here: reload').waitFor();
  await tradingStands(page);
});

test('orders in contracts that cannot be read say so, and can be tried again', async () => {
  const wallet = new InjectedWallet(program.url);
  const refused = { status: 400, contentType: 'application/json', body: JSON.stringify({ code: 1, msg: 'refused' }) };
  let isRefusing = true;
  const { page } = await visit(browser, {
    url: program.url,
    async prepare(context) {
      await wallet.install(context);
      // Without its key there is no stream of the account in contracts.
      await context.route(/\/user\/listen-key/, (route) => (isRefusing ? route.fulfill(refused) : route.continue()));
    },
  });
  await page.goto('/trade/futures/BTC_USDC');
  await chooseWallet(page, new RegExp(`^${WALLET_NAME}`));
  await acceptTerms(page);
  const tables = page.getByRole('region', { name: 'Orders and balances' });
  for (const name of ['Open orders', 'Trigger orders', 'TP/SL']) {
    await tables.getByRole('tab', { name }).click();
    await tables.getByText('This could not be loaded.').waitFor();
  }
  isRefusing = false;
  await tables.getByRole('button', { name: 'Try again' }).click();
  await tables.getByText('This could not be loaded.').waitFor({ state: 'detached' });
});

test('the address without a page opens the contract that was in view last', async () => {
  const { page } = await visit(browser, { url: program.url });
  await page.goto('/trade/futures/ETH_USDC');
  await page.getByRole('form', { name: 'Order ticket' }).waitFor();
  await page.goto('/');
  await page.waitForURL('**/trade/futures/ETH_USDC');
});
