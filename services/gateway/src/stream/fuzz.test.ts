/**
 * Anything at all over the stream: messages of every schema that the contract has, spoilt or not, and frames that no client makes. Each message
 * is answered or the connection is closed with a reason; refused ones leave no trace, and no other connection is affected.
 * `ORRERY_MESSAGES` is the dose, `ORRERY_SEED` repeats a run.
 */
import { createHash, randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ITEMS_REFUSED, STREAM_PATH, StreamRequest, Subscribe, SUCCESS, Unsubscribe } from '@orrery/api';
import { WebSocket } from 'ws';
import { LIMITS } from '../limits/limits.ts';
import type { Shape } from '../testing/arbitrary.ts';
import { junk, spoilt } from '../testing/spoilt.ts';
import { eventually, openVenue, ROOMY, type Venue } from '../testing/venue.ts';
import { flawOfRefusal } from '../testing/wire.ts';

const SEED = Number(process.env['ORRERY_SEED'] ?? Date.now() % 1_000_000);
const MESSAGES = Number(process.env['ORRERY_MESSAGES'] ?? 4_000);

let venue: Venue;
const openVenueWith = async (stream: Partial<typeof ROOMY.stream>): Promise<void> => {
  venue = await openVenue({ limits: { ...ROOMY, stream: { ...ROOMY.stream, ...stream } } });
};
afterEach(() => venue.close());

/** Reads messages until it is closed. */
class Listener {
  readonly socket: WebSocket;
  readonly heard: string[] = [];
  closed: number | undefined;
  #onPong: () => void = () => undefined;

