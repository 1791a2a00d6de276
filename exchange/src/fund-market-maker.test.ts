/** The market-maker of a fund in front of the real engine and gateway: what stands in the books, and what it holds, while another person trades with it. */
import { afterAll, beforeAll, beforeEach, afterEach, expect, test, vi } from 'vitest';
import { Life } from '@orrery/market-maker';
import { ApiKeyCredentials, type Client, createClient } from '@orrery/sdk';
import { accountId, assert, assetId, atoms, parseAddress } from '@orrery/units';
import { Making, MAKING } from '../../clients/fund-manager/src/making.ts';
import { giveMargin, setPrice } from '../../services/gateway/src/testing/contract-floor.ts';
import type { Person } from '../../services/gateway/src/testing/people.ts';
import { eventually, openVenue, type Venue } from '../../services/gateway/src/testing/venue.ts';
import { assetByCode } from './listing.ts';

const PRICES = { BTC_USDC: 100_000, ETH_USDC: 4_000, SOL_USDC: 200 } as const;
type Contract = keyof typeof PRICES;
const CONTRACTS = Object.keys(PRICES) as readonly Contract[];
const STAKE = 10_000;
const LIMIT = (STAKE * MAKING.positionPercent) / 100;
const PPM = 1_000_000;

interface Quote {
  readonly side: 'BUY' | 'SELL';
  readonly price: number;
  /** In USDC, of what is left of it. */
  readonly worth: number;
}

let venue: Venue;
let fund: Person;
let making: Making;
let client: Client;
let start: (changes?: Partial<Client>) => Making;
const prices: Record<Contract, number> = { ...PRICES };
const lines: string[] = [];

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: venue.clock.now }));
afterEach(() => void vi.useRealTimers());
beforeAll(async () => {
  venue = await openVenue();
  fund = await openFund(venue);
  await giveMargin(venue, venue.bob, '500000');
  const key = venue.people.addKey(fund, { permission: 'TRADE', moneyRights: ['TRANSFER'], endsAt: venue.clock.now + 1e9 });
  const now = (): number => (venue.clock.now += 1);
  client = createClient({
    baseUrl: venue.base,
    credentials: new ApiKeyCredentials({ accessKey: key.accessKey, secret: key.secret, now }),
  });
  const log = (line: string): void => void lines.push(line);
  // Time stands still in a round: its pace would wait without end.
  start = (changes = {}) =>
    new Making({ client: { ...client, ...changes }, life: Object.assign(new Life(log), { pause: () => Promise.resolve() }), log });
  making = start();
});
afterAll(() => venue.close());

/** An account without money, which alice leads with her own. */
async function openFund({ heart, alice, clock, people }: Venue): Promise<Person> {
  const address = parseAddress(`0x${'99'.padStart(40, '0')}`);
  assert(address !== undefined, 'the address is one');
  const [opened] = (await heart.submit({ type: 'OpenAccount', address })).events;
  assert(opened?.type === 'AccountOpened', 'the account is open');
  const account = accountId(opened.account);
  for (const flag of ['termsAccepted', 'whitelisted', 'connected'] as const)
    await heart.submit({ type: 'SetAccountFlag', account, flag, value: true });
  const share = { asset: assetId(22), code: 'QUANTO2', decimals: 6, kind: 'internal' } as const;
  await heart.submit({ type: 'RegisterAsset', ...share });
  const { asset } = assetByCode('USDC');
  const money = { amount: atoms(BigInt(STAKE) * 1_000_000n), capacity: atoms(200_000_000_000n) };
  const { events } = await heart.submit({ type: 'OpenFund', fund: share.asset, account, leader: alice.account, asset, ...money });
  expect(events.map(({ type }) => type)).toContain('FundOpened');
  const person = { name: 'fund', account, address, token: 'token-of-the-fund-------' };
  people.addSession(person, { endsAt: clock.now + 1e9 });
  return person;
}

/** Prices arrive, and the manager has its next round. */
async function round(): Promise<void> {
  for (const symbol of CONTRACTS) await setPrice(venue, { symbol, price: String(prices[symbol]), rounds: 3 });
  vi.setSystemTime(venue.clock.now);
  await making.round();
}

