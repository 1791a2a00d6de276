import { describe, expect, test } from 'vitest';
import { play } from '../testing/tape.ts';

describe('a limit order', () => {
  test('O3, O4: trades at the prices of the makers, best and oldest first, and rests with what is left', () => {
    const tape = `
      alice       sell 4 @ 101               -> accepted #1, rested 4
      alice       sell 4 @ 100               -> accepted #2, rested 4
      carol       sell 3 @ 100               -> accepted #3, rested 3
      bob         buy 9 @ 100                -> accepted #4, trade 4 @ 100 with #2, #2 filled, trade 3 @ 100 with #3, #3 filled, rested 2
      book        100 x 2 | 101 x 4
      balance     bob USDC free 99100 held 200
      balance     bob BTC free 1005 held 0
      balance     alice USDC free 100399 held 0
      balance     alice BTC free 992 held 4
    `;
    expect(play(tape)).toBe(tape);
  });

  test('M4: what a better price leaves over is free at once', () => {
    const tape = `
      alice       sell 10 @ 95               -> accepted #1, rested 10
      bob         buy 14 @ 100               -> accepted #2, trade 10 @ 95 with #1, #1 filled, rested 4
      balance     bob USDC free 98650 held 400
    `;
    expect(play(tape)).toBe(tape);
  });

  test('holds the quote of a buy and the base of a sell, and is refused when that is not free', () => {
    const tape = `
      alice       buy 400 @ 100              -> accepted #1, rested 400
      balance     alice USDC free 60000 held 40000
      alice       buy 400 @ 100              -> accepted #2, rested 400
      alice       buy 201 @ 100              -> rejected InsufficientBalance
      alice       sell 500 @ 101             -> rejected InvalidNotional size
      alice       sell 390 @ 102             -> accepted #3, rested 390
      alice       sell 390 @ 102             -> accepted #4, rested 390
      alice       sell 221 @ 102             -> rejected InsufficientBalance
      alice       sell 220 @ 102             -> accepted #5, rested 220
      balance     alice BTC free 0 held 1000
    `;
    expect(play(tape)).toBe(tape);
  });

  test('O5: IOC leaves nothing in the book', () => {
    const tape = `
      alice       sell 10 @ 100              -> accepted #1, rested 10
      bob         buy 4 @ 100 ioc            -> accepted #2, trade 4 @ 100 with #1, filled
      bob         buy 20 @ 100 ioc           -> accepted #3, trade 6 @ 100 with #1, #1 filled, remainderNotFilled
      bob         buy 5 @ 95 ioc             -> accepted #4, remainderNotFilled
      book        |
      balance     bob USDC free 99000 held 0
    `;
    expect(play(tape)).toBe(tape);
  });

  test('O5: FOK fills whole or is refused whole', () => {
    const tape = `
      alice       sell 10 @ 100              -> accepted #1, rested 10
      carol       sell 10 @ 101              -> accepted #2, rested 10
      bob         buy 11 @ 100 fok           -> rejected FillOrKillUnfilled timeInForce
      bob         buy 21 @ 101 fok           -> rejected FillOrKillUnfilled timeInForce
      bob         buy 10 @ 100 fok           -> accepted #3, trade 10 @ 100 with #1, #1 filled, filled
      bob         buy 10 @ 101 fok           -> accepted #4, trade 10 @ 101 with #2, #2 filled, filled
      book        |
    `;
    expect(play(tape)).toBe(tape);
  });

  test('O5: GTX never takes: it is refused whole if it would match at all', () => {
    const tape = `
      alice       sell 1 @ 100               -> accepted #1, rested 1
      carol       buy 9 @ 100 gtx            -> rejected PostOnlyWouldTake timeInForce
      carol       buy 9 @ 99 gtx             -> accepted #2, rested 9
      bob         sell 4 @ 99                -> accepted #3, trade 4 @ 99 with #2, filled
      book        99 x 5 | 100 x 1
    `;
    expect(play(tape)).toBe(tape);
  });

  test('under rules 1 must not be more aggressive than the band around the last price, on its aggressive side only', () => {
    const tape = `
      exchange    index 100                  -> IndexPriceSet
      alice       buy 5 @ 111                -> rejected PriceOutOfBand price
      alice       buy 5 @ 110                -> accepted #1, rested 5
      bob         sell 5 @ 89                -> rejected PriceOutOfBand price
      bob         sell 5 @ 110               -> accepted #2, trade 5 @ 110 with #1, #1 filled, filled
      bob         sell 5 @ 98                -> rejected PriceOutOfBand price
      bob         sell 5 @ 300               -> accepted #3, rested 5
      alice       buy 5 @ 11                 -> accepted #4, rested 5
    `;
    expect(play(tape, { rules: 1 })).toBe(tape);
  });

  test('under rules 1 is measured by the index again when nobody has traded for a minute', () => {
    const tape = `
      exchange    index 100                  -> IndexPriceSet
      alice       sell 1 @ 100               -> accepted #1, rested 1
      bob         buy 1 @ 100                -> accepted #2, trade 1 @ 100 with #1, #1 filled, filled
      exchange    index 130                  -> IndexPriceSet
      bob         buy 1 @ 130                -> rejected PriceOutOfBand price
      clock       61
      bob         buy 1 @ 130                -> accepted #3, rested 1
    `;
    expect(play(tape, { rules: 1 })).toBe(tape);
  });
});

