import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import * as fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import { millis, ticks } from '@orrery/units';
import { btc, eth, soso } from '../testing/outside-markets.ts';
import { parseFeedConfigs } from './feed-config.ts';
import type { FeedConfig, Venue } from './feed-config.ts';
import type { FeedFormatName } from './format.ts';
import { LivePrices, midPrice } from './live-prices.ts';
import { robustMedian } from './median.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** An exchange on this machine: what it was asked for, and a way to speak to all who listen. */
class Exchange {
  readonly requests: unknown[] = [];
  readonly #server: WebSocketServer;

  private constructor(server: WebSocketServer) {
    this.#server = server;
    server.on('connection', (socket) => socket.on('message', (data: Buffer) => this.requests.push(JSON.parse(data.toString()))));
  }

  static async open(port = 0): Promise<Exchange> {
    const server = new WebSocketServer({ host: '127.0.0.1', port });
    await once(server, 'listening');
    const exchange = new Exchange(server);
    closers.push(() => exchange.close());
    return exchange;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get clients(): ReadonlySet<WebSocket> {
    return this.#server.clients;
  }

  say(message: string | object): void {
    for (const client of this.#server.clients) client.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  close(): Promise<void> {
    for (const client of this.#server.clients) client.terminate();
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
    });
  }
}

interface Wanted {
  readonly exchange: Exchange;
  readonly format: FeedFormatName;
  readonly symbols: Readonly<Record<string, string>>;
  readonly venue?: Venue;
  readonly weight?: number;
}

function listen(exchanges: readonly Wanted[]) {
  const feeds: readonly FeedConfig[] = parseFeedConfigs(
    JSON.stringify(exchanges.map(({ exchange, ...feed }) => ({ ...feed, url: `ws://127.0.0.1:${exchange.port}/ws` }))),
  );
  const clock = { now: 0 };
  const lines: string[] = [];
  const prices = new LivePrices({ feeds, markets: [btc, eth], monotonicMs: () => clock.now, log: (line) => lines.push(line), retryMs: 10 });
  closers.push(async () => prices.close());
  return { prices, clock, lines, btcPrice: () => prices.price(btc.market, millis(1)) };
}

test('speaks the format of Binance: subscribes, and takes the middle of bid and ask', async () => {
  const exchange = await Exchange.open();
  const { prices, btcPrice } = listen([{ exchange, format: 'binance', symbols: { BTC_USDC: 'BTCUSDC', ETH_USDC: 'ETHUSDC' } }]);
  await expect
    .poll(() => exchange.requests)
    .toEqual([{ method: 'SUBSCRIBE', params: ['btcusdc@bookTicker', 'ethusdc@bookTicker'], id: 1 }]);
  expect(btcPrice()).toBeUndefined();
  exchange.say({ result: null, id: 1 });
  exchange.say('not json');
  exchange.say({ u: 400_900_217, s: 'BTCUSDC', b: '107693.42000000', B: '31.21', a: '107693.52000000', A: '40.66' });
  await expect.poll(btcPrice).toEqual({ market: btc.market, symbol: 'BTC_USDC', price: 1_076_935, at: 1, label: 'live' });
  expect(prices.price(eth.market, millis(1))).toBeUndefined();
  expect(prices.price(soso.market, millis(1))).toBeUndefined();
  expect(prices.historyBars()).toEqual([]);
});

test('speaks the format of Coinbase', async () => {
  const exchange = await Exchange.open();
  const { btcPrice } = listen([{ exchange, format: 'coinbase', symbols: { BTC_USDC: 'BTC-USD' } }]);
  await expect.poll(() => exchange.requests).toEqual([{ type: 'subscribe', product_ids: ['BTC-USD'], channels: ['ticker'] }]);
  exchange.say({ type: 'subscriptions', channels: [] });
  exchange.say({
    type: 'ticker',
    product_id: 'BTC-USD',
    price: '1',
    best_bid: '107000.00',
    best_ask: '107000.20',
    time: '2026-01-05T12:00:00Z',
  });
  await expect.poll(() => btcPrice()?.price).toBe(1_070_001);
});

test('speaks the format of OKX', async () => {
  const exchange = await Exchange.open();
  const { btcPrice } = listen([{ exchange, format: 'okx', symbols: { BTC_USDC: 'BTC-USDC' } }]);
  await expect.poll(() => exchange.requests).toEqual([{ op: 'subscribe', args: [{ channel: 'tickers', instId: 'BTC-USDC' }] }]);
  exchange.say({ event: 'subscribe', arg: { channel: 'tickers', instId: 'BTC-USDC' } });
  exchange.say({ arg: { channel: 'tickers', instId: 'BTC-USDC' }, data: [] });
  exchange.say({
    arg: { channel: 'tickers', instId: 'BTC-USDC' },
    data: [{ instType: 'SPOT', instId: 'BTC-USDC', last: '1', bidPx: '107000', askPx: '107000.4', ts: '1767614400000' }],
  });
  await expect.poll(() => btcPrice()?.price).toBe(1_070_002);
});

test('a round has every venue by itself, however old, with its weight and age; perpetual futures are apart and no part of the spot price', async () => {
  const exchanges = await Promise.all([Exchange.open(), Exchange.open(), Exchange.open(), Exchange.open()]);
  const [binance, coinbase, okx, futures] = exchanges;
  if (binance === undefined || coinbase === undefined || okx === undefined || futures === undefined) expect.unreachable();
  const { prices, clock, btcPrice } = listen([
    { exchange: binance, format: 'binance', symbols: { BTC_USDC: 'BTCUSDC' }, weight: 3 },
    { exchange: coinbase, format: 'coinbase', symbols: { BTC_USDC: 'BTC-USD' } },
    { exchange: okx, format: 'okx', symbols: { BTC_USDC: 'BTC-USDC' } },
    { exchange: futures, format: 'binance', symbols: { BTC_USDC: 'BTCUSDT' }, venue: 'perpetual' },
  ]);
  await expect.poll(() => exchanges.every(({ requests }) => requests.length === 1)).toBe(true);
  const round = () => prices.round(btc.market);
  expect(round()).toEqual({ index: [], external: [] });
  futures.say({ s: 'BTCUSDT', b: '120', a: '120' });
  await expect.poll(() => round().external).toEqual([{ source: 'binance-4', price: 1_200, ageMs: 0 }]);
  expect(btcPrice()).toBeUndefined();
  binance.say({ s: 'BTCUSDC', b: '100', a: '100' });
  await expect.poll(() => round().index).toHaveLength(1);
  clock.now = 12_000;
  okx.say({ data: [{ instId: 'BTC-USDC', bidPx: '101', askPx: '101' }] });
  await expect.poll(() => round().index).toHaveLength(2);
  clock.now = 12_500;
  expect(round()).toEqual({
    index: [
      { source: 'binance-1', price: 1_000, ageMs: 12_500, weight: 3 },
      { source: 'okx-3', price: 1_010, ageMs: 500, weight: 1 },
    ],
    external: [{ source: 'binance-4', price: 1_200, ageMs: 12_500 }],
  });
  expect(prices.round(soso.market)).toEqual({ index: [], external: [] });
});

test('a quote is used for ten seconds and no longer', async () => {
  const exchange = await Exchange.open();
  const { clock, btcPrice } = listen([{ exchange, format: 'binance', symbols: { BTC_USDC: 'BTCUSDC' } }]);
  await expect.poll(() => exchange.requests.length).toBe(1);
  exchange.say({ s: 'BTCUSDC', b: '100', a: '102' });
  await expect.poll(() => btcPrice()?.price).toBe(1_010);
  clock.now = 10_000;
  expect(btcPrice()?.price).toBe(1_010);
  clock.now = 10_001;
  expect(btcPrice()).toBeUndefined();
  exchange.say({ s: 'BTCUSDC', b: '103', a: '103' });
  await expect.poll(() => btcPrice()?.price).toBe(1_030);
});

test('a feed that was lost is connected and subscribed again', async () => {
  const first = await Exchange.open();
  const { port } = first;
  const { btcPrice } = listen([{ exchange: first, format: 'binance', symbols: { BTC_USDC: 'BTCUSDC' } }]);
  await expect.poll(() => first.requests.length).toBe(1);
  await first.close();
  const second = await Exchange.open(port);
  await expect.poll(() => second.requests.length, { timeout: 10_000 }).toBe(1);
  second.say({ s: 'BTCUSDC', b: '100', a: '100' });
  await expect.poll(() => btcPrice()?.price).toBe(1_000);
});

test('of several sources the median counts, and one that lies far off is not listened to', async () => {
  const exchanges = await Promise.all([Exchange.open(), Exchange.open(), Exchange.open()]);
  const { clock, btcPrice } = listen(exchanges.map((exchange) => ({ exchange, format: 'binance', symbols: { BTC_USDC: 'BTCUSDC' } })));
  await expect.poll(() => exchanges.every(({ requests }) => requests.length === 1)).toBe(true);
  const say = (index: number, price: string): void => exchanges[index]?.say({ s: 'BTCUSDC', b: price, a: price });
  say(0, '100');
  await expect.poll(() => exchanges[0]?.clients.size).toBe(1);
  expect(btcPrice()).toBeUndefined();
  say(1, '101');
  await expect.poll(() => btcPrice()?.price).toBe(1_005);
  say(2, '1000');
  await expect.poll(() => btcPrice()?.price).toBe(1_005);
  say(2, '102');
  await expect.poll(() => btcPrice()?.price).toBe(1_010);
  clock.now = 11_000;
  expect(btcPrice()).toBeUndefined();
});

test.each([
  ['0', '1'],
  ['-1', '1'],
  ['2', '1'],
  ['NaN', '1'],
  ['1e3', '1e3'],
  ['', ''],
  ['0.00000001', '0.00000001'],
])('bid %j and ask %j are no price', (bid, ask) => {
  expect(midPrice({ bid, ask }, 2)).toBeUndefined();
});

test('one source of three never moves the price beyond the other two', () => {
  const near = fc.integer({ min: 100_000, max: 101_000 });
  fc.assert(
    fc.property(near, near, fc.integer({ min: 1, max: 1_000_000_000 }), (one, other, liar) => {
      const price = robustMedian([ticks(one), ticks(other), ticks(liar)], 2);
      expect(price).toBeGreaterThanOrEqual(Math.min(one, other));
      expect(price).toBeLessThanOrEqual(Math.max(one, other));
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ['{', 'not valid JSON'],
  ['[]', 'a list of at least one feed'],
  ['[1]', 'live price feed 1 must be an object'],
  ['[{"format":"kraken"}]', 'live price feed 1: format must be one of binance, coinbase, okx'],
  ['[{"format":"toString"}]', 'live price feed 1: format must be one of'],
  ['[{"format":"binance","url":"http://x"}]', 'live price feed 1: url must begin with wss://'],
  ['[{"format":"binance","url":"wss://x/ws","symbols":{}}]', 'live price feed 1: symbols must map at least one market'],
  ['[{"format":"binance","url":"wss://x/ws","symbols":{"BTC_USDC":7}}]', 'live price feed 1: symbols.BTC_USDC must name a symbol'],
  ['[{"format":"binance","url":"wss://x/ws","symbols":{"BTC_USDC":"B"},"speed":1}]', 'live price feed 1: speed is no field of it'],
  ['[{"format":"binance","url":"wss://x/ws","symbols":{"BTC_USDC":"B"},"weight":0}]', 'live price feed 1: weight must be a whole number'],
  ['[{"format":"binance","url":"wss://x/ws","symbols":{"BTC_USDC":"B"},"weight":1.5}]', 'live price feed 1: weight must be a whole number'],
  ['[{"format":"binance","url":"wss://x/ws","symbols":{"BTC_USDC":"B"},"weight":101}]', 'live price feed 1: weight must be a whole number'],
  [
    '[{"format":"binance","url":"wss://x/ws","symbols":{"BTC_USDC":"B"},"venue":"otc"}]',
    'live price feed 1: venue must be spot or perpetual',
  ],
])('a configuration %s is refused by a sentence that names the field', (json, sentence) => {
  expect(() => parseFeedConfigs(json)).toThrow(sentence);
});
