/** The tools of the chart in a real browser: drawings, indicators, styles, the menu at a price, and the chart for those who use no mouse. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { barriers, installAxe } from './accessibility.ts';
import { arriveAsTrader } from './arrive.ts';
import { browser, visit, withBrowser } from './browser.ts';
import { buyAtMarket } from './newcomer.ts';
import { program, withSharedProgram } from './with-shared-program.ts';

withSharedProgram();
withBrowser();

const chart = (page: Page): Locator => page.getByRole('application');
const tools = (page: Page): Locator => page.getByRole('toolbar', { name: 'Drawing tools' });
const ticket = (page: Page): Locator => page.getByRole('form', { name: 'Order ticket' });

/** The sentence about the bar in view: it is there once the bars are. */
const summary = (page: Page): Locator => page.getByText(/candle from .*: open .*, high .*, low .*, close .*, volume/);

async function openMarket(page: Page, pair: string): Promise<void> {
  await page.goto(`/trade/spot/${pair}`);
  await summary(page).waitFor({ state: 'attached' });
}

const DOUBLE_CLICK_MS = 600;

interface Place {
  readonly x: number;
  readonly y: number;
}

/** A place of the chart, in parts of its width and height. */
async function at(page: Page, { x, y }: Place): Promise<Place> {
  const box = await chart(page).boundingBox();
  if (box === null) throw new Error('there is no chart');
  return { x: box.x + box.width * x, y: box.y + box.height * y };
}

async function draw(page: Page, tool: string, places: readonly Place[]): Promise<void> {
  await tools(page).getByRole('button', { name: tool, exact: true }).click();
  for (const place of places) {
    const { x, y } = await at(page, place);
    await page.mouse.move(x, y);
    await page.mouse.click(x, y);
    // The second of two clicks that follow each other at once is half of a double click, wherever it is.
    await pause(DOUBLE_CLICK_MS);
  }
}

const drawings = (page: Page, words: string): Promise<void> => tools(page).getByText(words, { exact: true }).waitFor({ state: 'attached' });

test('what is drawn, which indicators are on and how the candles look is kept of each market', async () => {
  const { page, complaints } = await visit(browser, { url: program.url });
  await openMarket(page, 'BTC_USDC');
  await page.getByRole('button', { name: 'Show the drawing tools' }).click();
  await drawings(page, 'No drawings');
  await draw(page, 'Horizontal line', [{ x: 0.4, y: 0.3 }]);
  await drawings(page, '1 drawing');
  await draw(page, 'Trend line', [
    { x: 0.2, y: 0.5 },
    { x: 0.6, y: 0.4 },
  ]);
  await drawings(page, '2 drawings');
  await tools(page).getByRole('button', { name: 'Text', exact: true }).click();
  await page.getByRole('textbox', { name: 'Text to put on the chart' }).fill('breakout');
  await page.keyboard.press('Enter');
  const place = await at(page, { x: 0.5, y: 0.25 });
  await page.mouse.move(place.x, place.y);
  await page.mouse.click(place.x, place.y);
  await drawings(page, '3 drawings');
  // A drawing that is given up is none.
  await tools(page).getByRole('button', { name: 'Ray', exact: true }).click();
  await chart(page).focus();
  await page.keyboard.press('Escape');
  await drawings(page, '3 drawings');

  await page.getByRole('button', { name: 'Indicators' }).click();
  const search = page.getByRole('searchbox', { name: 'Search indicators' });
  const all = page.getByRole('checkbox', {
    name: /^(MA|EMA|SMA|BOLL|SAR|BBI|VWAP|VOL|MACD|RSI|KDJ|ATR|OBV|CCI|DMI|WR|ROC|MTM|TRIX|AO) ?[A-Z]/,
  });
  await expect.poll(() => all.count()).toBe(20);
  await search.fill('true range');
  await page.getByRole('checkbox', { name: /^ATR/ }).click();
  await search.fill('');
  for (const name of [/^RSI/, /^OBV/, /^CCI/]) await page.getByRole('checkbox', { name }).click();
  await page.getByText('At most 4 of these at once. Switch one off first.').waitFor();
  expect(await page.getByRole('checkbox', { name: /^CCI/ }).isChecked()).toBe(false);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Candle style' }).click();
  await page.getByRole('menuitemradio', { name: 'Heikin-Ashi' }).click();

  await page.reload();
  await summary(page).waitFor({ state: 'attached' });
  await drawings(page, '3 drawings');
  await page.getByRole('button', { name: 'Candle style' }).click();
  expect(await page.getByRole('menuitemradio', { name: 'Heikin-Ashi' }).isChecked()).toBe(true);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Indicators' }).click();
  expect(await page.getByRole('checkbox', { name: /^ATR/ }).isChecked()).toBe(true);
  await page.keyboard.press('Escape');
  await openMarket(page, 'ETH_USDC');
  await drawings(page, 'No drawings');
  await openMarket(page, 'BTC_USDC');
  await tools(page).getByRole('button', { name: 'Remove all drawings' }).click();
  await drawings(page, 'No drawings');
  expect(complaints).toEqual([]);
});

test('a right click fills the ticket with its price, the pointer shows how far it is, and keys and a table say what is drawn', async () => {
  const { page, complaints } = await visit(browser, { url: program.url, prepare: installAxe });
  await openMarket(page, 'BTC_USDC');
  const place = await at(page, { x: 0.5, y: 0.6 });
  await page.mouse.move(place.x, place.y);
  await page
    .getByText(/^[+\u2212]?\d+\.\d\d%$/)
    .last()
    .waitFor();
  await page.mouse.click(place.x, place.y, { button: 'right' });
  const order = page.getByRole('menuitem', { name: /^Sell limit at / });
  const price = (await order.innerText()).replace('Sell limit at ', '');
  await order.click();
  await expect.poll(() => ticket(page).getByRole('radio', { name: 'Sell' }).isChecked()).toBe(true);
  const number = (text: string): number => Number(text.replaceAll(',', ''));
  expect(number(await ticket(page).getByRole('textbox', { name: 'Price' }).inputValue())).toBe(number(price));

  await chart(page).focus();
  const newest = await summary(page).innerText();
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Shift+ArrowLeft');
  await expect.poll(() => summary(page).innerText()).not.toBe(newest);
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Show the candles as a table' }).click();
  const table = page.getByRole('dialog', { name: /candles$/ });
  await expect.poll(() => table.getByRole('row').count()).toBe(101);
  expect(await barriers(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

test('own fills are marked on the chart, until they are switched off', async () => {
  const { page, complaints } = await arriveAsTrader(browser, { url: program.url });
  await page.goto('/');
  await buyAtMarket(page, '0.01');
  const marked = page.getByText(/^\d+ own fills? (is|are) marked\.$/);
  await marked.waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Candle style' }).click();
  await page.getByRole('menuitemradio', { name: 'No marks of fills' }).click();
  await marked.waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});
