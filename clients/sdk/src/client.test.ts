import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { CallError, ConnectionError } from './call-error.ts';
import { createClient, type Client, type ClientOptions } from './client.ts';
import { ApiKeyCredentials, sessionCredentials } from './credentials.ts';

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Answer = (seen: Seen, response: ServerResponse) => void;

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** An exchange with a list of answers, one for each call; the last one is repeated. */
async function exchange(answers: readonly Answer[], options: Partial<ClientOptions> = {}) {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const call = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
      seen.push(call);
      answers[Math.min(seen.length, answers.length) - 1]?.(call, response);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const waits: number[] = [];
  const wait = (ms: number): Promise<void> => {
    waits.push(ms);
    return Promise.resolve();
  };
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { seen, waits, client: createClient({ baseUrl, wait, ...options }) };
}

const say =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (_seen, response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
const good = (data: unknown): Answer => say(200, { code: 0, msg: 'success', data });
const hangUp: Answer = (_seen, response) => response.destroy();
const breakOff: Answer = (_seen, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '60' });
  response.write('{"code":0,"msg":', () => response.destroy());
};

describe('a call', () => {
  test('[C1] is JSON in the caller’s language with the token of the session', async () => {
    const { client, seen } = await exchange([good('17')], { credentials: sessionCredentials(() => 'secret-token'), language: 'de' });
    expect(await client.createOrder({ symbol: 'BTC_USDC', direction: 'BUY', tradeType: 'LIMIT', price: '100', totalAmount: '0.5' })).toBe(
      '17',
    );
    expect(seen[0]).toMatchObject({
      method: 'POST',
      url: '/spot/v1/u/trade/order/create',
      headers: { authorization: 'Bearer secret-token', 'accept-language': 'de', 'content-type': 'application/json' },
      body: '{"symbol":"BTC_USDC","direction":"BUY","tradeType":"LIMIT","price":"100","totalAmount":"0.5"}',
    });
  });

  test('puts the parameters of a read into the address and leaves out what is undefined', async () => {
    const { client, seen } = await exchange([good([])]);
    await client.klines({ symbol: 'BTC_USDC', interval: '1m', limit: 5 });
    await client.tickers();
    expect(seen.map(({ url }) => url)).toEqual(['/pro/p/quotation/kline?symbol=BTC_USDC&interval=1m&limit=5', '/pro/p/quotation/tickers']);
  });

  test('of an API key is signed over method, path, query, body, nonce and time, each call under a nonce of its own', async () => {
    const credentials = new ApiKeyCredentials({ accessKey: 'access-key-of-alice', secret: 'very secret', now: () => 1_700_000_000_000 });
    const { client, seen } = await exchange([good([])], { credentials });
    await client.spotBalances({ coin: 'USDC' });
    await client.spotBalances();
    await client.cancelAllOrders({ symbol: 'BTC_USDC' });
    const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
    for (const [index, { headers, method, url, body }] of seen.entries()) {
      const [path = '', query = ''] = url.split('?');
      const lines = [method, path, query, sha256(body), headers['x-request-nonce'], '1700000000000'];
      const signature = createHmac('sha256', 'very secret').update(lines.join('\n')).digest('hex');
      expect([index, headers['x-access-key'], headers['x-signature-version'], headers['x-signature']]).toEqual([
        index,
        'access-key-of-alice',
        '2',
        signature,
      ]);
    }
    expect(seen.map(({ url }) => url)).toEqual([
      '/spot/v1/u/balance/spot?coin=USDC',
      '/spot/v1/u/balance/spot',
      '/spot/v1/u/trade/order/cancel-all',
    ]);
    expect(new Set(seen.map(({ headers }) => headers['x-request-nonce'])).size).toBe(3);
  });

  test('that was signed before the exchange started is signed and sent again, whatever it is', async () => {
    const refusal = say(401, { code: 12_016, msg: '', data: { reason: 'SignedBeforeStart', field: '' } }, { 'retry-after': '1' });
    const { client, seen, waits } = await exchange([refusal, good({ code: 0 })]);
    await client.createOrder({ symbol: 'BTC_USDC', direction: 'BUY', tradeType: 'MARKET' });
    expect(seen).toHaveLength(2);
    expect(waits).toEqual([1_000]);
  });
});

