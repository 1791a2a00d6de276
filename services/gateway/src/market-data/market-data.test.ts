import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Kline, Depth, SymbolInfo } from '@orrery/api';
import { marketId, ppm, ticks } from '@orrery/units';
import { MARKETS } from '../../../../exchange/src/listing.ts';
import { NOW, openVenue, type Venue } from '../testing/venue.ts';

let venue: Venue;
let seq: string;
beforeAll(async () => {
  venue = await openVenue();
  const order = (direction: string, price: string, totalAmount: string) => ({
    as: direction === 'BUY' ? venue.alice : venue.bob,
    body: { symbol: 'BTC_USDC', direction, tradeType: 'LIMIT', price, totalAmount },
  });
  await venue.heart.submit({ type: 'SetIndexPrice', market: marketId(1), price: ticks(1_000_500) });
  for (const [direction, price, size] of [
    ['BUY', '100000', '0.5'],
    ['BUY', '99999.9', '0.1'],
    ['BUY', '99985.1', '0.2'],
    ['SELL', '100010', '0.5'],
    ['SELL', '100010.1', '0.1'],
    ['SELL', '100021', '0.25'],
    ['SELL', '100000', '0.1'],
    ['BUY', '100010', '0.2'],
  ] as const) {
    venue.clock.now += 1_000;
    const { headers, code } = await venue.post('/spot/v1/u/trade/order/create', order(direction, price, size));
    expect(code).toBe(0);
    seq = String(headers.get('x-orrery-seq'));
  }
  await venue.get('/spot/v1/u/balance/spot', { as: venue.alice, query: { minSeq: seq } });
});
afterAll(() => venue.close());

/** The same call under both of its families. */
const both = async (call: string, query: Record<string, string> = {}) => {
  const [pro, spot] = [await venue.get(`/pro/p/quotation/${call}`, { query }), await venue.get(`/spot/v1/p/quotation/${call}`, { query })];
  expect(spot.data).toEqual(pro.data);
  return pro;
};

