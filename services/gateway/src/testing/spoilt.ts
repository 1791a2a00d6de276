/** For tests: values that fit a schema, values spoilt in one place, and anything at all. */
import * as fc from 'fast-check';
import { arbitraryOf, type Shape } from './arbitrary.ts';

const NASTY = [
  '',
  ' ',
  '\u0000',
  '\u0007',
  '\u0085',
  '\ud800',
  '\u202e',
  '\ufeff',
  'ﬀ',
  'e\u0301',
  '１２３',
  '0x',
  '0x' + 'f'.repeat(64),
  '-1',
  '-0',
  '+1',
  '1e309',
  '00',
  '0.',
  '.5',
  '1,5',
  'NaN',
  'Infinity',
  '9'.repeat(40),
  '9007199254740993',
  '18446744073709551616',
  `0.${'0'.repeat(18)}1`,
  '../../etc/passwd',
  '<script>',
  "' OR 1=1--",
  '__proto__',
  'constructor',
  'toString',
  '${7*7}',
  'BTC_USDC\n',
  'btc_usdc',
  'x'.repeat(5_000),
  '%',
  '%00',
  '[]',
  '{}',
  'null',
  'true',
];

const DEEP: unknown = JSON.parse('['.repeat(12) + ']'.repeat(12));
const BOMB: unknown = JSON.parse('{"a":'.repeat(12) + '1' + '}'.repeat(12));
const NUMBERS = [0, -0, -1, 1.5, 1e308, 2 ** 31, 2 ** 53, Number.MAX_SAFE_INTEGER, 8_640_000_000_000_000, 1e21];

/** Anything that JSON can say, the troublesome first. */
export const junk: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    ...NASTY,
    ...NUMBERS,
    null,
    true,
    false,
    [],
    {},
    DEEP,
    BOMB,
    Array.from({ length: 50 }, () => 1),
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.jsonValue({ maxDepth: 4 }),
);

type Path = readonly (string | number)[];

/** Every place inside a value, itself first. */
function placesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inside: readonly (readonly [string | number, unknown])[] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [path, ...inside.flatMap(([key, item]) => placesOf(item, [...path, key]))];
}

const REMOVED = Symbol('removed');

function replaced(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by;
  if (Array.isArray(value)) return value.map((item: unknown, index) => (index === key ? replaced(item, rest, by) : item));
  const entries = Object.entries(value as object).map(([name, item]) => [name, name === key ? replaced(item, rest, by) : item]);
  return Object.fromEntries(entries.filter(([, item]) => item !== REMOVED));
}

function withMember(value: unknown, name: string, member: unknown): unknown {
  // By the parser, which alone can make a member called `__proto__`.
  const more: unknown = JSON.parse(JSON.stringify({ [name]: member ?? null }));
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.assign(Object.create(null), value, more) : more;
}

/** Mostly a value that fits but for one place: replaced, left out, or one member more. */
export function spoilt(schema: Shape | undefined): fc.Arbitrary<unknown> {
  if (schema === undefined) return junk;
  const good = arbitraryOf(schema);
  const elsewhere = fc.tuple(good, fc.nat(), fc.oneof({ weight: 4, arbitrary: junk }, { weight: 1, arbitrary: fc.constant(REMOVED) }));
  const inOnePlace = elsewhere.map(([value, pick, by]) => {
    const places = placesOf(value);
    const place = places[pick % places.length] ?? [];
    return place.length === 0 && by === REMOVED ? {} : replaced(value, place, by);
  });
  const withOneMore = fc
    .tuple(
      good,
      fc.constantFrom('extra', '__proto__', 'constructor', 'prototype', 'toString', 'roles', 'userId', ' symbol', 'é', '\u0000'),
      junk,
    )
    .map(([value, name, by]) => withMember(value, name, by));
  return fc.oneof(
    { weight: 3, arbitrary: good },
    { weight: 4, arbitrary: inOnePlace },
    { weight: 1, arbitrary: withOneMore },
    { weight: 1, arbitrary: junk },
  );
}
