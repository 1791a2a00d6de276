/** The trading page of perpetual contracts, on the whole program in a real browser. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { arriveAsTrader } from './arrive.ts';
import { browser, visit, withBrowser } from './browser.ts';
import { fundFutures, markOf, numberIn, positionsOf, ticketOf, trade, visitAsTrader } from './futures-trader.ts';
import { toast } from './newcomer.ts';
import { until } from './until.ts';
import { program, withSharedProgram } from './with-shared-program.ts';

withSharedProgram();
withBrowser();

test('[F1, C5] the page of a contract shows its book, mark, index and funding by the stream, and a ticket that checks what is typed', async () => {
  const { page, complaints } = await visit(browser, { url: program.url });
  const polled: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/futures/fapi/market/v1/q/')) polled.push(request.url());
  });
  const sockets: string[] = [];
  page.on('websocket', (socket) => sockets.push(new URL(socket.url()).pathname));
  await page.goto('/trade/futures');
  await page.waitForURL(/\/trade\/futures\/BTC_USDC$/);
  const main = page.getByRole('main');
  await main.getByText(/^[−-]?[\d.]+% in \d/).waitFor();
  await page.getByRole('listbox', { name: 'Bids' }).getByRole('option').first().waitFor();
  const mark = await markOf(page);
  expect(mark).toBeGreaterThan(0);
  // The mark price moves without a question over HTTP: candles and the latest trades are asked for once.
  await expect.poll(() => markOf(page), { timeout: 20_000 }).not.toBe(mark);
  expect(polled.map((url) => /q\/([a-z-]+)/.exec(url)?.[1])).toEqual(expect.arrayContaining(['deal', 'kline']));
  expect(polled).toHaveLength(2);
  expect(sockets).toContain('/futures/v1/ws/socket');
  const ticket = page.getByRole('form', { name: 'Order ticket' });
  await page.getByRole('tab', { name: 'TWAP', exact: true }).click();
  await page.getByRole('tab', { name: 'Trigger', exact: true }).click();
  await ticket.getByRole('textbox', { name: 'Trigger price', exact: true }).waitFor();
  await page.getByRole('tab', { name: 'Limit', exact: true }).click();
  const price = Math.round(mark * 0.99);
  await ticket.getByRole('textbox', { name: 'Price', exact: true }).fill(String(price));
  await ticket.getByRole('textbox', { name: 'Size', exact: true }).fill('0.1');
  const value = (price / 10).toLocaleString('en-US', { minimumFractionDigits: 2 });
  await ticket.getByText(`${value} USDC`).waitFor();
  await ticket.getByRole('checkbox', { name: 'TP/SL' }).click();
  await ticket.getByRole('textbox', { name: 'Take profit' }).fill(String(price - 1_000));
  await ticket.getByText(`Take profit must be above ${price}`).waitFor();
  // An amount of USDC is another size than the same digits of coins.
  await ticket.getByRole('combobox', { name: 'Size is given in' }).selectOption('VALUE');
  expect(await ticket.getByRole('textbox', { name: 'Size', exact: true }).inputValue()).toBe('');
  await ticket.getByRole('textbox', { name: 'Size', exact: true }).fill(value.replaceAll(',', ''));
  await ticket.getByText(`${value} USDC`).waitFor();
  expect(complaints).toEqual([]);
});

/** Runs in the page: the top of the label of a sell at the left of the chart, a long stroke of the colour of falling. */
function findSellLabel(chart: Element): { x: number; y: number } | undefined {
  // Beside the crosshair, which stands where the mouse was last.
  const [from, to] = [37, 52];
  for (const canvas of chart.querySelectorAll('canvas')) {
    const box = canvas.getBoundingClientRect();
    const context = canvas.getContext('2d');
    if (context === null || box.width < 200) continue;
    const scale = canvas.width / box.width;
    for (let row = 0; row < canvas.height; row += 1) {
      const { data } = context.getImageData(from * scale, row, (to - from) * scale, 1);
      const pixels = Array.from({ length: data.length / 4 }, (_, at) => [data[4 * at] ?? 0, data[4 * at + 1] ?? 0, data[4 * at + 3] ?? 0]);
      if (pixels.every(([red = 0, green = 0, alpha = 0]) => red >= 180 && 2 * green <= red && alpha >= 200))
        return { x: box.left + 24, y: box.top + row / scale + 8 };
    }
  }
  return undefined;
}

