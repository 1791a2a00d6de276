/**
 * Anything at all, at every call that the gateway documents: never a 5xx, always the envelope, a field's name where a field is wrong, and a
 * refused call leaves no trace in the state. `ORRERY_REQUESTS` is the dose, `ORRERY_SEED` repeats a run.
 */
import { Agent } from 'node:http';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { statusRoutes, type Route } from '@orrery/api';
import { Type } from 'typebox';
import { documentedCalls, type DocumentedCall } from './testing/documented-calls.ts';
import { malformedCall, type Pretender } from './testing/malformed-call.ts';
import { signedHeaders } from './testing/people.ts';
import { neighbours, openVenue, type Venue } from './testing/venue.ts';
import { flawOf, send } from './testing/wire.ts';

const SEED = Number(process.env['ORRERY_SEED'] ?? Date.now() % 1_000_000);
const REQUESTS = Number(process.env['ORRERY_REQUESTS'] ?? 10_000);

const agent = new Agent({ keepAlive: true });
afterAll(() => agent.destroy());

/** The chain's RPC has a different envelope and is in no document; a malformed request is answered in our envelope. */
const RPC: DocumentedCall = {
  name: 'rpc',
  method: 'POST',
  path: '/rpc',
  query: { type: 'object' },
  body: undefined,
  bodyFromQuery: false,
  isPrivate: false,
};

const calls = await withVenue({}, ({ base }) => documentedCalls(base));

async function withVenue<Result>(changes: Parameters<typeof openVenue>[0], use: (venue: Venue) => Promise<Result>): Promise<Result> {
  const venue = await openVenue(changes);
  try {
    return await use(venue);
  } finally {
    await venue.close();
  }
}

function pretendersAt(venue: Venue): readonly Pretender[] {
  const bearer = (name: string, token: string): Pretender => ({ name, headersOf: () => ({ authorization: `Bearer ${token}` }) });
  const key = venue.people.addKey(venue.alice, { permission: 'TRADE', endsAt: venue.clock.now + 1e9 });
  return [
    bearer('alice', venue.alice.token),
    bearer('bob', venue.bob.token),
    bearer('forged', 'x'.repeat(100)),
    { name: 'nobody', headersOf: () => ({}) },
    {
      name: "alice's program",
      headersOf: ({ query, body }) => {
        const parameters = [...new URLSearchParams(query)];
        return signedHeaders(key, body === undefined ? parameters : [...parameters, ['body', body.toString('utf8')]], venue.clock.now + 1);
      },
    },
  ];
}

/** Orders to be found, cancelled and traded with. */
async function bringToLife(venue: Venue): Promise<void> {
  for (const [person, direction, price] of [
    [venue.alice, 'BUY', '99000'],
    [venue.alice, 'BUY', '99100'],
    [venue.bob, 'SELL', '100100'],
    [venue.bob, 'SELL', '100200'],
    [venue.bob, 'BUY', '98000'],
  ] as const) {
    const body = { symbol: 'BTC_USDC', direction, tradeType: 'LIMIT', price, totalAmount: '0.1' };
    expect((await venue.post('/spot/v1/u/trade/order/create', { as: person, body })).code).toBe(0);
  }
}

/** Throws at the first answer that is not as the contract says. @returns how many requests were refused. */
async function assault(venue: Venue, call: DocumentedCall, runs: number): Promise<number> {
  let refused = 0;
  let hash = venue.heart.stateHash();
  await fc.assert(
    fc.asyncProperty(malformedCall(call, pretendersAt(venue)), async (wire) => {
      venue.clock.now += 1;
      const answer = await send(venue.base, agent, wire);
      if (call !== RPC || answer.status !== 200) expect(flawOf(answer), answer.text).toBeUndefined();
      const hashNow = venue.heart.stateHash();
      if (answer.status !== 200) {
        refused += 1;
        expect(hashNow, 'the state after a refused request').toBe(hash);
      }
      hash = hashNow;
    }),
    { seed: SEED, numRuns: runs, endOnFailure: true },
  );
  return refused;
}

describe(`seed ${SEED}`, () => {
  const all = [...calls, RPC];
  const runs = Math.ceil(REQUESTS / all.length);
  let refused = 0;

  test.each(all.map((call) => [`${call.method} ${call.path}`, call] as const))(
    '%s',
    async (_name, call) => {
      await withVenue({}, async (venue) => {
        await bringToLife(venue);
        refused += await assault(venue, call, runs);
        expect(venue.failures).toEqual([]);
        expect((await venue.get('/status')).data).toMatchObject({ ready: true });
      });
    },
    600_000,
  );

  test('as many requests as asked for, and most of them refused', () => {
    console.log(`${runs * all.length} requests, ${refused} refused, ORRERY_SEED=${SEED}`);
    expect(runs * all.length).toBeGreaterThanOrEqual(REQUESTS);
    expect(refused).toBeGreaterThan(REQUESTS / 2);
  });
});

describe('a planted call', () => {
  const planted = (answer: (text: string) => unknown): { name: string; route: Route; answer: (call: { query: unknown }) => unknown } => ({
    name: 'planted',
    route: {
      ...statusRoutes.config,
      path: '/pro/p/planted',
      query: Type.Object({ text: Type.String({ maxLength: 40 }) }, { additionalProperties: false }),
      response: Type.String(),
    },
    answer: ({ query }) => answer(String(Reflect.get(query as object, 'text'))),
  });
  const found = (answer: (text: string) => unknown): Promise<number> =>
    withVenue({ mounts: [...neighbours(), planted(answer)] }, async (venue) => {
      const call = (await documentedCalls(venue.base)).find(({ name }) => name === 'planted');
      if (call === undefined) throw new Error('it is not in the document');
      return assault(venue, call, 300);
    });

  test('is assaulted because it is documented, and survives when it is sound', async () => {
    expect(await found(() => 'fine')).toBeGreaterThan(50);
  });

  test('is found when it breaks on some text', async () => {
    await expect(found((text) => decodeURIComponent(text))).rejects.toThrow('/pro/p/planted?text=');
  });
});
