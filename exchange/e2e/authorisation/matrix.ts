/**
 * The matrix: every call that the running program documents and every message of its stream, made by everyone there is. What each is answered stands in
 * `api/src/testing/authorisation.txt`; a call without a row fails.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isOperatorPath, OPERATOR_ROLES, type OperatorRole } from '@orrery/api';
import { CALLERS, gapsBetween, readAuthorisation, readOperators, type CallerName } from '../../../api/src/testing/authorisation.ts';
import { documentedCalls, type DocumentedCall } from '../../../services/gateway/src/testing/documented-calls.ts';
import { alice, bearer, bob, call, carol, closeGround, dave, endCarolAndDave, keys, openGround, program, signed } from './ground.ts';
import { CANARY, inputOf } from './input.ts';
import type { Installation } from './installation.ts';
import { cookiesOfOperators } from './operators.ts';
import { closedAfter, Connection, connectionOf, logInBefore, messageOf, MESSAGES } from './stream.ts';

const TABLE = readAuthorisation();

let cookies: Readonly<Record<OperatorRole | 'reviewer', string>>;

/** Made with the same input by everyone; the owner last, after whom there may be nothing left to be called for. */
const IN_TURN: readonly CallerName[] = [...CALLERS.filter((who) => who !== 'owner'), 'owner'];

function headersOf(who: CallerName, parameters: readonly (readonly [string, string])[]): Record<string, string> {
  switch (who) {
    case 'visitor':
      return {};
    case 'owner':
      return bearer(alice);
    case 'other':
      return bearer(bob);
    case 'blocked':
      return bearer(carol);
    case 'ended':
      return bearer(dave);
    default:
      return signed(keys[who], parameters);
  }
}

/** Calls of contracts, and those of testers about them. */
const FUTURES = /^\/(futures\/fapi|sandbox)\//;

/** What is said at the door; every other answer comes from behind it. */
const isOfTheDoor = (reason: string | undefined): boolean =>
  reason !== undefined &&
  ['NotSignedIn', 'SessionExpired', 'AddressBlocked', 'PermissionMissing', 'InvalidApiKey', 'IpNotAllowed', 'NotFound'].includes(reason);

/** A block ends the sessions of its account at once: what is left to say of them is that they have ended. */
const expectedOf = (name: string, who: CallerName): string | undefined => {
  const cell = TABLE.get(name)?.[who];
  return who === 'blocked' && cell === 'AddressBlocked' ? 'SessionExpired' : cell;
};

async function makeCall(
  documented: DocumentedCall,
  name: string,
  who: CallerName,
  input: Record<string, unknown>,
): Promise<{ reason: string; text: string }> {
  const { method, path, body } = documented;
  const parameters = body === undefined ? Object.entries(input).map(([field, value]) => [field, String(value)] as const) : [];
  const search = new URLSearchParams(parameters.map(([field, value]) => [field, value]));
  const signedOver = body === undefined ? parameters : [['body', JSON.stringify(input)] as const];
  return call({
    method,
    url: parameters.length === 0 ? path : `${path}?${search.toString()}`,
    ...(body === undefined ? {} : { body: input }),
    headers: headersOf(who, signedOver),
  });
}

/** Of one process, or of several that serve callers: the answers are the same. */
export function describeMatrix(open: () => Promise<Installation>): void {
  beforeAll(async () => {
    await openGround(open);
    await logInBefore();
    await endCarolAndDave();
    await closedAfter();
    cookies = await cookiesOfOperators();
  });
  afterAll(closeGround);

  // First, while the tickets are good that were taken before the sessions ended.
  describeStream();
  describeCalls();
  describeOperators();
}

function describeStream(): void {
  describe('A3: every message of the stream, from everyone', () => {
    test.each(MESSAGES)('%s', async (name, schema) => {
      const row: [CallerName, string][] = [];
      for (const who of CALLERS) {
        const needsLogin = name.startsWith('op:order.');
        const connection = needsLogin ? await connectionOf(who) : new Connection();
        row.push([who, await connection.ask(await messageOf(name, schema, who))]);
        connection.socket.close();
      }
      expect(Object.fromEntries(row)).toEqual(TABLE.get(name));
    });
  });
}

