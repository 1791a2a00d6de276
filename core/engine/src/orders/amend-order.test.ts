import { describe, expect, test } from 'vitest';
import { play } from '../testing/tape.ts';

describe('an amendment', () => {
  test('keeps the id and the name of its order; a smaller size at the same price keeps its place, everything else stands behind the queue', () => {
    const tape = `
      alice       buy 5 @ 100 id a           -> accepted #1, rested 5
      bob         buy 5 @ 100                -> accepted #2, rested 5
      alice       amend #1 3                 -> #1 amended to 3 @ 100 in its place
      book        100 x 3, 100 x 5 |
      alice       amend #1 4                 -> #1 amended to 4 @ 100, #1 rested 4
      book        100 x 5, 100 x 4 |
      alice       amend #1 @ 99 id b         -> #1 amended to 4 @ 99, #1 rested 4
      alice       cancel a                   -> rejected UnknownOrder clientOrderId
      alice       amend #1 @ 98              -> #1 amended to 4 @ 98, #1 rested 4
      balance     alice USDC free 99608 held 392
      alice       cancel b                   -> #1 canceledByAccount
      book        100 x 5 |
    `;
    expect(play(tape)).toBe(tape);
  });

  test('has the size of the whole order: what is filled when it applies is taken off', () => {
    const tape = `
      alice       buy 5 @ 100                -> accepted #1, rested 5
      bob         sell 3 @ 100               -> accepted #2, trade 3 @ 100 with #1, filled
      alice       amend #1 4                 -> #1 amended to 4 @ 100 in its place
      book        100 x 1 |
      bob         sell 3 @ 100               -> accepted #3, trade 1 @ 100 with #1, #1 filled, rested 2
      balance     alice USDC free 99600 held 0
    `;
    expect(play(tape)).toBe(tape);
  });

  test('to a size that is filled already ends its order, and trades nothing more', () => {
    const tape = `
      alice       buy 5 @ 100                -> accepted #1, rested 5
      bob         sell 3 @ 100               -> accepted #2, trade 3 @ 100 with #1, filled
      alice       amend #1 2 @ 105 id n      -> #1 amendedToFilled
      book        |
      balance     alice USDC free 99700 held 0
      alice       amend #1 2 @ 105 id n      -> repeated #1
    `;
    expect(play(tape)).toBe(tape);
  });

  test('crosses at its new price with what is left of it, and counts what it traded before', () => {
    const tape = `
      alice       buy 5 @ 100                -> accepted #1, rested 5
      bob         sell 2 @ 100               -> accepted #2, trade 2 @ 100 with #1, filled
      carol       sell 2 @ 102               -> accepted #3, rested 2
      alice       amend #1 @ 102             -> #1 amended to 5 @ 102, trade 2 @ 102 with #3 by #1, #3 filled, #1 rested 1
      book        102 x 1 |
      balance     alice USDC free 99494 held 102
      bob         sell 1 @ 102               -> accepted #4, trade 1 @ 102 with #1, #1 filled, filled
    `;
    expect(play(tape)).toBe(tape);
  });

  test('does not make up what self-trade prevention took, unless it says a size', () => {
    const tape = `
      alice       buy 5 @ 100                -> accepted #1, rested 5
      alice       sell 2 @ 100 stp decrement -> accepted #2, #1 reduced to 3, selfTrade
      alice       amend #1 @ 99              -> #1 amended to 5 @ 99, #1 rested 3
      alice       amend #1 5                 -> #1 amended to 5 @ 99, #1 rested 5
    `;
    expect(play(tape)).toBe(tape);
  });

  test('of a stop that rests with its remainder changes it as a limit order', () => {
    const tape = `
      alice       sell 5 @ 90 stop 91        -> accepted #1, armed
      carol       buy 1 @ 91                 -> accepted #2, rested 1
      bob         sell 1 @ 91                -> accepted #3, trade 1 @ 91 with #2, #2 filled, filled, #1 triggered by 91, #1 rested 5
      alice       amend #1 4 @ 92            -> #1 amended to 4 @ 92, #1 rested 4
      book        | 92 x 4
    `;
    expect(play(tape)).toBe(tape);
  });

  test('that would be refused leaves the order where it is', () => {
    const tape = `
      carol       buy 4 @ 99 gtx             -> accepted #1, rested 4
      bob         sell 3 @ 105               -> accepted #2, rested 3
      carol       amend #1 @ 105             -> rejected PostOnlyWouldTake timeInForce
      carol       amend #1 501 @ 99          -> rejected InvalidSize size
      carol       amend #1 1 @ 49            -> rejected InvalidNotional size
      carol       buy 400 @ 98 id x          -> accepted #3, rested 400
      carol       buy 400 @ 98               -> accepted #4, rested 400
      carol       amend #1 9 @ 99 id x       -> rejected DuplicateClientOrderId clientOrderId
      carol       amend #1 300 @ 99          -> rejected InsufficientBalance
      book        99 x 4, 98 x 400, 98 x 400 | 105 x 3
      balance     carol USDC free 21204 held 78796
      carol       amend #1 217 @ 99          -> #1 amended to 217 @ 99, #1 rested 217
      carol       amend #1 218 @ 99          -> #1 amended to 218 @ 99, #1 rested 218
      book        99 x 218, 98 x 400, 98 x 400 | 105 x 3
      balance     carol USDC free 18 held 99982
    `;
    expect(play(tape)).toBe(tape);
  });

  test('O7: comes twice and is done once', () => {
    const tape = `
      alice       buy 5 @ 100 id a           -> accepted #1, rested 5
      alice       amend #1 6 @ 101 id n      -> #1 amended to 6 @ 101, #1 rested 6
      alice       amend #1 6 @ 101 id n      -> repeated #1
      alice       amend #1 7 @ 101 id n      -> #1 amended to 7 @ 101, #1 rested 7
      alice       amend #1 6 @ 101 id n      -> #1 amended to 6 @ 101 in its place
      alice       buy 5 @ 100 id a           -> repeated #1
      alice       cancel n                   -> #1 canceledByAccount
      alice       amend #1 6 @ 101 id n      -> repeated #1
      alice       amend #1 7 @ 101 id n      -> rejected UnknownOrder orderId
    `;
    expect(play(tape)).toBe(tape);
  });

  test('is for resting limit orders of the same account', () => {
    const tape = `
      alice       sell 5 @ 90 stop 91        -> accepted #1, armed
      alice       amend #1 @ 92              -> rejected OrderNotAmendable orderId
      bob         amend #1 @ 92              -> rejected UnknownOrder orderId
      alice       amend #9 @ 92              -> rejected UnknownOrder orderId
      alice       buy 4 @ 80                 -> accepted #2, rested 4
      exchange    cancel-only                -> CANCEL_ONLY
      alice       amend #2 @ 81              -> rejected MarketCancelOnly market
      exchange    halt                       -> HALT
      alice       amend #2 @ 81              -> rejected MarketHalted market
    `;
    expect(play(tape)).toBe(tape);
  });

  test('that trades at its new price triggers the stops that wait for it', () => {
    const tape = `
      alice       sell 5 @ 100               -> accepted #1, rested 5
      carol       sell 2 @ 99 stop 100       -> accepted #2, armed
      bob         buy 5 @ 98                 -> accepted #3, rested 5
      bob         amend #3 @ 100             -> #3 amended to 5 @ 100, trade 5 @ 100 with #1 by #3, #1 filled, #3 filled, #2 triggered by 100, #2 rested 2
    `;
    expect(play(tape)).toBe(tape);
  });

  test('that cannot be amended is refused because of the market first', () => {
    const tape = `
      alice       sell 5 @ 90 stop 91        -> accepted #1, armed
      exchange    halt                       -> HALT
      alice       amend #1 @ 92              -> rejected MarketHalted market
      exchange    open                       -> TRADING
      alice       amend #1 @ 92              -> rejected OrderNotAmendable orderId
    `;
    expect(play(tape)).toBe(tape);
  });
});

