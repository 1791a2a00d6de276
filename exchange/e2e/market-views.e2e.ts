/** What a person chooses to see of a market and of an order, on the whole program in a real browser. */
import type { Page } from 'playwright-core';
import { generatePrivateKey } from 'viem/accounts';
import { expect, test } from 'vitest';
import { browser, visit, withBrowser } from './browser.ts';
import { nextAddress } from './caller-address.ts';
import { InjectedWallet, WALLET_NAME } from './injected-wallet.ts';
import { chooseWallet } from './newcomer.ts';
import { prepareToTrade, signIn } from './person.ts';
import { program, withSharedProgram } from './with-shared-program.ts';

const INTERVALS = ['1m', '5m', '15m', '30m', '1h', '4h', '1d', '1w', '1M'];

withSharedProgram();
withBrowser();

test('[S4] the candles have nine intervals, and the book has both sides, its bids or its asks', async () => {
  const { page, complaints } = await visit(browser, { url: program.url });
  await page.goto('/trade/spot/BTC_USDC');
  const intervals = page.getByRole('radiogroup', { name: 'Interval' });
  await intervals.waitFor();
  expect(await intervals.getByRole('radio').allTextContents()).toEqual(INTERVALS);
  for (const interval of INTERVALS) {
    await intervals.getByRole('radio', { name: interval, exact: true }).click();
    await page.getByText(new RegExp(`, ${interval} candle from .*: open [\\d,.]+,`)).waitFor({ state: 'attached' });
  }

  const [bids, asks] = ['Bids', 'Asks'].map((name) => page.getByRole('listbox', { name }));
  const rows = async (): Promise<readonly number[]> =>
    Promise.all([bids, asks].map(async (side) => (await side?.getByRole('option').count()) ?? 0));
  const show = (name: string): Promise<void> => page.getByRole('radiogroup', { name: 'Sides shown' }).getByRole('radio', { name }).click();
  await expect.poll(async () => Math.min(...(await rows()))).toBeGreaterThan(3);
  const [half = 0] = await rows();
  await show('Bids only');
  await expect.poll(async () => (await rows())[1]).toBe(0);
  await expect.poll(async () => (await rows())[0]).toBeGreaterThan(half);
  await show('Asks only');
  await expect.poll(async () => (await rows())[0]).toBe(0);
  await show('Both sides');
  await expect.poll(async () => Math.min(...(await rows()))).toBeGreaterThan(3);
  expect(complaints).toEqual([]);
});

/** Runs in the page before its scripts: what a screen reader would read by itself. */
function watchLiveRegions(): void {
  const read: string[] = [];
  Object.assign(window, { read });
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      const live = (target instanceof Element ? target : target.parentElement)?.closest(
        '[aria-live], [role="status"], [role="alert"], [role="log"]',
      );
      if (live !== null && live !== undefined && live.getAttribute('aria-live') !== 'off') read.push(live.textContent);
    }
  }).observe(document, { childList: true, characterData: true, subtree: true });
}

test('a screen reader reads what the person did, and the market only where that is asked for', async () => {
  const { page, complaints } = await visit(browser, { url: program.url });
  await page.addInitScript(watchLiveRegions);
  await page.goto('/trade/spot/BTC_USDC');
  const ofMarket = async (): Promise<readonly string[]> => {
    const read = await page.evaluate(() => Reflect.get(window, 'read') as string[]);
    return read.filter((text) => /Best bid|candle from/.test(text));
  };
  await page.getByText(/candle from .*: open/).waitFor({ state: 'attached' });
  // Longer than between two announcements of the best prices.
  await page.waitForTimeout(10_500);
  expect(await ofMarket()).toEqual([]);
  // The first one may be the candle that is in words already; the one before it is another, also where a new one begins between the two.
  await page.getByRole('application').focus();
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Shift+ArrowLeft');
  await expect.poll(async () => (await ofMarket()).length, { timeout: 15_000 }).toBeGreaterThan(0);
  await page.getByRole('banner').getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('dialog', { name: 'Settings' }).getByRole('switch', { name: 'Read the market aloud' }).click();
  await page.getByRole('dialog', { name: 'Settings' }).getByRole('button', { name: 'Close', exact: true }).click();
  await expect.poll(async () => (await ofMarket()).some((text) => text.includes('Best bid')), { timeout: 30_000 }).toBe(true);
  expect(complaints).toEqual([]);
});

