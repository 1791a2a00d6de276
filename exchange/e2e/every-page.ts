/**
 * Takes every page at four widths in both themes, for people to look at: `node exchange/e2e/every-page.ts full` as a person who traded sees them,
 * `… empty` as a new account does, with parts of paths after it to take only those. Into `.cache/pages`, with sheets that hold several.
 */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from './browser.ts';
import { walletMenu } from './newcomer.ts';
import { newAccount, openPage, trade } from './picture-people.ts';
import { BEHIND_A_PROXY, startProgram } from './program.ts';

const PATHS = [
  '/trade/spot/BTC_USDC',
  '/trade/futures/BTC_USDC',
  '/insurance',
  '/fund/quanto',
  '/otc',
  '/otc/orders',
  '/otc/advertisements',
  '/otc/payment-methods',
  '/otc/merchants',
  '/portfolio',
  '/assets/funding',
  '/assets/spot',
  '/assets/futures',
  '/assets/coin-futures',
  '/assets/deposit',
  '/assets/withdraw',
  '/assets/bills',
  '/faucet',
  '/points',
  '/leaderboard',
  '/lucky-block',
  '/account',
  '/account/api',
  '/account/export',
  '/account/security',
  '/account/verification',
  '/account/login-record',
  '/gallery',
  '/explorer',
  '/explorer/block/3',
  '/status',
  '/app',
  '/mailbox',
  '/maintenance',
  '/terms',
  '/login',
  '/auth/register',
  '/auth/reset',
  '/nowhere',
  '/docs',
];
const HEIGHTS = { 1920: 1080, 1440: 900, 1024: 768, 390: 844 } as const;
const THEMES = ['dark', 'light'] as const;
/** What is drawn a moment after it was loaded has been drawn by then. */
const DRAWN_MS = 1_500;
/** Pictures on one sheet, and how wide each is there. */
const SHEETS = { 1920: [2, 960], 1440: [2, 960], 1024: [2, 960], 390: [4, 390] } as const satisfies Record<
  keyof typeof HEIGHTS,
  readonly [number, number]
>;

type State = 'full' | 'empty';

async function take(page: Page, path: string, folder: string): Promise<void> {
  for (const [width, height] of Object.entries(HEIGHTS)) {
    await page.setViewportSize({ width: Number(width), height });
    for (const theme of THEMES) {
      await page.evaluate((value) => localStorage.setItem('orrery.theme', JSON.stringify({ v: 1, value })), theme);
      await page.goto(path);
      if (path !== '/docs' && path !== '/maintenance') await walletMenu(page).waitFor();
      await page.waitForTimeout(DRAWN_MS);
      const name = `${width}-${path.slice(1).replaceAll('/', '_')}-${theme}.png`;
      await page.screenshot({ path: join(folder, name) });
    }
  }
}

/** Pictures of one width, a few on each sheet. */
async function makeSheets(browser: Browser, folder: string): Promise<void> {
  const page = await browser.newPage();
  const names = (await readdir(folder)).filter((name) => name.endsWith('.png') && !name.startsWith('sheet')).toSorted();
  for (const [width, [count, shown]] of Object.entries(SHEETS)) {
    const own = names.filter((name) => name.startsWith(`${width}-`));
    for (let first = 0; first < own.length; first += count) {
      const images = own.slice(first, first + count).map((name) => `<img src="${name}" width="${shown}">`);
      const path = join(folder, 'sheet.html');
      await writeFile(path, `<body style="margin:0;display:flex;gap:4px;width:max-content">${images.join('')}</body>`);
      await page.setViewportSize({ width: count * (shown + 4), height: 640 });
      await page.goto(pathToFileURL(path).href);
      await page.screenshot({ path: join(folder, `sheet-${width}-${String(first / count).padStart(2, '0')}.png`), fullPage: true });
    }
  }
}

const [state = 'full', ...words] = process.argv.slice(2);
if (state !== 'full' && state !== 'empty') throw new Error(`the first word is "full" or "empty", not "${state}"`);
const folder = join(fileURLToPath(new URL('../../.cache/pages/', import.meta.url)), state satisfies State);
const dataDirectory = await mkdtemp(join(tmpdir(), 'orrery-pages-'));
const program = await startProgram({ dataDirectory, env: BEHIND_A_PROXY });
const browser = await openBrowser();
try {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  if (state === 'full') await trade(program.url);
  const page = await openPage(browser, program.url, state === 'full' ? undefined : await newAccount(program.url));
  for (const path of PATHS.filter((path) => words.length === 0 || words.some((word) => path.includes(word)))) {
    await take(page, path, folder);
    process.stdout.write(`${path}\n`);
  }
  await makeSheets(browser, folder);
} finally {
  await browser.close();
  await program.stop();
  await rm(dataDirectory, { recursive: true, force: true });
}
