/** What the ticket of a contract and the tables below its chart offer beside a plain order, on the whole program in a real browser. */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { browser, withBrowser } from './browser.ts';
import { markOf, numberIn, ticketOf, trade, visitAsTrader } from './futures-trader.ts';
import { toast } from './newcomer.ts';
import { program, withSharedProgram } from './with-shared-program.ts';

withSharedProgram();
withBrowser();

const sizeOf = (page: Page): Locator => ticketOf(page).getByRole('textbox', { name: 'Size', exact: true });
const typedSize = async (page: Page): Promise<number> => numberIn(await sizeOf(page).inputValue());
const openOrders = (page: Page): Locator =>
  page.getByRole('table', { name: 'Open orders' }).getByRole('row').filter({ hasText: 'BTC/USDC' });
const confirm = (page: Page): Promise<void> =>
  page.getByRole('dialog', { name: 'Confirm Order' }).getByRole('button', { name: 'Confirm' }).click();

test('[F1] the price begins at the middle; the size is a share of the most that can be taken, by slider, key and button; an order is changed in its row by keys', async () => {
  const { page, complaints } = await visitAsTrader(browser, { url: program.url });
  const mark = await markOf(page);
  const priceField = ticketOf(page).getByRole('textbox', { name: 'Price', exact: true });
  const priced = async (): Promise<number> => numberIn(await priceField.inputValue());
  const pressed = async (name: string): Promise<number> => {
    await ticketOf(page).getByRole('button', { name }).click();
    return priced();
  };
  await expect.poll(priced).toBeGreaterThan(0);
  // Of a buy the queue is that of the bids.
  await expect
    .poll(async () => (await pressed('Take the best bid')) - (await pressed('Queue 5: take the price at that place')))
    .toBeGreaterThan(0);
  const price = (mark * 0.98).toFixed(1);
  await priceField.fill(price);
  await ticketOf(page).getByRole('button', { name: 'Max' }).click();
  const most = await typedSize(page);
  // 5,000 USDC at 10× buy no more than 50,000 USDC.
  expect(most * Number(price)).toBeLessThanOrEqual(50_000);
  expect(most * Number(price)).toBeGreaterThan(48_000);
  await ticketOf(page).getByRole('button', { name: '50%' }).click();
  expect(await typedSize(page)).toBeCloseTo(most / 2, 4);
  const slider = ticketOf(page).getByRole('slider');
  await slider.focus();
  await page.keyboard.press('Home');
  await expect.poll(async () => sizeOf(page).inputValue()).toMatch(/^0?(?:\.0*)?$/);
  await page.keyboard.press('End');
  await expect.poll(() => typedSize(page)).toBe(most);
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => typedSize(page)).toBeLessThan(most);

  await sizeOf(page).fill('0.02');
  await ticketOf(page).getByRole('button', { name: 'Buy BTC' }).click();
  await confirm(page);
  await page.getByRole('tab', { name: 'Open orders 1' }).click();
  const row = openOrders(page);
  await row.getByRole('button', { name: 'Change price or size of the order to Buy 0.02 BTC' }).click();
  const field = row.getByRole('textbox', { name: 'Price', exact: true });
  await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
  await field.fill('1');
  await page.keyboard.press('Escape');
  await row.getByText(Number(price).toLocaleString('en-US', { minimumFractionDigits: 1 })).waitFor();
  await row.getByRole('button', { name: /^Change price or size/ }).click();
  const lower = (mark * 0.97).toFixed(1);
  await field.fill(lower);
  await row.getByRole('textbox', { name: 'Size', exact: true }).fill('0.03');
  await Promise.all([toast(page).getByText('Order changed').waitFor(), page.keyboard.press('Enter')]);
  await row.getByRole('button', { name: 'Change price or size of the order to Buy 0.03 BTC' }).waitFor();
  await row.getByText(Number(lower).toLocaleString('en-US', { minimumFractionDigits: 1 })).waitFor();
  expect(await row.count()).toBe(1);
  await Promise.all([
    toast(page).getByText('Order cancelled').waitFor(),
    row.getByRole('button', { name: /^Cancel Limit in BTC\/USDC: Buy / }).click(),
  ]);
  await page.getByRole('tab', { name: 'Open orders', exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

test('[F1] a scale order of a contract is shown before it is placed, and keys fill and send the ticket', async () => {
  const { page, complaints } = await visitAsTrader(browser, { url: program.url });
  const mark = await markOf(page);
  await ticketOf(page).getByRole('button', { name: 'Scale order' }).click();
  const scale = page.getByRole('dialog', { name: 'Scale order' });
  await scale.getByRole('textbox', { name: 'Lower price' }).fill((mark * 0.97).toFixed(0));
  await scale.getByRole('textbox', { name: 'Upper price' }).fill((mark * 0.98).toFixed(0));
  await scale.getByRole('textbox', { name: 'Total size' }).fill('0.03');
  await scale.getByRole('combobox', { name: 'Number of orders' }).selectOption('3');
  expect(await scale.getByRole('listitem').count()).toBe(3);
  await scale.getByRole('button', { name: 'Place 3 orders' }).click();
  await page.getByRole('tab', { name: 'Open orders 3' }).click();
  expect(await openOrders(page).count()).toBe(3);

  // Keys for trading are off until a person switches them on.
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await sheet.getByRole('switch', { name: 'Keys for trading' }).click();
  await sheet.getByRole('button', { name: 'Close', exact: true }).click();
  await sheet.waitFor({ state: 'hidden' });
  await page.keyboard.press('Shift+B');
  const price = ticketOf(page).getByRole('textbox', { name: 'Price', exact: true });
  await expect.poll(async () => numberIn(await price.inputValue())).toBeGreaterThan(0);
  await page.keyboard.press('s');
  await expect.poll(() => ticketOf(page).getByRole('radio', { name: 'Sell' }).isChecked()).toBe(true);
  await expect.poll(() => sizeOf(page).evaluate((element) => element === document.activeElement)).toBe(true);
  await price.fill((mark * 1.02).toFixed(1));
  await sizeOf(page).fill('0.01');
  await page.keyboard.press('Control+Enter');
  await confirm(page);
  await page.getByRole('tab', { name: 'Open orders 4' }).waitFor();
  await page.getByRole('button', { name: 'Layout', exact: true }).focus();
  await page.keyboard.press('Shift+X');
  const question = page.getByRole('dialog', { name: 'Cancel all orders' });
  await question.getByText('Every open order of BTC/USDC is cancelled.').waitFor();
  await question.getByRole('button', { name: 'Keep orders' }).click();
  await question.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Cancel all' }).click();
  await question.getByText('Every open order of every market is cancelled.').waitFor();
  await Promise.all([toast(page).getByText('4 orders cancelled').waitFor(), question.getByRole('button', { name: 'Cancel all' }).click()]);
  await page.getByRole('tab', { name: 'Open orders', exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

test('[F1] a TWAP stands among the TWAP orders with what it has filled and how far its time has gone, and is ended in its row', async () => {
  const { page, complaints } = await visitAsTrader(browser, { url: program.url });
  await page.getByRole('tab', { name: 'TWAP', exact: true }).click();
  await sizeOf(page).fill('0.02');
  await ticketOf(page).getByRole('textbox', { name: 'Over' }).fill('5');
  await ticketOf(page).getByRole('button', { name: 'Buy BTC' }).click();
  await confirm(page);
  await page.getByRole('tab', { name: 'TWAP orders 1' }).click();
  const row = page.getByRole('table', { name: 'TWAP orders' }).getByRole('row').filter({ hasText: 'BTC/USDC' });
  await row.getByText(/^[01] of 5 min$/).waitFor();
  // One of ten parts is taken at once: the table learns it by the stream.
  await row.getByRole('cell', { name: /^0\.002/ }).waitFor();
  await page.getByRole('table', { name: 'TWAP orders' }).getByRole('columnheader', { name: 'Filled' }).first().waitFor();
  await page.reload();
  await page.getByRole('tab', { name: 'TWAP orders 1' }).click();
  await row.getByRole('cell', { name: /^0\.002/ }).waitFor();
  await row.getByRole('button', { name: 'End the TWAP in BTC/USDC' }).click();
  await row.waitFor({ state: 'hidden' });
  await page.getByRole('tab', { name: 'TWAP orders', exact: true }).waitFor();
  await page.getByRole('tab', { name: 'Positions 1' }).waitFor();
  expect(complaints).toEqual([]);
});

test('[F1] a trailing order says what it will do, and stands among the trigger orders with the trigger that follows the price', async () => {
  const { page, complaints } = await visitAsTrader(browser, { url: program.url });
  await page.getByRole('tab', { name: 'Trailing', exact: true }).click();
  await ticketOf(page).getByRole('radio', { name: 'Sell', exact: true }).click();
  await ticketOf(page).getByRole('textbox', { name: 'Callback' }).fill('2');
  await ticketOf(page)
    .getByText(
      /^Sells at the market once the Mark price is 2% below its highest since the order was placed\. If it turned now: at [\d,.]+\.$/,
    )
    .waitFor();
  await sizeOf(page).fill('0.02');
  await ticketOf(page).getByRole('button', { name: 'Sell BTC' }).click();
  const question = page.getByRole('dialog', { name: 'Confirm Order' });
  await question.getByText('Trailing stop · BTC/USDC').waitFor();
  await confirm(page);
  await page.getByRole('tab', { name: 'Trigger orders 1' }).click();
  const row = page.getByRole('table', { name: 'Trigger orders' }).getByRole('row').filter({ hasText: 'Trailing stop' });
  await row.getByText(/^≈ [\d,.]+$/).waitFor();
  await row.getByText('Mark price · Callback 2%').waitFor();
  await Promise.all([
    toast(page).getByText('Order cancelled').waitFor(),
    row.getByRole('button', { name: /^Cancel Trailing stop in BTC\/USDC/ }).click(),
  ]);
  expect(complaints).toEqual([]);
});

test('[F1] in hedge mode a leg is closed by the ticket: the form names it and says what can be closed', async () => {
  const { page, person, complaints } = await visitAsTrader(browser, { url: program.url });
  await person.client.changePositionMode({ positionMode: 'HEDGE', underlyingType: 'U_BASED' });
  await ticketOf(page).getByRole('button', { name: 'Hedge' }).waitFor();
  await trade(page, { side: 'Buy', size: '0.02' });
  await ticketOf(page).getByRole('radio', { name: 'Close', exact: true }).click();
  await ticketOf(page).getByRole('radio', { name: 'Close long', exact: true }).click();
  await ticketOf(page).getByText('Available to close: 0.02000 BTC').waitFor();
  await ticketOf(page).getByRole('button', { name: '50%' }).click();
  expect(await typedSize(page)).toBe(0.01);
  await ticketOf(page).getByRole('button', { name: '100%' }).click();
  await sizeOf(page).press('Enter');
  await confirm(page);
  await toast(page).getByText('Sold 0.02 BTC').waitFor();
  await toast(page)
    .getByText(/PnL [+−][\d.]+ USDC$/)
    .waitFor();
  await page.getByText('No open positions.').waitFor();
  expect(complaints).toEqual([]);
});