describe('an amendment before rules 8', () => {
  test('replaces the order under a new id and behind the queue', () => {
    const tape = `
      alice       buy 5 @ 100 id a           -> accepted #1, rested 5
      bob         buy 5 @ 100                -> accepted #2, rested 5
      alice       amend #1 3 id b            -> #1 replaced, accepted #3, rested 3
      book        100 x 5, 100 x 3 |
      alice       cancel a                   -> rejected UnknownOrder clientOrderId
      alice       amend #3 @ 99 id b         -> #3 replaced, accepted #4, rested 3
      alice       cancel b                   -> #4 canceledByAccount
      book        100 x 5 |
    `;
    expect(play(tape, { rules: 7 })).toBe(tape);
  });

  test('takes what remains of a partly filled order, and may trade at once', () => {
    const tape = `
      alice       buy 5 @ 100                -> accepted #1, rested 5
      bob         sell 2 @ 100               -> accepted #2, trade 2 @ 100 with #1, filled
      carol       sell 2 @ 102               -> accepted #3, rested 2
      alice       amend #1 @ 102             -> #1 replaced, accepted #4, trade 2 @ 102 with #3, #3 filled, rested 1
      book        102 x 1 |
      balance     alice USDC free 99494 held 102
    `;
    expect(play(tape, { rules: 7 })).toBe(tape);
  });

  test('O7: comes twice and is done once', () => {
    const tape = `
      alice       buy 5 @ 100                -> accepted #1, rested 5
      alice       amend #1 6 @ 101 id n      -> #1 replaced, accepted #2, rested 6
      alice       amend #1 6 @ 101 id n      -> repeated #2
      alice       amend #1 7 @ 101 id n      -> rejected UnknownOrder orderId
      alice       cancel n                   -> #2 canceledByAccount
      alice       amend #1 6 @ 101 id n      -> repeated #2
    `;
    expect(play(tape, { rules: 7 })).toBe(tape);
  });
});
