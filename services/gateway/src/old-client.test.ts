/**
 * The contract of the older client, row by row: every call and every message it knows, and for each field the kind as which it
 * reads it. It signs with an API key, sends the parameters of a POST in the query, and writes prices with two decimals and sizes with four.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { marketId } from '@orrery/units';
import type { NewsSource } from './ports.ts';
import { Ear } from './testing/ear.ts';
import { anything, decimal, decimalText, flawsOf, id, integer, maybeDecimal, oneOf, text, yesOrNo, type Shape } from './testing/kinds.ts';
import type { Key } from './testing/people.ts';
import { openVenue, type Answer, type Venue } from './testing/venue.ts';

const level: Shape = [decimal];
const kline: Shape = { s: text, t: integer, o: decimal, h: decimal, l: decimal, c: decimal, a: decimal, v: decimal };
const ticker: Shape = { ...kline, r: decimal };
const deal: Shape = { s: text, t: integer, p: decimal, a: decimal, m: oneOf(1, 2) };
const order: Shape = {
  orderId: id,
  clientOrderId: text,
  symbol: text,
  orderSide: oneOf('BUY', 'SELL'),
  orderType: oneOf('LIMIT', 'MARKET'),
  price: maybeDecimal,
  origQty: decimal,
  avgPrice: maybeDecimal,
  executedQty: decimal,
  dealQty: decimal,
  state: oneOf(1, 2, 3, 4),
  createdTime: integer,
};
const fill: Shape = {
  orderId: id,
  execId: id,
  symbol: text,
  quantity: decimal,
  price: decimal,
  fee: decimal,
  feeCoin: text,
  orderSide: oneOf('BUY', 'SELL'),
  timestamp: integer,
};
const symbol: Shape = {
  id: integer,
  symbol: text,
  name: text,
  lever: maybeDecimal,
  riskRate: maybeDecimal,
  tradeSwitch: yesOrNo,
  buyCoin: text,
  sellCoin: text,
  buyCoinPrecision: integer,
  buyCoinDisplayPrecision: integer,
  sellCoinPrecision: integer,
  sellCoinDisplayPrecision: integer,
  quantityPrecision: integer,
  pricePrecision: integer,
  supportOrderType: text,
  supportTimeInForce: text,
  minPrice: maybeDecimal,
  minQty: decimalText,
  minNotional: maybeDecimal,
  multiplierDown: decimalText,
  multiplierUp: decimalText,
  makerFee: decimalText,
  takerFee: decimalText,
  marketTakeBound: decimalText,
  depthPrecisionMerge: integer,
  onboardDate: integer,
  sequence: integer,
  setType: integer,
  uids: anything,
  hot: yesOrNo,
};
const balance: Shape = {
  coin: text,
  balance: decimal,
  freeze: decimal,
  availableBalance: decimal,
  estimatedTotalAmount: maybeDecimal,
  estimatedAvailableAmount: maybeDecimal,
  estimatedCoinType: text,
};
const paged = (items: Shape): Shape => ({ items: [items], page: integer, ps: integer, total: integer });

const BTC = { symbol: 'BTC_USDC' };
const ORDERS = '/spot/v1/u/trade/order';
const limit = { direction: 'BUY', tradeType: 'LIMIT', symbol: 'BTC_USDC', price: '104689.00', totalAmount: '0.0010' };

let venue: Venue;
let sendNews: Parameters<NewsSource['onNews']>[0] = () => undefined;
let key: Key;
/** Orders that the calls below are about. */
const known = { resting: '', another: '', third: '', fourth: '', filled: '' };

const get = (path: string, query: Record<string, string>) => venue.get(path, { key, query });
const post = (path: string, query: Record<string, string>) => venue.post(path, { key, query });
/** Two calls with the same parameters in the same millisecond have one signature: the clock moves on before each. */
const signed = (method: 'GET' | 'POST', path: string, query: Record<string, string>): Promise<Answer> => {
  venue.clock.now += 1;
  return method === 'GET' ? get(path, query) : post(path, query);
};
const place = async (changes: object): Promise<string> => (await signed('POST', `${ORDERS}/create`, { ...limit, ...changes })).data;

