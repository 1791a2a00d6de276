/**
 * Every page and every dialog in a real browser on the whole program, looked at by axe in both themes at three widths; and in a window of 320 px and
 * at a zoom of 200 %, where nothing may be wider than the screen and no word cut in two.
 */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { barriers, COLOURS, cutWords, overflow, setTheme } from './accessibility.ts';
import { browser, visit, VIEWPORTS, withBrowser } from './browser.ts';
import {
  acceptTerms,
  checklist,
  chooseWallet,
  claimTokens,
  connectButton,
  fundSpot,
  establishConnection,
  termsDialog,
  walletMenu,
} from './newcomer.ts';
import { BEHIND_A_PROXY } from './program.ts';
import { until } from './until.ts';
import { program, withProgram } from './with-program.ts';

/** Of its own: what leaderboard and explorer show depends on what others have done before. */
withProgram({ env: BEHIND_A_PROXY });
withBrowser();

/** The narrowest window, and a desktop window at 200 %. */
const SMALL = { narrowest: { width: 320, height: 640 }, zoomed: { width: 720, height: 450 } } as const;

/** What is wrong with what the page shows now, one line each: at three widths, the dark theme by all rules, the light one by those of colour. */
async function look(page: Page, name: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [screen, size] of Object.entries(VIEWPORTS)) {
    await page.setViewportSize(size);
    // At its end no content lies under what sticks to the bottom of a phone.
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await setTheme(page, 'dark');
    const dark = await barriers(page);
    await setTheme(page, 'light');
    const light = await barriers(page, COLOURS);
    found.push(
      ...dark.map((barrier) => `${name}, ${screen}, dark: ${barrier}`),
      ...light.map((barrier) => `${name}, ${screen}, light: ${barrier}`),
    );
    if ((await overflow(page)) > 0) found.push(`${name}, ${screen}: wider than the screen`);
  }
  await setTheme(page, 'dark');
  for (const [screen, size] of Object.entries(SMALL)) {
    await page.setViewportSize(size);
    if ((await overflow(page)) > 0) found.push(`${name}, ${screen}: ${await overflow(page)} px wider than the screen`);
    found.push(...(await cutWords(page)).map((word) => `${name}, ${screen}: "${word}" is cut`));
  }
  await page.setViewportSize(VIEWPORTS.desktop);
  return found;
}

const PAGES = {
  'trading and money': [
    '/trade/spot/BTC_USDC',
    '/portfolio',
    '/assets/funding',
    '/assets/deposit',
    '/assets/withdraw',
    '/assets/bills',
    '/faucet',
  ],
  'trading with one another': ['/otc', '/otc/orders', '/otc/advertisements', '/otc/payment-methods', '/otc/merchants'],
  'rewards and the account': [
    '/points',
    '/leaderboard',
    '/lucky-block',
    '/account',
    '/account/api',
    '/account/export',
    '/account/security',
    '/account/verification',
    '/account/login-record',
    '/login',
  ],
  'the chain and the exchange': [
    '/explorer',
    '/explorer/block/1',
    '/status',
    '/app',
    '/maintenance',
    '/terms',
    '/privacy',
    '/cookies',
    '/nowhere',
  ],
} as const;

/** Axe takes seconds a page on a busy machine, and each page is looked at six times. */
const PATIENCE_MS = 900_000;

/** Data has come, and what stood in its place is gone. */
const settled = (page: Page): Promise<boolean> =>
  until('the page has its data', () =>
    page.evaluate(() => document.querySelector('main [aria-busy="true"]:not(button)') === null && document.querySelector('main') !== null),
  );

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });

async function closeDialog(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
}

test.each(Object.entries(PAGES))(
  '[R3, R5, R6] every page of %s, in both themes, at three widths, in 320 px and at 200 %%: axe finds nothing, nothing is wider than the screen, no word is cut',
  async (_area, paths) => {
    const { page, complaints } = await visit(browser, { url: program.url });
    await page.goto('/faucet');
    await chooseWallet(page, /^Burner wallet/);
    await acceptTerms(page);
    const found: string[] = [];
    for (const path of paths) {
      await page.goto(path);
      await walletMenu(page).waitFor();
      await settled(page);
      found.push(...(await look(page, path)));
    }
    expect(found).toEqual([]);
    expect(complaints).toEqual([]);
  },
  PATIENCE_MS,
);

test(
  '[R5, L1] every dialog on the way from a wallet to an order, in the same ways',
  async () => {
    const { page } = await visit(browser, { url: program.url });
    await page.goto('/trade/spot/BTC_USDC');
    const found: string[] = [];
    const lookAt = async (name: string): Promise<void> => {
      await page.getByRole('dialog').waitFor();
      found.push(...(await look(page, name)));
    };
    await page.getByRole('banner').getByRole('button', { name: 'Settings' }).click();
    await lookAt('Settings');
    await closeDialog(page);
    await connectButton(page).click();
    await dialog(page, 'Connect wallet')
      .getByRole('button', { name: /^Burner wallet/ })
      .waitFor();
    await lookAt('Connect wallet');
    await dialog(page, 'Connect wallet')
      .getByRole('button', { name: /^Burner wallet/ })
      .click();
    await termsDialog(page).waitFor();
    await lookAt('Terms of use');
    await acceptTerms(page);

    await checklist(page).getByRole('button', { name: 'Claim test tokens' }).click();
    await lookAt('Claim');
    await closeDialog(page);
    await claimTokens(page);
    await checklist(page).getByRole('button', { name: 'Fund Wallet' }).click();
    await lookAt('Fund Wallet');
    await dialog(page, 'Fund Wallet')
      .getByRole('button', { name: /^Transfer Move coins/ })
      .click();
    await dialog(page, 'Transfer').waitFor();
    await lookAt('Transfer');
    await closeDialog(page);
    await fundSpot(page);
    await checklist(page).getByRole('button', { name: 'Establish Connection' }).click();
    await lookAt('Establish Connection');
    await closeDialog(page);
    await establishConnection(page);

    const ticket = page.getByRole('form', { name: 'Order ticket' });
    await ticket.getByRole('textbox', { name: 'Price' }).fill('50000');
    await ticket.getByRole('textbox', { name: 'Size' }).fill('0.002');
    await ticket.getByRole('button', { name: 'Buy 0.002 BTC' }).click();
    await lookAt('Confirm Order');
    await closeDialog(page);
    expect(found).toEqual([]);
  },
  PATIENCE_MS,
);

test('a planted barrier, a planted breach of the width and a planted cut are found', async () => {
  const { page } = await visit(browser, { url: program.url });
  await page.goto('/terms');
  await page.getByRole('main').waitFor();
  expect(await look(page, '/terms')).toEqual([]);
  await page.evaluate(() => {
    const main = document.querySelector('main');
    const cut = document.createElement('p');
    cut.textContent = 'Unbreakable';
    cut.style.setProperty('width', '16px');
    cut.style.setProperty('overflow', 'hidden');
    const wide = document.createElement('p');
    wide.textContent = 'wide';
    wide.style.setProperty('min-width', '2000px');
    main?.append(document.createElement('img'), cut);
    // What is too wide inside the page's own frame is cut there, not scrolled to.
    document.body.append(wide);
  });
  const found = await look(page, '/terms');
  expect(found).toContainEqual(expect.stringMatching(/^\/terms, phone, dark: image-alt/));
  expect(found).toContainEqual(expect.stringMatching(/^\/terms, narrowest: .* wider than the screen$/));
  expect(found).toContainEqual('/terms, narrowest: "Unbreakable" is cut');
});