/** Pulls the axis of prices together until the line of a sell is in view and stands still. */
async function sellLine(page: Page): Promise<{ x: number; y: number }> {
  const chart = page.getByRole('application');
  const box = await chart.boundingBox();
  if (box === null) throw new Error('there is no chart');
  const axis = box.x + box.width - 25;
  let before: number | undefined;
  return until('the line of the take profit is in view', async () => {
    const found = await chart.evaluate(findSellLabel);
    // Clear of the legends, with room to be dragged up.
    const isInView = found !== undefined && found.y > box.y + 90;
    const isStill = isInView && found.y === before;
    before = found?.y;
    if (!isInView) {
      await page.mouse.move(axis, box.y + 60);
      await page.mouse.down();
      await page.mouse.move(axis, box.y + 140, { steps: 4 });
      await page.mouse.up();
      await page.mouse.move(box.x + box.width / 2, box.y + 20);
    }
    return isStill ? found : undefined;
  });
}

const triggerOf = (page: Page, kind: string): Promise<string> =>
  page.getByRole('table', { name: 'TP/SL' }).getByRole('row').filter({ hasText: kind }).getByRole('cell').nth(4).innerText();

test('[F1] a position is opened with TP/SL, its take profit is dragged on the chart, it is reversed, given margin and closed', async () => {
  const { page, complaints } = await arriveAsTrader(browser, { url: program.url });
  await page.goto('/trade/futures/BTC_USDC');
  await fundFutures(page);
  const mark = await markOf(page);
  const target = (mark * 1.003).toFixed(1);
  await trade(page, { side: 'Buy', size: '0.02', takeProfit: target, stopLoss: (mark * 0.97).toFixed(1) });
  await positionsOf(page).getByText('Long 0.02000').waitFor();
  // What protected that order was written for its price.
  expect(await ticketOf(page).getByRole('textbox', { name: 'Take profit' }).inputValue()).toBe('');

  await page.getByRole('tab', { name: 'TP/SL 2' }).click();
  const first = await triggerOf(page, 'Take profit');
  expect(numberIn(first)).toBe(Number(target));
  const { x, y } = await sellLine(page);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y - 10);
  await page.mouse.move(x, y - 20);
  // The chart follows the mouse once a frame: a person releases the button in a later frame than the last move.
  await until('the line has followed', async () => {
    const found = await page.getByRole('application').evaluate(findSellLabel);
    return found !== undefined && found.y !== y ? found : undefined;
  });
  await page.mouse.up();
  const question = page.getByRole('dialog', { name: 'Change order' });
  await question.getByText(`The take profit goes from ${first} to `).waitFor();
  await Promise.all([toast(page).getByText('TP/SL changed').waitFor(), question.getByRole('button', { name: 'Change' }).click()]);
  await expect.poll(async () => numberIn(await triggerOf(page, 'Take profit'))).toBeGreaterThan(numberIn(first));

  await page.getByRole('tab', { name: /^Positions/ }).click();
  await positionsOf(page).getByRole('button', { name: 'Reverse BTC/USDC' }).click();
  await page.getByRole('dialog', { name: 'Reverse position' }).getByRole('button', { name: 'Reverse' }).click();
  await positionsOf(page).getByText('Short 0.02000').waitFor();
  // What protected the position that is gone is gone with it.
  await page.getByRole('tab', { name: 'TP/SL', exact: true }).waitFor();
  await positionsOf(page).getByRole('button', { name: 'Close BTC/USDC' }).click();
  const closing = page.getByRole('dialog', { name: 'Close position' });
  await closing.getByRole('textbox', { name: 'Size' }).fill('0.005');
  await closing.getByRole('button', { name: 'Close 0.005 BTC' }).click();
  await positionsOf(page).getByText('Short 0.01500').waitFor();
  await positionsOf(page).getByRole('button', { name: 'Close BTC/USDC' }).click();
  await closing.getByRole('button', { name: 'Close 0.015 BTC' }).click();
  await page.getByText('No open positions.').waitFor();

  await ticketOf(page).getByRole('button', { name: 'Cross' }).click();
  const mode = page.getByRole('dialog', { name: 'Margin mode' });
  await mode.getByRole('radio', { name: /^Isolated/ }).click();
  await mode.getByRole('button', { name: 'Set' }).click();
  await ticketOf(page).getByRole('button', { name: 'Isolated' }).waitFor();
  await ticketOf(page).getByRole('button', { name: '10×' }).click();
  const leverage = page.getByRole('dialog', { name: 'Leverage' });
  await leverage.getByRole('textbox', { name: 'Leverage' }).fill('40');
  await leverage.getByRole('button', { name: 'Set 40×' }).click();
  await ticketOf(page).getByRole('button', { name: '40×' }).waitFor();
  await ticketOf(page).getByRole('textbox', { name: 'Size', exact: true }).fill('0.02');
  await ticketOf(page)
    .getByText(/^Price must fall [\d.]+% to [\d,.]+$/)
    .waitFor();
  await trade(page, { side: 'Buy', size: '0.02' });
  await positionsOf(page).getByText('Long 0.02000').waitFor();
  const distance = async (): Promise<number> => {
    const words = await positionsOf(page)
      .getByText(/^Price must fall [\d.]+% to [\d,.]+$/)
      .innerText();
    return Number(/fall ([\d.]+)%/.exec(words)?.[1]);
  };
  const before = await distance();
  await positionsOf(page).getByRole('button', { name: 'Margin of BTC/USDC' }).click();
  const margin = page.getByRole('dialog', { name: 'Margin of the position' });
  await margin.getByRole('textbox', { name: 'Amount USDC' }).fill('100');
  await margin.getByRole('button', { name: 'Add margin' }).click();
  // 100 of 54 more behind 2,150: the price has some 4 % further to fall.
  await expect.poll(distance).toBeGreaterThan(before + 3);
  expect(complaints).toEqual([]);
});

