/** One order followed through two processes by its id: what the receiver of traces gets, and that it gets nothing that is anybody's. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiKeyCredentials, createClient } from '@orrery/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasNats, NatsServer } from '../src/testing/nats-server.ts';
import { type ReceivedSpan, SpanReceiver } from '../src/testing/span-receiver.ts';
import { type Canary, settle } from './canary.ts';
import { tradeKey } from './person.ts';
import { type Program, startProgram } from './program.ts';
import { settingsOfRole } from './shared-journal.ts';

const MARKET = 'BTC_USDC';
const NAME = 'the-followed-order';
/** What a caller would like to have continued. */
const THEIRS = 'ab'.repeat(16);
const LOGIN = 'tracer:the-word-of-the-receiver';

const QUENTIN: Canary = {
  realName: 'Quentin Canary',
  documentNumber: 'CANARYQ7781',
  email: 'quentin.canary@example.org',
  waitingEmail: 'quentin.waiting@example.org',
  tel: '15298877665',
  addressLabel: 'label-of-an-address-q',
  keyLabel: 'label-of-a-key-q',
  userAgent: 'CanaryQuentinBrowser/1.0',
  from: '10.9.7.33',
  file: 'CanaryFileOfQuentin',
};

describe.skipIf(!hasNats())('a gateway and a heart whose traces have a receiver', () => {
  let nats: NatsServer;
  let receiver: SpanReceiver;
  let dataDirectory: string;
  let heart: Program;
  let gateway: Program;

  const start = (role: string): Promise<Program> =>
    startProgram({
      dataDirectory,
      env: { ...settingsOfRole(role, nats), ORRERY_TRACES: receiver.url.replace('//', `//${LOGIN}@`) },
    });

  beforeAll(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), 'orrery-traces-'));
    [nats, receiver] = await Promise.all([NatsServer.start(), SpanReceiver.start()]);
    [heart, gateway] = await Promise.all([start('heart'), start('gateway,worker,projector')]);
  });

  afterAll(async () => {
    receiver?.release();
    await gateway?.stop();
    await heart?.stop();
    await nats?.kill();
    await receiver?.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  });

  test('an order is one trace of both processes, found by its id; a receiver that fails or hangs refuses none', async () => {
    const { person, key, words } = await settle(gateway.url, QUENTIN, () => Promise.resolve());
    const trading = await tradeKey(person);
    const requestIds: string[] = [];
    const client = createClient({
      baseUrl: gateway.url,
      credentials: new ApiKeyCredentials(trading),
      async fetch(input, init) {
        const request = new Request(input, init);
        request.headers.set('traceparent', `00-${THEIRS}-${'cd'.repeat(8)}-01`);
        const response = await fetch(request);
        requestIds.push(response.headers.get('x-request-id') ?? '');
        return response;
      },
    });
    const price = String(Math.floor(Number((await client.indexPrice({ symbol: MARKET })).p) * 0.98));
    const place = (clientOrderId: string): Promise<string> =>
      client.createOrder({ symbol: MARKET, direction: 'BUY', tradeType: 'LIMIT', price, totalAmount: '0.001', clientOrderId });
    const orderId = await place(NAME);
    const requestId = requestIds.at(-1);
    const spansOf = (): readonly ReceivedSpan[] => {
      const found = receiver.spans.find(({ attributes }) => attributes['orrery.client_order_id'] === NAME);
      return receiver.spans.filter(({ traceId }) => traceId === found?.traceId);
    };
    await expect
      .poll(() =>
        spansOf()
          .map(({ name }) => name)
          .toSorted(),
      )
      .toEqual(STEPS.map(([name]) => name).toSorted());
    const spans = spansOf();
    const idOf = (name: string): string | undefined => spans.find((span) => span.name === name)?.spanId;
    expect(spans.map(({ name, service, parentSpanId }) => `${name} ${service} ${parentSpanId}`).toSorted()).toEqual(
      STEPS.map(([name, service, parent]) => `${name} ${service} ${parent === undefined ? undefined : idOf(parent)}`).toSorted(),
    );
    for (const { startNano, endNano } of spans) expect(endNano).toBeGreaterThanOrEqual(startNano);
    const attributesOf = (name: string) => spans.find((span) => span.name === name)?.attributes;
    expect(attributesOf(CALL)).toEqual({
      'http.request.method': 'POST',
      'http.route': '/spot/v1/u/trade/order/create',
      'http.response.status_code': 200,
      'orrery.request_id': requestId,
    });
    expect(attributesOf('heart PlaceOrder')).toMatchObject({
      'orrery.command': 'PlaceOrder',
      'orrery.client_order_id': NAME,
      'orrery.order_id': orderId,
    });
    expect(attributesOf('submit PlaceOrder')).toMatchObject({ 'orrery.client_order_id': NAME, 'orrery.order_id': orderId });
    // Ours, beside theirs.
    expect(spans.find(({ name }) => name === CALL)?.links).toEqual([THEIRS]);
    expect(spans[0]?.traceId).not.toBe(THEIRS);

    for (const mode of ['fail', 'hold'] as const) {
      receiver.mode = mode;
      const before = receiver.requests;
      await place(`while-${mode}`);
      await expect.poll(() => receiver.requests).toBeGreaterThan(before);
      await place(`after-${mode}`);
    }
    receiver.release();
    await expect.poll(() => receiver.spans.some(({ attributes }) => attributes['orrery.client_order_id'] === 'after-hold')).toBe(true);

    const written = receiver.raw.join('\n').toLowerCase();
    // A search that finds nothing says something where it would find what is there.
    expect(written).toContain(NAME);
    expect(written).toContain(`basic ${Buffer.from(LOGIN).toString('base64')}`.toLowerCase());
    const secrets = [...words, person.address, key.accessKey, trading.accessKey, trading.secret, LOGIN, dataDirectory];
    expect(secrets.filter((word) => written.includes(word.toLowerCase()))).toEqual([]);
  });
});

const CALL = 'POST /spot/v1/u/trade/order/create';

/** Name, process and parent. */
const STEPS: readonly (readonly [name: string, service: string, parent: string | undefined])[] = [
  [CALL, 'orrery-gateway', undefined],
  ['submit PlaceOrder', 'orrery-gateway', CALL],
  ['request to the heart', 'orrery-gateway', 'submit PlaceOrder'],
  ['follow', 'orrery-gateway', 'submit PlaceOrder'],
  ['heart PlaceOrder', 'orrery-heart', 'request to the heart'],
  ['queue', 'orrery-heart', 'heart PlaceOrder'],
  ['apply', 'orrery-heart', 'heart PlaceOrder'],
  ['journal', 'orrery-heart', 'heart PlaceOrder'],
  ['publish', 'orrery-heart', 'heart PlaceOrder'],
  ['answer', 'orrery-heart', 'heart PlaceOrder'],
];
