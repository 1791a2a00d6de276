/** Anything at all, at every route: never a 5xx, always the envelope, and a refused call leaves nothing behind. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contract, type Route } from '@orrery/api';
import { arbitraryOf } from './testing/arbitrary.ts';
import { answerOf, openVenue, type Venue } from './testing/venue.ts';

const SEED = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000);
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 25);

let venue: Venue;
beforeAll(async () => {
  venue = await openVenue();
});
afterAll(() => venue.close());

const NASTY = [
  '',
  ' ',
  '\u0000',
  '\u0007',
  '\ud800',
  '\u202e',
  'ﬀ',
  'e\u0301',
  '0x',
  '0x' + 'f'.repeat(64),
  '-1',
  '1e309',
  '00',
  '0.',
  '.5',
  'NaN',
  'Infinity',
  '9'.repeat(40),
  '9007199254740993',
  '../../etc/passwd',
  '<script>',
  "' OR 1=1--",
  '__proto__',
  'constructor',
  '${7*7}',
  'BTC_USDC\n',
  'x'.repeat(5_000),
  '%',
  '%00',
  '[]',
  '{}',
  'null',
  'true',
];
const junk = fc.oneof(
  fc.constantFrom<unknown>(...NASTY, null, true, false, 0, -1, 1.5, 1e308, Number.MAX_SAFE_INTEGER, [], {}, [[[[[[[[[[1]]]]]]]]]], {
    a: { b: { c: { d: { e: { f: { g: { h: { i: 1 } } } } } } } },
  }),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.jsonValue({ maxDepth: 4 }),
);

/** A value that fits, or one spoilt in one place, or none at all. */
function spoilt(schema: object | undefined): fc.Arbitrary<unknown> {
  if (schema === undefined) return junk;
  const good = arbitraryOf(schema);
  const names = Object.keys((schema as { properties?: object }).properties ?? {});
  const oneField = fc
    .tuple(good, fc.constantFrom(...names, 'extra', '__proto__', 'constructor'), junk)
    .map(([value, name, spoiler]) => ({ ...(value as object), ...JSON.parse(JSON.stringify({ [name]: spoiler })) }));
  return fc.oneof({ weight: 2, arbitrary: good }, { weight: 3, arbitrary: oneField }, { weight: 1, arbitrary: junk });
}

/** Query strings are text: whole values, raw characters, repeated names. */
const queryOf = (schema: object | undefined): fc.Arbitrary<string> =>
  fc.oneof(
    spoilt(schema).map((value) =>
      typeof value === 'object' && value !== null
        ? Object.entries(value)
            .map(([name, field]) => `${escaped(name)}=${escaped(typeof field === 'string' ? field : JSON.stringify(field))}`)
            .join('&')
        : escaped(String(value)),
    ),
    fc.constantFrom(
      'a=1&a=2',
      '%',
      '%ff%fe',
      '=',
      '&&&',
      'symbol',
      'symbol=%00',
      '__proto__=1',
      'constructor[prototype]=1',
      'symbol[]=BTC_USDC',
      `x=${'y'.repeat(3_000)}`,
    ),
  );

function escaped(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return '%ED%A0%80';
  }
}

const bodyOf = (schema: object | undefined): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: spoilt(schema).map((value) => JSON.stringify(value) ?? '') },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '{',
        '[',
        '['.repeat(10_000),
        '{"a":'.repeat(2_000),
        '{"__proto__":{"x":1}}',
        '\u0000',
        'null',
        '"',
        '1'.repeat(30_000),
        `"${'x'.repeat(70_000)}"`,
      ),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 50 }) },
  );

describe(`seed ${SEED}`, () => {
  test.each(Object.entries<Route>(contract))(
    '%s',
    async (_name, route) => {
      const calls = fc.record({
        query: queryOf(route.query ?? (route.bodyFromQuery ? route.body : undefined)),
        body: bodyOf(route.body),
        type: fc.constantFrom(
          'application/json',
          'application/json; charset=utf-8',
          'text/plain',
          'application/x-www-form-urlencoded',
          'multipart/form-data',
          '',
        ),
        person: fc.constantFrom('alice', 'bob', 'nobody', 'forged'),
      });
      await fc.assert(
        fc.asyncProperty(calls, async ({ query, body, type, person }) => {
          venue.clock.now += 1;
          const { length } = venue.heart.history;
          const response = await fetch(`${venue.base}${route.path}${query === '' ? '' : `?${query}`}`, {
            method: route.method,
            headers: {
              ...(type === '' ? {} : { 'content-type': type }),
              ...(person === 'nobody' ? {} : { authorization: `Bearer ${person === 'forged' ? 'x'.repeat(200) : venue[person].token}` }),
              'x-orrery-request': '1',
            },
            ...(route.method === 'GET' ? {} : { body }),
          });
          const answer = await answerOf(response);
          expect(answer.status, answer.text).toBeLessThan(500);
          expect(Number.isInteger(answer.code), answer.text).toBe(true);
          expect(answer.code === 0, answer.text).toBe(answer.status === 200);
          expect(answer.msg).not.toBe('');
          expect(answer.text).not.toMatch(/node_modules|\.ts:\d|at async|Error:/);
          if (answer.code === 0) return;
          const written = venue.heart.history.slice(length).flatMap(({ events }) => events);
          expect(written.every(({ type: kind }) => kind === 'CommandRejected')).toBe(true);
        }),
        { seed: SEED, numRuns: RUNS, endOnFailure: true },
      );
    },
    120_000,
  );
});
