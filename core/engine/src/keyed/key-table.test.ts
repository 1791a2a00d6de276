import { expect, test } from 'vitest';
import { Chance } from '../testing/chance.ts';
import { keyedHash, OPEN_KEY } from './keyed-hash.ts';
import { KeyTable } from './key-table.ts';

const printable = (chance: Chance, length: number): string =>
  Array.from({ length }, () => String.fromCharCode(chance.between(32, 126))).join('');

test('finds the same texts as a Map, for keys of any length, the empty one too', () => {
  const seed = Number(process.env['ORRERY_SEED'] ?? Math.floor(Math.random() * 1_000_000));
  console.log(`ORRERY_SEED=${seed}`);
  const chance = new Chance(seed);
  const table = new KeyTable({ low: seed, high: 7 });
  const map = new Map<string, string>();
  for (let step = 0; step < 30_000; step += 1) {
    // Short keys come again, long ones differ in their last characters.
    const key = chance.oneIn(3) ? printable(chance, chance.below(3)) : `transfer-${'0'.repeat(chance.below(180))}${chance.below(20_000)}`;
    expect(table.get(key)).toBe(map.get(key));
    if (map.has(key)) continue;
    const text = printable(chance, chance.below(80));
    table.add(key, text);
    map.set(key, text);
    expect(table.get(key)).toBe(text);
  }
  expect(table.size).toBe(map.size);
  expect(new Map(table)).toEqual(map);
});

test('a key is added once, and in ASCII', () => {
  const table = new KeyTable();
  table.add('deposit 1', 'ten');
  expect(() => table.add('deposit 1', 'ten')).toThrow('a key is added once');
  expect(() => table.add('deposit \u00e9', 'ten')).toThrow('a key and its text are ASCII');
});

test('two keys of one hash are two keys', () => {
  const byHash = new Map<number, string>();
  const pairs: [string, string][] = [];
  for (let number = 0; number < 300_000; number += 1) {
    const key = `transfer-${number}`;
    const hash = keyedHash(key, OPEN_KEY);
    const other = byHash.get(hash);
    if (other !== undefined && other.length === key.length) pairs.push([other, key]);
    byHash.set(hash, key);
  }
  expect(pairs.length).toBeGreaterThan(2);
  for (const [one, other] of pairs) {
    const table = new KeyTable();
    table.add(one, 'one');
    expect(table.get(other)).toBeUndefined();
    table.add(other, 'other');
    expect([table.get(one), table.get(other)]).toEqual(['one', 'other']);
  }
});
