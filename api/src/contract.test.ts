import { describe, expect, test } from 'vitest';
import { REJECTS } from '@orrery/protocol';
import { ACCESS_LEVELS, mayOperate, OPERATOR_ROLES, permits, RATE_CLASSES, type Principal } from './access.ts';
import { apiKeyStatement, signedText } from './apikey.ts';
import { ERASURE_STATEMENT } from './erasure-text.ts';
import { bindNameStatement } from './name-text.ts';
import { otcReleaseStatement, PURPOSES, STATEMENTS, withdrawStatement } from './statements.ts';
import { contract } from './contract.ts';
import { API_FAULTS, ApiError, faultMessage } from './error.ts';
import { depthChecksum } from './quotation.ts';
import type { Route } from './route.ts';

const ROUTES = Object.values<Route>(contract);

interface Shape {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: unknown;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly maxItems?: number;
  readonly maximum?: number;
}

/** Every schema inside a schema, with the way to it. */
function* within(schema: Shape, path: string): Generator<readonly [string, Shape]> {
  yield [path, schema];
  for (const [name, property] of Object.entries(schema.properties ?? {})) yield* within(property, `${path}.${name}`);
  for (const choice of schema.anyOf ?? []) yield* within(choice, path);
  if (schema.items !== undefined) yield* within(schema.items, `${path}[]`);
}

describe('the tables of calls', () => {
  test('no path is given twice for one method, and every call has a class of rate and a level of access', () => {
    const calls = ROUTES.flatMap(({ method, path, aliases = [] }) => [path, ...aliases].map((each) => `${method} ${each}`));
    expect(new Set(calls).size).toBe(calls.length);
    for (const route of ROUTES) {
      expect(ACCESS_LEVELS).toContain(route.access);
      expect(RATE_CLASSES).toContain(route.rate);
      expect(route.summary).toMatch(/^[A-Z].*\.$/);
    }
  });

  test('what comes in is bounded: no unknown fields, no endless text, list or number', () => {
    for (const { path: call, query, body } of ROUTES) {
      for (const [path, schema] of [...within(query ?? {}, `${call} query`), ...within(body ?? {}, `${call} body`)]) {
        if (schema.type === 'object') expect(schema.additionalProperties, path).toBe(false);
        if (schema.type === 'string') expect(schema.maxLength, path).toBeLessThanOrEqual(65_536);
        if (schema.type === 'array') expect(schema.maxItems, path).toBeLessThanOrEqual(/ body\.order(s|Ids)\b/.test(path) ? 100 : 20);
        if (schema.type === 'integer') expect(schema.maximum, path).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER);
      }
    }
  });

  const DECIMALS = ROUTES.flatMap(({ path: call, query, body }) =>
    [...within(query ?? {}, `${call} query`), ...within(body ?? {}, `${call} body`)].filter(([, { type, pattern, maxLength = 0 }]) => {
      // What takes an amount, and neither a word nor an address.
      const takes = (text: string): boolean => pattern !== undefined && new RegExp(pattern).test(text);
      return type === 'string' && maxLength >= 3 && takes('0.5') && !takes('half') && !takes('10.0.0.0');
    }),
  );

  test('amounts, prices and rates come in by each of these calls', () => {
    const calls = DECIMALS.map(([path]) => path);
    for (const field of [
      'order/create body.price',
      'order/create body.totalAmount',
      'asset/withdraw body.amount',
      'body.origQty',
      'body.margin',
    ])
      expect(
        calls.some((path) => path.endsWith(field)),
        field,
      ).toBe(true);
  });

  test.each(DECIMALS)('%s takes a decimal in one spelling only', (_path, { pattern = '', maxLength = 0 }) => {
    const takes = (text: string): boolean => text.length <= maxLength && new RegExp(pattern).test(text);
    expect(['0.5', '0.25'].filter((text) => !takes(text))).toEqual([]);
    const misspelt = [
      '01',
      '00',
      '00.5',
      '-01',
      '-',
      '+1',
      '1e3',
      '1E3',
      '1.',
      '.5',
      '.',
      '',
      ' 1',
      '1 ',
      '1,0',
      '1_0',
      '0x10',
      '1n',
      '١',
      '１',
      'NaN',
    ];
    expect([...misspelt, 'Infinity', '1.2.3', '1\n', '1'.repeat(42)].filter(takes)).toEqual([]);
  });

  test('[S2] the order list takes symbol, page, size and state, as the check of a token calls it', () => {
    expect(Object.keys(contract.openOrders.query.properties)).toEqual(['symbol', 'page', 'size', 'state', 'minSeq']);
    expect(contract.openOrders).toMatchObject({ method: 'GET', path: '/spot/v1/u/trade/order/list', access: 'read' });
  });

  test('[L9, T2] the statements of the ten purposes differ', () => {
    const withdrawal = withdrawStatement({ amount: '1.5', coin: 'USDC', to: '0xabc' });
    expect(withdrawal).toBe('Withdraw 1.5 USDC from Orrery to 0xabc.');
    const key = apiKeyStatement({ label: 'bot <1>', permission: 'TRADE', ipList: ['10.0.0.0/8', '::1'] });
    expect(key).toBe("Make the TRADE API key 'bot ?1?' of Orrery, used from 10.0.0.0/8, ::1.");
    expect(apiKeyStatement({ label: 'bot', legacySigning: true })).toBe(
      "Make the READ API key 'bot' of Orrery, used from any address, with legacy signing.",
    );
    const released = otcReleaseStatement({ amount: '70.5', coin: 'USDC', orderId: '1042', buyer: '4f1d2c7b9a3e' });
    expect(released).toBe('Release 70.5 USDC of OTC order 1042 to trader 4f1d2c7b9a3e on Orrery.');
    expect(
      new Set([...Object.values(STATEMENTS), ERASURE_STATEMENT, withdrawal, released, key, bindNameStatement('alice@example.org')]).size,
    ).toBe(PURPOSES.length);
  });
});

