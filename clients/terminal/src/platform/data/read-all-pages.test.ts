import { CallError } from '@orrery/sdk';
import { expect, test } from 'vitest';
import type { Page } from '../../kit/ui/pager.tsx';
import { readAllPages, ROWS_MAX } from './read-all-pages.ts';

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

const tooMany = (): CallError => new CallError({ code: 429, msg: 'too many calls', status: 429, retryAfterMs: 250 });

function stage(all: readonly number[]) {
  const asked: number[] = [];
  const counts: number[] = [];
  const slept: number[] = [];
  const page = ({ page: number, pageSize }: Page) => {
    asked.push(number);
    return Promise.resolve({ list: all.slice((number - 1) * pageSize, number * pageSize), total: all.length });
  };
  const sleep = (millis: number): Promise<void> => {
    slept.push(millis);
    return Promise.resolve();
  };
  return { asked, counts, slept, page, sleep, onCount: (count: number) => void counts.push(count) };
}

test('a list is read to its end, a hundred rows at a time, and how many have come is reported', async () => {
  const { asked, counts, page, onCount } = stage(numbers(250));
  expect(await readAllPages({ load: page, keyOf: String }, onCount)).toEqual(numbers(250));
  expect([asked, counts]).toEqual([
    [1, 2, 3],
    [100, 200, 250],
  ]);
});

test('a list without end is read to the bound', async () => {
  const { asked, page, onCount } = stage(numbers(ROWS_MAX + 500));
  expect(await readAllPages({ load: page, keyOf: String }, onCount)).toHaveLength(ROWS_MAX);
  expect(asked.at(-1)).toBe(ROWS_MAX / 100);
});

test('a row that comes twice while the list grows counts once', async () => {
  const grown = [...numbers(100), 99, ...numbers(20).map((at) => at + 100)];
  const { page, onCount } = stage(grown);
  expect(await readAllPages({ load: page, keyOf: String }, onCount)).toEqual(numbers(120));
});

test('a page that is refused for too many calls is asked for again after the time that the refusal names', async () => {
  const { page, onCount, slept, sleep } = stage(numbers(3));
  let refusals = 2;
  const load = (asked: Page) => {
    if (refusals === 0) return page(asked);
    refusals -= 1;
    return Promise.reject(tooMany());
  };
  expect(await readAllPages({ load, keyOf: String, sleep }, onCount)).toEqual([0, 1, 2]);
  expect(slept).toEqual([250, 250]);
});

test('what stays refused, or fails otherwise, is an error', async () => {
  const { onCount, slept, sleep } = stage([]);
  await expect(readAllPages({ load: () => Promise.reject(tooMany()), keyOf: String, sleep }, onCount)).rejects.toThrow(CallError);
  expect(slept).toHaveLength(5);
  await expect(readAllPages({ load: () => Promise.reject(new Error('away')), keyOf: String, sleep }, onCount)).rejects.toThrow('away');
});