describe('[S4] market data', () => {
  test('[S4] depth, best first, with its numbers and checksum, merged by a step, cut to a level', async () => {
    const { data } = await both('depth', { symbol: 'BTC_USDC' });
    expect(data).toMatchObject({
      s: 'BTC_USDC',
      t: venue.clock.now,
      seq: Number(seq),
      c: expect.any(Number),
      b: [
        ['100000', '0.4'],
        ['99999.9', '0.1'],
        ['99985.1', '0.2'],
      ],
      a: [
        ['100010', '0.3'],
        ['100010.1', '0.1'],
        ['100021', '0.25'],
      ],
    });
    const merged = await both('depth', { symbol: 'BTC_USDC', merge: '10' });
    expect(merged.data).toMatchObject({
      b: [
        ['100000', '0.4'],
        ['99990', '0.1'],
        ['99980', '0.2'],
      ],
      a: [
        ['100010', '0.3'],
        ['100020', '0.1'],
        ['100030', '0.25'],
      ],
    });
    expect(merged.data).not.toHaveProperty('c');
    const cut = (await both('depth', { symbol: 'BTC_USDC', level: '1' })).data as Depth;
    expect([cut.a, cut.b]).toEqual([[['100010', '0.3']], [['100000', '0.4']]]);
  });

  test('[S4] ticker, tickers and the twin of older bots', async () => {
    const ticker = {
      s: 'BTC_USDC',
      o: '100000',
      h: '100010',
      l: '100000',
      c: '100010',
      a: '0.3',
      v: '30002',
      r: '0.0001',
      bp: '100000',
      ap: '100010',
      i: '100050',
    };
    expect((await both('ticker', { symbol: 'BTC_USDC' })).data).toMatchObject(ticker);
    expect((await venue.get('/spot/v1/p/quotation/trend/ticker', { query: { symbol: 'BTC_USDC' } })).data).toMatchObject(ticker);
    const { data } = await both('tickers');
    expect(data).toMatchObject([
      ticker,
      { s: 'ETH_USDC', c: null, o: null, r: '0', bp: null, i: null },
      { s: 'SOL_USDC' },
      { s: 'BNB_USDC' },
      { s: 'WSOSO_USDC' },
    ]);
  });

  test('[S4] deals newest first, with the taker side', async () => {
    expect((await both('deal', { symbol: 'BTC_USDC', num: '5' })).data).toMatchObject([
      { s: 'BTC_USDC', p: '100010', a: '0.2', m: 1 },
      { p: '100000', a: '0.1', m: 2 },
    ]);
    expect((await both('deal', { symbol: 'BTC_USDC', num: '1' })).data).toHaveLength(1);
  });

  test('[S4] candles with base and quote volume, within times', async () => {
    const candle = { s: 'BTC_USDC', i: '1m', o: '100000', h: '100010', l: '100000', c: '100010', a: '0.3', v: '30002' };
    expect((await both('kline', { symbol: 'BTC_USDC', interval: '1m', limit: '10' })).data).toMatchObject([candle]);
    expect((await both('kline', { symbol: 'BTC_USDC', interval: '1M', limit: '10' })).data).toMatchObject([{ ...candle, i: '1M' }]);
    expect((await both('kline', { symbol: 'BTC_USDC', interval: '1m', endTime: '1700000000000' })).data).toEqual([]);
  });

  test('a candle is marked until its interval is over, and a minute without a trade repeats the last close', async () => {
    const last = async (): Promise<unknown> =>
      (await venue.get('/pro/p/quotation/kline', { query: { symbol: 'BTC_USDC', interval: '1m', limit: '3' } })).data;
    const before = venue.clock.now;
    const [traded] = (await last()) as [Kline];
    expect(traded).toMatchObject({ c: '100010', closed: false, outside: false });
    venue.clock.now = traded.t + 2 * 60_000 + 1;
    const flat = { o: '100010', h: '100010', l: '100010', c: '100010', a: '0', v: '0' };
    expect(await last()).toEqual([
      { ...traded, closed: true },
      { ...traded, ...flat, t: traded.t + 60_000, closed: true },
      { ...traded, ...flat, t: traded.t + 120_000, closed: false },
    ]);
    venue.clock.now = before;
  });

  test('[S4] the clock, the outside price, the listing and the coins', async () => {
    expect((await venue.get('/spot/v1/p/time')).data).toBe(venue.clock.now);
    expect((await both('index', { symbol: 'BTC_USDC' })).data).toMatchObject({ s: 'BTC_USDC', p: '100050' });
    const symbols = (await venue.get('/pro/p/symbol/list')).data as SymbolInfo[];
    expect(symbols.map(({ symbol, name }) => [symbol, name])).toEqual([
      ['BTC_USDC', 'BTC/USDC'],
      ['ETH_USDC', 'ETH/USDC'],
      ['SOL_USDC', 'SOL/USDC'],
      ['BNB_USDC', 'BNB/USDC'],
      ['WSOSO_USDC', 'SOSO/USDC'],
    ]);
    expect(symbols[0]).toMatchObject({
      pricePrecision: 1,
      quantityPrecision: 5,
      tickSize: '0.1',
      stepSize: '0.00001',
      minNotional: '5',
      makerFee: '0.0005',
      takerFee: '0.001',
      multiplierUp: '1.1',
      multiplierDown: '0.9',
      marketTakeBound: '0.05',
      state: 'TRADING',
      tradeSwitch: true,
      buyCoin: 'USDC',
      sellCoin: 'BTC',
      depthPrecisionMerge: 1,
      depthMergeSteps: ['0.1', '1', '10', '100'],
      onboardDate: NOW,
      supportOrderType: 'LIMIT,MARKET,STOP_LIMIT,STOP_MARKET,TAKE_PROFIT_LIMIT,TAKE_PROFIT_MARKET,TRAILING_STOP_MARKET',
      supportTimeInForce: 'GTC,IOC,FOK,GTX',
    });
    const coins = (await venue.get('/pro/p/symbol/coins')).data as { coin: string; name: string }[];
    expect(coins.map(({ coin, name }) => `${coin} ${name}`)).toEqual([
      'USDC USDC',
      'BTC BTC',
      'ETH ETH',
      'SOL SOL',
      'BNB BNB',
      'WSOSO SOSO',
    ]);
  });

  test('changed terms of a market are in the list', async () => {
    const { market, maxSize, minNotional, maxNotional, makerFeePpm } = MARKETS[3] ?? expect.fail('no fourth market');
    const terms = { market, maxSize, minNotional, maxNotional, makerFeePpm, takerFeePpm: ppm(900), maxOpenOrders: 50 };
    const info = async () => ((await venue.get('/pro/p/symbol/list', { query: { symbol: 'BNB_USDC' } })).data as SymbolInfo[])[0];
    const before = await info();
    await venue.heart.submit({ type: 'SetMarketTerms', ...terms });
    expect(await info()).toEqual({ ...before, takerFee: '0.0009', maxOpenOrders: 50 });
  });

  test('the state of a market is reported as it is', async () => {
    await venue.heart.submit({ type: 'SetMarketState', market: marketId(5), state: 'CANCEL_ONLY' });
    const state = async () => ((await venue.get('/pro/p/symbol/list', { query: { symbol: 'WSOSO_USDC' } })).data as SymbolInfo[])[0];
    expect(await state()).toMatchObject({ state: 'CANCEL_ONLY', tradeSwitch: false });
    const order = { symbol: 'WSOSO_USDC', direction: 'BUY', tradeType: 'LIMIT', price: '1', totalAmount: '10' };
    expect(await venue.post('/spot/v1/u/trade/order/create', { as: venue.alice, body: order })).toMatchObject({ status: 409, code: 3006 });
    await venue.heart.submit({ type: 'SetMarketState', market: marketId(5), state: 'TRADING' });
  });

  test.each([
    ['/pro/p/quotation/depth', {}, 'symbol', 11_003],
    ['/pro/p/quotation/depth', { symbol: 'NO_SUCH' }, 'symbol', 2002],
    ['/pro/p/quotation/depth', { symbol: 'btc_usdc' }, 'symbol', 11_002],
    ['/pro/p/quotation/depth', { symbol: 'BTC_USDC', level: '1001' }, 'level', 11_002],
    ['/pro/p/quotation/depth', { symbol: 'BTC_USDC', level: '1e1' }, 'level', 11_002],
    ['/pro/p/quotation/depth', { symbol: 'BTC_USDC', merge: '0' }, 'merge', 11_002],
    ['/pro/p/quotation/kline', { symbol: 'BTC_USDC', interval: '2m' }, 'interval', 11_002],
    ['/pro/p/quotation/kline', { symbol: 'BTC_USDC', interval: '1m', limit: '1501' }, 'limit', 11_002],
    ['/pro/p/quotation/deal', { symbol: 'BTC_USDC', num: '0' }, 'num', 11_002],
    ['/pro/p/quotation/ticker', { symbol: 'BTC_USDC', extra: '1' }, 'extra', 11_004],
    ['/pro/p/quotation/tickers', { symbol: 'BTC_USDC' }, 'symbol', 11_004],
  ])('%s %j is refused by its field', async (path, query, field, code) => {
    const answer = await venue.get(path, { query });
    expect(answer).toMatchObject({ code, data: { field } });
    expect(answer.status).toBe(code === 2002 ? 404 : 400);
  });

  test('a parameter given twice is refused', async () => {
    const response = await fetch(`${venue.base}/pro/p/quotation/ticker?symbol=BTC_USDC&symbol=ETH_USDC`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 11_005, data: { field: 'symbol' } });
  });
});
