/**
 * An exchange that cannot be reached, seen from the page: what began badly fills by itself, what was read stays and says since when,
 * nobody is signed out, and an exchange out of service leads to the maintenance page and back.
 */
import type { Locator, Page } from 'playwright-core';
import { generatePrivateKey } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browser, listen, visit, withBrowser } from './browser.ts';
import { Gate } from './gate.ts';
import { InjectedWallet, WALLET_NAME } from './injected-wallet.ts';
import { chooseWallet, connectButton, walletMenu } from './newcomer.ts';
import { claimTokens, prepareToTrade, signIn, type Person } from './person.ts';
import { offerContracts } from './quiet-market.ts';
import { until } from './until.ts';
import { program, startAgain, withProgram } from './with-program.ts';

const NAMED = new RegExp(`^${WALLET_NAME}`);
const KEY = generatePrivateKey();

let gate: Gate;
beforeAll(async () => {
  gate = await Gate.open();
});
withProgram({
  env: () => ({ ORRERY_MARKET_MAKER: 'off', ORRERY_PROXY_HOPS: '1', ORRERY_PUBLIC_ORIGINS: `${gate.url},http://127.0.0.1:0` }),
});
beforeAll(async () => {
  gate.leadTo(program.url);
  await claimTokens(program.url, await signIn(program.url, { privateKey: KEY }));
});
afterAll(() => gate?.close());
withBrowser();

const lost = (page: Page): Locator => page.getByText('The exchange cannot be reached since');
const footer = (page: Page): Locator => page.getByRole('contentinfo');
const live = (page: Page): Locator => footer(page).getByText(/^Live · /);

/** A reload would heal everything, and is nothing the page may count on. */
const mark = (page: Page): Promise<void> => page.evaluate(() => document.body.setAttribute('data-first', 'yes'));
const isSame = (page: Page): Promise<boolean> => page.evaluate(() => document.body.getAttribute('data-first') === 'yes');

async function signedInAt(path: string): Promise<Page> {
  const wallet = new InjectedWallet(program.url, KEY);
  const { page } = await visit(browser, { url: gate.url, prepare: (context) => wallet.install(context) });
  await page.goto(path);
  await chooseWallet(page, NAMED);
  await walletMenu(page).waitFor();
  return page;
}

test('a page opened while the exchange cannot be reached says so, calls nobody a visitor, and is whole when it answers again', async () => {
  const page = await signedInAt('/trade/spot/BTC_USDC');
  await live(page).waitFor();
  gate.set('silent');
  await page.reload();
  await mark(page);
  await lost(page).waitFor();
  await footer(page).getByText('Not reachable').waitFor();
  expect(await connectButton(page).count()).toBe(0);
  expect(await live(page).count()).toBe(0);
  gate.set('open');
  await lost(page).waitFor({ state: 'hidden' });
  await walletMenu(page).waitFor();
  await page.getByRole('form', { name: 'Order ticket' }).waitFor();
  await live(page).waitFor();
  expect(await isSame(page)).toBe(true);
});

test('balances stay while the exchange is down, stand back, and say since when; pages not loaded before are loaded when it is back', async () => {
  const page = await signedInAt('/portfolio');
  const row = page.getByRole('table', { name: 'Balances' }).getByRole('row').filter({ hasText: 'ETH' }).first();
  await row.waitFor();
  const total = page.locator('[data-read]').first();
  /** What the account is worth, and one of its balances; the curve beside them may have been read again meanwhile. */
  const figures = async (): Promise<readonly string[]> => [await total.locator('p').nth(1).innerText(), await row.innerText()];
  await expect.poll(figures).not.toContain('');
  const before = await figures();
  await mark(page);
  await program.kill();
  await lost(page).waitFor();
  expect(await lost(page).innerText()).toMatch(/since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d/);
  // Longer than a page's own polls: what they were not answered has had its time to take the balances away.
  await page.waitForTimeout(8_000);
  expect(await row.isVisible()).toBe(true);
  expect(await figures()).toEqual(before);
  expect(await total.evaluate((element) => Number(getComputedStyle(element).opacity))).toBeLessThan(1);
  expect(await walletMenu(page).isVisible()).toBe(true);
  await page.getByRole('banner').getByRole('link', { name: 'Explorer' }).click();
  await startAgain();
  await page.getByRole('heading', { name: 'Explorer' }).waitFor();
  await page.getByRole('table').getByRole('link').first().waitFor();
  await lost(page).waitFor({ state: 'hidden' });
  await page.getByRole('banner').getByRole('link', { name: 'Portfolio' }).click();
  await row.waitFor();
  expect(await total.evaluate((element) => Number(getComputedStyle(element).opacity))).toBe(1);
  expect(await walletMenu(page).isVisible()).toBe(true);
  expect(await isSame(page)).toBe(true);
});

/** Pages that show what is an account's, and a thing on each that was read. */
const READ = {
  '/account/security': (page) => page.getByRole('heading', { name: 'Level 1 of 3' }),
  '/account/verification': (page) => page.getByText('Not handed in'),
  '/account/login-record': (page) => page.getByRole('table', { name: 'Sessions' }).getByText('This browser'),
  '/assets/withdraw': (page) => page.getByText('No addresses yet.'),
  '/trade/futures/BTC_USDC': (page) => page.getByRole('table', { name: 'Positions' }).getByText('Long 0.01000'),
} as const satisfies Record<string, (page: Page) => Locator>;

