import { describe, expect, test } from 'vitest';
import { mayOperate, OPERATOR_ROLES } from './access.ts';
import { contract } from './contract.ts';
import { API_FAULTS } from './error.ts';
import type { Route } from './route.ts';
import { StreamRequest, Subscribe } from './stream.ts';
import { CALLERS, gapsBetween, parseAuthorisation, readAuthorisation, readOperators } from './testing/authorisation.ts';

const MESSAGES = [
  ...Subscribe.anyOf.map(({ properties }) => `sub:${properties.sub.const}`),
  ...StreamRequest.anyOf.map(({ properties }) => `op:${properties.op.const}`),
];

describe('A3: the table of who may make which call', () => {
  const table = readAuthorisation();

  test('has a row for every call and every message of the stream, and none for anything else', () => {
    expect(gapsBetween([...Object.keys(contract), ...MESSAGES], table)).toEqual([]);
  });

  test('a planted call without a row is found, and a row without a call', () => {
    expect(gapsBetween([...Object.keys(contract), ...MESSAGES, 'planted'], table)).toEqual(['planted has no row']);
    expect(gapsBetween([...Object.keys(contract), ...MESSAGES.slice(1)], table)).toEqual([`${MESSAGES[0]} is no call`]);
  });

  test('a row with an answer missing, and a second row of a call, are found', () => {
    const header = ['call', ...CALLERS].join(' ');
    expect(() => parseAuthorisation(`${header}\nstatus ok ok`)).toThrow('status has 2 answers, not 10');
    const row = `status${' ok'.repeat(CALLERS.length)}`;
    expect(() => parseAuthorisation(`${header}\n${row}\n${row}`)).toThrow('status has two rows');
    expect(() => parseAuthorisation(row)).toThrow('the header');
  });

  test('A4: reading is part of trading, a key never does what its owner may not, and no key manages anything', () => {
    for (const [name, { owner, visitor, readKey, tradeKey, transferKey, offKey }] of table) {
      if (readKey === 'ok') expect(tradeKey, name).toBe('ok');
      if (tradeKey === 'ok' || transferKey === 'ok') expect(owner, name).toBe('ok');
      if (readKey === 'ok') expect(transferKey, name).toBe('ok');
      if (offKey === 'ok') expect(visitor, name).toBe('ok');
      if (/ApiKey|Session|sessions|withdraw$|connection|claim/.test(name) && !name.includes(':'))
        expect(tradeKey, name).toBe('PermissionMissing');
    }
  });

  test('[A10] what operators do has a row of theirs, which says what the role of the call says', () => {
    const ofOperators = Object.entries<Route>(contract).filter(([, { access }]) => access === 'operator');
    const operators = readOperators();
    expect(
      gapsBetween(
        ofOperators.map(([name]) => name),
        operators,
      ),
    ).toEqual([]);
    for (const [name, route] of ofOperators) {
      const expected = [...OPERATOR_ROLES, 'reviewer' as const].map((who) => {
        const isRanked = mayOperate(who === 'reviewer' ? 'operator' : who, route.role ?? 'admin');
        return [who, isRanked && (route.right === undefined || who === route.right) ? 'ok' : 'PermissionMissing'];
      });
      expect(operators.get(name), name).toEqual({ trader: 'NotSignedIn', ...Object.fromEntries(expected) });
    }
  });

  test('answers with reasons that there are', () => {
    const answers = new Set([...table.values()].flatMap((row) => Object.values(row)));
    const known = ['ok', 'closed', 'UnknownOrder', 'UnknownPosition', 'UnknownFund', 'UnknownTwap', ...Object.keys(API_FAULTS)];
    expect([...answers].filter((answer) => !known.includes(answer))).toEqual([]);
  });
});
