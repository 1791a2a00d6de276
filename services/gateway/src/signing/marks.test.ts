import { expect, test } from 'vitest';
import { Marks } from './marks.ts';

test('what was added is there, and nothing else, however many they are', () => {
  const seed = Number(process.env['ORRERY_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`ORRERY_SEED=${seed}`);
  let state = seed;
  // Numerical Recipes' generator; two of its numbers are 48 bits.
  const draw = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0) >>> 0;
  const marks = new Marks();
  const naive = new Set<number>();
  for (let step = 0; step < 20_000; step += 1) {
    // Few different low bits: marks stand in each other's way.
    const mark = (draw() >>> 16) * 2 ** 32 + (draw() >>> 20);
    expect(marks.has(mark)).toBe(naive.has(mark));
    marks.add(mark);
    naive.add(mark);
  }
  for (const mark of naive) expect(marks.has(mark)).toBe(true);
});

test('the least and the greatest mark are marks like others', () => {
  const marks = new Marks();
  for (const mark of [0, 2 ** 48 - 1]) {
    expect(marks.has(mark)).toBe(false);
    marks.add(mark);
    expect(marks.has(mark)).toBe(true);
  }
});
