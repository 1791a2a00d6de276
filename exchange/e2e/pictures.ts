/**
 * Takes the pictures of the README: `node exchange/e2e/pictures.ts`, on a built terminal. The same people do the same each time;
 * prices and times are those of the moment.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { toHex, type Hex } from 'viem';
import { openBrowser } from './browser.ts';
import { InjectedWallet, WALLET_NAME } from './injected-wallet.ts';
import { chooseWallet, walletMenu } from './newcomer.ts';
import { prepareToTrade, signIn } from './person.ts';
import { BEHIND_A_PROXY, startProgram } from './program.ts';

const images = fileURLToPath(new URL('../../docs/images/', import.meta.url));
/** USDC that each of the others trades for. */
const OTHERS = [7_000, 5_200, 4_300, 3_400, 2_500, 1_600, 900, 700, 400, 300, 200, 100];
const keyOf = (number: number): Hex => toHex(number, { size: 32 });
const OWN_KEY = keyOf(0xa11ce);

interface Picture {
  readonly name: string;
  readonly path: string;
  readonly width: number;
  readonly height: number;
}

const PICTURES: readonly Picture[] = [
  { name: 'trade-1440', path: '/trade/spot/BTC_USDC', width: 1440, height: 900 },
  { name: 'trade-1024', path: '/trade/spot/BTC_USDC', width: 1024, height: 768 },
  { name: 'trade-390', path: '/trade/spot/BTC_USDC', width: 390, height: 844 },
  { name: 'portfolio-1440', path: '/portfolio', width: 1440, height: 900 },
  { name: 'points-1440', path: '/points', width: 1440, height: 900 },
  { name: 'leaderboard-1440', path: '/leaderboard', width: 1440, height: 900 },
  { name: 'explorer-1440', path: '/explorer', width: 1440, height: 900 },
];

async function trade(url: string): Promise<void> {
  const others = OTHERS.map(async (funds, at) => {
    const person = await signIn(url, { privateKey: keyOf(0xb000 + at), from: `203.0.113.${20 + at}` });
    await prepareToTrade(url, person);
    await person.client.createOrder({ symbol: 'BTC_USDC', direction: 'BUY', tradeType: 'MARKET', funds: String(funds) });
  });
  await Promise.all(others);
  const own = await signIn(url, { privateKey: OWN_KEY, from: '203.0.113.200' });
  await prepareToTrade(url, own);
  const { client } = own;
  for (const [symbol, funds] of [
    ['BTC_USDC', '1500'],
    ['ETH_USDC', '800'],
    ['SOL_USDC', '300'],
    ['BTC_USDC', '55'],
  ] as const) {
    await client.createOrder({ symbol, direction: 'BUY', tradeType: 'MARKET', funds });
  }
  const { p: price } = await client.indexPrice({ symbol: 'BTC_USDC' });
  for (const [direction, factor] of [
    ['BUY', 0.9975],
    ['BUY', 0.9945],
    ['SELL', 1.0035],
  ] as const) {
    const limit = (Number(price) * factor).toFixed(1);
    await client.createOrder({ symbol: 'BTC_USDC', direction, tradeType: 'LIMIT', price: limit, totalAmount: '0.015' });
  }
  await client.transfer({ coin: 'USDC', amount: '500', from: 'spot', to: 'funding' });
}

async function openPage(browser: Browser, url: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: url, extraHTTPHeaders: { 'x-forwarded-for': '198.51.100.77' } });
  await new InjectedWallet(url, OWN_KEY).install(context);
  const page = await context.newPage();
  await page.goto('/status');
  await page.evaluate(() => localStorage.setItem('orrery.timeZone', JSON.stringify({ v: 1, value: 'utc' })));
  await page.reload();
  await chooseWallet(page, new RegExp(`^${WALLET_NAME}`));
  await walletMenu(page).waitFor();
  return page;
}

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
