import { expect, test } from 'vitest';
import { offsetFault } from './history-offset.ts';

const OFFSET = { name: 'History in SQL', remedy: 'do this' };
const JOURNAL = { last: 900, covers: (after: number) => after >= 100 };

test.each([
  [undefined, 'History in SQL has rows, but the row that says how far it is written is missing: do this.'],
  [
    1_000,
    'History in SQL is written up to command 1000, but the journal ends with command 900, so one of the two was restored from an older backup: do this.',
  ],
  [
    99,
    'History in SQL is written up to command 99, but the journal lacks commands after it: put its missing segments back from a backup, then start again.',
  ],
  [100, undefined],
  [900, undefined],
])('tables written up to %s', (seq, fault) => {
  expect(offsetFault({ ...OFFSET, seq }, JOURNAL)).toBe(fault);
});
