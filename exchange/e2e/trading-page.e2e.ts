/** The trading page in a real browser on the whole program: on a phone, in bad weather, and for people with disabilities. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { barriers, cutWords, overflow } from './accessibility.ts';
import { arriveAsTrader } from './arrive.ts';
import { browser, visit, withBrowser } from './browser.ts';
import { acceptTerms, checklist, chooseWallet, claimTokens, toast, walletMenu } from './newcomer.ts';
import { BEHIND_A_PROXY } from './program.ts';
import { until } from './until.ts';
import { program, startAgain, withProgram } from './with-program.ts';

withProgram({ env: BEHIND_A_PROXY });
withBrowser();

test('[R6] at 390 px one panel is shown at a time, and Buy and Sell stay in reach', async () => {
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

test('[L2, L7, L15] the page recovers after the program was killed and started again, and the session continues', async () => {
  const { page, complaints } = await visit(browser, { url: program.url });
  await page.goto('/');
  await chooseWallet(page, /^Burner wallet/);
  await acceptTerms(page);
  await claimTokens(page);
  expect(complaints).toEqual([]);
  await program.kill();
  await page.getByText(/^Reconnecting/).waitFor();
  await page.getByText('Not reachable').waitFor();
  await startAgain();
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

/** Where on the page the label of the only order line stands, once it stands still: a long stroke of the colour of buying at the chart's left. */
async function orderLine(page: Page): Promise<{ x: number; y: number }> {
  let before: number | undefined;
  return until('the line of the order stands still', async () => {
    const found = await page.getByRole('application').evaluate(findLabel);
    const isStill = found !== undefined && found.y === before;
    before = found?.y;
    await pause(SETTLED_MS);
    return isStill ? found : undefined;
  });
}

/** The picture is drawn a frame after what it shows has changed. */
const SETTLED_MS = 300;

/** Runs in the page. */
function findLabel(chart: Element): { x: number; y: number } | undefined {
  // Beside the crosshair, which stands where the mouse was last.
  const [from, to] = [40, 58];
  for (const canvas of chart.querySelectorAll('canvas')) {
    const box = canvas.getBoundingClientRect();
    const context = canvas.getContext('2d');
    if (context === null || box.width < 200) continue;
    const scale = canvas.width / box.width;
    for (let row = 0; row < canvas.height; row += 1) {
      const { data } = context.getImageData(from * scale, row, (to - from) * scale, 1);
      const pixels = Array.from({ length: data.length / 4 }, (_, at) => ({
        red: data[4 * at] ?? 0,
        green: data[4 * at + 1] ?? 0,
        alpha: data[4 * at + 3] ?? 0,
      }));
      // The green figures of a rising candle above have green edges too: what is between them is all but transparent.
      if (pixels.every(({ red, green, alpha }) => green >= 80 && 2 * red <= green && alpha >= 200))
        return { x: box.left + 30, y: box.top + row / scale + 8 };
    }
  }
  return undefined;
}

const priceOfOrder = (page: Page): Promise<string> =>
  page.getByRole('table', { name: 'Open orders' }).getByRole('row').nth(1).getByRole('cell').nth(4).innerText();

