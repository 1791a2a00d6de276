import { depthChecksum, type Level } from '@orrery/api';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CallError, ConnectionError } from './call-error.ts';
import { Stream, type StreamOptions } from './stream.ts';

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

  say(message: object | string): void {
    this.dispatchEvent(new MessageEvent('message', { data: typeof message === 'string' ? message : JSON.stringify(message) }));
  }

  /** What came since the last look, JSON read. */
  heard(): unknown[] {
    return this.sent.splice(0).map((text) => (text.startsWith('{') ? JSON.parse(text) : text));
  }
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open(options: Partial<StreamOptions> = {}) {
  const sockets: FakeSocket[] = [];
  const stream = new Stream({
    baseUrl: 'https://exchange.example',
    openSocket: (url) => {
      const socket = new FakeSocket(url);
      sockets.push(socket);
      return socket as unknown as WebSocket;
    },
    ...options,
  });
  const last = (): FakeSocket => sockets.at(-1)!;
  return { stream, sockets, last };
}

const symbol = 'BTC_USDC';
const depthOf = (id: number, b: Level[], a: Level[]) => ({
  resType: 'qAllDepth',
  data: { s: symbol, t: 0, id, seq: id, a, b, c: depthChecksum({ a, b }) },
});
const change = (id: number, m: 1 | 2, p: string, q: string, c?: number) => ({
  resType: 'qDepth',
  data: { id, s: symbol, m, p, q, t: 0, ...(c === undefined ? {} : { c }) },
});

describe('a stream', () => {
  test('subscribes once for many listeners, and again after the connection was lost', async () => {
    const { stream, last, sockets } = open();
    expect(last().url).toBe('wss://exchange.example/spot/v1/ws/socket');
    const deals: string[] = [];
    stream.market(symbol, { onDeal: ({ p }) => deals.push(p) });
    const leave = stream.market(symbol, { onDeal: ({ p }) => deals.push(`second ${p}`) });
    stream.klines({ symbol, interval: '1m' }, () => {});
    expect(last().heard()).toEqual([]);
    last().accept();
    expect(last().heard()).toEqual([
      { sub: 'subSymbol', symbol },
      { sub: 'subKline', symbol, type: '1m' },
    ]);
    last().say('succeed');
    last().say({ resType: 'qDeal', data: { id: '1', s: symbol, t: 1, p: '100', a: '1', m: 1 } });
    leave();
    last().say({ resType: 'qDeal', data: { id: '2', s: symbol, t: 1, p: '101', a: '1', m: 1 } });
    expect(deals).toEqual(['100', 'second 100', '101']);
    last().drop();
    await vi.advanceTimersByTimeAsync(500);
    expect(sockets.length).toBe(2);
    last().accept();
    expect(last().heard()).toEqual([
      { sub: 'subSymbol', symbol },
      { sub: 'subKline', symbol, type: '1m' },
    ]);
  });

  test('waits longer before each new try and starts again after a success', async () => {
    const { sockets, last } = open();
    for (const wait of [500, 1_000, 2_000]) {
      last().drop();
      const before = sockets.length;
      await vi.advanceTimersByTimeAsync(wait / 2 - 1);
      expect(sockets.length).toBe(before);
      await vi.advanceTimersByTimeAsync(wait / 2 + 1);
      expect(sockets.length).toBe(before + 1);
    }
    last().accept();
    last().drop();
    await vi.advanceTimersByTimeAsync(500);
    expect(sockets.length).toBe(5);
  });

  test('asks a silent other side and leaves a dead one', async () => {
    const { last, sockets } = open();
    last().accept();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(last().heard()).toEqual(['ping']);
    last().say('pong');
    last().say('ping');
    expect(last().heard()).toEqual(['pong']);
    await vi.advanceTimersByTimeAsync(50_000);
    expect(sockets.length).toBeGreaterThan(1);
  });

  test('measures the round trip by one ping for all who ask, and says when the connection is lost before the answer', async () => {
    const { stream, last } = open();
    await expect(stream.ping()).rejects.toThrow(ConnectionError);
    last().accept();
    const asked = [stream.ping(), stream.ping()];
    expect(last().heard()).toEqual(['ping']);
    await vi.advanceTimersByTimeAsync(40);
    last().say('pong');
    expect(await Promise.all(asked)).toEqual([40, 40]);
    const unanswered = expect(stream.ping()).rejects.toThrow(ConnectionError);
    last().drop();
    await unanswered;
  });

  test('sends no more messages than the exchange takes', async () => {
    const { stream, last } = open();
    for (let count = 0; count < 40; count += 1) stream.indexPrice(`A${count}_USDC`, () => {});
    last().accept();
    expect(last().heard().length).toBe(15);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(last().heard().length).toBeLessThanOrEqual(10);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(last().sent.length).toBe(16);
  });
});