function describeCalls(): void {
  describe('A3: every call that is documented, by everyone', () => {
    test('each has a row, and each row its call', async () => {
      const names = (await documentedCalls(program.url)).map(({ name }) => rowOf(name));
      expect(gapsBetween([...new Set(names), ...MESSAGES.map(([name]) => name)], TABLE)).toEqual([]);
    });

    test('and each gets the answer that stands there', { timeout: 300_000 }, async () => {
      const documented = await documentedCalls(program.url);
      // The last ones end the caller's own session.
      const isLast = ({ name }: DocumentedCall): boolean => name === 'revokeAllSessions' || name === 'logout';
      const inOrder = [...documented.filter((each) => !isLast(each)), ...documented.filter(isLast).toReversed()];
      const wrong: string[] = [];
      for (const each of inOrder) {
        const name = rowOf(each.name);
        const same = await inputOf(name, each.body ?? each.query);
        // Three of the callers are one account, which may read 20 times a second.
        await pause(200);
        for (const who of IN_TURN) {
          // An order that one of these has cancelled is not there for the next.
          const isUsedUp = ('orderId' in same || 'orderIds' in same) && (who === 'tradeKey' || who === 'owner');
          const input = isUsedUp ? await inputOf(name, each.body ?? each.query) : same;
          const { reason, text } = await makeCall(each, name, who, input);
          const expected = expectedOf(name, who);
          // What a contract needs, such as margin and a position, is the matter of its own tests: here it is who comes through the door.
          const isRight = FUTURES.test(each.path) && !isOfTheDoor(expected) ? !isOfTheDoor(reason) : reason === expected;
          if (!isRight) wrong.push(`${each.method} ${each.path} by ${who}: ${reason}, not ${String(expected)}`);
          if (who === 'other' && each.isPrivate && reason === 'ok' && text.includes(CANARY))
            wrong.push(`${each.path} reports bob of alice: ${text}`);
        }
      }
      expect(wrong).toEqual([]);
    });
  });
}

/** What operators are answered at the door; every other answer comes from behind it. */
const AT_THE_DOOR = ['NotSignedIn', 'SessionExpired', 'PermissionMissing', 'TooManyRequests', 'NotFound'];

function describeOperators(): void {
  describe('[A10] A3: every call of operators, by operators of each role, a trader and a visitor', () => {
    test('is accepted, or refused with a reason, as `operators.txt` says', { timeout: 300_000 }, async () => {
      const rows = readOperators();
      const ofOperators = (await documentedCalls(program.url)).filter(({ path, name }) => isOperatorPath(path) && rows.has(rowOf(name)));
      expect(gapsBetween([...new Set(ofOperators.map(({ name }) => rowOf(name)))], rows)).toEqual([]);
      const callers: readonly (readonly [string, Record<string, string>])[] = [
        ['trader', bearer(alice)],
        ...([...OPERATOR_ROLES, 'reviewer'] as const).map((who) => [who, { cookie: cookies[who] }] as const),
      ];
      const wrong: string[] = [];
      for (const each of ofOperators) {
        const row = rows.get(rowOf(each.name));
        const input = await inputOf(rowOf(each.name), each.body ?? each.query);
        const search = each.body === undefined ? `?${new URLSearchParams(input as Record<string, string>).toString()}` : '';
        for (const [who, headers] of [...callers, ['visitor', {}] as const]) {
          const { reason } = await call({
            method: each.method,
            url: `${each.path}${search}`,
            ...(each.body === undefined ? {} : { body: input }),
            headers,
          });
          // A visitor gets the same answer as a trader, who is no operator either.
          const expected = row?.[who === 'visitor' ? 'trader' : (who as OperatorRole | 'reviewer' | 'trader')];
          if (expected === 'ok' ? AT_THE_DOOR.includes(reason) : reason !== expected)
            wrong.push(`${each.method} ${each.path} by ${who}: ${reason}, not ${String(expected)}`);
        }
      }
      expect(wrong).toEqual([]);
    });
  });
}

/** Another path of the same call has the same row. */
const rowOf = (name: string): string => name.split('At_', 1)[0] ?? name;
