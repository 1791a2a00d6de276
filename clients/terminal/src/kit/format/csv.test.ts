import { expect, test } from 'vitest';
import { csvOf } from './csv.ts';

test('each row is a line, and what a comma, a quote or a line break would tear apart is quoted', () => {
  expect(
    csvOf([
      ['Time', 'Note'],
      ['2026-01-02 03:04:05', 'a, b'],
      ['1', 'say "hi"'],
      ['-0.5', 'two\nlines'],
    ]),
  ).toBe('Time,Note\r\n2026-01-02 03:04:05,"a, b"\r\n1,"say ""hi"""\r\n-0.5,"two\nlines"\r\n');
});

test('a text that a spreadsheet would run as a formula is made harmless; a number stays a number', () => {
  expect(csvOf([['=1+1', '+2', '@sum', '-12.50', '-x']])).toBe("'=1+1,'+2,'@sum,-12.50,'-x\r\n");
});
