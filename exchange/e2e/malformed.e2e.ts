/**
 * Anything at all, at every call that the running program documents, with its database, its chain and its real services behind the door:
 * never a 5xx, always the envelope, and the program neither ends nor stops being ready. `ORRERY_REQUESTS` is the dose.
 */
import { Agent } from 'node:http';
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { createClient } from '@orrery/sdk';
import { documentedCalls } from '../../services/gateway/src/testing/documented-calls.ts';
import { malformedCall, type Pretender } from '../../services/gateway/src/testing/malformed-call.ts';
import { signedHeaders, type Key } from '../../services/gateway/src/testing/people.ts';
import { flawOf, send } from '../../services/gateway/src/testing/wire.ts';
import { prepareToTrade, signIn, tradeKey } from './person.ts';
import { BEHIND_A_PROXY } from './program.ts';
import { program, withProgram } from './with-program.ts';

const SEED = Number(process.env['ORRERY_SEED'] ?? Date.now() % 1_000_000);
const REQUESTS = Number(process.env['ORRERY_REQUESTS'] ?? 4_000);

const agent = new Agent({ keepAlive: true });
withProgram({ env: BEHIND_A_PROXY });
afterAll(() => agent.destroy());

/** Each call comes from another address, as the one trusted proxy reports, so that no rate limit by address applies. */
let caller = 0;
const elsewhere = (): Readonly<Record<string, string>> => {
  caller += 1;
  return { 'x-forwarded-for': `10.${(caller >> 16) & 255}.${(caller >> 8) & 255}.${caller & 255}` };
};

const programOf = (name: string, key: Key): Pretender => ({
  name,
  headersOf({ query, body }) {
    const parameters = [...new URLSearchParams(query)];
    const signed = body === undefined ? parameters : [...parameters, ['body', body.toString('utf8')] as const];
    return { ...elsewhere(), ...signedHeaders(key, signed, Date.now()) };
  },
});

test(`${REQUESTS} malformed requests, seed ${SEED}: no failure inside, no restart`, { timeout: 600_000 }, async () => {
  const { url } = program;
  const [alice, bob] = [await signIn(url), await signIn(url)];
  await prepareToTrade(url, alice);
  const pretenders = [
    programOf("alice's program", await tradeKey(alice, { legacySigning: true })),
    programOf("bob's program", await tradeKey(bob, { legacySigning: true })),
    { name: 'nobody', headersOf: elsewhere },
    { name: 'forged', headersOf: () => ({ ...elsewhere(), authorization: `Bearer ${'x'.repeat(100)}` }) },
  ];
  const calls = await documentedCalls(url);
  const before = await createClient({ baseUrl: url }).status();
  const statuses = new Map<number, number>();
  // Every call in turn, so that no account makes too many of one kind at once.
  const rounds = Math.ceil(REQUESTS / calls.length);
  const samples = calls.map((call) => ({ call, wires: fc.sample(malformedCall(call, pretenders), { seed: SEED, numRuns: rounds }) }));
  for (let round = 0; round < rounds; round += 1) {
    for (const { call, wires } of samples) {
      const wire = wires[round];
      if (wire === undefined) throw new Error('too few samples');
      const answer = await send(url, agent, wire);
      // What is no call of the API may be an address of the page.
      if (wire.url.split('?')[0] !== call.path && answer.type.startsWith('text/html')) continue;
      expect(flawOf(answer), `${wire.method} ${wire.url} ${String(wire.body)}: ${answer.text}`).toBeUndefined();
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    }
  }
  console.log(
    `${rounds * calls.length} requests, ORRERY_SEED=${SEED}, by status: ${JSON.stringify([...statuses].sort(([a], [b]) => a - b))}`,
  );
  const after = await createClient({ baseUrl: url }).status();
  expect(program.process.exitCode).toBeNull();
  expect(after).toMatchObject({ ready: true, version: before.version });
  expect(after.uptimeMs, 'it is the same process').toBeGreaterThan(before.uptimeMs);
  // Some get through to the services. How many follows from the seed, because each call has twelve requests only: from 25 to about 300 of 4,000.
  expect(statuses.get(200) ?? 0).toBeGreaterThan(REQUESTS / 400);
});
