/** Exports in the page: made in a dialog by the keyboard, saved, imported; at a desk and on a phone. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import type { Hex } from 'viem';
import { generatePrivateKey } from 'viem/accounts';
import { expect, test } from 'vitest';
import { importKoinly, parseCsv, unitsOf } from '../../services/projector/src/testing/importers.ts';
import { browser, visit, withBrowser } from './browser.ts';
import { InjectedWallet, WALLET_NAME } from './injected-wallet.ts';
import { chooseWallet, walletMenu } from './newcomer.ts';
import { prepareToTrade, signIn, type Person } from './person.ts';
import { until } from './until.ts';
import { program, withSharedProgram } from './with-shared-program.ts';

withSharedProgram();
withBrowser();

const NAMED = new RegExp(`^${WALLET_NAME}`);
const pictures = join(fileURLToPath(new URL('../..', import.meta.url)), '.cache/e2e');

async function trader(privateKey: Hex, from: string): Promise<Person> {
  const person = await signIn(program.url, { privateKey, from });
  await prepareToTrade(program.url, person);
  const order = { symbol: 'BTC_USDC', direction: 'BUY', tradeType: 'MARKET', clientOrderId: '-first' } as const;
  await person.client.createOrder({ ...order, funds: '500' });
  await person.client.transfer({ coin: 'USDC', amount: '50', from: 'spot', to: 'funding' });
  return person;
}

async function enter(page: Page): Promise<void> {
  await page.goto('/account');
  await chooseWallet(page, NAMED);
  await walletMenu(page).waitFor();
  await page.getByRole('link', { name: 'Export' }).click();
  await page.getByRole('heading', { name: 'Export', exact: true }).waitFor();
}

async function saved(page: Page, name: string): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name, exact: true }).click()]);
  expect(file.suggestedFilename()).toMatch(new RegExp(`^orrery-${name.toLowerCase()}-[0-9a-f]{8}\\.csv$`));
  const text = await file.createReadStream().then((stream) => stream.setEncoding('utf8').toArray());
  return text.join('');
}

async function photograph(page: Page, name: string): Promise<void> {
  await mkdir(pictures, { recursive: true });
  for (const theme of ['dark', 'light'] as const) {
    await page.evaluate((value) => (document.documentElement.dataset['theme'] = value), theme);
    // Colours move to those of the theme.
    await page.waitForTimeout(400);
    await page.screenshot({ path: join(pictures, `${name}-${theme}.png`) });
  }
}

test('[A9] an export is made by the keyboard, its files are saved, add up to the balances and are what an importer takes', async () => {
  const privateKey = generatePrivateKey();
  const person = await trader(privateKey, '203.0.113.121');
  const wallet = new InjectedWallet(program.url, privateKey);
  const { page, complaints } = await visit(browser, { url: program.url, prepare: (context) => wallet.install(context) });
  await enter(page);
  const table = page.getByRole('table', { name: 'Export' });
  await page.getByText('Exports stand here while they are made').waitFor();

  await page.getByRole('button', { name: 'New export' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'New export' });
  await dialog.getByLabel('Layout').waitFor();
  await photograph(page, 'export-dialog-desktop');
  await dialog.getByRole('checkbox', { name: 'Awards' }).press('Space');
  await dialog.getByLabel('Layout').press('Enter');
  await dialog.getByRole('button', { name: 'Make files' }).press('Enter');
  await dialog.waitFor({ state: 'hidden' });
  await table.getByText('Ready').waitFor();
  await photograph(page, 'export-desktop');
  expect(await table.getByRole('button', { name: 'Awards' }).count()).toBe(0);

  const bills = parseCsv(await saved(page, 'Bills'));
  const balances = await person.client.balances({});
  const sums = new Map<string, bigint>();
  for (const { coin = '', wallet: place = '', amount = '' } of bills)
    sums.set(`${place} ${coin}`, (sums.get(`${place} ${coin}`) ?? 0n) + unitsOf(amount));
  for (const { balanceType: account, coin, balance } of balances)
    expect(sums.get(`${account} ${coin}`) ?? 0n, `${account} ${coin}`).toBe(unitsOf(balance));
  const fills = parseCsv(await saved(page, 'Fills'));
  expect(new Set(fills.map((row) => row['client_order_id']))).toEqual(new Set(["'-first"]));

  await page.getByRole('button', { name: 'New export' }).click();
  await dialog.getByLabel('Layout').selectOption({ label: 'Koinly universal' });
  expect(await dialog.getByRole('checkbox', { name: 'Fills' }).count()).toBe(0);
  await dialog.getByRole('button', { name: 'Make files' }).click();
  await until('both are ready', async () => (await table.getByText('Ready').count()) === 2);
  const coins = importKoinly(await saved(page, 'Koinly'));
  expect(coins.get('BTC')).toBe(sums.get('spot BTC'));
  // From a table of records too.
  await page.goto('/assets/bills');
  await page.getByRole('link', { name: 'Export all' }).waitFor();
  await photograph(page, 'export-from-bills-desktop');
  await page.getByRole('link', { name: 'Export all' }).click();
  await page.getByRole('heading', { name: 'Export', exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

test('[A9] on a phone an export that failed says why and is tried again; nothing is wider than the screen', async () => {
  const privateKey = generatePrivateKey();
  await trader(privateKey, '203.0.113.122');
  const wallet = new InjectedWallet(program.url, privateKey);
  const { page } = await visit(browser, { url: program.url, viewport: 'phone', prepare: (context) => wallet.install(context) });
  await enter(page);
  // Lists say that it is being made, then that it failed; after the second try they are the real ones.
  let shown: object = { state: 'RUNNING', progress: 42, rows: 1_234, files: [], expiresTime: null };
  await page.route('**/pro/u/export/list*', async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as { data: { list: object[]; total: number } };
    const list = answer.data.list.map((made) => ({
      ...made,
      ...shown,
    }));
    await route.fulfill({ response, json: { ...answer, data: { ...answer.data, list } } });
  });
  await page.getByRole('button', { name: 'New export' }).click();
  const dialog = page.getByRole('dialog', { name: 'New export' });
  await dialog.getByLabel('Period, in UTC').selectOption({ label: 'From one day to another' });
  await dialog.getByLabel('First day').fill('2020-01-01');
  await photograph(page, 'export-dialog-phone');
  await dialog.getByLabel('Last day').fill('2019-12-31');
  await dialog.getByRole('button', { name: 'Make files' }).click();
  await dialog.getByText('The last day is before the first.').waitFor();
  await dialog.getByLabel('Last day').fill('');
  await dialog.getByRole('button', { name: 'Make files' }).click();
  const table = page.getByRole('table', { name: 'Export' });
  await table.getByText('1,234 rows, 42 %').waitFor();
  expect(await table.getByRole('progressbar', { name: 'Progress' }).getAttribute('aria-valuenow')).toBe('42');
  await photograph(page, 'export-running-phone');
  shown = { state: 'FAILED', failure: 'TOO_LARGE', files: [], expiresTime: null };
  await table.getByText('More than a million rows. Choose a shorter period.').waitFor();
  await photograph(page, 'export-failed-phone');
  let tried = 0;
  await page.route('**/pro/u/export/retry', async (route) => {
    tried += 1;
    shown = {};
    await route.fulfill({ status: 404, json: { code: 1, msg: 'gone', data: { reason: 'UnknownThing', field: 'export' } } });
  });
  await table.getByRole('button', { name: 'Try again' }).click();
  await table.getByText('Ready').waitFor();
  expect(tried).toBe(1);
  await photograph(page, 'export-phone');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
