/** For tests: the gateway on a real socket in front of the real engine, and people with money. */
import { pino } from 'pino';
import {
  contract,
  depositRoutes,
  futuresCampaignRoutes,
  olderReadRoutes,
  withdrawalReviewRoutes,
  type ClientConfig,
  type Route,
} from '@orrery/api';
import { accountId, assert, atoms, parseAddress, parseAtoms, type AccountId, type Address } from '@orrery/units';
import { assetByCode, PRACTICE_CONTRACTS, registerListing, USUAL_LISTING } from '../../../../exchange/src/listing.ts';
import { MemoryHeart } from '../../../../exchange/src/testing/memory-heart.ts';
import { createGateway, type Gateway, type GatewayOptions } from '../gateway.ts';
import { LIMITS, type Limits } from '../limits/limits.ts';
import type { Mounted } from '@orrery/api';
import { sampleOf } from './arbitrary.ts';
import { MemoryHistory } from './memory-history.ts';
import { People, signedHeaders, type Key, type Person } from './people.ts';

export const NOW = 1_795_000_000_000;
const HOUR = 3_600_000;
/** Bob's. */
const HOUSE = accountId(2);

export const CONFIG: ClientConfig = {
  environment: 'test',
  termsCode: 'TERMS',
  defaultSymbol: 'BTC_USDC',
  defaultChainId: 138_565,
  chains: [],
  blockedAddresses: [],
  burnerWallet: true,
  walletConnectProjectId: null,
  signerOrigin: null,
  analytics: null,
  joinWhitelistUrl: null,
  submitBugUrl: null,
  appLinks: { appStore: null, googlePlay: null },
  currencyRates: [],
};

const ROOMY_RATE = { count: 1_000_000, perMs: 1, burst: 1_000_000, by: 'account' } as const;

/** Limits at which no test of something else is ever refused. */
export const ROOMY: Limits = {
  ...LIMITS,
  rates: {
    standard: allRoomy(LIMITS.rates.standard),
    marketMaker: allRoomy(LIMITS.rates.marketMaker),
  },
  stream: { ...LIMITS.stream, connectionsPerNetwork: 1_000, messages: ROOMY_RATE, depthIntervalMs: 5, statsIntervalMs: 20 },
  http: { ...LIMITS.http, socketsPerNetwork: 1_000 },
};

function allRoomy(rates: Limits['rates']['standard']): Limits['rates']['standard'] {
  return Object.fromEntries(Object.keys(rates).map((name) => [name, ROOMY_RATE])) as Limits['rates']['standard'];
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly code: number;
  readonly msg: string;
  readonly data: never;
  readonly text: string;
}

