/** A liquidation on the whole program in a real browser: what is said before it, and why it happened. The fall is a move of the outside prices. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { marketId, millis } from '@orrery/units';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Closing } from '../src/closing.ts';
import { readConfig } from '../src/config.ts';
import { FIRST_CONTRACT } from '../src/contract-plans.ts';
import { startExchange, type RunningProgram } from '../src/start.ts';
import { openBrowser } from './browser.ts';
import { positionsOf, ticketOf, trade, visitAsTrader } from './futures-trader.ts';
import { toast } from './newcomer.ts';
import { BEHIND_A_PROXY } from './program.ts';

const FALL_PPM = -60_000;
const FALL_MS = 300_000;

let dataDirectory: string;
let program: RunningProgram;
let browser: Browser;
const closing = new Closing((part, error) => process.stderr.write(`${part} did not stop cleanly: ${String(error)}\n`));

beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'orrery-liquidation-'));
  const env = { ORRERY_PORT: '0', ORRERY_DATA: dataDirectory, ORRERY_LOG: 'warn', ORRERY_BLOCK_INTERVAL_MS: '25', ...BEHIND_A_PROXY };
  program = await startExchange({
    config: readConfig(env),
    say: () => undefined,
    closing,
    onFatal: (error) => {
      throw error;
    },
  });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await closing.run();
  await rm(dataDirectory, { recursive: true, force: true });
});

test('[F1] before a liquidation the page says how far the price must fall, and after it why it happened, with prices, margin and rule', async () => {
  const { page, complaints } = await visitAsTrader(browser, { url: program.url });
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
  await trade(page, { side: 'Buy', size: '0.02' });
  await positionsOf(page).getByText('Long 0.02000').waitFor();
  await positionsOf(page)
    .getByText(/^Price must fall [\d.]+% to [\d,.]+$/)
    .waitFor();

  const now = Date.now();
  await program.moves.move({ market: marketId(FIRST_CONTRACT), ppm: FALL_PPM, endsAt: millis(now + FALL_MS) }, millis(now));
  await toast(page).getByText('Position liquidated: BTC/USDC').waitFor({ timeout: 60_000 });
  await toast(page).getByRole('button', { name: 'Why was I liquidated' }).click();
  const why = page.getByRole('dialog', { name: 'Why was I liquidated' });
  await why
    .getByText(/^At the mark price [\d,.]+ the equity was [−-]?[\d,.]+ USDC, [\d.]+% of the maintenance margin of [\d,.]+ USDC\.$/)
    .waitFor();
  await why.getByText(/^A position is liquidated when its equity/).waitFor();
  expect(await why.getByRole('table', { name: 'Steps of the liquidation' }).getByRole('row').count()).toBeGreaterThan(1);
  await why.getByText('0.02000 BTC').waitFor();
  await why.getByRole('button', { name: 'Close' }).click();
  await page.getByText('No open positions.').waitFor();

  await page.getByRole('tab', { name: 'Position history' }).click();
  await page.getByRole('button', { name: 'Why?' }).waitFor();
  // Nothing is below the button at the edge: only what is wider than its place is scrolled.
  expect(await page.getByRole('region', { name: 'Position history' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Why?' }).click();
  await why.getByText('0.02000 BTC').waitFor();
  await why.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('button', { name: /^Notifications/ }).click();
  const entry = page.getByRole('listitem').filter({ hasText: 'Position liquidated: BTC/USDC' });
  await entry.getByRole('link', { name: 'Read more' }).click();
  await why.getByText('0.02000 BTC').waitFor();
  expect(complaints).toEqual([]);
});
