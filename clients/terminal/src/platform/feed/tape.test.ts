import { lots, ticks } from '@orrery/units';
import { expect, test } from 'vitest';
import { mergeTape, TAPE_LENGTH } from './tape.ts';
import type { TapeTrade } from './tape.ts';

const trade = (id: number): TapeTrade => ({ id, time: id, price: ticks(100), size: lots(1), takerSide: 'buy' });
const ids = (tape: readonly TapeTrade[]): number[] => tape.map(({ id }) => id);

test('[S4] the newest trade stands on top, whatever order the trades came in', () => {
  expect(ids(mergeTape([trade(5)], [trade(4), trade(7), trade(6)]))).toEqual([7, 6, 5, 4]);
});

test('a trade received twice, from the stream and from the list, stands once', () => {
  const tape = mergeTape([], [trade(1), trade(2)]);
  expect(ids(mergeTape(tape, [trade(2), trade(3)]))).toEqual([3, 2, 1]);
  expect(mergeTape(tape, [trade(2)])).toBe(tape);
});

test('the tape does not grow without a bound', () => {
  const many = Array.from({ length: TAPE_LENGTH + 10 }, (_, id) => trade(id));
  const tape = mergeTape([], many);
  expect(tape).toHaveLength(TAPE_LENGTH);
  expect(tape[0]?.id).toBe(TAPE_LENGTH + 9);
});