test('[F3] Confirm Close All closes every position at the market, or by limits at the mid, in the words of the specification', async () => {
  const { page, complaints } = await visitAsTrader(browser, { url: program.url });
  const closeAll = async (mode: 'Market' | 'Limit at mid', button: string): Promise<void> => {
    await page.getByRole('tab', { name: /^Positions/ }).click();
    await page.getByRole('button', { name: 'Close all' }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm Close All' });
    await dialog.getByText('This will close all your positions and cancel their associated TP/SL orders', { exact: true }).waitFor();
    await dialog.getByRole('radio', { name: mode }).click();
    await Promise.all([
      toast(page).getByText('success', { exact: true }).waitFor(),
      dialog.getByRole('button', { name: button, exact: true }).click(),
    ]);
    await dialog.waitFor({ state: 'hidden' });
  };
  const mark = await markOf(page);
  await trade(page, { side: 'Buy', size: '0.02', stopLoss: (mark * 0.95).toFixed(1) });
  await positionsOf(page).getByText('Long 0.02000').waitFor();
  await page.getByRole('tab', { name: 'TP/SL 1' }).waitFor();
  await closeAll('Market', 'Confirm Market Close');
  await page.getByText('No open positions.').waitFor();
  await page.getByRole('tab', { name: 'TP/SL', exact: true }).waitFor();

  await trade(page, { side: 'Sell', size: '0.02' });
  await positionsOf(page).getByText('Short 0.02000').waitFor();
  const answered = page.waitForResponse((response) => response.url().includes('/order/list?'));
  await closeAll('Limit at mid', 'Confirm Limit Close at Mid');
  await answered;
  // It stands between bid and ask until somebody takes it.
  const standing = page.getByRole('tab', { name: 'Open orders 1' });
  await standing.or(page.getByText('No open positions.')).first().waitFor();
  expect(complaints).toEqual([]);
});

test('[F1] orders given one after another are all shown, and a list is not read twice for each of them', async () => {
  const { page, complaints } = await arriveAsTrader(browser, { url: program.url, futures: '5000' });
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 429) refused.push(response.url());
  });
  await page.goto('/trade/futures/BTC_USDC');
  await ticketOf(page).getByText('5,000.00 USDC').waitFor();
  const mark = await markOf(page);
  let read = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/order/twap/list')) read += 1;
  });
  const begun = performance.now();
  const ticket = ticketOf(page);
  await page.getByRole('tab', { name: 'Limit', exact: true }).click();
  await ticket.getByRole('radio', { name: 'Buy', exact: true }).click();
  const count = 12;
  for (let index = 0; index < count; index += 1) {
    await ticket.getByRole('textbox', { name: 'Price', exact: true }).fill(String(Math.round(mark * 0.95) - index));
    await ticket.getByRole('textbox', { name: 'Size', exact: true }).fill('0.005');
    await ticket.getByRole('button', { name: 'Buy BTC' }).click();
    const question = page.getByRole('dialog', { name: 'Confirm Order' });
    await question.getByRole('button', { name: 'Confirm' }).click();
    await question.waitFor({ state: 'hidden' });
  }
  await page.getByRole('tab', { name: `Open orders ${count}` }).waitFor();
  expect(refused).toEqual([]);
  // Three at once, then one every two seconds, and the poll every fifteen; some are late.
  const seconds = (performance.now() - begun) / 1_000;
  expect(read).toBeLessThanOrEqual(3 + seconds / 2 + seconds / 15 + 3);
  expect(complaints).toEqual([]);
});
