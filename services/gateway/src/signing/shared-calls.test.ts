/** A call that is signed, at two gateways that share what they have taken. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrations, type GatewayTables } from '../limits/tables.ts';
import { temporaryDatabase, type TemporaryDatabase } from '../../../../exchange/src/testing/temporary-database.ts';
import { signedRequestHeaders, type Key } from '../testing/people.ts';
import { openVenue, type Venue } from '../testing/venue.ts';

const LIST = '/spot/v1/u/trade/order/list';

let database: TemporaryDatabase<GatewayTables>;
let venues: readonly [Venue, Venue];
let key: Key;
let isAway = false;

beforeAll(async () => {
  database = await temporaryDatabase<GatewayTables>(migrations);
  const marks: Pick<typeof database.counts, 'query'> = {
    query: ((statement: { text: string }) => (isAway ? Promise.reject(new Error('gone')) : database.counts.query(statement))) as never,
  };
  const shared = { db: database.sql, marks, secret: Buffer.alloc(32, 7) };
  venues = [await openVenue({ shared }), await openVenue({ shared })];
  const [here, there] = venues;
  key = here.people.addKey(here.alice, { permission: 'TRADE', endsAt: here.clock.now + 1e9 });
  there.people.adopt(key, here.people);
  for (const { clock } of venues) clock.now += 60_000;
});
afterAll(async () => {
  for (const venue of venues) await venue.close();
  await database.close();
});

const signed = (): Record<string, string> => signedRequestHeaders(key, { method: 'GET', url: LIST, timestamp: (venues[0].clock.now += 1) });

test('[A5] is taken by one of them, once', async () => {
  const [here, there] = venues;
  const headers = signed();
  const answers = await Promise.all([here, there, here, there].map((venue) => venue.get(LIST, { headers })));
  expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
  const refused = answers.filter(({ code }) => code !== 0);
  for (const answer of refused) expect(answer).toMatchObject({ status: 401, data: { reason: 'ReplayedRequest' } });
});

test('is refused with 502 while the database is away, and is taken when it is back', async () => {
  const headers = signed();
  isAway = true;
  expect(await venues[0].get(LIST, { headers })).toMatchObject({ status: 502, data: { reason: 'Upstream' } });
  isAway = false;
  expect(await venues[0].get(LIST, { headers })).toMatchObject({ code: 0 });
});