/** How opaque what was read stands, the least of all such parts in view. */
const opacity = (page: Page): Promise<number> =>
  page.evaluate(() =>
    Math.min(...[...document.querySelectorAll('main :is(tbody, dl)')].map((part) => Number(getComputedStyle(part).opacity))),
  );

async function holdContract(trader: Person): Promise<void> {
  await prepareToTrade(program.url, trader);
  await trader.client.transfer({ coin: 'USDC', amount: '2000', from: 'spot', to: 'futures' });
  await trader.client.transfer({ coin: 'USDC', amount: '100', from: 'spot', to: 'funding' });
  await offerContracts(program.url, 'BTC_USDC');
  const order = { symbol: 'BTC_USDC', positionSide: 'BOTH', orderType: 'MARKET', orderSide: 'BUY', origQty: '0.01' } as const;
  await trader.client.createFuturesOrder(order);
  const holds = async (): Promise<boolean> =>
    (await trader.client.positions({ symbol: 'BTC_USDC' })).some(({ positionSize }) => positionSize === '0.01');
  await until('the position is open', holds);
}

test('[R3] security, verification, sessions, withdrawals and contracts stay while the exchange is killed, stand back, and heal without a reload', async () => {
  const privateKey = generatePrivateKey();
  await holdContract(await signIn(program.url, { privateKey, from: '203.0.113.13' }));
  const wallet = new InjectedWallet(program.url, privateKey);
  const { page: first, context, complaints } = await visit(browser, { url: gate.url, prepare: (opened) => wallet.install(opened) });
  const [start1, ...others] = Object.keys(READ) as (keyof typeof READ)[];
  if (start1 === undefined) throw new Error('there is no page');
  await first.goto(start1);
  await chooseWallet(first, NAMED);
  await READ[start1](first).waitFor();
  const tabs = [{ path: start1, page: first, heard: complaints }];
  for (const path of others) {
    const page = await context.newPage();
    const heard = listen(page);
    await page.goto(path);
    tabs.push({ path, page, heard });
  }
  for (const { path, page } of tabs) {
    await READ[path](page).waitFor();
    await live(page).waitFor();
    await mark(page);
  }

  await program.kill();
  for (const { path, page } of tabs) {
    await lost(page).waitFor();
    expect(await lost(page).innerText(), path).toMatch(/since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d/);
  }
  // Longer than a page's own polls.
  await first.waitForTimeout(12_000);
  for (const { path, page } of tabs) {
    expect(await READ[path](page).isVisible(), path).toBe(true);
    expect(await opacity(page), path).toBeLessThan(1);
    expect(await walletMenu(page).isVisible(), path).toBe(true);
  }
  // What is begun meanwhile, by code that was not loaded yet, waits for the exchange and goes on by itself.
  await first.getByRole('main').getByRole('button', { name: 'Set up', exact: true }).click();
  const binding = first.getByRole('dialog', { name: 'Bind an authenticator app' });

  await startAgain();
  await binding.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
  await binding.getByRole('button', { name: 'Close', exact: true }).click();
  for (const { path, page, heard } of tabs) {
    await lost(page).waitFor({ state: 'hidden' });
    await live(page).waitFor();
    await READ[path](page).waitFor();
    expect(await opacity(page), path).toBe(1);
    expect(await isSame(page), path).toBe(true);
    expect(
      heard.filter((complaint) => complaint.startsWith('error: ')),
      path,
    ).toEqual([]);
  }
});

test('[R3] the ways in say that the exchange cannot be reached, keep what was typed, and let the person in when it is back', async () => {
  const { page } = await visit(browser, { url: gate.url });
  await page.goto('/auth/login');
  const main = page.getByRole('main');
  const [name, password] = [
    main.getByRole('textbox', { name: 'E-mail address or telephone number' }),
    main.getByLabel('Password', { exact: true }),
  ];
  await name.fill('nobody@example.org');
  await password.fill('not a password of anybody');
  await mark(page);
  await program.kill();
  await lost(page).waitFor();
  await main.getByRole('button', { name: 'Log in', exact: true }).click();
  await main.getByRole('alert').getByText('There was no answer. What was entered is still here: try again.').waitFor();
  expect(await name.inputValue()).toBe('nobody@example.org');
  await main.getByRole('link', { name: /^Register/ }).click();
  await startAgain();
  await lost(page).waitFor({ state: 'hidden' });
  await main.getByRole('button', { name: 'Register', exact: true }).waitFor();
  await page.goBack();
  await name.fill('nobody@example.org');
  await password.fill('not a password of anybody');
  await main.getByRole('button', { name: 'Log in', exact: true }).click();
  await main.getByText('the name or the password is wrong').waitFor();
  expect(await isSame(page)).toBe(true);
});

test('[R3] a host that answers 503 leads to the maintenance page, and from there back to where the person was', async () => {
  const { page } = await visit(browser, { url: gate.url });
  await page.goto('/explorer?from=test#blocks');
  await page.getByRole('heading', { name: 'Explorer' }).waitFor();
  await mark(page);
  gate.set('out of service');
  await page.waitForURL('**/maintenance?**');
  await page.getByRole('heading', { name: 'Under maintenance' }).waitFor();
  await page.getByText('You are taken back to where you were').waitFor();
  gate.set('open');
  await page.waitForURL('**/explorer?from=test#blocks');
  await page.getByRole('heading', { name: 'Explorer' }).waitFor();
  expect(await isSame(page)).toBe(true);
});