describe('refusals', () => {
  test('[C2] every code is given once, is neither 0 nor 200 nor 303, and the field is in the sentence', () => {
    const codes = [...Object.values(REJECTS), ...Object.values(API_FAULTS)].map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
    for (const code of codes) expect([0, 200, 303]).not.toContain(code);
    expect(faultMessage('MissingField', 'price')).toBe('price is missing');
    expect(faultMessage('InvalidField', 'side')).toContain('side');
  });

  test('[L7] 401 and 403 are about who calls, never about an order that is refused', () => {
    for (const reason of Object.keys(REJECTS) as (keyof typeof REJECTS)[]) {
      const { status } = new ApiError(reason);
      expect(status, reason).toBeGreaterThanOrEqual(400);
      if (reason !== 'AccountBlocked') expect([401, 403], reason).not.toContain(status);
      if (reason !== 'InternalReject') expect(status, reason).toBeLessThan(500);
    }
  });
});

describe('access', () => {
  const principal = { account: 1, address: '0x', credential: 'x', tier: 'standard', endsAt: 0 } as unknown as Principal;

  test('A4: reading is part of trading, and no key does what only a person may', () => {
    const callers = [
      undefined,
      { ...principal, via: 'session', permission: 'TRADE' },
      { ...principal, via: 'apiKey', permission: 'READ' },
      { ...principal, via: 'apiKey', permission: 'TRADE' },
      { ...principal, via: 'apiKey', permission: 'READ', moneyRights: ['TRANSFER'] },
      { ...principal, via: 'apiKey', permission: 'READ', moneyRights: ['WITHDRAW'] },
    ] as const;
    const table = ACCESS_LEVELS.map((access) => [access, ...callers.map((caller) => permits(caller, access))]);
    expect(table).toEqual([
      ['public', true, true, true, true, true, true],
      ['cookie', true, true, true, true, true, true],
      ['session', false, true, false, false, false, false],
      ['read', false, true, true, true, true, true],
      ['trade', false, true, false, true, false, false],
      ['transfer', false, true, false, false, true, false],
      ['withdraw', false, true, false, false, false, true],
      ['operator', false, false, false, false, false, false],
    ]);
  });

  test('every call of operators says which of them, and no other call does; a role may do what the lesser ones may', () => {
    for (const route of ROUTES) expect(route.role !== undefined, route.path).toBe(route.access === 'operator');
    const table = OPERATOR_ROLES.map((role) => OPERATOR_ROLES.map((least) => mayOperate(role, least)));
    expect(table).toEqual([
      [true, false, false],
      [true, true, false],
      [true, true, true],
    ]);
  });

  test('what is signed keeps the order of the parameters', () => {
    expect(
      signedText(
        [
          ['b', '2'],
          ['a', '1'],
        ],
        5,
      ),
    ).toBe('b=2&a=1&timestamp=5');
    expect(signedText([], 5)).toBe('&timestamp=5');
  });
});

describe('the checksum of a depth', () => {
  test('is the CRC-32 of the levels, best first, both sides in turn', () => {
    expect(depthChecksum({ b: [], a: [] })).toBe(0);
    // python3 -c "import zlib; print(zlib.crc32(b'100:1:101:2:99:3:102:4'))"
    expect(
      depthChecksum({
        b: [
          ['100', '1'],
          ['99', '3'],
        ],
        a: [
          ['101', '2'],
          ['102', '4'],
        ],
      }),
    ).toBe(3_165_726_913);
  });

  test('covers 25 levels a side and no more', () => {
    const levels = (count: number, from: number): [string, string][] =>
      Array.from({ length: count }, (_, index) => [String(from + index), '1']);
    const whole = { b: levels(30, 100), a: levels(30, 200) };
    expect(depthChecksum(whole)).toBe(depthChecksum({ b: whole.b.slice(0, 25), a: whole.a.slice(0, 25) }));
    expect(depthChecksum(whole)).not.toBe(depthChecksum({ b: whole.b.slice(0, 24), a: whole.a }));
  });
});
