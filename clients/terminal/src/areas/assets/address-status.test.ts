import { expect, test } from 'vitest';
import { statusOf } from './address-status.ts';

const own = `0x${'aB'.repeat(20)}`;
const cold = `0x${'cd'.repeat(20)}`;
const book = [{ address: cold, label: 'cold', userId: '7', createdTime: 1_000, usableTime: 5_000 }];
const standing = (to: string, now: number) => statusOf({ to, own, book, now });

test('[A8] the own wallet is usable without an entry, an entry after its wait, and anything else is unknown', () => {
  expect(standing(own.toLowerCase(), 0)).toEqual({ name: 'usable', userId: null });
  expect(standing(cold.toUpperCase().replace('0X', '0x'), 4_999)).toEqual({ name: 'waiting', leftMs: 1 });
  expect(standing(cold, 5_000)).toEqual({ name: 'usable', userId: '7' });
  expect(standing(`0x${'ef'.repeat(20)}`, 9_000)).toEqual({ name: 'unknown' });
});
