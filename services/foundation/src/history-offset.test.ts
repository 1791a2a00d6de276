import { expect, test } from 'vitest';
import { offsetFault } from './history-offset.ts';

const OFFSET = { name: 'history in SQL', remedy: 'do this' };
const JOURNAL = { last: 900, covers: (after: number) => after >= 100 };

test.each([
  [undefined, 'There are rows of history in SQL, but the row that says how far they are written is missing: do this.'],
  [
    1_000,
    'There is history in SQL up to command 1000, but the journal ends with command 900, so one of the two was restored from an older backup: do this.',
  ],
  [
    99,
    'There is history in SQL up to command 99, but the journal lacks commands after it: put the missing segments of the journal back, then start again.',
  ],
  [100, undefined],
  [900, undefined],
])('tables written up to %s', (seq, fault) => {
  expect(offsetFault({ ...OFFSET, seq }, JOURNAL)).toBe(fault);
});
