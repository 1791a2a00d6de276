import { mkdtempSync, mkdirSync, writeFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, brotliDecompressSync } from 'node:zlib';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiError, contract, type Route } from '@orrery/api';
import { CONFIG, openVenue, type Venue } from './testing/venue.ts';

const TERMINAL = mkdtempSync(join(tmpdir(), 'orrery-terminal-'));
const SCRIPT = `console.log(${JSON.stringify('x'.repeat(5_000))})`;

/** As the terminal's build writes them, `clients/terminal/page-paths.ts`. */
const PATHS = [
  '/',
  '/trade/spot',
  '/trade/spot/$pair',
  '/portfolio',
  '/assets/funding',
  '/faucet',
  '/login',
  '/explorer/tx/$hash',
  '/status',
];

let venue: Venue;
beforeAll(async () => {
  mkdirSync(join(TERMINAL, 'assets'));
  writeFileSync(join(TERMINAL, 'index.html'), '<!doctype html><title>Orrery</title>');
  writeFileSync(join(TERMINAL, 'assets', 'main-Ab12Cd34.js'), SCRIPT);
  for (const name of ['look-Ab12Cd34.css', 'words-Ab12Cd34.woff2', 'feed.worker-Ab12Cd34.js', 'logo-Ab12Cd34.svg', 'page-Ab12Cd34.html'])
    writeFileSync(join(TERMINAL, 'assets', name), SCRIPT);
  writeFileSync(join(TERMINAL, 'robots.txt'), 'User-agent: *\n');
  writeFileSync(join(TERMINAL, 'paths.json'), JSON.stringify(PATHS));
  venue = await openVenue({
    terminalDirectory: TERMINAL,
    connectSources: ['wss://relay.example'],
    parts: [{ name: 'chain', unready: () => 'starts' }],
  });
});
afterAll(async () => {
  await venue.close();
  rmSync(TERMINAL, { recursive: true });
});

/** Without the automatic decoding of `fetch`. */
const plainGet = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  new Promise<{ status: number | undefined; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
    request(`${venue.base}${path}`, { headers, method }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(parts) }));
    })
      .on('error', reject)
      .end();
  });

describe('[C1, C2] what every client relies on', () => {
  test('[C1, C2] JSON both ways, in the envelope; code 0 with 200, another code with another status and a sentence', async () => {
    const good = await venue.get('/pro/p/symbol/coins', { headers: { 'accept-language': 'en' } });
    expect(Object.keys(JSON.parse(good.text))).toEqual(['code', 'msg', 'data']);
    expect(good.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const bad = await venue.get('/pro/p/quotation/ticker');
    expect(JSON.parse(bad.text)).toEqual({
      code: 11_003,
      msg: 'symbol is missing',
      data: { reason: 'MissingField', field: 'symbol', requestId: bad.headers.get('x-request-id') },
    });
    expect(bad.status).toBe(400);
  });

  test('[C1, L7] the stored token travels in the Authorization header; without one or with an old one the answer is 401', async () => {
    const path = '/spot/v1/u/trade/order/list';
    expect((await venue.get(path, { as: venue.alice, query: { symbol: 'BTC_USDC', page: '1', size: '10', state: '1' } })).status).toBe(200);
    expect(await venue.get(path)).toMatchObject({ status: 401, code: 12_001 });
    for (const authorization of ['Bearer old-token-of-somebody', 'Bearer', 'Basic YTpi', `Bearer ${'x'.repeat(1_000)}`]) {
      expect((await venue.get(path, { headers: { authorization } })).status).toBe(401);
    }
    venue.clock.now += 5 * 3_600_000;
    expect(await venue.get(path, { as: venue.alice })).toMatchObject({ status: 401, code: 12_002 });
    venue.clock.now -= 5 * 3_600_000;
  });

  test('what is not JSON is 415; a call that is not there is 404 in the envelope, not a page', async () => {
    const post = (type: string) =>
      fetch(`${venue.base}/biz/check/agreement`, { method: 'POST', headers: { 'content-type': type }, body: '{}' });
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])
      expect((await post(type)).status).toBe(415);
    for (const path of [
      '/pro/p/nothing',
      '/spot/v1/p/nothing',
      '/biz/nothing',
      '/faucet/api/nothing',
      '/futures/fapi/x',
      '/api/v1/x',
      '/docs/nothing',
    ]) {
      expect(await venue.get(path, { headers: { accept: 'text/html' } })).toMatchObject({ status: 404, code: 14_001 });
    }
  });

  test('answers of the API are not kept, not sniffed and run nothing', async () => {
    const { headers } = await venue.get('/status');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(headers.get('server')).toBeNull();
  });
});

