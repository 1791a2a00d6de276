/**
 * What frames the trading page, in a real browser on the whole program: routes, dialogs, the session of a wallet and settings.
 * The whitelist is weekly here, and empty yet.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { generatePrivateKey } from 'viem/accounts';
import type { Hex } from 'viem';
import { expect, test } from 'vitest';
import { browser, visit, withBrowser, type Visit } from './browser.ts';
import { InjectedWallet, WALLET_NAME } from './injected-wallet.ts';
import { acceptTerms, checklist, chooseWallet, connectButton, termsDialog, toast, walletMenu } from './newcomer.ts';
import { signIn } from './person.ts';
import { BEHIND_A_PROXY } from './program.ts';
import { program, withProgram } from './with-program.ts';

const NAMED = new RegExp(`^${WALLET_NAME}`);
/** One of the nine addresses that are blocked by default; its key is a number that everybody may know. */
const BLOCKED_KEY: Hex = `0x${(0x0b10c0001).toString(16).padStart(64, '0')}`;

withProgram({ env: { ...BEHIND_A_PROXY, ORRERY_MARKET_MAKER: 'off', ORRERY_WHITELIST: 'weekly' } });
withBrowser();

interface Wearer extends Visit {
  readonly wallet: InjectedWallet;
}

async function visitWithWallet(path: string, key?: Hex): Promise<Wearer> {
  const { url } = program;
  const wallet = new InjectedWallet(url, key);
  const visited = await visit(browser, { url, prepare: (context) => wallet.install(context) });
  await visited.page.goto(path);
  return { ...visited, wallet };
}

const settings = (page: Page) => page.getByRole('dialog', { name: 'Settings' });
const openSettings = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Settings' }).click();
const ticket = (page: Page) => page.getByRole('form', { name: 'Order ticket' });

/** The list of first steps and the ticket name the same next step. */
async function nextStepEverywhere(page: Page, name: string): Promise<void> {
  await checklist(page).getByRole('button', { name }).waitFor();
  await ticket(page).getByRole('button', { name }).waitFor();
}
const signInButton = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Sign in' });

test('[R3] an unknown path is a 404 page with a way back', async () => {
  const { page, complaints } = await visit(browser, { url: program.url });
  await page.goto('/faucet');
  expect((await page.goto('/no/such/page'))?.status()).toBe(404);
  await page.getByRole('heading', { name: 'There is no page here' }).waitFor();
  await page.getByRole('button', { name: 'Go back' }).click();
  await page.waitForURL('**/faucet');
  expect(complaints).toEqual([]);
});

test('[R4] inside the app the page has no navigation of its own and opens no tabs, for the whole visit', async () => {
  const { page } = await visit(browser, { url: program.url });
  await page.goto('/explorer?from=app');
  await page.getByRole('heading', { name: 'Explorer' }).waitFor();
  expect(await page.getByRole('banner').count()).toBe(0);
  expect(await page.getByRole('contentinfo').count()).toBe(0);
  await page.goto('/terms');
  await page.getByRole('heading', { name: 'Terms of Use' }).waitFor();
  expect(await page.getByRole('banner').count()).toBe(0);
  expect(await page.locator('a[target=_blank]').count()).toBe(0);
});

test('[R5] a modal closes by its close icon and on a change of route; Escape moves the focus to the icon, the backdrop does nothing', async () => {
  const { page } = await visit(browser, { url: program.url });
  await page.goto('/portfolio');
  await openSettings(page);
  await page.keyboard.press('Escape');
  expect(
    await settings(page)
      .getByRole('button', { name: 'Close' })
      .evaluate((icon) => icon === document.activeElement),
  ).toBe(true);
  await page.mouse.click(12, 400);
  expect(await settings(page).isVisible()).toBe(true);
  await settings(page).getByRole('button', { name: 'Close' }).click();
  await settings(page).waitFor({ state: 'hidden' });
  await page.getByRole('banner').getByRole('link', { name: 'Explorer' }).click();
  await page.waitForURL('**/explorer');
  await openSettings(page);
  await settings(page).waitFor();
  await page.goBack();
  await page.waitForURL('**/portfolio');
  await settings(page).waitFor({ state: 'hidden' });
});