describe('[C2] a refusal', () => {
  test('carries code, sentence, HTTP status, reason and field', async () => {
    const { client } = await exchange([
      say(422, { code: 4001, msg: 'not enough free balance', data: { reason: 'InsufficientBalance', field: 'price' } }),
    ]);
    const error = await client.createOrder({ symbol: 'BTC_USDC', direction: 'BUY', tradeType: 'LIMIT' }).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(CallError);
    expect(error).toMatchObject({ code: 4001, msg: 'not enough free balance', status: 422, reason: 'InsufficientBalance', field: 'price' });
  });

  test('is one even with HTTP 200, and code 200 is success', async () => {
    const { client } = await exchange([say(200, { code: 303, msg: 'no', data: null }), say(200, { code: 200, msg: 'ok', data: 5 })]);
    await expect(client.time()).rejects.toMatchObject({ code: 303, status: 200 });
    expect(await client.time()).toBe(5);
  });

  test('without a body says that something went wrong', async () => {
    const { client } = await exchange([say(500, '')]);
    await expect(client.time()).rejects.toMatchObject({ message: 'Something went wrong', status: 500 });
  });
});

describe('a lost call', () => {
  test('is made again when it is a read, at most twice', async () => {
    const { client, seen, waits } = await exchange([hangUp, say(503, { code: 15002, msg: 'busy', data: null }), good(7)]);
    expect(await client.time()).toBe(7);
    expect([seen.length, waits]).toEqual([3, [250, 500]]);
    const deaf = await exchange([hangUp]);
    await expect(deaf.client.time()).rejects.toBeInstanceOf(ConnectionError);
    expect(deaf.seen.length).toBe(3);
  });

  test('is made again when the exchange knows it by a name, and never otherwise', async () => {
    const order = { symbol: 'BTC_USDC', direction: 'SELL', tradeType: 'MARKET', totalAmount: '1' } as const;
    const named = await exchange([hangUp, good('4')]);
    expect(await named.client.createOrder({ ...order, clientOrderId: 'mine-1' })).toBe('4');
    const nameless = await exchange([hangUp, good('4')]);
    await expect(nameless.client.createOrder(order)).rejects.toBeInstanceOf(ConnectionError);
    expect(nameless.seen.length).toBe(1);
  });

  test('orders in contracts are tried again by their client order id, closing everything by its key, and not without', async () => {
    const order = { symbol: 'BTC_USDC', orderSide: 'BUY', orderType: 'LIMIT', price: '100', origQty: '1' } as const;
    const plan = { symbol: 'BTC_USDC', orderSide: 'BUY', entrustType: 'STOP_MARKET', stopPrice: '100', origQty: '1' } as const;
    const calls: readonly ((client: Client, name: Record<string, string>) => Promise<unknown>)[] = [
      (client, name) => client.createFuturesOrder({ ...order, ...name }),
      (client, name) => client.createPlan({ ...plan, ...name }),
      (client, { clientOrderId: key }) => client.closeAllPositions({ contractType: 'PERPETUAL', ...(key === undefined ? {} : { key }) }),
    ];
    for (const call of calls) {
      const named = await exchange([hangUp, good('7')]);
      expect(await call(named.client, { clientOrderId: 'mine-1' })).toBe('7');
      const nameless = await exchange([hangUp, good('7')]);
      await expect(call(nameless.client, {})).rejects.toBeInstanceOf(ConnectionError);
    }
    const all = await exchange([hangUp, good([])]);
    expect(await all.client.cancelAllFuturesOrders()).toEqual([]);
  });

  describe('of which nobody knows whether it was done', () => {
    const nameless = { symbol: 'BTC_USDC', direction: 'SELL', tradeType: 'MARKET', totalAmount: '1' } as const;
    const order = { ...nameless, clientOrderId: 'mine-1' };
    const unknown = say(504, { code: 15006, msg: 'not known', data: { reason: 'OutcomeUnknown', field: '' } });
    const busy = say(503, { code: 15002, msg: 'busy', data: { reason: 'Overloaded', field: '' } });
    const refused = say(422, { code: 4001, msg: 'not enough', data: { reason: 'InsufficientBalance', field: '' } });

    test('says so, and a refusal that nothing was done says that', async () => {
      const [lost, put] = [await exchange([unknown]), await exchange([busy])];
      await expect(lost.client.createOrder(nameless)).rejects.toMatchObject({ reason: 'OutcomeUnknown', outcomeUnknown: true });
      expect(lost.seen.length).toBe(1);
      await expect(put.client.createOrder(nameless)).rejects.toMatchObject({ reason: 'Overloaded', outcomeUnknown: false });
    });

    test('stays so when the tries after it are not looked at', async () => {
      const { client, seen } = await exchange([unknown, busy, busy]);
      await expect(client.createOrder(order)).rejects.toMatchObject({ reason: 'OutcomeUnknown' });
      expect(seen.length).toBe(3);
      const cut = await exchange([hangUp, busy, say(401, { code: 2001, msg: 'over', data: null })]);
      await expect(cut.client.createOrder(order)).rejects.toBeInstanceOf(ConnectionError);
    });

    test('is known by a refusal of the order itself, or its answer', async () => {
      const known = await exchange([hangUp, unknown, refused]);
      await expect(known.client.createOrder(order)).rejects.toMatchObject({ reason: 'InsufficientBalance', outcomeUnknown: false });
      const taken = await exchange([unknown, good('4')]);
      expect(await taken.client.createOrder(order)).toBe('4');
    });
  });

  test('waits as long as the exchange asks, unless that is long', async () => {
    const busy = (seconds: string): Answer => say(429, { code: 13001, msg: 'slow down', data: null }, { 'retry-after': seconds });
    const soon = await exchange([busy('1'), good(7)]);
    expect(await soon.client.time()).toBe(7);
    expect(soon.waits).toEqual([1_000]);
    const late = await exchange([busy('60')]);
    await expect(late.client.time()).rejects.toMatchObject({ status: 429, retryAfterMs: 60_000 });
    expect(late.seen.length).toBe(1);
  });

  test('is lost too when its answer breaks off in the middle: what came of it is not known', async () => {
    const order = { symbol: 'BTC_USDC', direction: 'SELL', tradeType: 'MARKET', totalAmount: '1' } as const;
    const { client, seen } = await exchange([breakOff]);
    await expect(client.createOrder(order)).rejects.toMatchObject({ name: 'ConnectionError', timedOut: false });
    expect(seen.length).toBe(1);
    const named = await exchange([breakOff, good('4')]);
    expect(await named.client.createOrder({ ...order, clientOrderId: 'mine-1' })).toBe('4');
  });

  test('that is not answered in time is not made again: it may have been done', async () => {
    let calls = 0;
    const unanswered = (request: Request): Promise<Response> => {
      calls += 1;
      const { signal } = request;
      return new Promise((_, reject) => {
        if (signal.aborted) reject(signal.reason);
        else signal.addEventListener('abort', () => reject(signal.reason));
      });
    };
    const client = createClient({ baseUrl: 'http://127.0.0.1:9', fetch: unanswered as typeof fetch, timeoutMs: 1 });
    await expect(client.time()).rejects.toMatchObject({ name: 'ConnectionError', timedOut: true });
    expect(calls).toBe(1);
  });
});
