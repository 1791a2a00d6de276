/**
 * An exchange that cannot be reached, seen from the page: what began badly fills by itself, what was read stays and says since when,
 * nobody is signed out, and an exchange out of service leads to the maintenance page and back.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { generatePrivateKey } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, visit } from './browser.ts';
import { Gate } from './gate.ts';
import { InjectedWallet, WALLET_NAME } from './injected-wallet.ts';
import { chooseWallet, connectButton, walletMenu } from './newcomer.ts';
import { claimTokens, signIn } from './person.ts';
import { startProgram, type Program } from './program.ts';

const NAMED = new RegExp(`^${WALLET_NAME}`);
const KEY = generatePrivateKey();

let dataDirectory: string;
let gate: Gate;
let program: Program;
let browser: Browser;

async function start(port: string): Promise<void> {
  const env = { ORRERY_PROXY_HOPS: '1', ORRERY_PUBLIC_ORIGINS: `${gate.url},http://127.0.0.1:0`, ORRERY_PORT: port };
  program = await startProgram({ dataDirectory, env });
  gate.leadTo(program.url);
}

beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'orrery-heals-'));
  gate = await Gate.open();
  await start('0');
  await claimTokens(program.url, await signIn(program.url, { privateKey: KEY }));
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await gate?.close();
  await program?.stop();
  await rm(dataDirectory, { recursive: true, force: true });
});

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
  const before = await total.innerText();
  await mark(page);
  const { port } = new URL(program.url);
  await program.kill();
  await lost(page).waitFor();
  expect(await lost(page).innerText()).toMatch(/since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d/);
  // Longer than a page's own polls: what they were not answered has had its time to take the balances away.
  await page.waitForTimeout(8_000);
  expect(await row.isVisible()).toBe(true);
  expect(await total.innerText()).toBe(before);
  expect(await total.evaluate((element) => Number(getComputedStyle(element).opacity))).toBeLessThan(1);
  expect(await walletMenu(page).isVisible()).toBe(true);
  await page.getByRole('banner').getByRole('link', { name: 'Explorer' }).click();
  await start(port);
  await page.getByRole('heading', { name: 'Explorer' }).waitFor();
  await page.getByRole('table').getByRole('link').first().waitFor();
  await lost(page).waitFor({ state: 'hidden' });
  await page.getByRole('banner').getByRole('link', { name: 'Portfolio' }).click();
  await row.waitFor();
  expect(await total.evaluate((element) => Number(getComputedStyle(element).opacity))).toBe(1);
  expect(await walletMenu(page).isVisible()).toBe(true);
  expect(await isSame(page)).toBe(true);
});

test('R3: a host that answers 503 leads to the maintenance page, and from there back to where the person was', async () => {
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
