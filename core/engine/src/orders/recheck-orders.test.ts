import { expect, test } from 'vitest';
import type { Event } from '@orrery/protocol';
import { contractOrder, FuturesTable } from '../testing/futures-table.ts';

const reduced = (events: readonly Event[]) =>
  events.flatMap((one) => (one.type === 'OrderClosed' && one.reason === 'reduceOnly' ? [[one.price, one.removed]] : []));

/** Alice is long 10, and two orders of 2 and 3 would reduce it. */
function aliceReduces(): FuturesTable {
  const table = new FuturesTable();
  table.marks(50);
  table.give(contractOrder('bob', 'sell', 10, 50));
  table.give(contractOrder('alice', 'buy', 10, 50));
  table.give(contractOrder('alice', 'sell', 2, 70, { reduceOnly: true }));
  table.give(contractOrder('alice', 'sell', 3, 71, { reduceOnly: true }));
  table.give(contractOrder('bob', 'buy', 30, 50));
  return table;
}

test('O5: orders that only reduce rest on while their position is at least as large', () => {
  const table = aliceReduces();
  expect(reduced(table.emitted(contractOrder('alice', 'sell', 5, 50)))).toEqual([]);
  table.replay();
});

test('O5: they close when their position turns round, however large it is then', () => {
  const table = aliceReduces();
  expect(reduced(table.emitted(contractOrder('alice', 'sell', 15, 50)))).toEqual([
    [71, 3],
    [70, 2],
  ]);
  expect(table.position('alice')).toMatchObject({ size: -5 });
  table.replay();
});

test('O5: they close with their position', () => {
  const table = aliceReduces();
  expect(reduced(table.emitted(contractOrder('alice', 'sell', 10, 50)))).toHaveLength(2);
});