test('a limit order must not be more aggressive than the band around the reference price, on its aggressive side only', () => {
  const tape = `
      exchange    index 100                  -> IndexPriceSet
      alice       buy 5 @ 111                -> rejected PriceOutOfBand price
      alice       buy 5 @ 110                -> accepted #1, rested 5
      bob         sell 5 @ 89                -> rejected PriceOutOfBand price
      bob         sell 5 @ 110               -> accepted #2, trade 5 @ 110 with #1, #1 filled, filled
      bob         sell 5 @ 94                -> rejected PriceOutOfBand price
      bob         sell 5 @ 95                -> accepted #3, rested 5
      bob         sell 5 @ 300               -> accepted #4, rested 5
      alice       buy 5 @ 11                 -> accepted #5, rested 5
      clock       31
      carol       buy 5 @ 111                -> rejected PriceOutOfBand price
      exchange    index 130                  -> IndexPriceSet
      carol       buy 5 @ 111                -> accepted #6, trade 5 @ 95 with #3, #3 filled, filled
  `;
  expect(play(tape)).toBe(tape);
});

describe('a market order', () => {
  test('O4: takes the best prices within 1 % of the best unless it says otherwise', () => {
    const tape = `
      alice       sell 10 @ 100              -> accepted #1, rested 10
      alice       sell 10 @ 101              -> accepted #2, rested 10
      alice       sell 10 @ 102              -> accepted #3, rested 10
      bob         buy 5 @ market             -> accepted #4, trade 5 @ 100 with #1, filled
      bob         buy 20 @ market            -> accepted #5, trade 5 @ 100 with #1, #1 filled, trade 10 @ 101 with #2, #2 filled, slippageBound
      bob         buy 4 @ market slippage 50000 -> accepted #6, trade 4 @ 102 with #3, filled
      bob         buy 9 @ market             -> accepted #7, trade 6 @ 102 with #3, #3 filled, remainderNotFilled
      bob         buy 1 @ market             -> rejected NoLiquidity
      book        |
    `;
    expect(play(tape)).toBe(tape);
  });

  test('O4: never trades beyond its own worst price', () => {
    const tape = `
      alice       sell 10 @ 100              -> accepted #1, rested 10
      alice       sell 10 @ 101              -> accepted #2, rested 10
      bob         buy 5 @ market worst 99    -> accepted #3, slippageBound
      bob         buy 15 @ market worst 100  -> accepted #4, trade 10 @ 100 with #1, #1 filled, slippageBound
      carol       buy 3 @ 98                 -> accepted #5, rested 3
      bob         sell 5 @ market worst 98   -> accepted #6, trade 3 @ 98 with #5, #5 filled, remainderNotFilled
      book        | 101 x 10
    `;
    expect(play(tape)).toBe(tape);
  });

  test('O4: never trades further than the band of the market from the reference price', () => {
    const tape = `
      exchange    index 100                  -> IndexPriceSet
      alice       sell 10 @ 105              -> accepted #1, rested 10
      alice       sell 10 @ 106              -> accepted #2, rested 10
      bob         buy 15 @ market slippage 100000 -> accepted #3, trade 10 @ 105 with #1, #1 filled, slippageBound
      clock       61
      bob         buy 5 @ market             -> rejected PriceOutOfBand price
      carol       buy 10 @ 96                -> accepted #4, rested 10
      carol       buy 10 @ 94                -> accepted #5, rested 10
      bob         sell 15 @ market slippage 100000 -> accepted #6, trade 10 @ 96 with #4, #4 filled, slippageBound
      book        94 x 10 | 106 x 10
    `;
    expect(play(tape)).toBe(tape);
  });

  test('buys for what it may spend, in whole lots', () => {
    const tape = `
      alice       sell 10 @ 100              -> accepted #1, rested 10
      alice       sell 10 @ 101              -> accepted #2, rested 10
      bob         buy funds 1205 @ market    -> accepted #3, trade 10 @ 100 with #1, #1 filled, trade 2 @ 101 with #2, filled
      bob         buy funds 99 @ market      -> accepted #4, remainderNotFilled
      balance     bob USDC free 98798 held 0
      bob         buy funds 5000 @ market    -> accepted #5, trade 8 @ 101 with #2, #2 filled, remainderNotFilled
      balance     bob USDC free 97990 held 0
      bob         buy funds 500 @ market     -> rejected NoLiquidity
    `;
    expect(play(tape)).toBe(tape);
  });

  test('with FOK fills its size, or spends its funds to the last lot, or is refused', () => {
    const tape = `
      alice       sell 10 @ 100              -> accepted #1, rested 10
      bob         buy 11 @ market fok        -> rejected FillOrKillUnfilled timeInForce
      bob         buy funds 1100 @ market fok -> rejected FillOrKillUnfilled timeInForce
      bob         buy 4 @ market fok         -> accepted #2, trade 4 @ 100 with #1, filled
      bob         buy funds 550 @ market fok -> accepted #3, trade 5 @ 100 with #1, filled
      book        | 100 x 1
    `;
    expect(play(tape)).toBe(tape);
  });

  test('needs what it will spend, and a sell all that it would sell', () => {
    const tape = `
      alice       sell 300 @ 100             -> accepted #1, rested 300
      bob         transfer 99000 USDC spot>funding t -> Transferred
      bob         buy 11 @ market            -> rejected InsufficientBalance
      bob         buy 10 @ market            -> accepted #2, trade 10 @ 100 with #1, filled
      balance     bob USDC free 0 held 0
      balance     bob BTC free 1009 held 0
      bob         transfer 990 BTC spot>funding u -> Transferred
      carol       buy 5 @ 99                 -> accepted #3, rested 5
      bob         sell 20 @ market           -> rejected InsufficientBalance
      bob         sell 19 @ market           -> accepted #4, trade 5 @ 99 with #3, #3 filled, remainderNotFilled
    `;
    expect(play(tape)).toBe(tape);
  });
});

