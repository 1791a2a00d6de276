/** For tests: HTTP requests of a documented call with anything wrong in them, from the address to the encoding. */
import * as fc from 'fast-check';
import type { DocumentedCall } from './documented-calls.ts';
import { spoilt } from './spoilt.ts';

export interface WireCall {
  readonly method: string;
  /** Path and parameters as they stand on the wire. */
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer | undefined;
}

/** Who seems to call: headers that may depend on what is sent. */
export interface Pretender {
  readonly name: string;
  headersOf(call: { readonly query: string; readonly body: Buffer | undefined }): Readonly<Record<string, string>>;
}

export function malformedCall(call: DocumentedCall, pretenders: readonly Pretender[]): fc.Arbitrary<WireCall> {
  return fc
    .record({
      method: mostly(call.method, ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND']),
      path: mostly(call.path, [
        `${call.path}/`,
        `/${call.path}`,
        call.path.toUpperCase(),
        `${call.path};a=b`,
        `${call.path}%2f..`,
        `${call.path}%00`,
      ]),
      query: queryOf(call),
      body:
        call.method === 'GET' ? rarely(bodyOf(call)) : fc.oneof({ weight: 12, arbitrary: bodyOf(call) }, { weight: 1, arbitrary: none }),
      type: mostly<string | undefined>('application/json', CONTENT_TYPES),
      pretender: fc.constantFrom(...pretenders),
      more: fc.oneof(
        { weight: 5, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.subarray(ABUSES, { minLength: 1, maxLength: 3 }) },
      ),
    })
    .map(({ method, path, query, body, type, pretender, more }) => ({
      method,
      url: query === '' ? path : `${path}?${query}`,
      headers: [
        ...(type === undefined ? [] : [['content-type', type] as const]),
        ['x-orrery-request', '1'],
        ...Object.entries(pretender.headersOf({ query, body })),
        ...more,
      ],
      body,
    }));
}

const none = fc.constant(undefined);
const mostly = <Value>(usual: Value, others: readonly Value[]): fc.Arbitrary<Value> =>
  fc.oneof({ weight: 14, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });
const rarely = <Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.oneof({ weight: 14, arbitrary: none }, { weight: 1, arbitrary });

const CONTENT_TYPES: readonly (string | undefined)[] = [
  undefined,
  'application/json; charset=utf-8',
  'application/json; charset=utf-16',
  'application/json;;;',
  'APPLICATION/JSON',
  'application/jsonx',
  'application/vnd.api+json',
  'text/plain',
  'text/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  '*/*',
  'application/',
  '\u00ff',
];

const ABUSES: (readonly [string, string])[] = [
  ['x-forwarded-for', '6.6.6.6, ::1, nonsense'],
  ['x-forwarded-for', ','.repeat(2_000)],
  ['x-forwarded-proto', 'gopher'],
  ['x-forwarded-host', 'evil.example'],
  ['forwarded', 'for="[::1]";host=evil'],
  ['x-http-method-override', 'DELETE'],
  ['content-encoding', 'gzip'],
  ['content-encoding', 'nonsense'],
  ['accept', 'application/xml;q=nonsense'],
  ['accept-encoding', 'br;q=9, nonsense'],
  ['origin', 'null'],
  ['origin', 'https://evil.example'],
  ['origin', '\u00ff'],
  ['referer', 'javascript:alert(1)'],
  ['cookie', ';;=;__proto__=1;constructor=2;=='],
  ['cookie', `__Host-refresh=${'x'.repeat(4_000)}`],
  ['cookie', '__Host-refresh=%ZZ; __Host-refresh=2'],
  ['authorization', 'Bearer '],
  ['authorization', `Bearer ${'x'.repeat(5_000)}`],
  ['authorization', 'Basic YWxpY2U6eA=='],
  ['x-access-key', '__proto__'],
  ['x-access-key', 'x'.repeat(5_000)],
  ['x-request-timestamp', '-1'],
  ['x-request-nonce', ''],
  ['x-signature', 'f'.repeat(64)],
  ['expect', 'nonsense'],
  ['upgrade', 'h2c'],
  ['upgrade', 'websocket'],
  ['connection', 'x-orrery-request'],
  ['range', 'bytes=0-1'],
  ['if-none-match', '*'],
  ['te', 'trailers, nonsense'],
  ['max-forwards', '0'],
  ['__proto__', 'x'],
  ['constructor', 'x'],
  ['x-large', 'x'.repeat(15_000)],
  ['x-larger', 'x'.repeat(17_000)],
];

/** Parameters are text: whole values, raw characters, repeated names. */
function queryOf({ query, body, bodyFromQuery }: DocumentedCall): fc.Arbitrary<string> {
  const schema = bodyFromQuery ? (body ?? query) : query;
  const written = spoilt(schema).map((value) =>
    typeof value === 'object' && value !== null
      ? Object.entries(value)
          .map(([name, field]) => `${escaped(name)}=${escaped(typeof field === 'string' ? field : (JSON.stringify(field) ?? ''))}`)
          .join('&')
      : escaped(String(value)),
  );
  const repeated = written.map((text) => `${text}&${text.slice(0, text.indexOf('=') + 1)}`);
  return fc.oneof(
    { weight: 8, arbitrary: written },
    { weight: 1, arbitrary: repeated },
    { weight: 1, arbitrary: fc.constantFrom(...RAW_QUERIES) },
  );
}

const RAW_QUERIES = [
  'a=1&a=2',
  '%',
  '%ff%fe',
  '%ED%A0%80',
  '=',
  '&&&',
  '?',
  'symbol',
  'symbol=%00',
  'symbol=%u0041',
  '__proto__=1',
  'constructor[prototype]=1',
  'symbol[]=BTC_USDC',
  'a=1;b=2',
  `${'&'.repeat(100)}a`,
  Array.from({ length: 60 }, (_, index) => `p${index}=1`).join('&'),
  `x=${'y'.repeat(3_000)}`,
];

function escaped(text: string): string {
  try {
    return encodeURIComponent(text).slice(0, 3_000);
  } catch {
    return '%ED%A0%80';
  }
}

const UTF8_FAULTS = ['ff', 'c080', 'eda080', 'f8888080', 'c3', 'e282'].map((hex) => Buffer.from(hex, 'hex'));

/** Bodies of values that fit or not, of JSON that is none, and of bytes that are no text. */
function bodyOf({ body }: DocumentedCall): fc.Arbitrary<Buffer> {
  const text = spoilt(body).map((value) => JSON.stringify(value) ?? '');
  const tampered = fc
    .tuple(text, fc.constantFrom(...TAMPERINGS), fc.nat())
    .map(([whole, tamper, at]) => tamper(whole, at % (whole.length + 1)));
  const misencoded = fc.tuple(text, fc.constantFrom(...UTF8_FAULTS), fc.nat()).map(([whole, fault, pick]) => {
    const bytes = Buffer.from(whole);
    const at = pick % (bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, at), fault, bytes.subarray(at)]);
  });
  return fc.oneof(
    { weight: 10, arbitrary: text.map((whole) => Buffer.from(whole)) },
    { weight: 3, arbitrary: tampered },
    { weight: 1, arbitrary: misencoded },
    { weight: 1, arbitrary: fc.constantFrom(...RAW_BODIES).map((whole) => Buffer.from(whole)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)) },
  );
}

