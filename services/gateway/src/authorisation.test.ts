/** Who may make which call: every route of the contract against everyone there is. A route without a row fails. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contract, type CallName, type Route } from '@orrery/api';
import { sampleOf } from './testing/arbitrary.ts';
import type { Key, Person } from './testing/people.ts';
import { openVenue, type Answer, type CallOptions, type Venue } from './testing/venue.ts';

const WHO = ['visitor', 'owner', 'blocked', 'ended', 'readKey', 'tradeKey'] as const;
type Who = (typeof WHO)[number];
type Row = Readonly<Record<Who, 'in' | 401 | 403>>;

const everyone: Row = { visitor: 'in', owner: 'in', blocked: 'in', ended: 'in', readKey: 'in', tradeKey: 'in' };
const people: Row = { visitor: 401, owner: 'in', blocked: 403, ended: 401, readKey: 403, tradeKey: 403 };
const readers: Row = { visitor: 401, owner: 'in', blocked: 403, ended: 401, readKey: 'in', tradeKey: 'in' };
const traders: Row = { visitor: 401, owner: 'in', blocked: 403, ended: 401, readKey: 403, tradeKey: 'in' };

const MATRIX: Readonly<Record<CallName, Row>> = {
  status: everyone,
  config: everyone,
  nonce: everyone,
  verify: everyone,
  refresh: everyone,
  logout: everyone,
  checkAgreement: everyone,
  agree: everyone,
  checkWhitelist: everyone,
  faucetStatus: everyone,
  symbols: everyone,
  coins: everyone,
  time: everyone,
  tickers: everyone,
  ticker: everyone,
  depth: everyone,
  deals: everyone,
  klines: everyone,
  indexPrice: everyone,
  luckyBlocks: everyone,
  contracts: everyone,
  chainTransaction: everyone,
  chainBlock: everyone,
  chainTransactions: everyone,
  connection: people,
  sessions: people,
  revokeSession: people,
  createApiKey: people,
  updateApiKey: people,
  setApiKeyStatus: people,
  deleteApiKey: people,
  apiKeys: people,
  claim: people,
  withdraw: people,
  addCollection: people,
  collections: people,
  cancelCollection: people,
  taskStatus: people,
  taskCount: people,
  completedTasks: people,
  ownLuckyBlocks: people,
  accountInfo: readers,
  openOrders: readers,
  orderHistory: readers,
  order: readers,
  fills: readers,
  spotBalances: readers,
  balances: readers,
  transfers: readers,
  bills: readers,
  withdrawals: readers,
  deposits: readers,
  streamTicket: readers,
  createOrder: traders,
  cancelOrder: traders,
  createOrders: traders,
  cancelOrders: traders,
  cancelAllOrders: traders,
  updateOrder: traders,
  transfer: traders,
};

let venue: Venue;
let callers: Record<Who, CallOptions>;
beforeAll(async () => {
  venue = await openVenue();
  const [blocked, ended]: [Person, Person] = [await venue.newcomer('blocked'), await venue.newcomer('ended')];
  await venue.heart.submit({ type: 'SetAccountFlag', account: blocked.account, flag: 'blocked', value: true });
  venue.people.end(ended);
  const keyFor = (permission: 'READ' | 'TRADE'): Key => venue.people.addKey(venue.alice, { permission, endsAt: venue.clock.now + 1e9 });
  callers = {
    visitor: {},
    owner: { as: venue.alice },
    blocked: { as: blocked },
    ended: { as: ended },
    readKey: { key: keyFor('READ') },
    tradeKey: { key: keyFor('TRADE') },
  };
});
afterAll(() => venue.close());

/** A call that fits its schemas, and so asks nothing but who may make it. */
async function make(route: Route, path: string, options: CallOptions): Promise<Answer> {
  venue.clock.now += 1;
  const query =
    route.query === undefined
      ? {}
      : Object.fromEntries(Object.entries(sampleOf(route.query) as object).map(([name, value]) => [name, String(value)]));
  return venue.call(route.method, path, {
    ...options,
    query,
    headers: { 'x-orrery-request': '1' },
    ...(route.body === undefined ? {} : { body: sampleOf(route.body) }),
  });
}

describe('A3: the matrix of calls and callers', () => {
  const routes = Object.entries<Route>(contract).flatMap(([name, route]) =>
    [route.path, ...(route.aliases ?? [])].map((path) => ({ name: name as CallName, path, route })),
  );

  test.each(routes)('$route.method $path', async ({ name, path, route }) => {
    const row = MATRIX[name];
    expect(row, `${name} has a row`).toBeDefined();
    for (const who of WHO) {
      const { status, text } = await make(route, path, callers[who]);
      const expected = row[who];
      if (expected === 'in') expect([401, 403], `${who}: ${text}`).not.toContain(status);
      else expect(status, `${who}: ${text}`).toBe(expected);
    }
  });

  test('every row is of a route, and every other method of it is 405', async () => {
    expect(Object.keys(MATRIX).toSorted()).toEqual(Object.keys(contract).toSorted());
    for (const route of Object.values<Route>(contract)) {
      const other = await venue.call(route.method === 'GET' ? 'PUT' : 'GET', route.path);
      expect(other).toMatchObject({ status: 405, code: 14_002 });
      expect(other.headers.get('allow')).toBe(route.method);
    }
  });
});
