/** The whole program, traded with by a bot of the older API that knows nothing of this one; and what `/status` says while it starts. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Depth, Status, SymbolInfo } from '@orrery/api';
import { OldBot, OldBotStream, type BotMessage } from './old-bot.ts';
import { prepareToTrade, signIn, tradeKey } from './person.ts';
import { startProgram, type Program } from './program.ts';
import { until } from './until.ts';
import { freePort } from '../src/testing/free-port.ts';

const ORDERS = '/spot/v1/u/trade/order';
const SYMBOL = 'BTC_USDC';
const START_MS = 180_000;

let dataDirectory: string;
let program: Program | undefined;
/** The books of all markets at the first moment at which `/status` says that everything is ready. */
let booksWhenReady: readonly Depth[];
let bot: OldBot;
let stream: OldBotStream;

beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'orrery-old-client-'));
  const port = await freePort();
  const starting = startProgram({ dataDirectory, env: { ORRERY_PORT: String(port) } });
  [program, booksWhenReady] = await Promise.all([starting, firstReadyBooks(`http://127.0.0.1:${port}`)]);
  const { url } = program;
  const person = await signIn(url);
  await prepareToTrade(url, person);
  bot = new OldBot(url, await tradeKey(person, { legacySigning: true }));
  stream = await OldBotStream.open(url);
});
afterAll(async () => {
  stream?.close();
  await program?.kill();
  await rm(dataDirectory, { recursive: true, force: true });
});

const dataOf = async <Data>(url: string): Promise<Data> => ((await (await fetch(url)).json()) as { data: Data }).data;

/** Asks from before the port is open. */
async function firstReadyBooks(url: string): Promise<readonly Depth[]> {
  const deadline = performance.now() + START_MS;
  while (performance.now() < deadline) {
    const status = await dataOf<Status>(`${url}/status`).catch(() => undefined);
    if (status?.ready === true) {
      const symbols = await dataOf<SymbolInfo[]>(`${url}/pro/p/symbol/list`);
      return Promise.all(symbols.map(({ symbol }) => dataOf<Depth>(`${url}/pro/p/quotation/depth?symbol=${symbol}&level=5`)));
    }
    await pause(50);
  }
  throw new Error('the program was not ready in time');
}

test('/status says ready only when the first quotes stand in every book', () => {
  expect(booksWhenReady).toHaveLength(5);
  for (const { s, a, b } of booksWhenReady) expect([s, a.length > 0, b.length > 0]).toEqual([s, true, true]);
});

/** Two decimals and four, as the bot prints every price and size. */
const price = (value: number): string => value.toFixed(2);
const SIZE = (0.001).toFixed(4);

async function bestPrices(): Promise<{ bid: number; ask: number }> {
  const { a, b } = (await bot.get('/spot/v1/p/quotation/depth', { symbol: SYMBOL, level: 100 })) as Depth;
  return { bid: Number(b[0]?.[0]), ask: Number(a[0]?.[0]) };
}

const idsOf = (page: unknown): string[] => (page as { items: { orderId: string }[] }).items.map(({ orderId }) => orderId);
const openOrders = async (): Promise<string[]> => idsOf(await bot.get(`${ORDERS}/list`, { symbol: SYMBOL, page: 1, size: 50, state: 1 }));

test('the bot reads the clock, the listing and candles, and computes with their numbers', async () => {
  expect(Math.abs(((await bot.get('/spot/v1/p/time')) as number) - Date.now())).toBeLessThan(60_000);
  const symbols = (await bot.get('/pro/p/symbol/list')) as SymbolInfo[];
  const btc = symbols.find(({ symbol }) => symbol === SYMBOL);
  expect([btc?.pricePrecision, btc?.depthPrecisionMerge, Number.isInteger(btc?.onboardDate)]).toEqual([1, 1, true]);
  const candles = (await bot.get('/spot/v1/p/quotation/kline', { symbol: SYMBOL, interval: '1m', limit: 100 })) as { c: string }[];
  expect(candles.every(({ c }) => Number(c) > 0)).toBe(true);
});

test('the bot subscribes to a market and to its own account by a token, and its pings are answered', async () => {
  stream.send({ sub: 'subSymbol', symbol: SYMBOL });
  stream.send({ sub: 'subUser', token: await bot.get('/spot/v1/u/ws/token') });
  stream.send('ping');
  await until('both are acknowledged', async () => stream.texts.filter((text) => text === 'succeed').length === 2);
  await until('the ping is answered', async () => stream.texts.includes('pong'));
  await until('the book arrives', async () => stream.of('qAllDepth').length > 0);
  const balances = await until('the balances arrive', async () => (stream.of('uBalance').length > 0 ? stream.of('uBalance') : undefined));
  for (const balance of balances) expect([1, 2, 3]).toContain(balance['balanceType']);
});