/** The one after the time in which quotes stand without a look. */
async function review(): Promise<void> {
  venue.clock.now += MAKING.reviewSeconds * 1_000;
  await round();
}

const read = async (path: string, symbol: Contract): Promise<never> =>
  (await venue.get(path, { as: fund, query: { symbol, minSeq: String(venue.heart.status().seq) } })).data;

async function quotesOf(symbol: Contract): Promise<readonly Quote[]> {
  const { items }: { items: { orderSide: Quote['side']; price: string; origQty: string; executedQty: string }[] } = await read(
    '/futures/fapi/trade/v1/order/list',
    symbol,
  );
  return items.map(({ orderSide, price, origQty, executedQty }) => ({
    side: orderSide,
    price: Number(price),
    worth: (Number(origQty) - Number(executedQty)) * prices[symbol],
  }));
}

/** What the position is worth, below zero of a short one. */
async function heldOf(symbol: Contract): Promise<number> {
  const [position]: { positionSize: string }[] = await read('/futures/fapi/user/v1/position/list', symbol);
  return Number(position?.positionSize ?? 0) * prices[symbol];
}

async function take(orderSide: Quote['side'], origQty: string, symbol: Contract): Promise<void> {
  const { code, msg } = await venue.post('/futures/fapi/trade/v1/order/create', {
    as: venue.bob,
    body: { symbol, orderSide, orderType: 'MARKET', origQty },
  });
  expect([code, msg]).toEqual([0, expect.anything()]);
}

const sidesOf = (quotes: readonly Quote[]) =>
  (['BUY', 'SELL'] as const).map((side) => quotes.filter((quote) => quote.side === side).length);
const best = (quotes: readonly Quote[], side: Quote['side']): number => {
  const of = quotes.filter((quote) => quote.side === side).map(({ price }) => price);
  return side === 'BUY' ? Math.max(...of) : Math.min(...of);
};

async function expectBothSides(): Promise<void> {
  for (const symbol of CONTRACTS) {
    const quotes = await quotesOf(symbol);
    expect(sidesOf(quotes), symbol).toEqual([MAKING.levels, MAKING.levels]);
    expect(new Set(quotes.map(({ price }) => price)).size, symbol).toBe(2 * MAKING.levels);
  }
}

test('quotes both sides of each contract with all of its money, no nearer than its spread', async () => {
  await round();
  await expectBothSides();
  for (const symbol of CONTRACTS) {
    const quotes = await quotesOf(symbol);
    expect(best(quotes, 'BUY')).toBeLessThanOrEqual(prices[symbol] * (1 - MAKING.halfSpreadPpm / PPM));
    expect(best(quotes, 'SELL')).toBeGreaterThanOrEqual(prices[symbol] * (1 + MAKING.halfSpreadPpm / PPM));
  }
});

test.each([
  ['buys', 'SELL', 'BUY', 1],
  ['sells', 'BUY', 'SELL', -1],
] as const)('%s until its limit, leans against what it holds, and comes back', { timeout: 120_000 }, async (_, taking, quoted, sign) => {
  const symbol = 'BTC_USDC';
  const held = async (): Promise<number> => sign * (await heldOf(symbol));
  for (let count = 0; count < 12 && (await held()) < LIMIT * 0.6; count += 1) {
    await take(taking, '0.004', symbol);
    expect(await held()).toBeLessThanOrEqual(LIMIT);
    await review();
    const waiting = (await quotesOf(symbol)).filter(({ side }) => side === quoted).reduce((sum, { worth }) => sum + worth, 0);
    expect((await held()) + waiting).toBeLessThanOrEqual(LIMIT * 1.02);
  }
  const full = await held();
  expect(full).toBeGreaterThan(LIMIT * 0.6);
  // All of it leans: what takes the position back may stand nearer than its spread, what makes it larger does not.
  const lean = ((full / LIMIT) * MAKING.skewPpm) / PPM;
  const reference = prices[symbol] * (1 - sign * lean);
  const quotes = await quotesOf(symbol);
  expect(sidesOf(quotes)[taking === 'SELL' ? 1 : 0]).toBe(MAKING.levels);
  for (const { side, price } of quotes) {
    const away = (side === 'BUY' ? reference - price : price - reference) / reference;
    expect(away).toBeGreaterThanOrEqual((MAKING.halfSpreadPpm - 20) / PPM);
  }
  expect(
    quotes.some(({ side, price }) => side === quoted && Math.abs(price - prices[symbol]) < (prices[symbol] * MAKING.halfSpreadPpm) / PPM),
  ).toBe(false);
  await take(quoted, '0.004', symbol);
  await review();
  expect(await held()).toBeLessThan(full);
});