test('[R6] below 760 px the navigation is a menu', async () => {
  const { page } = await visit(browser, { url: program.url });
  await page.goto('/portfolio');
  const menu = page.getByRole('banner').getByRole('button', { name: 'Menu', exact: true });
  const bar = page.getByRole('banner').getByRole('navigation');
  await bar.waitFor();
  for (const [width, isPhone] of [
    [760, false],
    [759, true],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    // The code of the menu is loaded when the window is first that narrow.
    await expect.poll(async () => [await menu.isVisible(), await bar.isVisible()], { message: `${width} px` }).toEqual([isPhone, !isPhone]);
  }
  await menu.click();
  await page.getByRole('menuitem', { name: 'Faucet' }).click();
  await page.waitForURL('**/faucet');
});

test('[C4, C5] what is chosen in the settings holds at once and on the next visit', async () => {
  const { page } = await visit(browser, { url: program.url });
  await page.goto('/status');
  await openSettings(page);
  await settings(page).getByRole('combobox', { name: 'Theme' }).selectOption('Light');
  await settings(page).getByRole('combobox', { name: 'Number format' }).selectOption('1 234,56');
  await settings(page).getByRole('combobox', { name: 'Up and down' }).selectOption('Red up, green down');
  await settings(page).getByRole('switch', { name: 'Confirm market orders' }).click();
  for (const reload of [false, true]) {
    if (reload) await page.reload();
    await page.locator('footer').getByText('1 234,56').waitFor();
    expect(await page.locator('html').getAttribute('data-theme')).toBe('light');
    expect(await page.locator('html').getAttribute('data-direction')).toBe('redUpGreenDown');
  }
  await openSettings(page);
  expect(await settings(page).getByRole('switch', { name: 'Confirm market orders' }).isChecked()).toBe(false);
  expect(await settings(page).getByRole('switch', { name: 'Confirm limit orders' }).isChecked()).toBe(true);
});

test('[L1] a blocked address is disconnected, and the page says so', async () => {
  const { page } = await visitWithWallet('/portfolio', BLOCKED_KEY);
  await chooseWallet(page, NAMED);
  await toast(page).getByText('This address is blocked').first().waitFor();
  await connectButton(page).waitFor();
});

test('[T8, L5, L6] an account outside the whitelist sees when it grows, and cannot claim yet', async () => {
  const { page, complaints } = await visitWithWallet('/trade/spot/BTC_USDC');
  await chooseWallet(page, NAMED);
  const add = page.getByRole('dialog', { name: 'Connect wallet' }).getByRole('button', { name: /^Add / });
  await Promise.race([add.waitFor(), termsDialog(page).waitFor()]);
  if (await add.isVisible()) await add.click();
  await acceptTerms(page);
  await checklist(page).getByRole('button', { name: 'See where you stand' }).click();
  const prompt = page.getByRole('dialog', { name: 'Thanks for your interest in the product!' });
  await prompt.getByText('Whitelist access expands gradually every Monday at 12:00 PM UTC.').waitFor();
  await prompt.getByText(/^Next expansion in /).waitFor();
  expect(await prompt.getByRole('link', { name: 'Join Whitelist' }).getAttribute('target')).toBe('_blank');
  await prompt.getByRole('button', { name: 'Check again' }).click();
  await prompt.getByText(/^Checked at .*: not on the whitelist yet\.$/).waitFor();
  await prompt.getByRole('button', { name: 'Close' }).click();
  await nextStepEverywhere(page, 'See where you stand');
  await page.goto('/faucet');
  await page.getByRole('main').getByText('Your claim').waitFor();
  expect(await page.getByRole('main').getByRole('button', { name: 'Claim', exact: true }).isDisabled()).toBe(true);
  expect(complaints).toEqual([]);
});

test('[L7] a session ended elsewhere is noticed within seconds, and the page says so', async () => {
  const key = generatePrivateKey();
  const { page } = await visitWithWallet('/portfolio', key);
  await chooseWallet(page, NAMED);
  await acceptTerms(page);
  const elsewhere = await signIn(program.url, { privateKey: key });
  const { list } = await elsewhere.client.sessions();
  for (const { sessionId, current } of list) if (!current) await elsewhere.client.revokeSession({ sessionId });
  await toast(page).getByText('Your trading session has ended. Sign in to go on.').waitFor();
  await signInButton(page).waitFor();
  expect(await page.evaluate(() => localStorage.getItem('orrery.enableTradingEndTime'))).toBeNull();
});

test('[L16] another account of the wallet is another session, and switching back needs no signature', async () => {
  const [first, second] = [generatePrivateKey(), generatePrivateKey()];
  const { page, wallet } = await visitWithWallet('/account', first);
  await chooseWallet(page, NAMED);
  await acceptTerms(page);
  await walletMenu(page).waitFor();
  const before = wallet.asked.length;
  await wallet.switchAccount(page, second);
  await signInButton(page).click();
  await acceptTerms(page);
  await wallet.switchAccount(page, first);
  await walletMenu(page).getByText(wallet.address.slice(-4).toLowerCase()).waitFor();
  expect(wallet.asked.slice(before)).toEqual(['personal_sign', 'personal_sign']);
});

test('[L16] a switched account is shown in every place at once, and every place asks for the same', async () => {
  const { page, wallet } = await visitWithWallet('/trade/spot/BTC_USDC');
  await nextStepEverywhere(page, 'Connect wallet');
  await connectButton(page).click();
  const connecting = page.getByRole('dialog', { name: 'Connect wallet' });
  await connecting.getByRole('button', { name: NAMED }).waitFor();
  const opened = await connecting.boundingBox();
  await connecting.getByRole('button', { name: /^Burner wallet/ }).waitFor();
  expect(await connecting.boundingBox()).toEqual(opened);
  await connecting.getByRole('button', { name: NAMED }).click();
  const add = connecting.getByRole('button', { name: /^Add / });
  await Promise.race([add.waitFor(), termsDialog(page).waitFor()]);
  if (await add.isVisible()) await add.click();
  await acceptTerms(page);
  await nextStepEverywhere(page, 'See where you stand');
  await wallet.switchAccount(page, generatePrivateKey());
  await nextStepEverywhere(page, 'Sign in');
  await signInButton(page).waitFor();
  await page.getByRole('region', { name: 'Orders and balances' }).getByRole('button', { name: 'Sign in' }).waitFor();
});

test('[T3, T5] the points page has the claim history by page, and Current Progress leads back to trading', async () => {
  const { page, complaints } = await visitWithWallet('/points');
  await chooseWallet(page, NAMED);
  await acceptTerms(page);
  const history = page.getByRole('table', { name: 'Claim history' });
  await history.waitFor();
  expect(await history.getByRole('columnheader').allInnerTexts()).toEqual(['Time', 'Name', 'Points']);
  const rowsPerPage = page.getByRole('combobox', { name: 'Rows per page' });
  expect(await rowsPerPage.inputValue()).toBe('10');
  expect(await rowsPerPage.getByRole('option').allInnerTexts()).toEqual(['10', '20', '50', '100']);
  await page.getByRole('button', { name: 'Current Progress' }).click();
  const progress = page.getByRole('dialog', { name: 'Current Progress' });
  await progress.getByText('Orders').waitFor();
  await progress.getByText('Trading volume').waitFor();
  await progress.getByRole('button', { name: 'Trade More' }).click();
  await page.waitForURL('**/trade/spot/BTC_USDC');
  await progress.waitFor({ state: 'hidden' });
  expect(complaints).toEqual([]);
});

test('[C2] the maintenance page shows no toasts', async () => {
  const { page } = await visitWithWallet('/maintenance', BLOCKED_KEY);
  await chooseWallet(page, NAMED);
  await connectButton(page).waitFor();
  await pause(500);
  expect(await toast(page).getByText('This address is blocked').count()).toBe(0);
});

test('Chromium installs the exchange as an app, with its icons and the pages to begin with', async () => {
  const { page, complaints } = await visit(browser, { url: program.url });
  await page.goto('/points');
  const session = await page.context().newCDPSession(page);
  const { errors, manifest } = await session.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  expect(manifest).toMatchObject({ name: 'Orrery', display: 'kStandalone' });
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  // Each visit of a test is in a private window, from which Chromium installs nothing.
  expect(installabilityErrors.map(({ errorId }) => errorId)).toEqual(['in-incognito']);
  for (const { url } of manifest.shortcuts ?? []) {
    await page.goto(url);
    await page.getByRole('main').waitFor();
    expect(await page.getByRole('heading', { name: 'Page not found' }).count()).toBe(0);
  }
  expect(complaints).toEqual([]);
});