describe('O9: depth of the stream', () => {
  test('is reported after each update, lost by a gap, and subscribed again', () => {
    const { stream, last } = open();
    const seen: string[] = [];
    stream.market(symbol, {
      onDepth: ({ bids, asks }) => seen.push(`${bids.join(' ')} | ${asks.join(' ')}`),
      onDepthLost: () => seen.push('lost'),
    });
    last().accept();
    last().heard();
    last().say(depthOf(7, [['100', '1']], [['101', '2']]));
    last().say(change(8, 1, '99', '5'));
    last().say(
      change(
        9,
        2,
        '101',
        '0',
        depthChecksum({
          b: [
            ['100', '1'],
            ['99', '5'],
          ],
          a: [],
        }),
      ),
    );
    last().say(change(11, 1, '98', '1'));
    last().say(change(12, 1, '97', '1'));
    expect(seen).toEqual(['100,1 | 101,2', '100,1 99,5 | ', 'lost']);
    expect(last().heard()).toEqual([
      { unsub: 'subSymbol', symbol },
      { sub: 'subSymbol', symbol },
    ]);
    last().say(depthOf(12, [['98', '1']], []));
    expect(seen.at(-1)).toBe('98,1 | ');
    last().drop();
    expect(seen.at(-1)).toBe('lost');
  });
});

