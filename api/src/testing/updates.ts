/** For tests: what two calls at the same moment may do to each other, read from `updates.txt` and compared with the contract. */
import { readFileSync } from 'node:fs';

/**
 * - `fields`: changes of different fields both hold, or one is refused by name.
 * - `list`: two things are added to a list, or taken from it, and both are.
 * - `whole`: one value is replaced; the result is one of the two, and no mixture.
 * - `once`: of two decisions one is taken, the other refused by name.
 * - `new`: makes a thing of its own, which nothing else is changed by.
 * - `read`: changes nothing that anybody else changes, such as a challenge or a count of tries.
 */
export const UPDATE_KINDS = ['fields', 'list', 'whole', 'once', 'new', 'read'] as const;
export type UpdateKind = (typeof UPDATE_KINDS)[number];

export interface UpdateRow {
  readonly call: string;
  readonly kind: UpdateKind;
  /** The test that makes the two calls; `-` of calls that need none. */
  readonly file: string;
}

export const readUpdates = (): readonly UpdateRow[] => parseUpdates(readFileSync(new URL('updates.txt', import.meta.url), 'utf8'));

/** The calls that a test file must make twice at once. */
export const updatesIn = (file: string): readonly string[] =>
  readUpdates()
    .filter((row) => row.file === file)
    .map(({ call }) => call);

/** Throws unless each row is of a kind, and names a test where its kind needs one. */
export function parseUpdates(text: string): readonly UpdateRow[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [call = '', kind = '', file = ''] = line.split(/ +/);
      const known = UPDATE_KINDS.find((each) => each === kind);
      if (known === undefined) throw new Error(`${call} is of no kind: ${kind}`);
      if (file === '' || (file === '-') !== (known === 'new' || known === 'read')) throw new Error(`${call} names no test, or needs none`);
      return { call, kind: known, file };
    });
}
