import { describe, expect, test } from 'vitest';
import { play } from '../testing/tape.ts';

describe('a market buy by funds that meets its own account', () => {
  test('and buys nothing closes for that, not as filled', () => {
    const tape = `
      alice       sell 5 @ 100               -> accepted #1, rested 5
      bob         sell 5 @ 104               -> accepted #2, rested 5
      alice       buy funds 103 @ market slippage 100000 stp expireMaker -> accepted #3, #1 selfTrade, selfTrade
      balance     alice USDC free 100000 held 0
    `;
    expect(play(tape)).toBe(tape);
  });

  test('and loses funds to it has not spent them whole', () => {
    const tape = `
      alice       sell 1 @ 100               -> accepted #1, rested 1
      bob         sell 1 @ 100               -> accepted #2, rested 1
      alice       buy funds 200 @ market fok stp decrement -> rejected FillOrKillUnfilled timeInForce
      alice       buy funds 200 @ market stp decrement -> accepted #3, #1 selfTrade, trade 1 @ 100 with #2, #2 filled, filled
    `;
    expect(play(tape)).toBe(tape);
  });
});