test('the keys go on from the candle on which they stand when older ones have been read', async () => {
  const { page, complaints } = await visit(browser, { url: program.url });
  await page.goto('/trade/spot/BTC_USDC');
  const summary = page.getByText(/ candle from .*: open/);
  await summary.waitFor({ state: 'attached' });
  const beganAt = async (): Promise<string> => (await summary.textContent())?.split(' candle from ')[1]?.split(': open')[0] ?? '';
  await page.getByRole('application').focus();
  for (let count = 0; count < 4; count += 1) await page.keyboard.press('Shift+ArrowLeft');
  const stood = await beganAt();
  const read: string[] = [];
  page.on('response', (answer) => void read.push(answer.url()));
  const areRead = (): boolean => read.some((url) => url.includes('kline'));
  for (let count = 0; count < 200 && !areRead(); count += 1) await page.keyboard.press('ArrowLeft');
  await expect.poll(areRead).toBe(true);
  // The answer is in the list a moment after it has come.
  await page.waitForTimeout(500);
  await page.keyboard.press('Shift+ArrowLeft');
  await expect.poll(async () => (await beganAt()) < stood).toBe(true);
  await page.keyboard.press('Shift+ArrowRight');
  await expect.poll(beganAt).toBe(stood);
  expect(complaints).toEqual([]);
});

/** Runs in the page before its scripts: the last texts that were drawn on a canvas. */
function watchDrawnTexts(): void {
  const drawn: string[] = [];
  Object.assign(window, { drawn });
  const canvas = CanvasRenderingContext2D.prototype;
  const draw = Reflect.get(canvas, 'fillText');
  canvas.fillText = function note(this: CanvasRenderingContext2D, ...given: [string, number, number]): void {
    drawn.push(given[0]);
    if (drawn.length > 2_000) drawn.splice(0, 1_000);
    Reflect.apply(draw, this, given);
  };
}

test('in New York the candle of a day carries the date of the exchange, and that of an hour the time there', async () => {
  const { page, context, complaints } = await visit(browser, { url: program.url });
  await page.addInitScript(watchDrawnTexts);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setTimezoneOverride', { timezoneId: 'America/New_York' });
  await page.goto('/trade/spot/BTC_USDC');
  const intervals = page.getByRole('radiogroup', { name: 'Interval' });
  const drawnWith = (text: string): Promise<boolean> =>
    page.evaluate((part) => (Reflect.get(window, 'drawn') as string[]).some((one) => one.includes(part)), text);
  // The crosshair stands on the newest bar, and its label says when that began.
  const newest = async (interval: string): Promise<string> => {
    await intervals.getByRole('radio', { name: interval, exact: true }).click();
    await page.getByText(new RegExp(`, ${interval} candle from .*: open`)).waitFor({ state: 'attached' });
    await page.evaluate(() => (Reflect.get(window, 'drawn') as string[]).splice(0));
    await page.getByRole('application').focus();
    await page.keyboard.press('Shift+ArrowLeft');
    return (await page.getByText(new RegExp(`, ${interval} candle from `)).textContent())?.split(' candle from ')[1]?.split(':')[0] ?? '';
  };
  const today = new Date().toISOString().slice(0, 10);
  expect(await newest('1d')).toBe(today);
  await expect.poll(() => drawnWith(today)).toBe(true);
  // Its own hour, or the one before it where nothing was traded since the full hour.
  const hours = [0, 1].map((ago) =>
    new Date(Date.now() - ago * 3_600_000).toLocaleString('sv', { timeZone: 'America/New_York' }).slice(0, 13),
  );
  const there = await newest('1h');
  expect(hours).toContain(there);
  await expect.poll(() => drawnWith(there)).toBe(true);
  expect(complaints).toEqual([]);
});

async function placeFarBelow(page: Page, size: string): Promise<void> {
  const ticket = page.getByRole('form', { name: 'Order ticket' });
  await ticket.getByRole('textbox', { name: 'Price', exact: true }).fill('50000');
  await ticket.getByRole('textbox', { name: 'Size', exact: true }).fill(size);
  await ticket.getByRole('button', { name: `Buy ${size} BTC` }).click();
}

test('[S3] the question before an order is not asked again once a person said so, until the settings ask for it', async () => {
  const privateKey = generatePrivateKey();
  await prepareToTrade(program.url, await signIn(program.url, { privateKey, from: nextAddress() }));
  const wallet = new InjectedWallet(program.url, privateKey);
  const { page, complaints } = await visit(browser, { url: program.url, prepare: (context) => wallet.install(context) });
  await page.goto('/trade/spot/BTC_USDC');
  await chooseWallet(page, new RegExp(`^${WALLET_NAME}`));
  const confirm = page.getByRole('dialog', { name: 'Confirm Order' });
  await placeFarBelow(page, '0.002');
  await confirm.getByRole('checkbox', { name: "Don't show this again" }).click();
  await confirm.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('tab', { name: 'Open orders 1' }).waitFor();
  await placeFarBelow(page, '0.003');
  await page.getByRole('tab', { name: 'Open orders 2' }).waitFor();
  expect(await confirm.count()).toBe(0);

  await page.getByRole('banner').getByRole('button', { name: 'Settings' }).click();
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('switch', { name: 'Confirm limit orders' }).click();
  await settings.getByRole('button', { name: 'Close', exact: true }).click();
  await settings.waitFor({ state: 'hidden' });
  await placeFarBelow(page, '0.004');
  await confirm.waitFor();
  expect(complaints).toEqual([]);
});
