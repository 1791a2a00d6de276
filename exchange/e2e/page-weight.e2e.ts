/** What each page weighs for a browser without a past that touches nothing: every file it asks for, with headers; calls of the API and streams apart. */
import { expect, test } from 'vitest';
import { browser, withBrowser } from './browser.ts';
import { weighPage } from './page-weight.ts';
import { program, withSharedProgram } from './with-shared-program.ts';

/** KiB as they travel from the exchange itself, over HTTP/1.1, and files. */
const BUDGETS = [
  ['/trade/spot/BTC_USDC', 442, 52],
  ['/trade/futures/BTC_USDC', 480, 67],
  ['/leaderboard', 280, 25],
  ['/account/api', 262, 22],
  ['/account/export', 260, 20],
  ['/assets/withdraw', 293, 39],
  ['/portfolio', 298, 32],
  ['/otc', 290, 34],
  ['/otc/order/1', 290, 34],
  ['/fund/quanto', 295, 20],
] as const;

withSharedProgram();
withBrowser();

test.each(BUDGETS)('%s weighs at most %d KiB in %d files', async (path, kib, count) => {
  const weight = await weighPage(browser, program.url, path);
  process.stdout.write(`${path}: ${weight.kib.toFixed(1)} KiB in ${weight.files.length} files\n`);
  const paths = weight.files.map((file) => file.path);
  expect(paths).toContain(path);
  expect(paths.some((file) => file.endsWith('.css'))).toBe(true);
  expect(weight.files.every(({ body, headers }) => body > 0 && headers > 0)).toBe(true);
  expect(weight.kib).toBeLessThanOrEqual(kib);
  expect(weight.files.length).toBeLessThanOrEqual(count);
});
