/** For tests: the table of who may make which call, read from `authorisation.txt` and compared with what there is. */
import { readFileSync } from 'node:fs';

export const CALLERS = ['visitor', 'owner', 'other', 'blocked', 'ended', 'readKey', 'tradeKey', 'offKey', 'strayKey'] as const;
export type CallerName = (typeof CALLERS)[number];
export type AuthorisationRow = Readonly<Record<CallerName, string>>;
export type AuthorisationTable = ReadonlyMap<string, AuthorisationRow>;

export function readAuthorisation(): AuthorisationTable {
  return parseAuthorisation(readFileSync(new URL('authorisation.txt', import.meta.url), 'utf8'));
}

/** Throws unless every row has a name of its own and one answer for each caller. */
export function parseAuthorisation(text: string): AuthorisationTable {
  const [header, ...rows] = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(/ +/));
  if (header?.join() !== ['call', ...CALLERS].join()) throw new Error(`the header is ${String(header)}`);
  const table = new Map<string, AuthorisationRow>();
  for (const [name = '', ...answers] of rows) {
    if (answers.length !== CALLERS.length) throw new Error(`${name} has ${answers.length} answers, not ${CALLERS.length}`);
    if (table.has(name)) throw new Error(`${name} has two rows`);
    table.set(name, Object.fromEntries(CALLERS.map((caller, index) => [caller, answers[index]])) as AuthorisationRow);
  }
  return table;
}

/** Calls that are there and have no row, and rows that are of no call. */
export function gapsBetween(calls: readonly string[], table: AuthorisationTable): readonly string[] {
  const there = new Set(calls);
  return [
    ...calls.filter((name) => !table.has(name)).map((name) => `${name} has no row`),
    ...[...table.keys()].filter((name) => !there.has(name)).map((name) => `${name} is no call`),
  ];
}
