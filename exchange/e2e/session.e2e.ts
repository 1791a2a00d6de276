/** The session of a wallet, seen from the page: signatures that are awaited, wallets that are changed, logouts, and what other tabs do. */
import type { Page } from 'playwright-core';
import { generatePrivateKey } from 'viem/accounts';
import { expect, test } from 'vitest';
import { browser, visit, withBrowser, type Visit } from './browser.ts';
import { InjectedWallet, WALLET_NAME } from './injected-wallet.ts';
import { acceptTerms, chooseWallet, connectButton, walletMenu } from './newcomer.ts';
import { until } from './until.ts';
import { program, withSharedQuietProgram } from './with-shared-program.ts';

const NAMED = new RegExp(`^${WALLET_NAME}`);

withSharedQuietProgram();
withBrowser();

async function visitWithWallet(path: string): Promise<Visit & { readonly wallet: InjectedWallet }> {
  const wallet = new InjectedWallet(program.url);
  const visited = await visit(browser, { url: program.url, prepare: (context) => wallet.install(context) });
  await visited.page.goto(path);
  return { ...visited, wallet };
}

const connectDialog = (page: Page) => page.getByRole('dialog', { name: 'Connect wallet' });
const header = (page: Page) => page.getByRole('banner');

test('[L3] a signature that is awaited can be given up, and the wallet changed or let go without one', async () => {
  const { page, wallet } = await visitWithWallet('/explorer');
  wallet.decide('personal_sign', 'wait');
  await chooseWallet(page, NAMED);
  const dialog = connectDialog(page);
  await dialog.getByRole('button', { name: 'Stop waiting' }).click();
  await dialog.getByText('You declined the signature.').waitFor();
  await dialog.getByRole('button', { name: 'Use another wallet' }).click();
  await dialog.getByRole('button', { name: NAMED }).waitFor();
  // What the wallet answers now was asked for by a request that is over.
  wallet.decide('personal_sign', 'reject');
  await dialog.getByRole('button', { name: NAMED }).click();
  await dialog.getByText('You declined the signature.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await header(page).getByRole('button', { name: 'Connected wallet' }).click();
  await page.getByRole('menuitem', { name: 'Use another wallet' }).click();
  await dialog.getByRole('button', { name: NAMED }).click();
  await dialog.getByText('You declined the signature.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await header(page).getByRole('button', { name: 'Connected wallet' }).click();
  await page.getByRole('menuitem', { name: 'Disconnect wallet' }).click();
  await connectButton(page).waitFor();
  expect(await walletMenu(page).count()).toBe(0);
});

test('[A2] a logout leads to the login page from everywhere, and a new session comes back to where a redirect says', async () => {
  const { page } = await visitWithWallet('/explorer');
  await chooseWallet(page, NAMED);
  await acceptTerms(page);
  await walletMenu(page).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.waitForURL('**/login');
  await page.getByRole('heading', { name: 'Log in', exact: true }).waitFor();
  await connectButton(page).waitFor();
  await page.goto('/account/login-record');
  await chooseWallet(page, NAMED);
  await walletMenu(page).waitFor();
  await page.getByRole('table', { name: 'Sessions' }).getByRole('button', { name: 'Log out' }).click();
  await page.waitForURL('**/login');
});

test('settings of one tab hold in the others at once', async () => {
  const { page, context } = await visitWithWallet('/explorer');
  const other = await context.newPage();
  await other.goto('/explorer');
  const themeOf = (tab: Page): Promise<string | null> => tab.locator('html').getAttribute('data-theme');
  expect([await themeOf(page), await themeOf(other)]).toEqual(['dark', 'dark']);
  await header(page).getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('dialog', { name: 'Settings' }).getByRole('combobox', { name: 'Theme' }).selectOption('light');
  await until('the other tab is light', async () => (await themeOf(other)) === 'light');
});

test('[S5] favourites are those of the account: what one has marked is not the next one’s', async () => {
  const { page, wallet } = await visitWithWallet('/trade/spot/BTC_USDC');
  const second = generatePrivateKey();
  await chooseWallet(page, NAMED);
  await acceptTerms(page);
  const star = page
    .getByRole('main')
    .getByRole('button', { name: /favourite/i })
    .first();
  const isMarked = async (): Promise<boolean> => (await star.getAttribute('aria-pressed')) === 'true';
  await star.click();
  await until('the market is marked', isMarked);
  await wallet.switchAccount(page, second);
  await header(page).getByRole('button', { name: 'Sign in' }).click();
  await acceptTerms(page);
  await until('the other account has marked nothing', async () => !(await isMarked()));
});

test('[R6] the wallet list is that of a phone at 768 px and below', async () => {
  const { page } = await visitWithWallet('/explorer');
  await connectButton(page).click();
  for (const [width, words] of [
    [769, 'Scan with a phone wallet'],
    [768, 'Open a wallet app on this device'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await connectDialog(page).getByText(words).waitFor();
  }
});

test('[C4] values in yuan are converted, at a rate whose day and source are said', async () => {
  const { page } = await visitWithWallet('/explorer');
  await header(page).getByRole('button', { name: 'Settings' }).click();
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('combobox', { name: 'Currency' }).selectOption('cny');
  await settings.getByText(/1 USDC is shown as 7\.1 CNY\. Source: fixed, .* \(2025-11-21, \d+ days old\)/).waitFor();
});