describe('the own account', () => {
  test('is subscribed by a fresh ticket each time, and sent whole again after a gap', async () => {
    let tickets = 0;
    const { stream, last } = open({ ticket: () => Promise.resolve(`ticket-${(tickets += 1)}`) });
    const seen: string[] = [];
    stream.account({
      onReset: () => seen.push('reset'),
      onBalance: ({ coin }) => seen.push(coin),
      onReady: () => seen.push('ready'),
    });
    last().accept();
    await vi.advanceTimersByTimeAsync(0);
    expect(last().heard()).toEqual([{ sub: 'subUser', token: 'ticket-1' }]);
    last().say({ resType: 'uBalance', n: 1, seq: 1, data: { coin: 'USDC', balanceType: 1 } });
    last().say({ resType: 'uReady', n: 2, seq: 1, data: null });
    last().say({ resType: 'uBalance', n: 4, seq: 3, data: { coin: 'BTC', balanceType: 1 } });
    // Still of the subscription that has a gap.
    last().say({ resType: 'uBalance', n: 5, seq: 4, data: { coin: 'BTC', balanceType: 1 } });
    await vi.advanceTimersByTimeAsync(0);
    // It was on its way when the next one was asked for.
    last().say({ resType: 'uBalance', n: 6, seq: 5, data: { coin: 'BTC', balanceType: 1 } });
    expect(seen).toEqual(['reset', 'USDC', 'ready', 'reset']);
    expect(last().heard()).toEqual([{ unsub: 'subUser' }, { sub: 'subUser', token: 'ticket-2', from: 1 }]);
  });

  test('J3: goes on after a lost connection, or where another stream is, and reports each trade once and what is missing', async () => {
    const seen: string[] = [];
    const listener = {
      onTrade: ({ execId, takerMaker }: { execId: string; takerMaker: string }) => seen.push(`${execId} ${takerMaker}`),
      onGap: ({ from, to }: { from: number; to: number }) => seen.push(`gap ${from} ${to}`),
    };
    const trade = (n: number, seq: number, execId: string, takerMaker = 'TAKER') => ({
      resType: 'uTrade',
      n,
      seq,
      data: { execId, takerMaker },
    });
    const { stream, last } = open({ ticket: () => Promise.resolve('ticket') });
    stream.account(listener, { from: 7 });
    last().accept();
    await vi.advanceTimersByTimeAsync(0);
    expect(last().heard()).toEqual([{ sub: 'subUser', token: 'ticket', from: 7 }]);
    last().say({ resType: 'uGap', n: 1, seq: 9, data: { from: 7, to: 8 } });
    for (const message of [trade(2, 8, '1'), trade(3, 9, '2'), trade(4, 9, '2', 'MAKER')]) last().say(message);
    expect(stream.accountSeq).toBe(9);
    last().drop();
    await vi.advanceTimersByTimeAsync(60_000);
    last().accept();
    await vi.advanceTimersByTimeAsync(0);
    expect(last().heard()).toContainEqual({ sub: 'subUser', token: 'ticket', from: 9 });
    for (const message of [trade(1, 9, '2'), trade(2, 9, '2', 'MAKER'), trade(3, 9, '3'), trade(4, 12, '4')]) last().say(message);
    expect(seen).toEqual(['gap 7 8', '1 TAKER', '2 TAKER', '2 MAKER', '3 TAKER', '4 TAKER']);
  });

  test('is asked for from the beginning where the number is refused, as by an exchange that counts from less; and from the same number after any other refusal', async () => {
    const seen: string[] = [];
    const { stream, last } = open({ ticket: () => Promise.resolve('ticket') });
    stream.account({ onTrade: ({ execId }) => seen.push(execId), onGap: () => seen.push('gap') }, { from: 1_000 });
    last().accept();
    await vi.advanceTimersByTimeAsync(0);
    last().say({ resType: 'error', code: 10_002, msg: 'not now', data: { reason: 'NotNow', field: '' } });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(last().heard().at(-1)).toEqual({ sub: 'subUser', token: 'ticket', from: 1_000 });
    last().say({ resType: 'error', code: 10_001, msg: 'from is not a number', data: { reason: 'MalformedField', field: 'from' } });
    await vi.advanceTimersByTimeAsync(4_000);
    expect(last().heard().at(-1)).toEqual({ sub: 'subUser', token: 'ticket' });
    last().say({ resType: 'uTrade', n: 1, seq: 4, data: { execId: '1', takerMaker: 'TAKER' } });
    expect(seen).toEqual(['gap', '1']);
  });

  test('hears the news of every topic, of one that it does not know too, each with its name', async () => {
    const { stream, last } = open({ ticket: () => Promise.resolve('ticket') });
    const heard: string[] = [];
    stream.account({ onTopic: ({ resType, data }) => heard.push(`${resType} ${JSON.stringify(data)}`) });
    last().accept();
    await vi.advanceTimersByTimeAsync(0);
    last().say({ resType: 'uReady', n: 1, seq: 1, data: null });
    last().say({ resType: 'uClaim', n: 2, seq: 1, data: { status: 2 } });
    last().say({ resType: 'uLater', n: 3, seq: 1, data: { id: 7 } });
    expect(heard).toEqual(['uClaim {"status":2}', 'uLater {"id":7}']);
  });

  test('tries again when there is no ticket', async () => {
    const faults: string[] = [];
    let tickets = 0;
    const ticket = (): Promise<string> => {
      tickets += 1;
      return tickets === 1 ? Promise.reject(new Error('not now')) : Promise.resolve('later');
    };
    const { stream, last } = open({ ticket, onFault: ({ message }) => void faults.push(message) });
    stream.account({});
    last().accept();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(faults).toEqual(['not now']);
    expect(last().heard()).toEqual([{ sub: 'subUser', token: 'later' }]);
  });
});

