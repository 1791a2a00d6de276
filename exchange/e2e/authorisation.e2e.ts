/**
 * A3: every call that the running program documents and every message of its stream, made by everyone there is: what each is answered stands in
 * `api/src/testing/authorisation.txt`. A call without a row fails.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { STATEMENTS, STREAM_PATH, StreamRequest, Subscribe } from '@orrery/api';
import { atoms, parseAddress, type AccountId, type Address } from '@orrery/units';
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts';
import { createSiweMessage } from 'viem/siwe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CALLERS, gapsBetween, readAuthorisation, type CallerName } from '../../api/src/testing/authorisation.ts';
import { sampleOf, type Shape } from '../../services/gateway/src/testing/arbitrary.ts';
import { documentedCalls, type DocumentedCall } from '../../services/gateway/src/testing/documented-calls.ts';
import { signedHeaders, type Key } from '../../services/gateway/src/testing/people.ts';
import { send } from '../../services/gateway/src/testing/wire.ts';
import { Closing } from '../src/closing.ts';
import { readConfig } from '../src/config.ts';
import { ASSETS } from '../src/listing.ts';
import { startExchange, type RunningProgram } from '../src/start.ts';
import { until } from './until.ts';

const CHAIN_ID = 138_565;
const TABLE = readAuthorisation();
/** Nobody of ours calls from here. */
const ELSEWHERE = '192.0.2.7';
/** Stands in every order of alice's. */
const CANARY = 'canary-of-alice';

interface Person {
  readonly wallet: PrivateKeyAccount;
  readonly address: Address;
  readonly account: AccountId;
  readonly token: string;
}

let directory: string;
let program: RunningProgram;
let alice: Person;
let bob: Person;
let carol: Person;
let dave: Person;
let carolsKey: Key;
let keys: Record<'readKey' | 'tradeKey' | 'offKey' | 'strayKey', Key>;
let price: string;
/** Taken, and logged in with, before carol was blocked and dave's session ended. */
const before: Partial<Record<'blocked' | 'ended', { tickets: string[]; connection: Connection }>> = {};
const agent = new Agent({ keepAlive: true });
const closing = new Closing((part, error) => console.error(part, error));

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'orrery-authorisation-'));
  program = await startExchange({
    config: readConfig({
      ORRERY_PORT: '0',
      ORRERY_DATA: directory,
      ORRERY_MARKET_MAKER: 'off',
      ORRERY_PROXY_HOPS: '1',
      ORRERY_LOG: 'error',
    }),
    say: () => undefined,
    closing,
    onFatal: (error) => {
      throw error;
    },
  });
  [alice, bob, carol, dave] = [await newcomer(), await newcomer(), await newcomer(), await newcomer()];
  keys = {
    readKey: await keyOf(alice, 'READ'),
    tradeKey: await keyOf(alice, 'TRADE'),
    offKey: await keyOf(alice, 'TRADE'),
    strayKey: await keyOf(alice, 'TRADE', [ELSEWHERE]),
  };
  await program.accounts.apiKeys.setEnabled(alice, { accessKey: keys.offKey.accessKey, enabled: false });
  carolsKey = await keyOf(carol, 'TRADE');
  const index = await call({ method: 'GET', url: '/pro/p/quotation/index?symbol=BTC_USDC' });
  price = String(Math.floor(Number(Reflect.get(index.data as object, 'p')) * 0.95));
  for (const [who, person] of [
    ['blocked', carol],
    ['ended', dave],
  ] as const) {
    const tickets = [await ticketOf(person), await ticketOf(person)];
    before[who] = { tickets, connection: await loggedIn(await ticketOf(person)) };
  }
  await program.heart.submit({ type: 'SetAccountFlag', account: carol.account, flag: 'blocked', value: true });
  expect((await call({ method: 'POST', url: '/pro/u/auth/logout', body: {}, headers: bearer(dave) })).reason).toBe('ok');
});
afterAll(async () => {
  agent.destroy();
  await closing.run();
  await rm(directory, { recursive: true, force: true });
});

