import { describe, expect, test } from 'vitest';
import { play } from '../testing/tape.ts';

describe('a clientOrderId', () => {
  test('O7, R3: names one open order of an account; the same order again is answered as the first', () => {
    const tape = `
      alice       buy 5 @ 100 id a           -> accepted #1, rested 5
      alice       buy 5 @ 100 id a           -> repeated #1
      alice       buy 6 @ 100 id a           -> rejected DuplicateClientOrderId clientOrderId
      bob         buy 5 @ 90 id a            -> accepted #2, rested 5
      book        100 x 5, 90 x 5 |
    `;
    expect(play(tape)).toBe(tape);
  });

  test('O7, R3: is known for a day after its order closed, and may then name another order', () => {
    const tape = `
      alice       buy 5 @ 100 id a           -> accepted #1, rested 5
      alice       cancel a                   -> #1 canceledByAccount
      alice       buy 5 @ 100 id a           -> repeated #1
      clock       86399
      alice       buy 5 @ 100 id a           -> repeated #1
      clock       1
      alice       buy 5 @ 100 id a           -> accepted #2, rested 5
      bob         buy 5 @ 100 ioc id b       -> accepted #3, remainderNotFilled
      bob         buy 5 @ 100 ioc id b       -> repeated #3
      bob         buy 5 @ 100 id b           -> accepted #4, rested 5
    `;
    expect(play(tape)).toBe(tape);
  });

  test('is answered as repeated even where the order could not be placed any more', () => {
    const tape = `
      alice       buy 5 @ 100 id a           -> accepted #1, rested 5
      bob         sell 5 @ 100               -> accepted #2, trade 5 @ 100 with #1, #1 filled, filled
      bob         buy 5 @ 120 stop 101 id s  -> accepted #3, armed
      carol       sell 1 @ 101               -> accepted #4, rested 1
      alice       buy 1 @ 101                -> accepted #5, trade 1 @ 101 with #4, #4 filled, filled, #3 triggered by 101, #3 refusedAtTrigger
      exchange    halt                       -> HALT
      exchange    set alice connected off    -> connected off
      alice       buy 5 @ 100 id a           -> repeated #1
      bob         buy 5 @ 120 stop 101 id s  -> repeated #3
    `;
    expect(play(tape)).toBe(tape);
  });
});