test('[S1, S3] the line of an own order is dragged to another price, after a question; Escape and Cancel leave it; keys do it in the table; so is that of a stop', async () => {
  const { page, complaints } = await arriveAsTrader(browser, { url: program.url });
  await page.goto('/');
  await page.getByRole('radiogroup', { name: 'Interval' }).getByRole('radio', { name: '4h' }).click();
  const ticket = page.getByRole('form', { name: 'Order ticket' });
  await ticket.getByRole('button', { name: 'Bid' }).click();
  const bid = Number((await ticket.getByRole('textbox', { name: 'Price' }).inputValue()).replaceAll(',', ''));
  await ticket.getByRole('textbox', { name: 'Price' }).fill((bid * 0.99).toFixed(1));
  await ticket.getByRole('textbox', { name: 'Size' }).fill('0.015');
  await ticket.getByRole('button', { name: 'Buy 0.015 BTC' }).click();
  await page.getByRole('dialog', { name: 'Confirm Order' }).getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('tab', { name: 'Open orders 1' }).waitFor();
  const first = await priceOfOrder(page);

  const drag = async (by: number): Promise<void> => {
    const { x, y } = await orderLine(page);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y + by / 2);
    await page.mouse.move(x, y + by);
    // The chart follows the mouse once a frame: a person releases the button in a later frame than the last move.
    await until('the line has followed', async () => {
      const found = await page.getByRole('application').evaluate(findLabel);
      return found !== undefined && found.y !== y ? found : undefined;
    });
  };
  const question = page.getByRole('dialog', { name: 'Change order' });
  await drag(24);
  await page.keyboard.press('Escape');
  await page.mouse.up();
  expect(await question.count()).toBe(0);
  await drag(24);
  await page.mouse.up();
  await question.getByText(`Buy 0.015 BTC: the price goes from ${first} to `).waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(await priceOfOrder(page)).toBe(first);
  await drag(24);
  await page.mouse.up();
  await Promise.all([toast(page).getByText('Order changed').waitFor(), question.getByRole('button', { name: 'Change' }).click()]);
  const number = (shown: string): number => Number(shown.replaceAll(',', ''));
  await expect.poll(async () => number(await priceOfOrder(page))).toBeLessThan(number(first));

  const amend = page.getByRole('button', { name: 'Change price or size of the order to Buy 0.015 BTC' });
  await amend.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('table', { name: 'Open orders' }).getByRole('textbox', { name: 'Price' }).fill(first.replaceAll(',', ''));
  await page.keyboard.press('Enter');
  await expect.poll(() => priceOfOrder(page)).toBe(first);

  // A stop has a line at its trigger: what is placed is what the question has said, on the grid.
  await page.getByRole('button', { name: 'Cancel all' }).click();
  await page.getByRole('dialog', { name: 'Cancel all orders' }).getByRole('button', { name: 'Cancel all' }).click();
  await page.getByRole('tab', { name: 'Open orders', exact: true }).waitFor();
  await page.getByRole('tab', { name: 'Trigger', exact: true }).click();
  const trigger = (bid * 1.008).toFixed(1);
  await ticket.getByRole('textbox', { name: 'Trigger price' }).fill(trigger);
  await ticket.getByRole('textbox', { name: 'Price', exact: true }).fill(trigger);
  await ticket.getByRole('textbox', { name: 'Size' }).fill('0.002');
  await ticket.getByRole('button', { name: 'Buy 0.002 BTC' }).click();
  await page.getByRole('dialog', { name: 'Confirm Order' }).getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('tab', { name: 'Open orders 1' }).waitFor();
  await drag(-24);
  await page.mouse.up();
  const said = await question.getByText('Buy 0.002 BTC: the trigger price goes from ').innerText();
  const to = / to ([\d,.]+) USDC/.exec(said)?.[1] ?? '';
  expect(to).toMatch(/^[\d,]+\.\d$/);
  const placed = page.waitForRequest('**/trade/order/create');
  await question.getByRole('button', { name: 'Change' }).click();
  expect(number(((await placed).postDataJSON() as { stopPrice: string }).stopPrice)).toBe(number(to));
  await toast(page).getByText('Order changed').waitFor();
  expect(number(to)).toBeGreaterThan(number(trigger));
  expect(complaints).toEqual([]);
});

test('[S4] no word of the book of SOSO is cut', async () => {
  const { page, complaints } = await visit(browser, { url: program.url });
  await page.goto('/trade/spot/WSOSO_USDC');
  const book = page.getByRole('region', { name: 'Order book' });
  await book.getByText('Total SOSO').waitFor();
  for (const width of [1440, 1280, 1024]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await cutWords(page), `${width} px`).toEqual([]);
  }
  expect(complaints).toEqual([]);
});

/** Runs in the page: what has the focus, when nothing shows that it has. A field shows it around itself, a divider on the line it draws. */
function unseenFocus(): string | undefined {
  const focused = document.activeElement;
  if (focused === null || focused === document.body) return undefined;
  const hasOutline = (element: Element | null): boolean => element !== null && getComputedStyle(element).outlineStyle !== 'none';
  const isField = focused instanceof HTMLInputElement && hasOutline(focused.parentElement);
  const { width, height } = getComputedStyle(focused, '::after');
  const isDivider = focused.getAttribute('role') === 'separator' && (height === '2px' || width === '2px');
  return hasOutline(focused) || isField || isDivider
    ? undefined
    : `${focused.tagName} ${focused.getAttribute('aria-label') ?? focused.textContent}`;
}

test('[S1] keyboard navigation through the trading page always shows the focus', async () => {
  const { page } = await visit(browser, { url: program.url });
  await page.goto('/');
  await page.getByText(/^Live/).waitFor();
  const unseen: string[] = [];
  for (let presses = 0; presses < 70; presses += 1) {
    await page.keyboard.press('Tab');
    const found = await page.evaluate(unseenFocus);
    if (found !== undefined) unseen.push(found);
  }
  expect(unseen).toEqual([]);
});

test('a planted barrier is found, and so is a planted breach of the content security policy', async () => {
  const { page, complaints } = await visit(browser, { url: program.url });
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