test('was never refused anything: it stays far within what binds a fund, and the exchange refuses what does not', async () => {
  expect(venue.heart.history.flatMap(({ events }) => events).filter(({ type }) => type === 'CommandRejected')).toEqual([]);
  const body = { symbol: 'ETH_USDC', orderSide: 'BUY', orderType: 'LIMIT', price: '3990', origQty: '1.1' };
  const { msg } = await venue.post('/futures/fapi/trade/v1/order/create', { as: fund, body });
  expect(msg).toMatch(/fund/i);
});

test('takes its quotes out when prices are old, and quotes again when they are there', async () => {
  venue.clock.now += MAKING.staleSeconds * 1_000 + 1;
  vi.setSystemTime(venue.clock.now);
  await making.round();
  for (const symbol of CONTRACTS) expect(await quotesOf(symbol)).toEqual([]);
  await round();
  for (const symbol of CONTRACTS) expect((await quotesOf(symbol)).length).toBeGreaterThanOrEqual(MAKING.levels);
});

test('quotes again at once at the price of before', async () => {
  await review();
  venue.clock.now += MAKING.staleSeconds * 1_000 + 1;
  vi.setSystemTime(venue.clock.now);
  await making.round();
  expect(await quotesOf('ETH_USDC')).toEqual([]);
  await setPrice(venue, { symbol: 'ETH_USDC', price: String(prices.ETH_USDC) });
  vi.setSystemTime(venue.clock.now);
  await making.round();
  expect(await quotesOf('ETH_USDC')).toHaveLength(2 * MAKING.levels);
});

test('finds orders that had no answer in the next round: none stands twice, and none at the price of before', async () => {
  let isLost = false;
  const lost = <Answer>(answer: Answer): Answer => {
    if (isLost) throw new Error('lost');
    return answer;
  };
  making = start({
    createFuturesOrders: async (orders) => lost(await client.createFuturesOrders(orders)),
    cancelFuturesOrder: async (order) => lost(await client.cancelFuturesOrder(order)),
  });
  await round();
  prices.ETH_USDC = 4_040;
  isLost = true;
  await expect(round()).rejects.toThrow('lost');
  isLost = false;
  await round();
  const quotes = await quotesOf('ETH_USDC');
  expect(sidesOf(quotes)).toEqual([MAKING.levels, MAKING.levels]);
  expect(new Set(quotes.map(({ price }) => price)).size).toBe(2 * MAKING.levels);
  for (const { price } of quotes) expect(Math.abs(price / 4_040 - 1)).toBeLessThan(0.008);
});

test('takes out what an earlier run left although the worth of the fund cannot be read, and quotes nothing', async () => {
  expect(await quotesOf('ETH_USDC')).not.toEqual([]);
  const blind = start({ balances: () => Promise.reject(new Error('lost')) });
  await expect(blind.round()).rejects.toThrow('lost');
  for (const symbol of CONTRACTS) expect(await quotesOf(symbol)).toEqual([]);
  making = start();
  await round();
});

test('begun again after kill -9 has one quote where it had one, and none when it stops', async () => {
  const crashed = await Promise.all(CONTRACTS.map(quotesOf));
  expect(crashed.every(({ length }) => length > 0)).toBe(true);
  making = start();
  await round();
  for (const quotes of await Promise.all(CONTRACTS.map(quotesOf))) {
    expect(Math.max(...sidesOf(quotes))).toBe(MAKING.levels);
    expect(new Set(quotes.map(({ price }) => price)).size).toBe(quotes.length);
  }
  await making.end();
  await eventually(async () => (await Promise.all(CONTRACTS.map(quotesOf))).every(({ length }) => length === 0) || undefined, 'no quotes');
  expect(lines.filter((line) => line !== 'quotes both sides' && !line.includes('is stale'))).toEqual([]);
});