const reported = (orderId: string, state: number): Promise<BotMessage['data']> =>
  until(`order ${orderId} is reported in state ${state}`, async () =>
    stream.of('uOrder').find((order) => order['orderId'] === orderId && order['state'] === state),
  );

test('the bot rests an order with trailing zeros, finds it, and takes it back', async () => {
  const { bid } = await bestPrices();
  const asked = price(Math.floor(bid * 0.97));
  expect(asked).toMatch(/\.00$/);
  const order = { symbol: SYMBOL, direction: 'BUY', tradeType: 'LIMIT', price: asked, totalAmount: SIZE };
  const orderId = (await bot.post(`${ORDERS}/create`, order)) as string;
  const rested = await reported(orderId, 1);
  expect(rested).toMatchObject({ balanceType: 1, orderType: 1, direction: 1, symbol: SYMBOL, avgPrice: '0', dealQty: '0' });
  expect([Number(rested['price']), Number(rested['origQty'])]).toEqual([Number(asked), Number(SIZE)]);
  expect(await openOrders()).toContain(orderId);
  expect(await bot.get(`${ORDERS}/detail`, { orderId })).toMatchObject({ orderId, orderSide: 'BUY', orderType: 'LIMIT', state: 1 });
  expect(await bot.post(`${ORDERS}/cancel`, { orderId })).toBe(orderId);
  await reported(orderId, 4);
  expect(await openOrders()).not.toContain(orderId);
});

test('the bot places a batch, and cancels it by the ids that it was given', async () => {
  const { bid } = await bestPrices();
  const orders = [0.97, 0.96, 0.95].map((share) => ({
    symbol: SYMBOL,
    direction: 'BUY',
    tradeType: 'LIMIT',
    price: price(Math.floor(bid * share)),
    totalAmount: SIZE,
  }));
  const created = (await bot.post(`${ORDERS}/batch/create`, { ordersJsonStr: JSON.stringify(orders) })) as { data: string }[];
  const ids = created.map(({ data }) => data);
  expect(ids).toHaveLength(3);
  expect(await openOrders()).toEqual(expect.arrayContaining(ids));
  // Ids are numbers to some of the bots.
  expect(await bot.post(`${ORDERS}/batch/cancel`, { orderIdsJson: JSON.stringify(ids.map(Number)) })).toEqual(ids);
  for (const id of ids) await reported(id, 4);
});

test('the bot buys at market with a price, and reads the fill from the stream, its deals and its history', async () => {
  const { ask } = await bestPrices();
  const order = { symbol: SYMBOL, direction: 'BUY', tradeType: 'MARKET', price: price(Math.ceil(ask * 1.01)), totalAmount: SIZE };
  const orderId = (await bot.post(`${ORDERS}/create`, order)) as string;
  expect(await reported(orderId, 3)).toMatchObject({ orderType: 2, direction: 1 });
  const trade = await until('the trade is reported', async () => stream.of('uTrade').find((each) => each['orderId'] === orderId));
  expect([trade['marginUnfrozen'], Number(trade['price']) > 0, Number.isInteger(trade['timestamp'])]).toEqual(['0', true, true]);
  const deals = await until('the fill is in the deals', async () => {
    const page = (await bot.get(`${ORDERS}/deal`, { orderId, symbol: SYMBOL, page: 1, size: 20 })) as { items: { quantity: string }[] };
    return page.items.length > 0 ? page.items : undefined;
  });
  expect(deals.reduce((sum, { quantity }) => sum + Number(quantity), 0)).toBeCloseTo(Number(SIZE), 8);
  await until('the order is in the history', async () =>
    idsOf(await bot.get(`${ORDERS}/history`, { symbol: SYMBOL, startTime: 0, endTime: Date.now() + 60_000, limit: 50 })).includes(orderId),
  );
  const [btc] = (await bot.get('/spot/v1/u/balance/spot', { coin: 'BTC' })) as { balance: string }[];
  expect(Number(btc?.balance)).toBeGreaterThan(0);
});

test('a price between two ticks is refused with the name of the field, and nothing rests', async () => {
  const order = { symbol: SYMBOL, direction: 'BUY', tradeType: 'LIMIT', price: '50000.05', totalAmount: SIZE };
  await expect(bot.post(`${ORDERS}/create`, order)).rejects.toThrow(/11002 price/);
  expect(await openOrders()).toEqual([]);
});
