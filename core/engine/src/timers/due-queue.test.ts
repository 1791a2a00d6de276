import { expect, test } from 'vitest';
import { millis } from '@orrery/units';
import { Chance } from '../testing/chance.ts';
import { DueQueue } from './due-queue.ts';

test('what is due comes by time and then by id, whatever is set, moved and deleted', () => {
  const seed = Number(process.env['ORRERY_SEED'] ?? Math.floor(Math.random() * 1_000_000));
  console.log(`ORRERY_SEED=${seed}`);
  const chance = new Chance(seed);
  const queue = new DueQueue();
  const naive = new Map<number, number>();
  const first = () => [...naive].map(([id, at]) => ({ at, id })).sort((left, right) => left.at - right.at || left.id - right.id)[0];
  for (let step = 0; step < 20_000; step += 1) {
    const id = chance.between(1, 60);
    const dice = chance.below(4);
    if (dice < 2) {
      const at = chance.between(1, 500);
      queue.set(id, millis(at));
      naive.set(id, at);
    } else if (dice === 2) {
      queue.delete(id);
      naive.delete(id);
    } else {
      const next = queue.next();
      expect(next).toEqual(first());
      if (next !== undefined) {
        queue.delete(next.id);
        naive.delete(next.id);
      }
    }
    expect(queue.timeOf(id)).toBe(naive.get(id));
  }
  expect(queue.entries()).toEqual([...naive].map(([id, at]) => ({ id, at })).sort((left, right) => left.id - right.id));
});
