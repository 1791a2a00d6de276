/** A guided practice liquidation on the whole program in a real browser: from the newcomer's checklist to the explanation. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { arriveAsTrader } from './arrive.ts';
import { browser, withBrowser } from './browser.ts';
import { positionsOf } from './futures-trader.ts';
import { toast } from './newcomer.ts';
import { program, withSharedProgram } from './with-shared-program.ts';

/** Where it is said, the pages are drawn for a person to look at. */
const PICTURES = process.env['ORRERY_PICTURES'];
const WIDTHS = [1440, 1024, 390] as const;

withSharedProgram();
withBrowser();

const guideOf = (page: Page): Locator => page.getByRole('region', { name: 'See what happens before it matters' });

async function draw(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  await mkdir(PICTURES, { recursive: true });
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
    await page.waitForTimeout(700);
    await page.screenshot({ path: join(PICTURES, `practice-${name}-${width}.png`), fullPage: width === 390 });
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

test('[F1] a newcomer is led to a practice liquidation, and is shown why it happened', { timeout: 600_000 }, async () => {
  const { page, complaints } = await arriveAsTrader(browser, { url: program.url });
  await page.goto('/');
  await guideOf(page).getByRole('link', { name: 'Practise a liquidation' }).click();
  await page.waitForURL('**/trade/futures/BTC_PRACTICE');
  await page.getByText('Practice: PRACTICE is worth nothing, and testers move this price').waitFor();

  const guide = guideOf(page);
  await draw(page, 'begin');
  await Promise.all([
    toast(page).getByText('10,000 PRACTICE for today').waitFor(),
    guide.getByRole('button', { name: 'Get 10,000 PRACTICE' }).first().click(),
  ]);
  // An order at market needs a book and a contract that is open: three rounds of prices after the start.
  await page
    .getByText(/^Spread \d/)
    .first()
    .waitFor();
  await page.getByText('No index price. Reduce-only orders accepted.').waitFor({ state: 'hidden' });
  await guide.getByRole('button', { name: 'Open one' }).click();
  await positionsOf(page)
    .getByText(/^Long 0\.0/)
    .waitFor();
  // An order in practice is no first order.
  await page.getByText('6 of 7').waitFor();
  await draw(page, 'position');
  await Promise.all([
    toast(page).getByText('Position liquidated: BTC/PRACTICE').waitFor({ timeout: 120_000 }),
    guide.getByRole('button', { name: 'Move the price' }).click(),
  ]);
  await guide.getByRole('button', { name: 'Why was it liquidated?' }).click();
  const why = page.getByRole('dialog', { name: 'Why was I liquidated' });
  await why.getByText(/^At the mark price [\d,.]+ the equity was [−-]?[\d,.]+ PRACTICE/).waitFor();
  expect(await why.getByRole('table', { name: 'Steps of the liquidation' }).getByRole('row').count()).toBeGreaterThan(1);
  await draw(page, 'why');
  await why.getByRole('button', { name: 'Close' }).click();
  await guide.getByText(/^Price moved to a liquidation/).waitFor();

  await page
    .getByRole('button', { name: /BTC\/PRACTICE/ })
    .first()
    .click();
  await page.getByRole('radio', { name: 'Practice' }).waitFor();
  await page.keyboard.press('Escape');
  await page.goto('/portfolio');
  await page.getByRole('heading', { name: 'Practice money' }).waitFor();
  await draw(page, 'portfolio');
  expect(complaints).toEqual([]);
});
