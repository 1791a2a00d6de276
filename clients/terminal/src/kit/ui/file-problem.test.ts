import { expect, test } from 'vitest';
import { fileProblem, fileSize } from './file-problem.ts';

const rule = { types: ['image/png', 'image/jpeg'], maxBytes: 2 * 1024 ** 2 };

test.each([
  ['image/png', 2 * 1024 ** 2, undefined],
  ['image/png', 2 * 1024 ** 2 + 1, 'ui.file.large'],
  ['image/png', 0, 'ui.file.empty'],
  ['image/svg+xml', 10, 'ui.file.kind'],
  ['', 10, 'ui.file.kind'],
])('a file of the kind %j with %i bytes: %s', (type, size, id) => {
  expect(fileProblem({ type, size }, rule)?.id).toBe(id);
});

test('a size is written in the unit that people know, rounded down', () => {
  expect([0, 1023, 1024, 1_048_575, 1_048_576, 1_600_000, 2_097_152].map(fileSize)).toEqual([
    '0 B',
    '1023 B',
    '1 KiB',
    '1023 KiB',
    '1 MiB',
    '1.5 MiB',
    '2 MiB',
  ]);
});