describe('origins', () => {
  test('every answer is dated by the clock of the exchange, refusals and pages too', async () => {
    for (const path of ['/status', '/no/such/call', '/']) {
      const { headers } = await venue.get(path);
      expect(Date.parse(headers.get('date') ?? ''), path).toBe(Math.floor(venue.clock.now / 1_000) * 1_000);
    }
  });

  test('a foreign page can change nothing and sign nobody in; our own page and programs can', async () => {
    const order = { symbol: 'BTC_USDC', direction: 'BUY', tradeType: 'LIMIT', price: '100000', totalAmount: '0.01' };
    const create = (origin: string | undefined) =>
      venue.post('/spot/v1/u/trade/order/create', { as: venue.alice, body: order, headers: origin === undefined ? {} : { origin } });
    expect(await create('https://evil.example')).toMatchObject({ status: 403, code: 12_010 });
    expect(await create('null')).toMatchObject({ status: 403 });
    expect(await create(venue.base)).toMatchObject({ status: 200 });
    expect(await create(undefined)).toMatchObject({ status: 200 });
    const nonce = (origin: string) => venue.get('/pro/p/auth/nonce', { query: { evmAddress: venue.alice.address }, headers: { origin } });
    expect((await nonce('https://evil.example')).status).toBe(403);
    expect((await nonce(venue.base)).status).toBe(200);
    expect((await venue.get('/pro/p/symbol/coins', { headers: { origin: 'https://evil.example' } })).status).toBe(200);
  });

  test('calls on the refresh cookie need the header that no form can send', async () => {
    expect(await venue.post('/pro/p/auth/refresh', { body: {} })).toMatchObject({
      status: 400,
      code: 11_003,
      data: { field: 'x-orrery-request' },
    });
    expect(await venue.post('/pro/p/auth/refresh', { body: {}, headers: { 'x-orrery-request': '1' } })).toMatchObject({ status: 200 });
  });

  test('with listed origins nothing else is ours', async () => {
    const listed = await openVenue({ origins: ['https://orrery.example'] });
    const call = (origin: string) => listed.post('/spot/v1/u/trade/order/cancel-all', { as: listed.alice, body: {}, headers: { origin } });
    expect([(await call('https://orrery.example')).status, (await call(listed.base)).status]).toEqual([200, 403]);
    await listed.close();
  });
});

describe('status, configuration and documentation', () => {
  test('status reports what runs and how far history is', async () => {
    const { data } = await venue.get('/status');
    expect(data).toMatchObject({
      ready: false,
      version: '0.1.0',
      seq: venue.heart.history.length,
      stateHash: expect.any(String),
      uptimeMs: expect.any(Number),
      connections: 0,
      parts: [{ name: 'chain', ready: false, detail: 'starts' }],
    });
    expect((await venue.get('/pro/p/config')).data).toEqual(CONFIG);
  });

  test('what is read from history says since when it is stale, also when it is refused', async () => {
    let since: number | undefined;
    const other = await openVenue({ historyStaleSince: () => since });
    const staleOf = async (path: string, query: Record<string, string> = {}) =>
      (await other.get(path, { as: other.alice, query })).headers.get('x-orrery-stale-since');
    const reads = Object.values<Route>(contract).filter(({ readsHistory }) => readsHistory);
    expect(reads).toHaveLength(25);
    for (const { path } of reads) expect([path, await staleOf(path)]).toEqual([path, null]);
    since = 1_795_000_000_123;
    for (const { path } of reads) expect([path, await staleOf(path)]).toEqual([path, '1795000000123']);
    expect(await staleOf('/spot/v1/u/trade/order/history', { page: 'none' })).toBe('1795000000123');
    expect(await staleOf('/spot/v1/u/trade/order/list')).toBeNull();
    await other.close();
  });

  test('a stopped heart is 503 with Retry-After, and status says so', async () => {
    const other = await openVenue();
    other.heart.fail();
    const order = { symbol: 'BTC_USDC', direction: 'BUY', tradeType: 'LIMIT', price: '100000', totalAmount: '0.01' };
    const answer = await other.post('/spot/v1/u/trade/order/create', { as: other.alice, body: order });
    expect(answer).toMatchObject({ status: 503, code: 15_001 });
    expect(answer.headers.get('retry-after')).toBe('1');
    await other.close();
  });

  test('every path of the contract is in the OpenAPI document, with its parameters and who may call', async () => {
    const response = await fetch(`${venue.base}/docs/openapi.json`);
    const document = (await response.json()) as {
      openapi: string;
      paths: Record<string, Record<string, { parameters?: { name: string }[]; security: object[]; requestBody?: object }>>;
    };
    expect(document.openapi).toMatch(/^3\.1/);
    for (const route of Object.values<Route>(contract)) {
      for (const path of [route.path, ...(route.aliases ?? [])])
        expect(document.paths[path]?.[route.method.toLowerCase()], path).toBeDefined();
    }
    expect(document.paths['/spot/v1/u/trade/order/list']?.['get']?.parameters?.map(({ name }) => name)).toEqual([
      'symbol',
      'page',
      'size',
      'state',
      'minSeq',
    ]);
    expect(document.paths['/spot/v1/u/trade/order/create']?.['post']?.security).toEqual([{ session: [] }, { apiKey: [] }]);
    const ids = Object.values(document.paths)
      .flatMap((path) => Object.values(path))
      .map((operation) => Reflect.get(operation, 'operationId'));
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('an internal failure is reported as such, without its details', async () => {
    const broken = await openVenue({
      mounts: [
        {
          name: 'contracts',
          route: contract.contracts,
          answer: () => {
            throw new Error('password=hunter2 at /secret/file.ts:1');
          },
        },
      ],
    });
    const answer = await broken.get('/pro/p/chain/contracts');
    expect(answer).toMatchObject({ status: 500, code: 15_005, msg: 'something went wrong on our side' });
    expect(answer.text).not.toMatch(/hunter2|secret/);
    await broken.close();
  });

  test('fields that are not in the schema never leave', async () => {
    const leaky = await openVenue({
      mounts: [
        { name: 'checkWhitelist', route: contract.checkWhitelist, answer: () => ({ inWhitelist: true, email: 'alice@example.com' }) },
      ],
    });
    const answer = await leaky.post('/faucet/api/check-whitelist', { body: { address: leaky.alice.address } });
    expect(answer.data).toEqual({ inWhitelist: true });
    await leaky.close();
  });

  test('the chain is called with its own envelope', async () => {
    const call = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] };
    const response = await fetch(`${venue.base}/rpc`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(call),
    });
    expect(await response.json()).toEqual(call);
  });
});