export interface CallOptions {
  readonly as?: Person;
  readonly key?: Key;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Venue {
  readonly heart: MemoryHeart;
  readonly gateway: Gateway;
  readonly people: People;
  readonly clock: { now: number };
  readonly base: string;
  readonly failures: unknown[];
  readonly alice: Person;
  readonly bob: Person;
  /** Opens an account that may trade and has money in spot and funding. */
  newcomer(name: string): Promise<Person>;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  get(path: string, options?: CallOptions): Promise<Answer>;
  post(path: string, options?: CallOptions): Promise<Answer>;
  close(): Promise<void>;
}

export async function openVenue(changes: Partial<GatewayOptions> = {}): Promise<Venue> {
  const clock = { now: NOW };
  const heart = new MemoryHeart(() => clock.now);
  await registerListing(heart, { ...USUAL_LISTING, practice: PRACTICE_CONTRACTS });
  const people = new People();
  const history = new MemoryHistory(heart);
  const failures: unknown[] = [];
  const gateway: Gateway = await createGateway({
    heart,
    authenticator: people,
    operators: people,
    history,
    marketHistory: history,
    contractHistory: history.contracts,
    historyStaleSince: () => undefined,
    news: { onNews: () => () => undefined },
    rpc: { handle: async (body) => body },
    sandbox: { scope: 'everywhere', move: () => undefined, shift: () => 0, house: () => Promise.resolve(HOUSE) },
    counts: 'memory',
    countsKey: Buffer.alloc(32, 7),
    mounts: neighbours(),
    config: () => CONFIG,
    version: '0.1.0',
    parts: [],
    contracts: new Set(),
    terminalDirectory: undefined,
    connectSources: [],
    origins: [],
    foreignOrigins: [],
    proxyHops: 0,
    logger: pino({ level: 'silent' }),
    limits: ROOMY,
    now: () => clock.now,
    wallMs: () => clock.now,
    monotonicMs: () => clock.now,
    startedAt: NOW - HOUR,
    onFailure: (error) => failures.push(error),
    ...changes,
  });
  const { port } = await gateway.listen({ host: '127.0.0.1', port: 0 });
  const base = `http://127.0.0.1:${port}`;
  const call = caller(base, clock);
  let accounts = 0;
  const newcomer = async (name: string): Promise<Person> => {
    accounts += 1;
    return openAccount({ heart, people, clock }, name, accounts);
  };
  const venue = {
    heart,
    gateway,
    people,
    clock,
    base,
    failures,
    newcomer,
    call,
    get: (path: string, options?: CallOptions) => call('GET', path, options),
    post: (path: string, options?: CallOptions) => call('POST', path, options),
    async close() {
      heart.stop();
      await gateway.close();
    },
  };
  return { ...venue, alice: await newcomer('alice'), bob: await newcomer('bob') };
}

async function openAccount(
  { heart, people, clock }: { heart: MemoryHeart; people: People; clock: { now: number } },
  name: string,
  number: number,
): Promise<Person> {
  const address = parseAddress(`0x${number.toString(16).padStart(40, '0')}`);
  assert(address !== undefined, 'the address is one');
  const { events } = await heart.submit({ type: 'OpenAccount', address });
  const [opened] = events;
  assert(opened?.type === 'AccountOpened', 'the account is open');
  const { account } = opened;
  for (const flag of ['termsAccepted', 'whitelisted', 'connected'] as const)
    await heart.submit({ type: 'SetAccountFlag', account, flag, value: true });
  await fund(heart, { account, address, coin: 'USDC', amount: '2000000' });
  await fund(heart, { account, address, coin: 'BTC', amount: '20' });
  const person = { name, account: accountId(account), address, token: `token-of-${name}`.padEnd(24, '-') };
  people.addSession(person, { endsAt: clock.now + 5 * HOUR });
  return person;
}

/** Deposits and moves half of it to spot. */
async function fund(
  heart: MemoryHeart,
  { account, address, coin, amount }: { account: AccountId; address: Address; coin: string; amount: string },
): Promise<void> {
  const { asset, decimals } = assetByCode(coin);
  const whole = parseAtoms(amount, decimals);
  assert(whole !== undefined, 'the amount is one');
  await heart.submit({ type: 'CreditDeposit', key: `138565:${address}:${coin}`, address, asset, amount: whole });
  await heart.submit({
    type: 'Transfer',
    account,
    transferId: `half-${coin}`,
    asset,
    amount: atoms(whole / 2n),
    from: 'funding',
    to: 'spot',
  });
}

function caller(base: string, clock: { now: number }) {
  return async (method: string, path: string, { as, key, query = {}, body, headers = {} }: CallOptions = {}): Promise<Answer> => {
    const parameters = Object.entries(query);
    const text = body === undefined ? undefined : JSON.stringify(body);
    const signed =
      key === undefined ? {} : signedHeaders(key, text === undefined ? parameters : [...parameters, ['body', text]], clock.now);
    const search = parameters.length === 0 ? '' : `?${new URLSearchParams(query).toString()}`;
    const response = await fetch(`${base}${path}${search}`, {
      method,
      headers: {
        ...(as === undefined ? {} : { authorization: `Bearer ${as.token}` }),
        ...(text === undefined ? {} : { 'content-type': 'application/json' }),
        ...signed,
        ...headers,
      },
      ...(text === undefined ? {} : { body: text }),
    });
    return answerOf(response);
  };
}

export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true && text !== '';
  const { code, msg, data } = isJson ? JSON.parse(text) : { code: Number.NaN, msg: '', data: undefined };
  return { status: response.status, headers: response.headers, code, msg, data: data as never, text };
}

const OWN_PREFIXES = [
  '/futures/fapi/market',
  '/futures/fapi/trade',
  '/futures/fapi/user/v1/account',
  '/futures/fapi/user/v1/balance',
  '/futures/fapi/user/v1/position',
  '/futures/fapi/user/v1/step-rate',
  '/futures/fapi/user/v1/user/listen-key',
  '/pro/p/asset/',
  '/pro/p/assist-price',
  '/status',
  '/pro/p/config',
  '/pro/p/symbol',
  '/pro/p/quotation',
  '/sandbox',
  '/spot',
  '/pro/u/asset',
  ...Object.values<Route>(olderReadRoutes).map(({ path }) => path),
];

/** Calls of other services whose paths lie among those of the gateway. */
const NOT_OWN: ReadonlySet<string> = new Set(
  [futuresCampaignRoutes, depositRoutes, withdrawalReviewRoutes].flatMap((routes) => Object.keys(routes)),
);

/** The calls of the other services, each answering something that fits its schema. */
export function neighbours(): Mounted[] {
  return Object.entries<Route>(contract)
    .filter(([name, { path }]) => NOT_OWN.has(name) || !OWN_PREFIXES.some((prefix) => path.startsWith(prefix)))
    .filter(([, { path }]) => path !== '/pro/p/time')
    .map(([name, route]) => {
      const sample = sampleOf(route.response);
      return { name, route, answer: () => sample };
    });
}

/** Waits until `find` finds something, or fails. */
export async function eventually<Found>(find: () => Found | undefined | Promise<Found | undefined>, what: string): Promise<Found> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