describe('self-trade prevention', () => {
  test('O6: expireTaker (the default) ends the incoming order where it would meet its own', () => {
    const tape = `
      bob         sell 5 @ 99                -> accepted #1, rested 5
      alice       sell 5 @ 100               -> accepted #2, rested 5
      bob         sell 5 @ 100               -> accepted #3, rested 5
      alice       buy 18 @ 100               -> accepted #4, trade 5 @ 99 with #1, #1 filled, selfTrade
      book        | 100 x 5, 100 x 5
    `;
    expect(play(tape)).toBe(tape);
  });

  test('O6: expireMaker takes its own orders out of the book and goes on', () => {
    const tape = `
      alice       sell 5 @ 100               -> accepted #1, rested 5
      bob         sell 5 @ 100               -> accepted #2, rested 5
      alice       buy 8 @ 100 stp expireMaker -> accepted #3, #1 selfTrade, trade 5 @ 100 with #2, #2 filled, rested 3
      book        100 x 3 |
      balance     alice BTC free 1004 held 0
    `;
    expect(play(tape)).toBe(tape);
  });

  test('O6: expireBoth ends both', () => {
    const tape = `
      bob         sell 2 @ 100               -> accepted #1, rested 2
      alice       sell 5 @ 101               -> accepted #2, rested 5
      alice       sell 5 @ 101               -> accepted #3, rested 5
      alice       buy 8 @ 101 stp expireBoth -> accepted #4, trade 2 @ 100 with #1, #1 filled, #2 selfTrade, selfTrade
      book        | 101 x 5
    `;
    expect(play(tape)).toBe(tape);
  });

  test('O6: decrement takes the smaller size off both, without a trade and without a fee', () => {
    const tape = `
      alice       sell 5 @ 100               -> accepted #1, rested 5
      alice       buy 3 @ 100 stp decrement  -> accepted #2, #1 reduced to 2, selfTrade
      alice       buy 4 @ 100 stp decrement  -> accepted #3, #1 selfTrade, rested 2
      book        100 x 2 |
      balance     alice USDC free 99800 held 200
      balance     alice BTC free 1000 held 0
    `;
    expect(play(tape)).toBe(tape);
  });

  test('O1: an order that lost size so and trades the rest is over, but not filled', () => {
    const tape = `
      alice       sell 5 @ 100               -> accepted #1, rested 5
      alice       buy 3 @ 100 stp decrement  -> accepted #2, #1 reduced to 2, selfTrade
      bob         buy 2 @ 100                -> accepted #3, trade 2 @ 100 with #1, #1 selfTrade, filled
      carol       sell 2 @ 100               -> accepted #4, rested 2
      bob         sell 3 @ 101               -> accepted #5, rested 3
      bob         buy 5 @ 101 stp decrement  -> accepted #6, trade 2 @ 100 with #4, #4 filled, #5 selfTrade, selfTrade
    `;
    expect(play(tape)).toBe(tape);
  });

  test('O5: what is lost so is not filled: a FOK order needs the fills of others', () => {
    const tape = `
      alice       sell 5 @ 100               -> accepted #1, rested 5
      bob         sell 5 @ 100               -> accepted #2, rested 5
      alice       buy 6 @ 100 fok stp decrement -> rejected FillOrKillUnfilled timeInForce
      alice       buy 5 @ 100 fok            -> rejected FillOrKillUnfilled timeInForce
      alice       buy 5 @ 100 fok stp expireMaker -> accepted #3, #1 selfTrade, trade 5 @ 100 with #2, #2 filled, filled
      book        |
    `;
    expect(play(tape)).toBe(tape);
  });
});