describe('the terminal', () => {
  test('[R1] every page of its own is the page; a file that is not there is 404', async () => {
    for (const path of ['/', '/trade/spot/BTC_USDC', '/portfolio', '/login', '/explorer/tx/0xabc', '/faucet', '/faucet/', '/?from=app']) {
      const page = await plainGet(path);
      expect([page.status, String(page.headers['content-type'])]).toEqual([200, 'text/html; charset=utf-8']);
      expect(page.headers['cache-control']).toBe('no-cache');
    }
    for (const path of ['/assets/none-12345678.js', '/favicon.ico', '/..%2f..%2fetc%2fpasswd.txt', '/assets/../../package.json'])
      expect((await plainGet(path)).status).toBe(404);
  });

  test('a terminal whose build has written no paths is not served', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'orrery-terminal-'));
    writeFileSync(join(directory, 'index.html'), '<!doctype html>');
    await expect(openVenue({ terminalDirectory: directory })).rejects.toThrow('paths.json');
    rmSync(directory, { recursive: true });
  });

  const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

  test.each(['/otc/api/x', '/fapi/v1/x', '/sapi/x', '/sapi/v1/account', '/fund/api/x', '/api', '/metrics', '/spot/v1/x'])(
    '%s is a program’s: JSON that says 404, for a browser too',
    async (path) => {
      for (const accept of [undefined, '*/*', 'application/json', BROWSER]) {
        const answer = await plainGet(path, accept === undefined ? {} : { accept });
        expect([answer.status, answer.headers['content-type']], accept).toEqual([404, 'application/json; charset=utf-8']);
      }
    },
  );

  test.each(['/no/such/page', '/trade', '/trade/spot/BTC_USDC/more', '/assets', '/explorer/tx', '/index', '/x', '/signer'])(
    '%s is nothing: JSON for a program, for a browser the page that says so, and 404 for both',
    async (path) => {
      for (const [accept, type] of [
        [undefined, 'application/json'],
        ['*/*', 'application/json'],
        ['application/json, text/plain, */*', 'application/json'],
        ['application/json, text/html;q=0.5', 'application/json'],
        [BROWSER, 'text/html'],
      ] as const) {
        const answer = await plainGet(path, accept === undefined ? {} : { accept });
        expect([answer.status, answer.headers['content-type']], accept).toEqual([404, `${type}; charset=utf-8`]);
      }
      const etag = String((await plainGet('/')).headers['etag']);
      expect((await plainGet(path, { accept: BROWSER, 'if-none-match': etag })).status).toBe(404);
    },
  );

  test('[R3] /status is a page for a browser and the status itself for a program', async () => {
    const page = await plainGet('/status', { accept: 'text/html,application/xhtml+xml' });
    expect([page.status, String(page.headers['content-type'])]).toEqual([200, 'text/html; charset=utf-8']);
    const status = await plainGet('/status', { accept: 'application/json' });
    expect([status.status, String(status.headers['content-type'])]).toEqual([200, 'application/json; charset=utf-8']);
  });

  test('hashed files are cached permanently and sent compressed; unchanged ones are not sent again', async () => {
    const path = '/assets/main-Ab12Cd34.js';
    const [brotli, gzip, plain] = [
      await plainGet(path, { 'accept-encoding': 'gzip, br' }),
      await plainGet(path, { 'accept-encoding': 'gzip' }),
      await plainGet(path),
    ];
    expect(brotli.headers).toMatchObject({
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    });
    expect([String(brotliDecompressSync(brotli.body)), String(gunzipSync(gzip.body)), String(plain.body)]).toEqual([
      SCRIPT,
      SCRIPT,
      SCRIPT,
    ]);
    const again = await plainGet(path, { 'if-none-match': String(plain.headers['etag']) });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    expect((await plainGet(path, {}, 'HEAD')).status).toBe(200);
    expect((await plainGet('/robots.txt')).headers['cache-control']).toBe('no-cache');
  });

  test.each([
    ['/assets/main-Ab12Cd34.js', 'text/javascript; charset=utf-8', true],
    ['/assets/look-Ab12Cd34.css', 'text/css; charset=utf-8', true],
    ['/assets/words-Ab12Cd34.woff2', 'font/woff2', false],
  ])('%s, a subresource of a page, carries its own headers and no policy of documents', async (path, type, isCompressed) => {
    const { status, headers } = await plainGet(path, { 'accept-encoding': 'br' });
    const own = Object.entries(headers).filter(([name]) => !['etag', 'date', 'connection', 'keep-alive', 'content-length'].includes(name));
    expect(status).toBe(200);
    expect(Object.fromEntries(own)).toEqual({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': type,
      ...(isCompressed ? { 'content-encoding': 'br' } : {}),
      'cross-origin-resource-policy': 'same-origin',
      vary: 'accept-encoding',
      'x-content-type-options': 'nosniff',
    });
  });

  test.each(['/', '/assets/feed.worker-Ab12Cd34.js', '/assets/logo-Ab12Cd34.svg', '/assets/page-Ab12Cd34.html', '/robots.txt'])(
    '%s, which a browser may open or run on its own, carries the policies',
    async (path) => {
      const { headers } = await plainGet(path);
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff' });
      expect(headers['permissions-policy']).toContain('camera=()');
    },
  );

  test('[A1] where a captcha of others is configured, pages run its script too, and show its pictures; nowhere else', async () => {
    const captchaSources = ['https://static.example', 'https://api.example'];
    const policyOf = async (venueOf: Venue): Promise<string[]> => {
      const response = await fetch(venueOf.base);
      return String(response.headers.get('content-security-policy')).split('; ');
    };
    const other = await openVenue({ terminalDirectory: TERMINAL, captchaSources });
    try {
      const hosts = captchaSources.join(' ');
      for (const rule of [
        `script-src 'self' ${hosts}`,
        `style-src 'self' ${hosts}`,
        `img-src 'self' data: blob: ${hosts}`,
        `connect-src 'self' ${hosts}`,
        'trusted-types orrery-worker default',
        "default-src 'none'",
      ])
        expect(await policyOf(other)).toContain(rule);
    } finally {
      await other.close();
    }
    expect((await policyOf(venue)).join(' ')).not.toMatch(/static\.example|default$/);
  });

  test('pages run nothing but our own script, frame nothing and are framed by nobody', async () => {
    const { headers } = await plainGet('/');
    const policy = String(headers['content-security-policy']);
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data: blob:",
      "connect-src 'self' wss://relay.example",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "object-src 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types orrery-worker',
    ])
      expect(policy.split('; ')).toContain(rule);
    expect(headers).toMatchObject({
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
  });
});

test('an ApiError is the same refusal wherever it is made', () => {
  expect(new ApiError('NotYours', { field: 'walletAddress' })).toMatchObject({
    code: 12_011,
    status: 403,
    message: 'walletAddress is not yours',
  });
  expect(new ApiError('InsufficientBalance')).toMatchObject({ code: 4001, status: 422 });
});

test('/livez and /readyz answer by status codes: a part that stands still is named, and takes the exchange away from nobody', async () => {
  const read = async (path: string) => {
    const { status, body } = await plainGet(path);
    return { status, text: body.toString() };
  };
  expect(await read('/livez')).toEqual({ status: 200, text: 'live\n' });
  expect(await read('/readyz')).toEqual({ status: 200, text: 'ready\nchain: starts\n' });
});

test('a gateway whose heart has stopped is live and not ready', async () => {
  const stopped = await openVenue({});
  stopped.heart.stop();
  await expect.poll(async () => (await fetch(`${stopped.base}/readyz`)).status).toBe(503);
  expect(await (await fetch(`${stopped.base}/readyz`)).text()).toMatch(/^the exchange has stopped\n/);
  expect((await fetch(`${stopped.base}/livez`)).status).toBe(200);
  await stopped.close();
});
