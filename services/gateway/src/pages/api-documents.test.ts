/** The documents of the calls and of the streams, as they are served: by the linter's rules, and by what passes on the streams. */
import { createConfig, lintFromString } from '@redocly/openapi-core';
import {
  contract,
  FuturesMarketPush,
  FuturesOwnPush,
  StreamPush,
  StreamRequest,
  Subscribe,
  Unsubscribe,
  FUTURES_STREAM_PATH,
  STREAM_PATH,
} from '@orrery/api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { Compile } from 'typebox/schema';
import { eventually, openVenue, type Venue } from '../testing/venue.ts';
import type { AsyncApiDocument } from './asyncapi.ts';

interface CallsDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { responses: object }>>>>;
}

let venue: Venue;
let calls: CallsDocument;
let streams: AsyncApiDocument;
// Read before anything is linted: the linter holds up the loop, and connections that are kept end meanwhile.
beforeAll(async () => {
  venue = await openVenue();
  calls = (await documentAt('openapi.json')) as CallsDocument;
  streams = (await documentAt('asyncapi.json')) as AsyncApiDocument;
});
afterAll(() => venue.close());

const documentAt = async (name: string): Promise<object> => (await fetch(`${venue.base}/docs/${name}`)).json() as Promise<object>;

/** All that the linter recommends, and that each section is declared. A login to a stream is a message in it, which no security scheme can say. */
const RULES = { 'operation-tag-defined': 'error', 'info-license': 'error' } as const;

async function problemsOf(document: object, rules: Record<string, string> = {}): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'], rules: { ...RULES, ...rules } as never });
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: '/document.json', config });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`);
}
const IN_BAND = { 'security-defined': 'off', 'operation-tag-defined': 'off' };

describe('the document of', () => {
  test('the calls passes the linter without a warning', async () => {
    expect(await problemsOf(calls)).toEqual([]);
  });

  test('the streams passes the linter without a warning', async () => {
    expect(await problemsOf(streams, IN_BAND)).toEqual([]);
  });

  test('either does not pass with a fault in it', async () => {
    const withoutRefusals = structuredClone(calls);
    for (const operation of Object.values(withoutRefusals.paths['/status'] ?? {}))
      operation.responses = { 200: { description: 'success' } };
    expect(await problemsOf(withoutRefusals)).toEqual([expect.stringMatching(/^operation-4xx-response/)]);
    const lost = structuredClone(streams) as { channels: { spot?: { messages: Record<string, object> } } };
    if (lost.channels.spot !== undefined) lost.channels.spot.messages['qDeal'] = { $ref: '#/components/messages/nowhere' };
    expect((await problemsOf(lost, IN_BAND)).some((problem) => problem.startsWith('no-unresolved-refs'))).toBe(true);
  });
});

/** The constants by which the schemas of a union are distinguished. */
const constantsOf = ({ anyOf }: { anyOf: readonly { properties: Record<string, unknown> }[] }, field: string): string[] =>
  anyOf.map(({ properties }) => String(Reflect.get(properties[field] as object, 'const')));

describe('a message of a stream is documented', () => {
  const inChannel = (channel: string): string[] => Object.keys(streams.channels[channel]?.messages ?? {});

  test('whichever the schemas know: of spot', () => {
    expect(streams.channels['spot']?.address).toBe(STREAM_PATH);
    const known = [
      ...constantsOf(Subscribe, 'sub'),
      ...constantsOf(Unsubscribe, 'unsub').map((name) => `un${name}`),
      ...constantsOf(StreamRequest, 'op'),
      ...constantsOf(StreamPush, 'resType'),
      'ping',
      'pong',
      'succeed',
      'reply',
      'error',
    ];
    expect(inChannel('spot').toSorted()).toEqual(known.toSorted());
  });

  test('whichever the schemas know: of contracts', () => {
    expect(streams.channels['futures']?.address).toBe(FUTURES_STREAM_PATH);
    const known = [...constantsOf(FuturesMarketPush, 'topic'), ...constantsOf(FuturesOwnPush, 'topic')];
    expect(inChannel('futures').toSorted()).toEqual([...known, 'ping', 'pong', 'request', 'reply', 'error'].toSorted());
  });

  test('as it passes: each one that is sent and received fits a schema of the document', async () => {
    const { data: token }: { data: string } = await venue.get('/spot/v1/u/ws/token', { as: venue.alice });
    const { data: listenKey }: { data: string } = await venue.get(contract.listenKey.path, { as: venue.alice });
    const spot = await passed('spot', [
      'ping',
      { sub: 'subSymbol', symbol: 'BTC_USDC' },
      { sub: 'subStats' },
      { sub: 'subIndex', symbol: 'BTC_USDC' },
      { sub: 'subKline', symbol: 'BTC_USDC', type: '1m' },
      { sub: 'subUser', token },
      { unsub: 'subStats' },
      { op: 'order.cancelAll', id: 1, params: {} },
      { sub: 'subNothing' },
    ]);
    expect(spot.received).toEqual(expect.arrayContaining(['pong', 'succeed', 'qAllDepth', 'uBalance', 'uReady', 'reply', 'error']));
    expect(spot.unknown).toEqual([]);
    const params = [
      'tickers',
      'ticker@btc_usdc',
      'depth@btc_usdc,5',
      'depth_update@btc_usdc',
      `order@${listenKey}`,
      `balance@${listenKey}`,
    ];
    const futures = await passed('futures', ['ping', { method: 'SUBSCRIBE', params, id: 1 }, { method: 'NOTHING', id: 2 }]);
    expect(futures.received).toEqual(expect.arrayContaining(['pong', 'reply', 'depth_update', 'balance', 'ready', 'error']));
    expect(futures.unknown).toEqual([]);
  });
});

/** @returns the names of the documented messages that were received, and what fits none. */
async function passed(
  channel: 'spot' | 'futures',
  messages: readonly (string | object)[],
): Promise<{ received: string[]; unknown: string[] }> {
  const socket = new WebSocket(`${venue.base.replace('http', 'ws')}${streams.channels[channel]?.address}`);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const received = new Set<string>();
  const unknown: string[] = [];
  const nameOf = namerOf(channel);
  socket.on('message', (raw: Buffer) => {
    const text = raw.toString('utf8');
    const name = nameOf(text.startsWith('{') ? JSON.parse(text) : text);
    if (name === undefined) unknown.push(text);
    else received.add(name);
  });
  for (const message of messages) socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  // What is asked for is answered in its order, and orders in their time: a ready stream has said the rest.
  await eventually(
    () => (received.has('error') && received.has('reply') && (received.has('uReady') || received.has('ready'))) || undefined,
    channel,
  );
  socket.terminate();
  return { received: [...received], unknown };
}

/** Which message of the document a value is. */
function namerOf(channel: string): (value: unknown) => string | undefined {
  const prefix = `${channel}.`;
  const schemas = Object.entries(streams.components.messages)
    .filter(([key]) => key.startsWith(prefix))
    .map(([key, { payload }]) => [key.slice(prefix.length), Compile(payload)] as const);
  return (value) => schemas.find(([, schema]) => schema.Check(value))?.[0];
}