type Tamper = (text: string, at: number) => Buffer;
const TAMPERINGS: readonly Tamper[] = [
  (text) => Buffer.from(text.replace(/^\{("[^"]*")/, '{$1:null,$1')),
  (text, at) => Buffer.from(text.slice(0, at)),
  (text, at) => Buffer.from(`${text.slice(0, at)},${text.slice(at)}`),
  (text) => Buffer.from(`${text}${text}`),
  (text) => Buffer.from(`\ufeff${text}`),
  (text) => Buffer.from(text, 'utf16le'),
  (text) => Buffer.from(`${' '.repeat(40_000)}${text}`),
  (text) => Buffer.from(`/* */${text}`),
  (text) => Buffer.from(text.replaceAll('"', "'")),
];

const RAW_BODIES = [
  '{',
  '[',
  '['.repeat(10_000),
  '{"a":'.repeat(2_000),
  `${'['.repeat(9)}${']'.repeat(9)}`,
  '{"__proto__":{"x":1}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '{"a":1,"a":2}',
  '\u0000',
  'null',
  '"',
  'NaN',
  '-',
  '1'.repeat(30_000),
  `"${'x'.repeat(30_000)}"`,
  `"${'x'.repeat(70_000)}"`,
  `[${'1,'.repeat(10_000)}1]`,
  `{${Array.from({ length: 1_000 }, (_, index) => `"k${index}":${index}`).join(',')}}`,
];
