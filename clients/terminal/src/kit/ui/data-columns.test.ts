import { expect, test } from 'vitest';
import { fileOf } from './data-columns.ts';
import type { DataColumn } from './data-columns.ts';

interface Fill {
  readonly at: string;
  readonly price: string;
}

const columns: readonly DataColumn<Fill>[] = [
  { id: 'time', header: 'Time (UTC)', cell: ({ at }) => at, csv: ({ at }) => at },
  { id: 'actions', header: 'Actions', cell: () => 'x' },
  { id: 'price', header: 'Price, USDC', cell: ({ price }) => `$${price}`, csv: ({ price }) => price },
];

test('the file has a line of names and a line for each row, of the columns that have something to say in it', () => {
  expect(fileOf(columns, [{ at: '2026-01-02 03:04:05', price: '60540.5' }])).toBe(
    'Time (UTC),"Price, USDC"\r\n2026-01-02 03:04:05,60540.5\r\n',
  );
  expect(fileOf(columns, [])).toBe('Time (UTC),"Price, USDC"\r\n');
});