beforeAll(async () => {
  venue = await openVenue({
    news: {
      onNews(listener) {
        sendNews = listener;
        return () => undefined;
      },
    },
  });
  key = venue.people.addKey(venue.alice, { permission: 'TRADE', endsAt: venue.clock.now + 1e9 });
  await venue.heart.submit({ type: 'SetIndexPrice', market: marketId(1), price: 1_046_890 as never });
  await venue.post(`${ORDERS}/create`, { as: venue.bob, body: { ...limit, direction: 'SELL', price: '104700', totalAmount: '1' } });
  known.filled = await place({ price: '104700.00' });
  known.resting = await place({});
  known.another = await place({ price: '104000.00' });
  known.third = await place({ price: '103000.00' });
  known.fourth = await place({ price: '102000.00' });
});
afterAll(() => venue.close());

/** In this order: what a row cancels is what an earlier row lists. */
const CALLS: readonly (readonly ['GET' | 'POST', string, () => Record<string, string>, Shape])[] = [
  ['GET', '/spot/v1/p/time', () => ({}), integer],
  ['GET', '/spot/v1/p/quotation/depth', () => ({ ...BTC, level: '100' }), { s: text, t: integer, a: [level], b: [level] }],
  ['GET', '/spot/v1/p/quotation/kline', () => ({ ...BTC, interval: '1m', limit: '1500' }), [kline]],
  ['GET', '/spot/v1/p/quotation/trend/ticker', () => BTC, ticker],
  ['GET', '/spot/v1/p/quotation/tickers', () => ({}), [{ s: text, t: integer, c: maybeDecimal, a: decimal, v: decimal, r: decimal }]],
  ['GET', '/spot/v1/p/quotation/deal', () => ({ ...BTC, num: '10' }), [deal]],
  ['GET', '/pro/p/symbol/list', () => ({}), [symbol]],
  ['GET', '/spot/v1/u/balance/spot', () => ({}), [balance]],
  ['GET', '/spot/v1/u/balance/spot', () => ({ coin: 'BTC' }), [balance]],
  ['GET', `${ORDERS}/list`, () => ({ ...BTC, page: '1', size: '30', state: '1' }), paged(order)],
  ['GET', `${ORDERS}/history`, () => ({ ...BTC, startTime: '0', endTime: '8640000000000', limit: '25' }), paged(order)],
  ['GET', `${ORDERS}/detail`, () => ({ orderId: known.resting }), order],
  ['GET', `${ORDERS}/detail`, () => ({ orderId: known.filled }), order],
  ['GET', `${ORDERS}/deal`, () => ({ orderId: known.filled, ...BTC, page: '1', size: '100' }), paged(fill)],
  ['POST', `${ORDERS}/create`, () => ({ ...limit, price: '101000.00' }), id],
  ['POST', `${ORDERS}/create`, () => ({ ...limit, tradeType: 'MARKET', price: '104700.00' }), id],
  ['POST', `${ORDERS}/cancel`, () => ({ orderId: known.resting }), id],
  ['POST', `${ORDERS}/batch/create`, () => ({ ordersJsonStr: JSON.stringify([limit, limit]) }), [{ data: id }]],
  ['POST', `${ORDERS}/batch/cancel`, () => ({ orderIdsJson: JSON.stringify([known.another, Number(known.third)]) }), [id]],
  ['GET', '/spot/v1/u/ws/token', () => ({}), text],
];

describe('the calls', () => {
  test.each(CALLS)('%s %s', async (method, path, query, shape) => {
    const answer = await signed(method, path, query());
    expect(answer).toMatchObject({ status: 200, code: 0, msg: expect.any(String) });
    expect(flawsOf(answer.data, shape)).toEqual([]);
  });

  test('a refusal is a code that is not 0 and a message, in the same envelope', async () => {
    const refused = await signed('POST', `${ORDERS}/cancel`, { orderId: '999999' });
    expect(refused.code).not.toBe(0);
    expect(flawsOf(refused, { code: integer, msg: text }, 'envelope')).toEqual([]);
  });
});

const userBalance: Shape = {
  coin: text,
  balanceType: oneOf(1, 2, 3),
  balance: decimal,
  freeze: decimal,
  availableBalance: decimal,
  estimatedTotalAmount: decimal,
  estimatedCynAmount: decimal,
  estimatedAvailableAmount: decimal,
  estimatedCoinType: text,
};
const userOrder: Shape = {
  orderId: id,
  balanceType: oneOf(1),
  orderType: oneOf(1, 2),
  symbol: text,
  price: decimal,
  direction: oneOf(1, 2),
  origQty: decimal,
  avgPrice: decimal,
  dealQty: decimal,
  state: oneOf(1, 2, 3, 4),
  createTime: integer,
};

