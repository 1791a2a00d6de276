/** The trading page in a real browser on the whole program: on a phone, in bad weather, and for people with disabilities. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { barriers, installAxe } from './accessibility.ts';
import { openBrowser, visit, VIEWPORTS } from './browser.ts';
import { acceptTerms, checklist, chooseWallet, claimTokens, connectButton, termsDialog, walletMenu } from './newcomer.ts';
import { startProgram, type Program } from './program.ts';
import { until } from './until.ts';

let dataDirectory: string;
let program: Program;
let browser: Browser;

const start = (port: string): Promise<Program> => startProgram({ dataDirectory, env: { ORRERY_PROXY_HOPS: '1', ORRERY_PORT: port } });

beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'orrery-terminal-'));
  program = await start('0');
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await program?.stop();
  await rm(dataDirectory, { recursive: true, force: true });
});

const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test('R6: at 390 px one panel is shown at a time, and Buy and Sell stay in reach', async () => {
  const { page, complaints } = await visit(browser, { url: program.url, viewport: 'phone' });
  await page.goto('/');
  await page.getByRole('button', { name: 'Buy', exact: true }).waitFor();
  const views = page.getByRole('tablist', { name: 'View' });
  for (const view of ['Depth', 'Book', 'Trades', 'Orders', 'Chart']) {
    await views.getByRole('tab', { name: view }).click();
    expect(await page.getByRole('button', { name: 'Sell', exact: true }).isVisible()).toBe(true);
    expect(await overflow(page), `sideways scrolling of ${view}`).toBe(0);
  }
  await page.getByRole('button', { name: 'Sell', exact: true }).click();
  const sheet = page.getByRole('dialog', { name: 'Order ticket' });
  expect(await sheet.getByRole('radio', { name: 'Sell' }).isChecked()).toBe(true);
  await sheet.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('menuitem', { name: 'Portfolio' }).click();
  await page.getByRole('heading', { name: 'Portfolio' }).waitFor();
  expect(await overflow(page)).toBe(0);
  expect(complaints).toEqual([]);
});

test('L2, L7, L15: the page heals by itself after the program was killed and started again, and the session goes on', async () => {
  const { page, complaints } = await visit(browser, { url: program.url });
  await page.goto('/');
  await chooseWallet(page, /^Burner wallet/);
  await acceptTerms(page);
  await claimTokens(page);
  expect(complaints).toEqual([]);
  const { port } = new URL(program.url);
  await program.kill();
  await page.getByText(/^Reconnecting/).waitFor();
  await page.getByText('Not reachable').waitFor();
  program = await start(port);
  await page.getByText(/^Reconnecting/).waitFor({ state: 'hidden' });
  await page.getByText(/^Live/).waitFor();
  await walletMenu(page).waitFor();
  const best = page.getByRole('list', { name: /^Bids, best first/ }).or(page.getByRole('listbox', { name: /^Bids, best first/ }));
  await best.waitFor();
  await page.reload();
  await walletMenu(page).waitFor();
  await checklist(page).getByRole('button', { name: 'Fund Wallet' }).waitFor();
  expect(complaints.filter((complaint) => !/Failed to load resource|WebSocket connection/.test(complaint))).toEqual([]);
});

test('S1, R6: the trading page of somebody signed in has no serious barrier for people with disabilities, on whatever screen', async () => {
  const { page } = await visit(browser, { url: program.url, prepare: installAxe });
  await page.goto('/');
  await chooseWallet(page, /^Burner wallet/);
  await acceptTerms(page);
  await claimTokens(page);
  const found: string[] = [];
  for (const [screen, size] of Object.entries(VIEWPORTS)) {
    await page.setViewportSize(size);
    await page.reload();
    await walletMenu(page).waitFor();
    await page.getByText(/^Live/).waitFor();
    found.push(...(await barriers(page)).map((barrier) => `${screen}: ${barrier}`));
  }
  expect(found).toEqual([]);
});

test('R5, L1: the dialogs of the way in have no serious barrier', async () => {
  const { page } = await visit(browser, { url: program.url, prepare: installAxe });
  await page.goto('/');
  await connectButton(page).click();
  await page.getByRole('button', { name: /^Burner wallet/ }).waitFor();
  const found = [...(await barriers(page))];
  await page.getByRole('button', { name: /^Burner wallet/ }).click();
  await termsDialog(page).waitFor();
  found.push(...(await barriers(page)));
  expect(found).toEqual([]);
});

test('a planted barrier is found, and so is a planted breach of the content security policy', async () => {
  const { page, complaints } = await visit(browser, { url: program.url, prepare: installAxe });
  await page.goto('/terms');
  await page.getByRole('main').waitFor();
  await page.evaluate(() => {
    document.querySelector('main')?.append(document.createElement('img'));
    const image = new Image();
    image.src = 'https://tracker.invalid/pixel.png';
  });
  expect(await barriers(page)).toEqual([expect.stringMatching(/^image-alt/)]);
  await until('the policy complains', () => Promise.resolve(complaints.some((complaint) => complaint.includes('Content Security Policy'))));
});
