/** For the matrix of calls and callers: connections, and how each of them logs in to the stream. */
import { STREAM_PATH, StreamRequest, Subscribe } from '@orrery/api';
import { expect } from 'vitest';
import { type CallerName } from '../../../api/src/testing/authorisation.ts';
import { sampleOf, type Shape } from '../../../services/gateway/src/testing/arbitrary.ts';
import type { Key } from '../../../services/gateway/src/testing/people.ts';
import { until } from '../until.ts';
import { alice, anyProcess, bob, call, carol, carolsKey, dave, isTaken, keys, signed, ticketOf } from './ground.ts';
import { inputOf } from './input.ts';

/** Taken, and logged in with, before carol was blocked and dave's session ended. */
const before: Partial<Record<'blocked' | 'ended', { tickets: string[]; connection: Connection }>> = {};

/** While the two may still do so. */
export async function logInBefore(): Promise<void> {
  for (const [who, person] of [
    ['blocked', carol],
    ['ended', dave],
  ] as const) {
    const tickets = [await ticketOf(person), await ticketOf(person)];
    before[who] = { tickets, connection: await loggedIn(await ticketOf(person)) };
  }
}

/** The end of a session closes its connections, at whichever process they are open. */
export const closedAfter = (): Promise<unknown> =>
  until('the connections of the two are closed', async () => Object.values(before).every(({ connection }) => connection.isClosed));

export class Connection {
  readonly socket: WebSocket;
  readonly #heard: string[] = [];
  #read = 0;
  isClosed = false;

  constructor() {
    this.socket = new WebSocket(`${anyProcess().url.replace('http', 'ws')}${STREAM_PATH}`);
    this.socket.addEventListener('message', ({ data }) => this.#heard.push(String(data)));
    this.socket.addEventListener('close', () => (this.isClosed = true));
  }

  /** `ok`, the reason of the refusal, or `closed`. */
  async ask(message: object): Promise<string> {
    if (this.socket.readyState === WebSocket.CONNECTING) await new Promise((resolve) => this.socket.addEventListener('open', resolve));
    if (!this.isClosed) this.socket.send(JSON.stringify(message));
    return until('an answer', () => Promise.resolve(this.#answer()));
  }

  #answer(): string | undefined {
    if (this.isClosed) return 'closed';
    while (this.#read < this.#heard.length) {
      const text = this.#heard[this.#read] ?? '';
      this.#read += 1;
      if (text === 'succeed') return 'ok';
      const { resType, code, data } = JSON.parse(text) as { resType: string; code: number; data: unknown };
      if (resType === 'reply' && isTaken(code)) return 'ok';
      if (resType === 'reply' || resType === 'error') return String(Reflect.get(data as object, 'reason'));
    }
    return undefined;
  }
}

async function loggedIn(token: string): Promise<Connection> {
  const connection = new Connection();
  expect(await connection.ask({ op: 'login', id: 1, params: { token } })).toBe('ok');
  return connection;
}

const NO_TICKET = 'there-is-no-such-ticket';
const NO_KEY: Key = { accessKey: 'there-is-no-such-key', secret: 'x' };

/** A ticket as this one can have it; of alice's used one for the other. */
async function ticketFor(who: CallerName): Promise<string> {
  switch (who) {
    case 'owner':
      return ticketOf(alice);
    case 'other': {
      const ticket = await ticketOf(alice);
      (await loggedIn(ticket)).socket.close();
      return ticket;
    }
    case 'blocked':
    case 'ended':
      return before[who]?.tickets.pop() ?? NO_TICKET;
    case 'readKey':
    case 'tradeKey':
    case 'transferKey':
      return String((await call({ method: 'GET', url: '/spot/v1/u/ws/token', headers: signed(keys[who], []) })).data);
    default:
      return NO_TICKET;
  }
}

function keyFor(who: CallerName): Key {
  switch (who) {
    case 'owner':
      return keys.tradeKey;
    case 'other':
      return { accessKey: keys.tradeKey.accessKey, secret: keys.readKey.secret };
    case 'blocked':
      return carolsKey;
    case 'visitor':
    case 'ended':
      return NO_KEY;
    default:
      return keys[who];
  }
}

function keyLogin(key: Key): object {
  const headers = signed(key, []);
  const params = {
    accessKey: key.accessKey,
    timestamp: Number(headers['x-request-timestamp']),
    nonce: headers['x-request-nonce'],
    signature: headers['x-signature'],
  };
  return { op: 'loginKey', id: 1, params };
}

/** A connection on which this one has tried to log in as well as may be. */
export async function connectionOf(who: CallerName): Promise<Connection> {
  if (who === 'blocked' || who === 'ended') return before[who]?.connection ?? new Connection();
  const connection = new Connection();
  if (who === 'owner' || who === 'other')
    await connection.ask({ op: 'login', id: 1, params: { token: await ticketOf(who === 'owner' ? alice : bob) } });
  else if (who !== 'visitor') await connection.ask(keyLogin(keys[who]));
  return connection;
}

export async function messageOf(name: string, schema: Shape, who: CallerName): Promise<object> {
  if (name === 'sub:subUser') return { sub: 'subUser', token: await ticketFor(who) };
  if (name === 'op:login') return { op: 'login', id: 1, params: { token: await ticketFor(who) } };
  if (name === 'op:loginKey') return keyLogin(keyFor(who));
  const [kind = '', operation = ''] = name.split(':');
  if (kind === 'sub') return { ...(sampleOf(schema) as object), ...('symbol' in (schema.properties ?? {}) ? { symbol: 'BTC_USDC' } : {}) };
  const route = {
    'order.create': 'createOrder',
    'order.oco': 'createPair',
    'order.update': 'updateOrder',
    'order.cancel': 'cancelOrder',
    'order.batchCreate': 'createOrders',
    'order.batchCancel': 'cancelOrders',
  }[operation];
  return { op: operation, id: 1, params: await inputOf(route ?? operation, schema.properties?.['params'] ?? {}) };
}

export const MESSAGES = [...Subscribe.anyOf, ...StreamRequest.anyOf].map((schema): readonly [string, Shape] => {
  const [kind, { const: name }] = Object.entries(schema.properties)[0] as [string, { const: string }];
  return [`${kind}:${name}`, schema];
});
