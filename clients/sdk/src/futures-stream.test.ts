import { depthChecksum, PRIVATE_FUTURES_TOPICS, type Level } from '@orrery/api';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FuturesStream, type FuturesStreamOptions } from './futures-stream.ts';

/** The other side of a connection, played by the test. */
class FakeSocket extends EventTarget {
  readonly url: string;
  readonly sent: string[] = [];
  readyState = 0;

  constructor(url: string) {
    super();
    this.url = url;
  }

  send(message: string): void {
    this.sent.push(message);
  }

  close(): void {
    this.readyState = 3;
  }

  accept(): void {
    this.readyState = 1;
    this.dispatchEvent(new Event('open'));
  }

  drop(): void {
    this.readyState = 3;
    this.dispatchEvent(new Event('close'));
  }

  say(message: object): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }));
  }

  requests(): { method: string; params: string[] }[] {
    const texts = this.sent.splice(0).filter((text) => text !== 'ping');
    return texts.map((text) => JSON.parse(text) as { method: string; params: string[] });
  }

  /** What came since the last look: the method and its topics. */
  heard(): string[] {
    return this.requests().map(({ method, params }) => `${method} ${params.join(' ')}`);
  }
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open(options: Partial<FuturesStreamOptions> = {}) {
  const sockets: FakeSocket[] = [];
  const stream = new FuturesStream({
    baseUrl: 'https://exchange.example',
    openSocket: (url) => {
      const socket = new FakeSocket(url);
      sockets.push(socket);
      return socket as unknown as WebSocket;
    },
    ...options,
  });
  return { stream, last: () => sockets.at(-1)! };
}

const event = 'depth_update@btc_usdc';
const whole = (u: number, b: Level[], a: Level[], c = depthChecksum({ b, a })) => ({
  topic: 'depth_update',
  event,
  data: { s: 'BTC_USDC', t: 0, whole: true, pu: null, fu: u, u, c, b, a },
});
const update = (pu: number, u: number, b: Level[], a: Level[], c: number) => ({
  topic: 'depth_update',
  event,
  data: { s: 'BTC_USDC', t: 0, whole: false, pu, fu: pu + 1, u, c, b, a },
});

test('a contract is subscribed once for many listeners, and again after the connection was lost', () => {
  const { stream, last } = open();
  expect(last().url).toBe('wss://exchange.example/futures/v1/ws/socket');
  stream.contract('BTC_USDC', {});
  const leave = stream.contract('BTC_USDC', {});
  stream.klines({ symbol: 'BTC_USDC', interval: '15m', source: 'MARK' }, () => {});
  last().accept();
  expect(last().heard()).toEqual(['SUBSCRIBE depth_update@btc_usdc', 'SUBSCRIBE trade@btc_usdc', 'SUBSCRIBE kline@btc_usdc,15m,mark']);
  leave();
  expect(last().heard()).toEqual([]);
  last().drop();
  vi.advanceTimersByTime(1_000);
  last().accept();
  expect(last().heard()).toEqual(['SUBSCRIBE depth_update@btc_usdc', 'SUBSCRIBE trade@btc_usdc', 'SUBSCRIBE kline@btc_usdc,15m,mark']);
});

test('updates that follow one another keep the depth; after a gap or a wrong checksum it is lost and subscribed again', () => {
  const { stream, last } = open();
  const books: string[] = [];
  stream.contract('BTC_USDC', {
    onDepth: ({ bids, asks }) => books.push(`${String(bids)} | ${String(asks)}`),
    onDepthLost: () => books.push('lost'),
  });
  last().accept();
  last().heard();
  const asks: Level[] = [['101', '2']];
  last().say(whole(7, [['100', '1']], asks));
  const after = depthChecksum({ b: [['99', '3']], a: asks });
  last().say(
    update(
      7,
      9,
      [
        ['100', '0'],
        ['99', '3'],
      ],
      [],
      after,
    ),
  );
  expect(books.splice(0)).toEqual(['100,1 | 101,2', '99,3 | 101,2']);
  // The changes 10 to 12 are missing.
  last().say(update(12, 13, [], [], after));
  expect(books.splice(0)).toEqual(['lost']);
  expect(last().heard()).toEqual([`UNSUBSCRIBE ${event}`, `SUBSCRIBE ${event}`]);
  last().say(whole(13, [['100', '1']], asks));
  last().say(update(13, 14, [['98', '1']], [], 1));
  expect(books).toEqual(['100,1 | 101,2', 'lost']);
});

test('the account is subscribed by a listen key, whole and then change by change; after a gap it is subscribed again from where it was', async () => {
  const { stream, last } = open({ listenKey: () => Promise.resolve('ab'.repeat(16)) });
  const heard: string[] = [];
  stream.account({
    onReset: () => heard.push('reset'),
    onLiquidation: ({ id }) => heard.push(`liquidation ${id}`),
    onTrade: ({ execId }) => heard.push(`trade ${execId}`),
    onGap: ({ from, to }) => heard.push(`gap ${from} ${to}`),
    onReady: () => heard.push('ready'),
  });
  last().accept();
  await vi.advanceTimersByTimeAsync(0);
  const params = PRIVATE_FUTURES_TOPICS.map((topic) => `${topic}@${'ab'.repeat(16)}`);
  expect(last().requests()).toEqual([{ method: 'SUBSCRIBE', params, id: 1 }]);
  let n = 0;
  const say = (topic: string, seq: number, data: object): void => last().say({ topic, n: (n += 1), seq, data });
  const readyAt = (seq: number): void => PRIVATE_FUTURES_TOPICS.forEach((topic) => say('ready', seq, { topic }));
  last().say({ id: 1, code: 0, msg: 'success' });
  readyAt(1);
  say('liquidation', 2, { id: '2:4' });
  say('own_trade', 3, { execId: '7', takerMaker: 'TAKER' });
  expect(heard.splice(0)).toEqual(['reset', 'ready', 'liquidation 2:4', 'trade 7']);
  n += 1;
  say('own_trade', 5, { execId: '9', takerMaker: 'TAKER' });
  await vi.advanceTimersByTimeAsync(0);
  expect(last().requests()).toMatchObject([{ method: 'UNSUBSCRIBE' }, { method: 'SUBSCRIBE', params, from: 3, id: 3 }]);
  // On its way when the next one was asked for.
  say('own_trade', 6, { execId: '10', takerMaker: 'TAKER' });
  last().say({ id: 3, code: 0, msg: 'success' });
  for (const [seq, execId] of [
    [3, '7'],
    [4, '8'],
    [5, '9'],
    [6, '10'],
  ] as const)
    say('own_trade', seq, { execId, takerMaker: 'TAKER' });
  readyAt(6);
  expect(heard.splice(0)).toEqual(['reset', 'trade 8', 'trade 9', 'trade 10', 'ready']);
  expect(stream.accountSeq).toBe(6);

  last().drop();
  await vi.advanceTimersByTimeAsync(60_000);
  last().accept();
  await vi.advanceTimersByTimeAsync(0);
  expect(last().requests()).toMatchObject([{ method: 'SUBSCRIBE', from: 6 }]);
  // A copy was restored: history is shorter.
  last().say({ resType: 'error', code: 1, msg: 'no', data: { reason: 'MalformedField', field: 'from' } });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(heard.splice(0)).toEqual(['reset', 'gap 0 6', 'reset']);
  const [, again] = last().requests();
  expect(again).toEqual({ method: 'SUBSCRIBE', params, id: expect.any(Number) as number });
});
