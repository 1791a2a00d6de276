/** For tests: the table of who may make which call, read from `authorisation.txt` and compared with the contract. */
import { readFileSync } from 'node:fs';

export const CALLERS = [
  'visitor',
  'owner',
  'other',
  'blocked',
  'ended',
  'readKey',
  'tradeKey',
  'transferKey',
  'offKey',
  'strayKey',
] as const;
export type CallerName = (typeof CALLERS)[number];
export type AuthorisationRow = Readonly<Record<CallerName, string>>;
export type AuthorisationTable = ReadonlyMap<string, AuthorisationRow>;

/** Who of the operators, a `reviewer` being an operator with that right; beside them a trader, who is none. */
export const OPERATOR_CALLERS = ['trader', 'viewer', 'operator', 'reviewer', 'admin'] as const;
type OperatorTable = ReadonlyMap<string, Readonly<Record<(typeof OPERATOR_CALLERS)[number], string>>>;

export const readAuthorisation = (): AuthorisationTable => parseAuthorisation(read('authorisation.txt'));

export const readOperators = (): OperatorTable => parseTable(read('operators.txt'), OPERATOR_CALLERS);

export const parseAuthorisation = (text: string): AuthorisationTable => parseTable(text, CALLERS);

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

/** Throws unless every row has a name of its own and one answer for each caller. */
function parseTable<Name extends string>(text: string, callers: readonly Name[]): ReadonlyMap<string, Readonly<Record<Name, string>>> {
  const [header, ...rows] = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(/ +/));
  if (header?.join() !== ['call', ...callers].join()) throw new Error(`the header is ${String(header)}`);
  const table = new Map<string, Readonly<Record<Name, string>>>();
  for (const [name = '', ...answers] of rows) {
    if (answers.length !== callers.length) throw new Error(`${name} has ${answers.length} answers, not ${callers.length}`);
    if (table.has(name)) throw new Error(`${name} has two rows`);
    table.set(name, Object.fromEntries(callers.map((caller, index) => [caller, answers[index]])) as Record<Name, string>);
  }
  return table;
}

/** Calls without a row, and rows without a call. */
export function gapsBetween(calls: readonly string[], table: ReadonlyMap<string, unknown>): readonly string[] {
  const there = new Set(calls);
  return [
    ...calls.filter((name) => !table.has(name)).map((name) => `${name} has no row`),
    ...[...table.keys()].filter((name) => !there.has(name)).map((name) => `${name} is no call`),
  ];
}