interface Call {
  readonly method: string;
  readonly url: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

let calls = 0;

/** Each call comes from another address, as the one trusted proxy tells. @returns `ok`, or the reason of the refusal. */
async function call({ method, url, body, headers = {} }: Call): Promise<{ reason: string; data: unknown; text: string }> {
  calls += 1;
  const { text } = await send(program.url, agent, {
    method,
    url,
    headers: Object.entries({
      'content-type': 'application/json',
      'x-orrery-request': '1',
      'x-forwarded-for': `10.0.${calls >> 8}.${calls & 255}`,
      ...headers,
    }),
    body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
  });
  const { code, data } = JSON.parse(text) as { code: number; data: unknown };
  return { reason: code === 0 ? 'ok' : String(Reflect.get(data as object, 'reason')), data, text };
}

const bearer = ({ token }: { token: string }): Record<string, string> => ({ authorization: `Bearer ${token}` });

let lastTimestamp = 0;
/** The same signature twice would be a replay. */
function signed(key: Key, parameters: readonly (readonly [string, string])[]): Record<string, string> {
  lastTimestamp = Math.max(Date.now(), lastTimestamp + 1);
  return signedHeaders(key, parameters, lastTimestamp);
}

/** Signs in with a wallet, as a page does. @returns the access token. */
async function signIn(wallet: PrivateKeyAccount): Promise<string> {
  calls += 1;
  const headers = { origin: program.url, 'x-forwarded-for': `10.1.${calls >> 8}.${calls & 255}`, 'content-type': 'application/json' };
  const asked = await fetch(`${program.url}/pro/p/auth/nonce?evmAddress=${wallet.address}`, { headers });
  const cookie = asked.headers.getSetCookie().map((each) => each.split(';', 1)[0]);
  const { data: nonce } = (await asked.json()) as { data: string };
  const message = createSiweMessage({
    address: wallet.address,
    chainId: CHAIN_ID,
    domain: new URL(program.url).host,
    uri: program.url,
    version: '1',
    nonce,
    statement: STATEMENTS.login,
    issuedAt: new Date(),
  });
  const answer = await fetch(`${program.url}/pro/p/auth/verify`, {
    method: 'POST',
    headers: { ...headers, cookie: cookie.join('; ') },
    body: JSON.stringify({ nonce, message, signature: await wallet.signMessage({ message }) }),
  });
  const { code, data: token } = (await answer.json()) as { code: number; data: string };
  expect(code).toBe(0);
  return token;
}

/** Somebody who may trade and has money in funding and spot. */
async function newcomer(): Promise<Person> {
  const { accounts, heart } = program;
  const wallet = privateKeyToAccount(generatePrivateKey());
  const address = parseAddress(wallet.address);
  if (address === undefined) throw new Error('not an address');
  const token = await signIn(wallet);
  const { account } = await accounts.directory.open(address);
  for (const flag of ['termsAccepted', 'whitelisted', 'connected'] as const) await accounts.directory.setFlag(account, flag);
  for (const { asset, code, decimals, kind } of ASSETS) {
    if (kind !== 'chain') continue;
    const amount = atoms(1_000_000n * 10n ** BigInt(decimals));
    await heart.submit({ type: 'CreditDeposit', key: `test:${account}:${code}`, address, asset, amount });
    const half = atoms(amount / 2n);
    await heart.submit({ type: 'Transfer', account, transferId: `test-${code}`, asset, amount: half, from: 'funding', to: 'spot' });
  }
  return { wallet, address, account, token };
}

const keyOf = (owner: Person, permission: 'READ' | 'TRADE', ipList: string[] = []): Promise<Key> =>
  program.accounts.apiKeys.create(owner, { label: 'test', permission, ipList });

const ticketOf = async (person: Person): Promise<string> =>
  String((await call({ method: 'GET', url: '/spot/v1/u/ws/token', headers: bearer(person) })).data);

const orderBody = (clientOrderId?: string): object => ({
  symbol: 'BTC_USDC',
  direction: 'BUY',
  tradeType: 'LIMIT',
  price,
  totalAmount: '0.001',
  ...(clientOrderId === undefined ? {} : { clientOrderId }),
});

let orders = 0;
/** An open order of alice's. */
async function placedOrder(): Promise<string> {
  orders += 1;
  const body = orderBody(`${CANARY}-${orders}`);
  const { reason, data } = await call({ method: 'POST', url: '/spot/v1/u/trade/order/create', body, headers: bearer(alice) });
  expect(reason).toBe('ok');
  return String(data);
}

/** Things of alice's that a call may be about, made when a call asks for them. */
const things: Readonly<Record<string, () => unknown>> = {
  symbol: () => 'BTC_USDC',
  coin: () => 'USDC',
  amount: () => '1',
  from: () => 'funding',
  to: () => 'spot',
  walletAddress: () => alice.address,
  address: () => alice.address,
  evmAddress: () => alice.address,
  termsCode: () => 'TERMS',
  taskCode: () => 'INVITE_5',
  async campaignId() {
    const { data } = await call({ method: 'GET', url: '/biz/leaderboard/campaigns' });
    return (data as { campaignId: string }[])[0]?.campaignId;
  },
  message: () => 'not a message of ours',
  label: () => 'another label',
  orderId: placedOrder,
  orderIds: async () => [await placedOrder()],
  orders: () => [orderBody()],
  price: () => String(Number(price) - 1),
  accessKey: async () => (await keyOf(alice, 'READ')).accessKey,
  sessionId: async () => {
    await signIn(alice.wallet);
    const { data } = await call({ method: 'GET', url: '/pro/u/session/list', headers: bearer(alice) });
    const { list } = data as { list: { sessionId: string; current: boolean }[] };
    return list.find(({ current }) => !current)?.sessionId;
  },
};

/** Optional fields without which these calls are about nothing. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  order: ['orderId'],
  fills: ['orderId'],
  cancelOrder: ['orderId'],
  cancelOrders: ['orderIds'],
  createOrders: ['orders'],
  updateOrder: ['price'],
  updateApiKey: ['label'],
  claim: ['address'],
  chainTransactions: ['address'],
};

async function inputOf(name: string, { properties = {}, required = [] }: Shape): Promise<Record<string, unknown>> {
  if (name === 'createOrder') return { ...orderBody() };
  const input: Record<string, unknown> = {};
  for (const [field, schema] of Object.entries(properties)) {
    if (!required.includes(field) && ALSO[name]?.includes(field) !== true) continue;
    // The receiver of a withdrawal is an address, that of a transfer a wallet.
    input[field] = name === 'withdraw' && field === 'to' ? bob.address : await (things[field]?.() ?? sampleOf(schema));
  }
  return input;
}

/** Made with the same input by everyone; the owner last, after whom there may be nothing left to be called for. */
const IN_TURN: readonly CallerName[] = [...CALLERS.filter((who) => who !== 'owner'), 'owner'];

function headersOf(who: CallerName, parameters: readonly (readonly [string, string])[]): Record<string, string> {
  switch (who) {
    case 'visitor':
      return {};
    case 'owner':
      return bearer(alice);
    case 'other':
      return bearer(bob);
    case 'blocked':
      return bearer(carol);
    case 'ended':
      return bearer(dave);
    default:
      return signed(keys[who], parameters);
  }
}

/** A block ends the sessions of its account at once: what is left to say of them is that they have ended. */
const expectedOf = (name: string, who: CallerName): string | undefined => {
  const cell = TABLE.get(name)?.[who];
  return who === 'blocked' && cell === 'AddressBlocked' ? 'SessionExpired' : cell;
};

async function makeCall(
  documented: DocumentedCall,
  name: string,
  who: CallerName,
  input: Record<string, unknown>,
): Promise<{ reason: string; text: string }> {
  const { method, path, body } = documented;
  const parameters = body === undefined ? Object.entries(input).map(([field, value]) => [field, String(value)] as const) : [];
  const search = new URLSearchParams(parameters.map(([field, value]) => [field, value]));
  const signedOver = body === undefined ? parameters : [['body', JSON.stringify(input)] as const];
  return call({
    method,
    url: parameters.length === 0 ? path : `${path}?${search.toString()}`,
    ...(body === undefined ? {} : { body: input }),
    headers: headersOf(who, signedOver),
  });
}

class Connection {
  readonly socket: WebSocket;
  readonly #heard: string[] = [];
  #read = 0;
  isClosed = false;

