/**
 * Takes the pictures of the README: `node exchange/e2e/pictures.ts`, on a built terminal. The same people do the same each time;
 * prices and times are those of the moment.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { openBrowser } from './browser.ts';
import { walletMenu } from './newcomer.ts';
import { openPage, trade } from './picture-people.ts';
import { BEHIND_A_PROXY, startProgram } from './program.ts';

const images = fileURLToPath(new URL('../../docs/images/', import.meta.url));
interface Picture {
  readonly name: string;
  readonly path: string;
  readonly width: number;
  readonly height: number;
}

const PICTURES: readonly Picture[] = [
  { name: 'trade-1440', path: '/trade/spot/BTC_USDC', width: 1440, height: 900 },
  { name: 'futures-1440', path: '/trade/futures/BTC_USDC', width: 1440, height: 900 },
  { name: 'trade-1024', path: '/trade/spot/BTC_USDC', width: 1024, height: 768 },
  { name: 'trade-390', path: '/trade/spot/BTC_USDC', width: 390, height: 844 },
  { name: 'portfolio-1440', path: '/portfolio', width: 1440, height: 900 },
  { name: 'points-1440', path: '/points', width: 1440, height: 900 },
  { name: 'leaderboard-1440', path: '/leaderboard', width: 1440, height: 900 },
  { name: 'explorer-1440', path: '/explorer', width: 1440, height: 900 },
];

/** What is drawn a moment after it was loaded, as the chart is, has been drawn by then. */
const DRAWN_MS = 2_500;

async function take(page: Page, { name, path, width, height }: Picture): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.goto(path);
  await walletMenu(page).waitFor();
  await page.waitForTimeout(DRAWN_MS);
  await page.screenshot({ path: join(images, `${name}.png`) });
  process.stdout.write(`docs/images/${name}.png\n`);
}

const dataDirectory = await mkdtemp(join(tmpdir(), 'orrery-pictures-'));
const program = await startProgram({ dataDirectory, env: BEHIND_A_PROXY });
const browser = await openBrowser();
try {
  await trade(program.url);
  const page = await openPage(browser, program.url);
  for (const picture of PICTURES) await take(page, picture);
} finally {
  await browser.close();
  await program.stop();
  await rm(dataDirectory, { recursive: true, force: true });
}