  constructor(base: string) {
    this.socket = new WebSocket(`${base.replace('http', 'ws')}${STREAM_PATH}`);
    this.socket.on('message', (data: Buffer) => this.#hear(data.toString('utf8')));
    this.socket.on('close', (code) => {
      this.closed = code;
      this.#onPong();
    });
    this.socket.on('error', () => undefined);
  }

  static async at(base: string): Promise<Listener> {
    const listener = new Listener(base);
    await new Promise((resolve) => listener.socket.once('open', resolve));
    return listener;
  }

  /** Sends, and returns the messages received until a later `ping` was answered, or until the connection was closed. */
  async answersTo(message: string | Buffer): Promise<readonly string[]> {
    const before = this.heard.length;
    this.socket.send(message);
    this.socket.send('ping');
    await new Promise<void>((resolve) => (this.#onPong = resolve));
    return this.heard.slice(before).filter((text) => text !== 'pong');
  }

  #hear(text: string): void {
    this.heard.push(text);
    if (text === 'pong') this.#onPong();
  }
}

async function traderAt(base: string): Promise<Listener> {
  const listener = await Listener.at(base);
  const { data: token } = await venue.get('/spot/v1/u/ws/token', { as: venue.alice });
  const [reply] = await listener.answersTo(JSON.stringify({ op: 'login', id: 1, params: { token } }));
  expect(reply).toContain('"code":0');
  return listener;
}

/** Every schema of a message that a client may send: what the contract gets more, this has more. */
const SCHEMAS: readonly (readonly [string, Shape])[] = [...Subscribe.anyOf, ...Unsubscribe.anyOf, ...StreamRequest.anyOf].map((schema) => {
  const [kind, { const: name }] = Object.entries(schema.properties)[0] as [string, { const: string }];
  return [`${kind} ${name}`, schema] as const;
});

const tampered = (schema: Shape): fc.Arbitrary<string> => {
  const text = spoilt(schema).map((value) => JSON.stringify(value) ?? '');
  return fc.oneof(
    { weight: 6, arbitrary: text },
    { weight: 1, arbitrary: fc.tuple(text, fc.nat()).map(([whole, at]) => whole.slice(0, at % (whole.length + 1))) },
    { weight: 1, arbitrary: text.map((whole) => whole.replace(/^\{("[^"]*")/, '{$1:null,$1')) },
    {
      weight: 1,
      arbitrary: fc.oneof(
        fc.string({ unit: 'binary', maxLength: 40 }),
        junk.map((value) => JSON.stringify(value) ?? ''),
      ),
    },
    { weight: 1, arbitrary: fc.constantFrom(...RAW_MESSAGES) },
  );
};

const RAW_MESSAGES = [
  '',
  ' ',
  'pong',
  'PING',
  'null',
  '[]',
  '{}',
  '{"op":"order.create"',
  '['.repeat(5_000),
  '{"sub":'.repeat(1_000),
  '{"sub":"subStats","sub":"subStats"}',
  '{"sub":"subStats","unsub":"subStats","op":"login"}',
  '{"op":"toString","id":1,"params":{}}',
  '{"op":"__proto__","id":1,"params":{}}',
  '{"op":["login"],"id":1,"params":{"token":"0123456789abcdef"}}',
  '{"op":"order.cancelAll","id":-1,"params":{}}',
  '{"op":"order.cancelAll","id":9007199254740993,"params":{}}',
  '{"op":"order.cancelAll","id":"1","params":{}}',
  '{"sub":{"toString":1}}',
];

interface Answered {
  readonly resType?: string;
  readonly code?: number;
  readonly msg?: string;
  readonly data?: unknown;
}

describe(`messages, seed ${SEED}`, () => {
  beforeEach(() => openVenueWith({}));
  const runs = Math.ceil(MESSAGES / (2 * SCHEMAS.length));

  describe.each(['a stranger', 'a trader'])('of %s', (who) => {
    test.each(SCHEMAS)('%s', async (_name, schema) => {
      const open = (): Promise<Listener> => (who === 'a trader' ? traderAt(venue.base) : Listener.at(venue.base));
      let listener = await open();
      let hash = venue.heart.stateHash();
      await fc.assert(
        fc.asyncProperty(tampered(schema), async (text) => {
          venue.clock.now += 1;
          const answers = await listener.answersTo(text);
          const parsed = answers.filter((answer) => answer.startsWith('{')).map((answer) => JSON.parse(answer) as Answered);
          // Of a batch each item is refused by itself.
          const isRefused = ({ resType, code }: Answered): boolean => resType === 'reply' && code !== SUCCESS && code !== ITEMS_REFUSED;
          const refusals = parsed.filter((answer) => answer.resType === 'error' || isRefused(answer));
          for (const { code, msg, data } of refusals) {
            expect(flawOfRefusal(JSON.stringify({ msg, data }), data), JSON.stringify(data)).toBeUndefined();
            expect(code, msg).toBeLessThan(15_000);
          }
          // Only a frame that is too large ends a connection here.
          if (listener.closed !== undefined) {
            expect([listener.closed, Buffer.byteLength(text) > LIMITS.stream.payloadBytes]).toEqual([1009, true]);
            listener = await open();
          } else if (text !== 'pong') {
            expect(answers.length, 'answers').toBeGreaterThan(0);
          }
          const hashNow = venue.heart.stateHash();
          if (refusals.length > 0 || listener.closed !== undefined) expect(hashNow, 'the state after a refused message').toBe(hash);
          hash = hashNow;
        }),
        { seed: SEED, numRuns: runs, endOnFailure: true },
      );
      expect(venue.failures).toEqual([]);
    });
  });
});

/** A client that writes frames by hand. */
class RawClient {
  readonly socket: Socket;
  #bytes = Buffer.alloc(0);
  closed = false;

  constructor(base: string, lines: readonly string[]) {
    const { hostname, port } = new URL(base);
    this.socket = connect(Number(port), hostname);
    this.socket.on('data', (data) => (this.#bytes = Buffer.concat([this.#bytes, data])));
    this.socket.on('close', () => (this.closed = true));
    this.socket.on('error', () => undefined);
    this.socket.write(`${[`GET ${STREAM_PATH} HTTP/1.1`, `Host: ${hostname}:${port}`, ...lines].join('\r\n')}\r\n\r\n`);
  }

  static async open(base: string): Promise<RawClient> {
    const client = new RawClient(base, UPGRADE);
    await eventually(() => (client.text.includes('\r\n\r\n') ? true : undefined), 'the handshake');
    expect(client.text).toContain('HTTP/1.1 101');
    client.#bytes = Buffer.alloc(0);
    return client;
  }

  get text(): string {
    return this.#bytes.toString('latin1');
  }

  get heard(): number {
    return this.#bytes.length;
  }

  /** The code of the close frame, which stands last. */
  get closeCode(): number | undefined {
    const at = this.#bytes.lastIndexOf(0x88);
    return at === -1 || at + 4 > this.#bytes.length ? undefined : this.#bytes.readUInt16BE(at + 2);
  }
}

const UPGRADE = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
];

const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

function frame(opcode: number, payload: Buffer, { fin = true, masked = true, reserved = 0, length = payload.length } = {}): Buffer {
  const first = (fin ? 0x80 : 0) | reserved | opcode;
  const maskBit = masked ? 0x80 : 0;
  const header = length < 126 ? Buffer.from([first, maskBit | length]) : Buffer.from([first, maskBit | 126, length >> 8, length & 0xff]);
  return Buffer.concat([header, masked ? Buffer.alloc(4) : Buffer.alloc(0), payload]);
}

const text = (content: string): Buffer => Buffer.from(content);

describe('frames that no client makes', () => {
  beforeEach(() => openVenueWith({ messages: LIMITS.stream.messages, authenticateMs: 60_000 }));

  test.each([
    ['unmasked', frame(OPCODE.text, text('ping'), { masked: false }), 1002],
    ['of an unknown kind', frame(3, text('ping')), 1002],
    ['with a reserved bit', frame(OPCODE.text, text('ping'), { reserved: 0x40 }), 1002],
    ['a continuation of nothing', frame(OPCODE.continuation, text('ping')), 1002],
    ['a ping in pieces', frame(OPCODE.ping, text('x'), { fin: false }), 1002],
    ['a ping of 126 bytes', frame(OPCODE.ping, Buffer.alloc(126)), 1002],
    ['a close with one byte', frame(OPCODE.close, Buffer.from([3])), 1002],
    ['a close with a code that is none', frame(OPCODE.close, Buffer.from([0x03, 0xed])), 1002],
    ['text that is not UTF-8', frame(OPCODE.text, Buffer.from([0xc0, 0x80])), 1007],
    ['longer than it may be', frame(OPCODE.text, Buffer.alloc(16_385)), 1009],
    ['binary', frame(OPCODE.binary, text('ping')), 1008],
    [
      'in too many pieces',
      Buffer.concat([
        frame(OPCODE.text, text('{'), { fin: false }),
        ...Array.from({ length: 40 }, () => frame(0, text(' '), { fin: false })),
      ]),
      1008,
    ],
    [
      'in pieces that are too large together',
      Buffer.concat([
        frame(OPCODE.text, text('{'), { fin: false }),
        ...Array.from({ length: 5 }, () => frame(0, Buffer.alloc(4_096), { fin: false })),
      ]),
      1009,
    ],
  ])('%s: the connection is closed, and no other is affected', async (_name, bytes, code) => {
    const other = await Listener.at(venue.base);
    const client = await RawClient.open(venue.base);
    client.socket.write(bytes);
    expect(await eventually(() => client.closeCode, 'the end')).toBe(code);
    expect(await other.answersTo('{"sub":"subStats"}')).toContain('succeed');
    client.socket.destroy();
  });

  test.each([
    ['pings', frame(OPCODE.ping, Buffer.alloc(125))],
    ['pongs', frame(OPCODE.pong, Buffer.alloc(125))],
    ['empty messages', frame(OPCODE.text, Buffer.alloc(0))],
    ['subscriptions', frame(OPCODE.text, text('{"sub":"subSymbol","symbol":"BTC_USDC"}'))],
    ['subscriptions begun and ended', frame(OPCODE.text, text('{"unsub":"subSymbol","symbol":"BTC_USDC"}'))],
  ])('a storm of %s is ended at the twenty-first', async (_name, one) => {
    const client = await RawClient.open(venue.base);
    client.socket.write(Buffer.concat(Array.from({ length: 20 }, () => one)));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(client.closeCode).toBeUndefined();
    for (let count = 0; count < 50; count += 1) client.socket.write(one);
    expect(await eventually(() => client.closeCode, 'the end')).toBe(1008);
    expect((await venue.get('/status')).data).toMatchObject({ ready: true });
    client.socket.destroy();
  });

  test.each([
    ['no key', UPGRADE.slice(0, 3)],
    ['a key that is none', [...UPGRADE.slice(0, 3), 'Sec-WebSocket-Key: x']],
    ['another version', [...UPGRADE.slice(0, 2), 'Sec-WebSocket-Version: 7', ...UPGRADE.slice(3)]],
  ])('a handshake with %s is refused in the envelope', async (_name, lines) => {
    const client = new RawClient(venue.base, lines);
    await eventually(() => (client.closed ? true : undefined), 'the end');
    expect(client.text).toMatch(/^HTTP\/1.1 400 [\s\S]*"code":11001/);
  });

  test('offers of extensions, protocols and HTTP/2 are passed over', async () => {
    const client = new RawClient(venue.base, [...UPGRADE, 'Sec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=8']);
    await eventually(() => (client.text.includes('\r\n\r\n') ? true : undefined), 'the handshake');
    expect(client.text).toContain('HTTP/1.1 101');
    expect(client.text.toLowerCase()).not.toContain('permessage-deflate');
    client.socket.destroy();
    const { hostname, port } = new URL(venue.base);
    const upgrading = connect(Number(port), hostname);
    upgrading.write(
      'GET /status HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: x\r\n\r\n',
    );
    const answer = await new Promise<string>((resolve) => upgrading.once('data', (data) => resolve(String(data))));
    upgrading.destroy();
    expect(answer).toMatch(/^HTTP\/1.1 200 [\s\S]*"ready":true/);
  });
});

describe('storms', () => {
  test('as many topics as there may be, and not one more', async () => {
    await openVenueWith({ topics: 3 });
    const listener = await Listener.at(venue.base);
    for (const symbol of ['BTC_USDC', 'ETH_USDC', 'SOL_USDC'])
      expect(await listener.answersTo(JSON.stringify({ sub: 'subIndex', symbol }))).toContain('succeed');
    const [refused] = await listener.answersTo(JSON.stringify({ sub: 'subIndex', symbol: 'BNB_USDC' }));
    expect(refused).toContain('"reason":"TooMany"');
    expect(await listener.answersTo(JSON.stringify({ unsub: 'subIndex', symbol: 'SOL_USDC' }))).toContain('succeed');
    expect(await listener.answersTo(JSON.stringify({ sub: 'subIndex', symbol: 'BNB_USDC' }))).toContain('succeed');
  });

  test('connections that open, subscribe and vanish leave nothing behind', async () => {
    await openVenueWith({});
    const subscriptions = SCHEMAS.filter(([name]) => name.startsWith('sub ')).length;
    for (let round = 0; round < 20; round += 1) {
      const listeners = await Promise.all(Array.from({ length: 10 }, () => Listener.at(venue.base)));
      for (const { socket } of listeners) {
        for (const symbol of ['BTC_USDC', 'ETH_USDC']) socket.send(JSON.stringify({ sub: 'subSymbol', symbol }));
        socket.send(createHash('sha256').update(String(round)).digest('hex'));
        socket.terminate();
      }
    }
    expect(subscriptions).toBe(5);
    await eventually(
      async () => ((await venue.get('/status')).data as { connections: number }).connections === 0 || undefined,
      'none to be left',
    );
    expect(venue.failures).toEqual([]);
  });
});