  constructor() {
    this.socket = new WebSocket(`${program.url.replace('http', 'ws')}${STREAM_PATH}`);
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
      if (resType === 'reply' && code === 0) return 'ok';
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
async function connectionOf(who: CallerName): Promise<Connection> {
  if (who === 'blocked' || who === 'ended') return before[who]?.connection ?? new Connection();
  const connection = new Connection();
  if (who === 'owner' || who === 'other')
    await connection.ask({ op: 'login', id: 1, params: { token: await ticketOf(who === 'owner' ? alice : bob) } });
  else if (who !== 'visitor') await connection.ask(keyLogin(keys[who]));
  return connection;
}

async function messageOf(name: string, schema: Shape, who: CallerName): Promise<object> {
  if (name === 'sub:subUser') return { sub: 'subUser', token: await ticketFor(who) };
  if (name === 'op:login') return { op: 'login', id: 1, params: { token: await ticketFor(who) } };
  if (name === 'op:loginKey') return keyLogin(keyFor(who));
  const [kind = '', operation = ''] = name.split(':');
  if (kind === 'sub') return { ...(sampleOf(schema) as object), ...('symbol' in (schema.properties ?? {}) ? { symbol: 'BTC_USDC' } : {}) };
  const route = {
    'order.create': 'createOrder',
    'order.update': 'updateOrder',
    'order.cancel': 'cancelOrder',
    'order.batchCreate': 'createOrders',
    'order.batchCancel': 'cancelOrders',
  }[operation];
  return { op: operation, id: 1, params: await inputOf(route ?? operation, schema.properties?.['params'] ?? {}) };
}

const MESSAGES = [...Subscribe.anyOf, ...StreamRequest.anyOf].map((schema): readonly [string, Shape] => {
  const [kind, { const: name }] = Object.entries(schema.properties)[0] as [string, { const: string }];
  return [`${kind}:${name}`, schema];
});

// First, while the tickets are good that were taken before the sessions ended.
describe('A3: every message of the stream, from everyone', () => {
  test.each(MESSAGES)('%s', async (name, schema) => {
    const row: [CallerName, string][] = [];
    for (const who of CALLERS) {
      const needsLogin = name.startsWith('op:order.');
      const connection = needsLogin ? await connectionOf(who) : new Connection();
      row.push([who, await connection.ask(await messageOf(name, schema, who))]);
      connection.socket.close();
    }
    expect(Object.fromEntries(row)).toEqual(TABLE.get(name));
  });
});

describe('A3: every call that is documented, by everyone', () => {
  test('each has a row, and each row its call', async () => {
    const names = (await documentedCalls(program.url)).map(({ name }) => rowOf(name));
    expect(gapsBetween([...new Set(names), ...MESSAGES.map(([name]) => name)], TABLE)).toEqual([]);
  });

  test('and each gets the answer that stands there', { timeout: 240_000 }, async () => {
    const documented = await documentedCalls(program.url);
    // The last one ends the session of whoever makes it.
    const inOrder = [...documented.filter(({ name }) => name !== 'logout'), ...documented.filter(({ name }) => name === 'logout')];
    const wrong: string[] = [];
    for (const each of inOrder) {
      const name = rowOf(each.name);
      const same = await inputOf(name, each.body ?? each.query);
      for (const who of IN_TURN) {
        // An order that one of these has cancelled is not there for the next.
        const isUsedUp = ('orderId' in same || 'orderIds' in same) && (who === 'tradeKey' || who === 'owner');
        const input = isUsedUp ? await inputOf(name, each.body ?? each.query) : same;
        const { reason, text } = await makeCall(each, name, who, input);
        if (reason !== expectedOf(name, who))
          wrong.push(`${each.method} ${each.path} by ${who}: ${reason}, not ${String(expectedOf(name, who))}`);
        if (who === 'other' && each.isPrivate && reason === 'ok' && text.includes(CANARY))
          wrong.push(`${each.path} tells bob of alice: ${text}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

/** Another path of the same call has the same row. */
const rowOf = (name: string): string => name.split('At_', 1)[0] ?? name;
