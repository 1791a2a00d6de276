/** The trading page of perpetual contracts, on the whole program in a real browser. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, visit } from './browser.ts';
import { BEHIND_A_PROXY, startProgram, type Program } from './program.ts';

let dataDirectory: string;
let program: Program;
let browser: Browser;

beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'orrery-futures-'));
  program = await startProgram({ dataDirectory, env: BEHIND_A_PROXY });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await program?.stop();
  await rm(dataDirectory, { recursive: true, force: true });
});

/** A listed contract, in the fields that the page reads. */
const CONTRACT = {
  id: 101,
  symbol: 'BTC_USDC',
  name: 'BTC/USDC',
  contractType: 'PERPETUAL',
  underlyingType: 'U_BASED',
  state: 'TRADING',
  tradeSwitch: true,
  isDegraded: false,
  contractSize: '1',
  baseCoin: 'BTC',
  quoteCoin: 'USDC',
  settleCoin: 'USDC',
  settleCoinPrecision: 6,
  quantityPrecision: 4,
  pricePrecision: 1,
  tickSize: '0.1',
  stepSize: '0.0001',
  minStepPrice: '0.1',
  minPrice: '1000',
  maxPrice: '1000000',
  minQty: '0.0001',
  maxQty: '1000',
  minNotional: '5',
  maxNotional: '10000000',
  multiplierDown: '0.95',
  multiplierUp: '1.05',
  marketTakeBound: '0.05',
  makerFee: '0.0002',
  takerFee: '0.0005',
  liquidationFee: '0',
  initLeverage: 10,
  maxLeverage: 40,
  initPositionType: 'CROSSED',
  supportPositionType: 'CROSSED,ISOLATED',
  supportOrderType: 'LIMIT,MARKET',
  supportTimeInForce: 'GTC,FOK,IOC,GTX',
  supportEntrustType: 'TAKE_PROFIT,STOP,TAKE_PROFIT_MARKET,STOP_MARKET,TRAILING_STOP_MARKET',
  maxOpenOrders: 200,
  maxEntrusts: 100,
  openInterestCap: '1000',
  fundingInterval: 1,
  interestRate: '0.0001',
  maxFundingRate: '0.04',
  impactNotional: '20000',
  depthPrecisionMerge: 1,
  depthMergeSteps: ['0.1', '1', '10'],
  onboardDate: 0,
  sequence: 1,
};
const MARKET = '**/futures/fapi/market/v1';
const now = Date.now();
const ANSWERS: Readonly<Record<string, unknown>> = {
  'symbol/list': [CONTRACT],
  'symbol/coins': [{ id: 1, coin: 'BTC', name: 'BTC', precision: 8, ratio: '0.9', cap: null }],
  'leverage/bracket/list': [],
  'q/agg-ticker?*': {
    s: 'BTC_USDC',
    t: now,
    o: '60000',
    h: '61500',
    l: '59000',
    c: '60990',
    a: '12.5',
    v: '756000',
    r: '0.0165',
    i: '61000.1',
    m: '61010.2',
    bp: '61009',
    ap: '61011',
  },
  'q/agg-tickers': [],
  'q/depth?*': { s: 'BTC_USDC', t: now, u: 1, seq: 1, b: [['61009', '0.5']], a: [['61011', '0.25']] },
  'q/deal?*': [{ id: '1', s: 'BTC_USDC', t: now, p: '60990', a: '0.01', m: 'BID' }],
  'q/kline?*': [{ s: 'BTC_USDC', i: '15m', t: now, o: '60900', h: '61000', l: '60800', c: '60990', a: '1', v: '60990' }],
  'q/funding-rate?*': {
    symbol: 'BTC_USDC',
    fundingRate: '0.0001',
    collectionInterval: 1,
    nextCollectionTime: now + 1_800_000,
    lastFundingRate: null,
  },
};

test('F1, C5: the page of a contract shows its book, mark, index and funding, and a ticket that checks what is typed', async () => {
  const { page, complaints } = await visit(browser, { url: program.url, viewport: 'desktop' });
  for (const [path, data] of Object.entries(ANSWERS))
    await page.route(`${MARKET}/${path}`, (route) => route.fulfill({ json: { code: 0, msg: 'success', data } }));
  await page.goto('/trade/futures');
  await page.waitForURL(/\/trade\/futures\/BTC_USDC$/);
  const main = page.getByRole('main');
  await main.getByText('61,010.2', { exact: true }).waitFor();
  await main.getByText('61,000.1', { exact: true }).waitFor();
  await main.getByText('0.0100 %').waitFor();
  await page.getByRole('listbox', { name: 'Bids' }).getByText('61,009.0').waitFor();
  const ticket = page.getByRole('form', { name: 'Order ticket' });
  await page.getByRole('tab', { name: 'TWAP' }).click();
  await page.getByRole('tab', { name: 'Trigger', exact: true }).click();
  await ticket.getByRole('textbox', { name: 'Trigger price', exact: true }).waitFor();
  await page.getByRole('tab', { name: 'Limit', exact: true }).click();
  await ticket.getByRole('textbox', { name: 'Price', exact: true }).fill('61010');
  await ticket.getByRole('textbox', { name: 'Size', exact: true }).fill('0.1');
  await ticket.getByText('6,101.00 USDC').waitFor();
  await ticket.getByRole('checkbox', { name: 'TP/SL' }).click();
  await ticket.getByRole('textbox', { name: 'Take profit' }).fill('60000');
  await ticket.getByText('Take profit of a buy is above its price.').waitFor();
  // An amount of dollars is another size than the same digits of coins.
  await ticket.getByRole('combobox', { name: 'Size is given in' }).selectOption('USD');
  expect(await ticket.getByRole('textbox', { name: 'Size', exact: true }).inputValue()).toBe('');
  await ticket.getByRole('textbox', { name: 'Size', exact: true }).fill('610.1');
  await ticket.getByText('610.10 USDC').waitFor();
  expect(complaints).toEqual([]);
});