describe('a stream that is refused or wrong', () => {
  const wrong = { ...depthOf(1, [['100', '1']], []), data: { ...depthOf(1, [['100', '1']], []).data, c: 1 } };
  const again = [
    { unsub: 'subSymbol', symbol },
    { sub: 'subSymbol', symbol },
  ];

  test('a whole depth with a wrong checksum is asked for again: at once, and then later each time', async () => {
    const { stream, last } = open();
    const seen: number[] = [];
    stream.market(symbol, { onDepth: (depth) => seen.push(depth.bids.length) });
    last().accept();
    last().heard();
    last().say(wrong);
    expect(last().heard()).toEqual(again);
    last().say(wrong);
    expect(last().heard()).toEqual([]);
    await vi.advanceTimersByTimeAsync(500);
    expect(last().heard()).toEqual(again);
    last().say(wrong);
    await vi.advanceTimersByTimeAsync(999);
    expect(last().heard()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(last().heard()).toEqual(again);
    last().say(depthOf(2, [['100', '1']], []));
    expect(seen).toEqual([1]);
  });

  test('changes before the whole depth are no reason to ask again', () => {
    const { stream, last } = open();
    stream.market(symbol, {});
    last().accept();
    last().heard();
    last().say(change(7, 1, '100', '1', 1));
    expect(last().heard()).toEqual([]);
  });

  function subscribed() {
    let tickets = 0;
    const opened = open({ ticket: () => Promise.resolve(`ticket-${(tickets += 1)}`) });
    const seen: string[] = [];
    opened.stream.account({ onReady: () => seen.push('ready') });
    opened.last().accept();
    return { ...opened, seen };
  }
  const refusal = { resType: 'error', code: 12_001, msg: 'sign in', data: { reason: 'NotSignedIn', field: 'token' } };

  test('a refused account subscription is tried again with another ticket, later each time', async () => {
    const { last, seen } = subscribed();
    await vi.advanceTimersByTimeAsync(0);
    expect(last().heard()).toEqual([{ sub: 'subUser', token: 'ticket-1' }]);
    last().say(refusal);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(last().heard()).toEqual([{ unsub: 'subUser' }, { sub: 'subUser', token: 'ticket-2' }]);
    last().say(refusal);
    await vi.advanceTimersByTimeAsync(3_999);
    expect(last().heard()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(last().heard()).toEqual([{ unsub: 'subUser' }, { sub: 'subUser', token: 'ticket-3' }]);
    last().say({ resType: 'uReady', n: 1, seq: 1, data: null });
    last().say(refusal);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(seen).toEqual(['ready']);
    expect(
      last()
        .heard()
        .filter((message) => message !== 'ping'),
    ).toEqual([]);
  });

  test('an account subscription that nobody answers is tried again after ten seconds', async () => {
    const { last } = subscribed();
    await vi.advanceTimersByTimeAsync(0);
    last().heard();
    await vi.advanceTimersByTimeAsync(12_000);
    expect(last().heard()).toEqual([{ unsub: 'subUser' }, { sub: 'subUser', token: 'ticket-2' }]);
  });
});

describe('orders over the stream', () => {
  test('log in once, are answered by their id, and refused with code and reason', async () => {
    const { stream, last } = open({ ticket: () => Promise.resolve('ticket') });
    last().accept();
    const order = { symbol, direction: 'BUY', tradeType: 'LIMIT', price: '1', totalAmount: '1' } as const;
    const first = stream.request('order.create', order);
    const second = stream.request('order.cancel', { orderId: '5' });
    await vi.advanceTimersByTimeAsync(0);
    expect(last().heard()).toEqual([{ op: 'login', id: 1, params: { token: 'ticket' } }]);
    last().say({ resType: 'reply', id: 1, code: 0, msg: 'success', seq: 0, data: null });
    await vi.advanceTimersByTimeAsync(0);
    expect(last().heard()).toEqual([
      { op: 'order.create', id: 2, params: order },
      { op: 'order.cancel', id: 3, params: { orderId: '5' } },
    ]);
    last().say({ resType: 'reply', id: 3, code: 2004, msg: 'order not found', seq: 9, data: { reason: 'UnknownOrder', field: 'orderId' } });
    last().say({ resType: 'reply', id: 2, code: 0, msg: 'success', seq: 8, data: '77' });
    expect(await first).toBe('77');
    const error = await second.catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(CallError);
    expect(error).toMatchObject({ code: 2004, reason: 'UnknownOrder', field: 'orderId', outcomeUnknown: false });
    const third = stream.request('order.cancel', { orderId: '6' }).catch((cause: unknown) => cause);
    await vi.advanceTimersByTimeAsync(0);
    last().say({ resType: 'reply', id: 4, code: 15006, msg: 'not known', seq: 9, data: { reason: 'OutcomeUnknown', field: '' } });
    expect(await third).toMatchObject({ reason: 'OutcomeUnknown', outcomeUnknown: true });
  });

  test('whose answer is lost with the connection are reported as unknown', async () => {
    const { stream, last } = open({ ticket: () => Promise.resolve('ticket') });
    last().accept();
    const lost = stream.request('order.cancelAll', {}).catch((cause: unknown) => cause);
    await vi.advanceTimersByTimeAsync(0);
    last().drop();
    expect(await lost).toBeInstanceOf(ConnectionError);
    const early = stream.request('order.cancelAll', {}).catch((cause: unknown) => cause);
    expect(await early).toBeInstanceOf(ConnectionError);
  });
});
