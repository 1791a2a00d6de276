/** Orders of a spot market that wait for a price, and what protects a purchase: each is placed by the ticket and stands in the tables, on a desktop and on a phone. */
import type { Locator, Page } from 'playwright-core';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { arriveAsTrader, type Arrival } from './arrive.ts';
import { browser, withBrowser } from './browser.ts';
import { numberIn, ticketOf } from './futures-trader.ts';
import { toast } from './newcomer.ts';
import { program, withSharedProgram } from './with-shared-program.ts';

withSharedProgram();
withBrowser();

/** Where it is said, the ticket and its question are drawn for a person to look at. */
const PICTURES = process.env['ORRERY_PICTURES'];

type Device = 'desktop' | 'phone';
interface Walk extends Arrival {
  readonly device: Device;
  readonly last: number;
}

async function draw({ page, device }: Walk, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  await mkdir(PICTURES, { recursive: true });
  await page.waitForTimeout(400);
  await page.screenshot({ path: join(PICTURES, `spot-${name}-${device}.png`) });
}

const field = (page: Page, name: string): Locator => ticketOf(page).getByRole('textbox', { name, exact: true });
const openOrders = (page: Page): Locator => page.getByRole('table', { name: 'Open orders' });

/** On a phone the ticket is a sheet over the page. */
async function toTicket({ page, device }: Walk, side: 'Buy' | 'Sell'): Promise<void> {
  if (device === 'phone') await page.getByRole('button', { name: side, exact: true }).click();
  await ticketOf(page).getByRole('radio', { name: side, exact: true }).click();
}

interface Waiting {
  readonly side: 'Buy' | 'Sell';
  readonly waits?: 'takeProfit' | 'trailing' | 'pair';
  readonly becomes?: 'limit' | 'market';
  readonly fields: Readonly<Record<string, string>>;
  readonly says: RegExp;
  /** What the question calls it. */
  readonly kind: string;
}

async function place(walk: Walk, { side, waits, becomes, fields, says, kind }: Waiting): Promise<void> {
  const { page } = walk;
  await toTicket(walk, side);
  await page.getByRole('tab', { name: waits === undefined ? 'Limit' : 'Trigger', exact: true }).click();
  if (waits !== undefined) await ticketOf(page).getByRole('combobox', { name: 'Order type' }).selectOption(waits);
  if (becomes !== undefined) await ticketOf(page).getByRole('combobox', { name: 'When triggered' }).selectOption(becomes);
  if (waits === undefined) await ticketOf(page).getByRole('checkbox', { name: 'TP/SL' }).click();
  for (const [name, value] of Object.entries(fields)) await field(page, name).fill(value);
  await ticketOf(page).getByText(says).waitFor();
  await draw(walk, `${kind}-ticket`);
  await ticketOf(page)
    .getByRole('button', { name: `${side} ${fields['Size']} BTC` })
    .click();
  const question = page.getByRole('dialog', { name: 'Confirm Order' });
  await question.getByText(kind, { exact: true }).waitFor();
  await draw(walk, `${kind}-question`);
  await Promise.all([toast(page).getByText('Order placed').waitFor(), question.getByRole('button', { name: 'Confirm' }).click()]);
  if (walk.device === 'phone')
    await page.getByRole('dialog', { name: 'Order ticket' }).getByRole('button', { name: 'Close', exact: true }).click();
}

async function begin(device: Device): Promise<Walk> {
  const arrival = await arriveAsTrader(browser, { url: program.url, viewport: device });
  const { page, person } = arrival;
  await page.goto('/trade/spot/BTC_USDC');
  const [ticker] = (await person.client.tickers()).filter(({ s }) => s === 'BTC_USDC');
  const last = numberIn(ticker?.c ?? '');
  expect(last).toBeGreaterThan(0);
  return { ...arrival, device, last };
}

test.each<Device>(['desktop', 'phone'])(
  '[S1] take-profit, trailing stop, OCO and TP/SL are placed by the ticket and say what they are: %s',
  async (device) => {
    const walk = await begin(device);
    const { page, person, complaints } = walk;
    const at = (share: number): string => (walk.last * share).toFixed(1);
    await place(walk, {
      side: 'Sell',
      waits: 'takeProfit',
      becomes: 'market',
      fields: { 'Trigger price': at(1.1), Size: '0.001' },
      says: /^Sells at the market once the last price rises to [\d,.]+\.$/,
      kind: 'Take-profit market',
    });
    await place(walk, {
      side: 'Buy',
      waits: 'takeProfit',
      becomes: 'limit',
      fields: { 'Trigger price': at(0.92), Price: at(0.92), Size: '0.001' },
      says: /^Once the last price falls to [\d,.]+, a limit order to buy at [\d,.]+ is placed\.$/,
      kind: 'Take-profit limit',
    });
    await place(walk, {
      side: 'Sell',
      waits: 'trailing',
      fields: { Callback: '5', Size: '0.001' },
      says: /^Sells at the market once the last price is 5% below its highest since the order was placed\. If it turned now: at [\d,.]+\.$/,
      kind: 'Trailing stop',
    });
    await place(walk, {
      side: 'Sell',
      waits: 'pair',
      becomes: 'market',
      fields: { 'Limit price': at(1.08), 'Stop trigger': at(0.9), Size: '0.001' },
      says: /^A limit order to sell rests at [\d,.]+\. If the last price falls to [\d,.]+ first, it is cancelled and the size is sold at the market\.$/,
      kind: 'OCO',
    });
    await place(walk, {
      side: 'Buy',
      fields: { Price: at(0.95), Size: '0.001', 'Take profit': at(1.1), 'Stop loss': at(0.9) },
      says: /^What each fill buys is sold at the market when the last price reaches one of the two\./,
      kind: 'Limit',
    });

    // Two of the orders are a pair.
    if (device === 'phone') await page.getByRole('tab', { name: 'Orders', exact: true }).click();
    await page.getByRole('tab', { name: 'Open orders 6' }).click();
    const rows = openOrders(page).getByRole('row').filter({ hasText: 'BTC/USDC' });
    await expect.poll(() => rows.count()).toBe(6);
    const shown = (words: string | RegExp): Locator => openOrders(page).getByText(words).filter({ visible: true });
    for (const words of [
      'Take-profit market',
      'Take-profit limit',
      'Trailing stop',
      'Callback 5%',
      'Stop market',
      /TP [\d,.]+ · SL [\d,.]+/,
    ])
      await expect.poll(() => shown(words).count()).toBe(1);
    await expect.poll(() => shown('OCO').count()).toBe(2);
    await draw(walk, 'open');

    const { items } = await person.client.openOrders({ page: 1, size: 10 });
    const pair = items.filter(({ groupId }) => groupId !== null);
    expect(pair.map(({ orderType }) => orderType).toSorted()).toEqual(['LIMIT', 'STOP_MARKET']);
    // One of a pair takes the other with it, and all are in the history.
    const [leg] = pair;
    await person.client.cancelOrder({ orderId: leg?.orderId ?? '' });
    await page.getByRole('tab', { name: 'Open orders 4' }).waitFor();
    await person.client.cancelAllOrders({});
    await page.getByRole('tab', { name: 'Open orders', exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Order history' }).click();
    const history = page.getByRole('table', { name: 'Order history' });
    await history.getByText('the other order of its pair ended').waitFor();
    if (device === 'desktop')
      for (const kind of ['Take-profit market', 'Take-profit limit', 'Trailing stop'])
        await history.getByText(kind, { exact: true }).waitFor();
    await draw(walk, 'history');
    expect(complaints).toEqual([]);
  },
);
