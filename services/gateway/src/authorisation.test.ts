/**
 * Who is let in to which call: every call that is mounted against everyone there is, as it stands in `api/src/testing/authorisation.txt`. What the
 * services behind the door make of it is tried on the whole program, in `exchange/e2e/authorisation.e2e.ts`.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACCOUNT_HEADER, API_FAULTS, contract, isApiFault, type Route } from '@orrery/api';
import { CALLERS, gapsBetween, readAuthorisation, readOperators, type CallerName } from '../../../api/src/testing/authorisation.ts';
import { sampleOf } from './testing/arbitrary.ts';
import { documentedCalls } from './testing/documented-calls.ts';
import { operatorCookie, OPERATORS, type Key, type Person } from './testing/people.ts';
import { neighbours, openVenue, type Answer, type CallOptions, type Venue } from './testing/venue.ts';

const TABLE = readAuthorisation();

/** What is said at the door; every other answer comes from behind it. */
const isOfTheDoor = (reason: string): boolean =>
  ['NotSignedIn', 'SessionExpired', 'AddressBlocked', 'PermissionMissing', 'InvalidApiKey', 'IpNotAllowed'].includes(reason);

let venue: Venue;
let callers: Record<CallerName, CallOptions>;
beforeAll(async () => {
  venue = await openVenue();
  const [blocked, ended]: [Person, Person] = [await venue.newcomer('blocked'), await venue.newcomer('ended')];
  await venue.heart.submit({ type: 'SetAccountFlag', account: blocked.account, flag: 'blocked', value: true });
  venue.people.end(ended);
  const keyFor = (permission: 'READ' | 'TRADE', more: { ipList?: string[]; endsAt?: number; moneyRights?: 'TRANSFER'[] } = {}): Key =>
    venue.people.addKey(venue.alice, { permission, endsAt: venue.clock.now + 1e9, ...more });
  callers = {
    visitor: {},
    owner: { as: venue.alice },
    blocked: { as: blocked },
    ended: { as: ended },
    readKey: { key: keyFor('READ') },
    tradeKey: { key: keyFor('TRADE') },
    transferKey: { key: keyFor('READ', { moneyRights: ['TRANSFER'] }) },
    other: { as: venue.bob },
    offKey: { key: keyFor('TRADE', { endsAt: venue.clock.now }) },
    strayKey: { key: keyFor('TRADE', { ipList: ['192.0.2.7'] }) },
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
    headers: { 'x-orrery-request': '1', ...options.headers },
    ...(route.body === undefined ? {} : { body: sampleOf(route.body) }),
  });
}

describe('A3: the matrix of calls and callers', () => {
  const routes = Object.entries<Route>(contract).flatMap(([name, route]) =>
    [route.path, ...(route.aliases ?? [])].map((path) => ({ name, path, route })),
  );

  test.each(routes)('$route.method $path', async ({ name, path, route }) => {
    const row = TABLE.get(name);
    // Cookies are no matter of the door.
    if (row === undefined || route.access === 'cookie') return expect(row, `${name} has a row`).toBeDefined();
    for (const who of CALLERS) {
      const { status, code, data, text } = await make(route, path, callers[who]);
      const reason = code === 0 ? 'ok' : String(Reflect.get(data, 'reason'));
      if (!isOfTheDoor(row[who])) expect(isOfTheDoor(reason), `${who}: ${text}`).toBe(false);
      else expect([reason, status], who).toEqual([row[who], isApiFault(row[who]) ? API_FAULTS[row[who]].status : 0]);
    }
  });

  test.each(routes.filter(({ route }) => route.access === 'operator'))(
    '[A10] $route.method $path, by operators',
    async ({ name, path, route }) => {
      const row = readOperators().get(name);
      for (const who of OPERATORS) {
        const { code, data, text } = await make(route, path, { headers: { cookie: operatorCookie(who) } });
        expect(code === 0 ? 'ok' : Reflect.get(data, 'reason'), `${who}: ${text}`).toEqual(row?.[who]);
      }
      const foreign = await make(route, path, { headers: { cookie: operatorCookie('admin'), origin: 'https://elsewhere.example' } });
      if (route.method !== 'GET') expect(foreign.status).toBe(403);
      const body = route.method === 'GET' ? {} : { body: {} };
      const bare = await venue.call(route.method, path, { headers: { cookie: operatorCookie('admin') }, ...body });
      expect(bare.data).toMatchObject({ reason: 'MissingField', field: 'x-orrery-request' });
    },
  );

  test.each(routes.filter(({ route }) => !['public', 'cookie', 'operator'].includes(route.access)))(
    '$route.method $path, made for another account than the one that is signed in',
    async ({ path, route }) => {
      const reasonOf = async (options: CallOptions, account: string): Promise<string | undefined> => {
        const { code, data, status } = await make(route, path, { ...options, headers: { [ACCOUNT_HEADER]: account } });
        return code === 0 ? undefined : `${status} ${String(Reflect.get(data, 'reason'))}`;
      };
      const [alice, bob] = [String(venue.alice.account), String(venue.bob.account)];
      for (const account of [bob, `${alice}, ${bob}`, '', 'alice'])
        expect(await reasonOf(callers.owner, account)).toBe('409 AccountChanged');
      expect(await reasonOf(callers.owner, alice)).not.toBe('409 AccountChanged');
      // What a caller may not do at all is said first.
      const ofKey = route.access === 'session' ? '403 PermissionMissing' : '409 AccountChanged';
      const key = route.access === 'transfer' || route.access === 'withdraw' ? callers.transferKey : callers.tradeKey;
      if (route.access !== 'withdraw') expect(await reasonOf(key, bob)).toBe(ofKey);
    },
  );

  test('what is mounted has its rows; a planted call without one is found', async () => {
    const messages = [...TABLE.keys()].filter((name) => name.includes(':'));
    const gapsAt = async ({ base }: Venue): Promise<readonly string[]> => {
      const names = (await documentedCalls(base)).map(({ name }) => name.split('At_', 1)[0] ?? name);
      return gapsBetween([...new Set(names), ...messages], TABLE);
    };
    expect(await gapsAt(venue)).toEqual([]);
    const planted = { name: 'planted', route: { ...contract.config, path: '/pro/p/planted' }, answer: () => null };
    const other = await openVenue({ mounts: [...neighbours(), planted] });
    expect(await gapsAt(other)).toEqual(['planted has no row']);
    await other.close();
  });

  test('every other method of a call is 405', async () => {
    for (const route of Object.values<Route>(contract)) {
      const other = await venue.call(route.method === 'GET' ? 'PUT' : 'GET', route.path);
      expect(other).toMatchObject({ status: 405, code: 14_002 });
      expect(other.headers.get('allow')).toBe(route.method);
    }
  });
});