/** What each message holds. */
const MESSAGES: Readonly<Record<string, Shape>> = {
  qAllDepth: { s: text, t: integer, a: [level], b: [level] },
  qDepth: { id: integer, s: text, m: oneOf(1, 2), p: decimal, q: decimal, t: integer },
  qDeal: deal,
  qKLine: { ...kline, i: text },
  qStats: ticker,
  uBalance: userBalance,
  uOrder: userOrder,
  znxMessage: {
    id: text,
    title: text,
    content: text,
    aggType: text,
    detailType: text,
    createdTime: integer,
    allScope: yesOrNo,
    userId: id,
    read: yesOrNo,
  },
  uTrade: { orderId: id, price: decimal, quantity: decimal, marginUnfrozen: decimalText, timestamp: integer },
};

describe('the stream', () => {
  let ear: Ear;
  beforeAll(async () => {
    ear = await Ear.open(venue.base);
    await ear.subscribe({ sub: 'subSymbol', symbol: 'BTC_USDC' });
    await ear.subscribe({ sub: 'subKline', symbol: 'BTC_USDC', type: '1m' });
    await ear.subscribe({ sub: 'subStats' });
    venue.clock.now += 1;
    const token: string = (await get('/spot/v1/u/ws/token', {})).data;
    await ear.subscribe({ sub: 'subUser', token });
    await ear.next('uReady');
    const { totalAmount: _, price: __, ...spend } = limit;
    const ids = [
      await place({ price: '99000.00' }),
      await place({ tradeType: 'MARKET', price: '104700.00', totalAmount: '0.0020' }),
      // A market order for an amount of the quote has neither price nor size.
      (await venue.post(`${ORDERS}/create`, { as: venue.alice, body: { ...spend, tradeType: 'MARKET', funds: '200.00' } })).data,
    ];
    for (const orderId of ids) await ear.next('uOrder', ({ data }) => Reflect.get(Object(data), 'orderId') === orderId);
    await ear.next('uTrade');
    const message = { title: 'Title', content: 'Text', createdTime: venue.clock.now } as const;
    sendNews({
      account: venue.alice.account,
      resType: 'znxMessage',
      data: { ...message, id: 'task:1', aggType: 'REWARD', detailType: 'TASK' },
    });
    sendNews({
      account: venue.bob.account,
      resType: 'znxMessage',
      data: { ...message, id: 'task:2', aggType: 'REWARD', detailType: 'TASK' },
    });
    sendNews({
      account: 'everybody',
      resType: 'znxMessage',
      data: { ...message, id: 'notice:1', aggType: 'NOTICE', detailType: 'NOTICE' },
    });
    await ear.next('znxMessage', ({ data }) => Reflect.get(Object(data), 'id') === 'notice:1');
    await ear.next('qDepth');
    await ear.next('qKLine');
  });
  afterAll(() => ear.close());

  test.each(Object.entries(MESSAGES))('%s', async (resType, shape) => {
    await ear.next(resType);
    expect(ear.of(resType).flatMap(({ data }) => flawsOf(data, shape))).toEqual([]);
  });

  test('a site message is for one account or for everybody, and names its reader', () => {
    const userId = String(venue.alice.account);
    expect(ear.of('znxMessage').map(({ data }) => data)).toMatchObject([
      { id: 'task:1', allScope: false, userId, read: false },
      { id: 'notice:1', allScope: true, userId, read: false },
    ]);
  });

  test('an order in another state is reported by the same kinds: limit 1, market 2, and 3 or 4 at its end', () => {
    const orders = ear.of('uOrder').map(({ data }) => data as { orderType: number; state: number; balanceType: number });
    expect(new Set(orders.map(({ orderType }) => orderType))).toEqual(new Set([1, 2]));
    expect(new Set(orders.map(({ balanceType }) => balanceType))).toEqual(new Set([1]));
    expect(orders.some(({ state }) => state === 3 || state === 4)).toBe(true);
  });

  test('balances of two wallets differ by number: 1 spot, 2 funding', () => {
    const types = ear.of('uBalance').map(({ data }) => (data as { balanceType: number }).balanceType);
    expect(new Set(types)).toEqual(new Set([1, 2]));
  });

  test('a market that has never traded has a ticker of numbers too', () => {
    const sol = ear.of('qStats').find(({ data }) => (data as { s: string }).s === 'SOL_USDC');
    expect(sol?.data).toMatchObject({ o: '0', h: '0', l: '0', c: '0' });
  });

  test('every subscription is acknowledged by the text succeed, and ping by pong', async () => {
    expect(ear.texts).toEqual(['succeed', 'succeed', 'succeed', 'succeed']);
    ear.say('ping');
    await expect.poll(() => ear.texts.at(-1)).toBe('pong');
  });
});
