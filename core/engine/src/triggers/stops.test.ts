import { describe, expect, test } from 'vitest';
import { play } from '../testing/tape.ts';

describe('a stop order', () => {
  test('waits with its hold, triggers by the last price and acts under its own id', () => {
    const tape = `
      alice       buy 10 @ 100               -> accepted #1, rested 10
      bob         sell 1 @ 100               -> accepted #2, trade 1 @ 100 with #1, filled
      carol       sell 4 @ 96 stop 98        -> accepted #3, armed
      carol       sell 4 @ market stop 97    -> accepted #4, armed
      balance     carol BTC free 992 held 8
      alice       buy 10 @ 98                -> accepted #5, rested 10
      bob         sell 10 @ 98               -> accepted #6, trade 9 @ 100 with #1, #1 filled, trade 1 @ 98 with #5, filled, #3 triggered by 98, trade 4 @ 98 with #5 by #3, #3 filled
      book        98 x 5 |
      balance     carol BTC free 992 held 4
      bob         sell 6 @ 96                -> accepted #7, trade 5 @ 98 with #5, #5 filled, rested 1
      alice       buy 8 @ 97                 -> accepted #8, trade 1 @ 96 with #7, #7 filled, rested 7, #4 triggered by 96, trade 4 @ 97 with #8 by #4, #4 filled
      bob         sell 1 @ 97                -> accepted #9, trade 1 @ 97 with #8, filled
      balance     carol BTC free 992 held 0
    `;
    expect(play(tape)).toBe(tape);
  });

  test('M4: a buy holds its size at its limit, at its worst price, at 5 % above its trigger, or its funds', () => {
    const tape = `
      bob         buy 4 @ 103 stop 102       -> accepted #1, armed
      balance     bob USDC free 99588 held 412
      bob         buy 4 @ market stop 105 worst 106 -> accepted #2, armed
      balance     bob USDC free 99164 held 836
      bob         buy 4 @ market stop 105    -> accepted #3, armed
      balance     bob USDC free 98724 held 1276
      bob         buy funds 700 @ market stop 104 -> accepted #4, armed
      balance     bob USDC free 98024 held 1976
      bob         cancel all                 -> #1 canceledByAccount, #2 canceledByAccount, #3 canceledByAccount, #4 canceledByAccount
      balance     bob USDC free 100000 held 0
    `;
    expect(play(tape)).toBe(tape);
  });

  test('is refused when its price is reached already, and taken while there is no last price', () => {
    const tape = `
      alice       sell 10 @ 100              -> accepted #1, rested 10
      bob         buy 5 @ 100 stop 99        -> accepted #2, armed
      bob         cancel #2                  -> #2 canceledByAccount
      bob         buy 1 @ 100                -> accepted #3, trade 1 @ 100 with #1, filled
      bob         buy 1 @ 102 stop 100       -> rejected InvalidTrigger triggerPrice
      bob         sell 1 @ 98 stop 100       -> rejected InvalidTrigger triggerPrice
      bob         sell 1 @ 98 stop 99        -> accepted #4, armed
    `;
    expect(play(tape)).toBe(tape);
  });

  test('O10: under rules 1 triggers once, in the order in which prices were reached and then of the ids, in a cascade too', () => {
    const tape = `
      alice       sell 5 @ 100               -> accepted #1, rested 5
      alice       sell 5 @ 101               -> accepted #2, rested 5
      alice       sell 5 @ 102               -> accepted #3, rested 5
      alice       sell 5 @ 103               -> accepted #4, rested 5
      carol       buy 5 @ 103 stop 102       -> accepted #5, armed
      carol       buy 3 @ 102 stop 101       -> accepted #6, armed
      bob         buy 2 @ 103 stop 101       -> accepted #7, armed
      bob         buy 8 @ 101                -> accepted #8, trade 5 @ 100 with #1, #1 filled, trade 3 @ 101 with #2, filled, #6 triggered by 101, trade 2 @ 101 with #2 by #6, #2 filled, trade 1 @ 102 with #3 by #6, #6 filled, #7 triggered by 101, trade 2 @ 102 with #3 by #7, #7 filled, #5 triggered by 102, trade 2 @ 102 with #3 by #5, #3 filled, trade 3 @ 103 with #4 by #5, #5 filled
      book        | 103 x 2
      bob         buy 1 @ 103                -> accepted #9, trade 1 @ 103 with #4, filled
    `;
    expect(play(tape, { rules: 1 })).toBe(tape);
  });

  test('O10: triggers once, the nearest trigger price first and of equals the oldest, in a cascade too', () => {
    const tape = `
      alice       sell 5 @ 100               -> accepted #1, rested 5
      alice       sell 5 @ 101               -> accepted #2, rested 5
      alice       sell 5 @ 102               -> accepted #3, rested 5
      alice       sell 5 @ 103               -> accepted #4, rested 5
      carol       buy 5 @ 103 stop 102       -> accepted #5, armed
      carol       buy 3 @ 102 stop 101       -> accepted #6, armed
      bob         buy 2 @ 103 stop 101       -> accepted #7, armed
      bob         buy 8 @ 101                -> accepted #8, trade 5 @ 100 with #1, #1 filled, trade 3 @ 101 with #2, filled, #6 triggered by 101, trade 2 @ 101 with #2 by #6, #2 filled, trade 1 @ 102 with #3 by #6, #6 filled, #7 triggered by 102, trade 2 @ 102 with #3 by #7, #7 filled, #5 triggered by 102, trade 2 @ 102 with #3 by #5, #3 filled, trade 3 @ 103 with #4 by #5, #5 filled
      book        | 103 x 2
      bob         buy 1 @ 103                -> accepted #9, trade 1 @ 103 with #4, filled
    `;
    expect(play(tape)).toBe(tape);
  });

  test('that can not act when it triggers closes and gives back its hold', () => {
    const tape = `
      alice       sell 5 @ 100               -> accepted #1, rested 5
      alice       sell 5 @ 101               -> accepted #2, rested 5
      carol       buy 5 @ 101 gtx stop 100   -> accepted #3, armed
      carol       buy 20 @ 101 fok stop 100  -> accepted #4, armed
      carol       buy 20 @ market fok stop 100 -> accepted #5, armed
      carol       buy 20 @ 130 stop 100      -> accepted #6, armed
      bob         buy 1 @ 100                -> accepted #7, trade 1 @ 100 with #1, filled, #3 triggered by 100, #3 refusedAtTrigger, #4 triggered by 100, #4 refusedAtTrigger, #5 triggered by 100, #5 refusedAtTrigger, #6 triggered by 100, #6 refusedAtTrigger
      balance     carol USDC free 100000 held 0
    `;
    expect(play(tape)).toBe(tape);
  });

  test('that sells waits on when nothing or only a part can be taken, and is tried with the next outside prices', () => {
    const tape = `
      bob         buy 1 @ 100                -> accepted #1, rested 1
      carol       sell 4 @ market stop 100   -> accepted #2, armed
      carol       sell 2 @ 95 fok stop 100   -> accepted #3, armed
      alice       sell 1 @ 100               -> accepted #4, trade 1 @ 100 with #1, #1 filled, filled, #2 triggered by 100, #2 waits on for 4: noLiquidity, #3 triggered by 100, #3 waits on for 2: timeInForce
      balance     carol BTC free 994 held 6
      exchange    index 100                  -> IndexPriceSet
      bob         buy 3 @ 99                 -> accepted #5, rested 3
      exchange    index 100                  -> IndexPriceSet, #2 triggered by 100, trade 3 @ 99 with #5 by #2, #5 filled, #2 waits on for 1: noLiquidity
      bob         buy 3 @ 99                 -> accepted #6, rested 3
      exchange    index 100                  -> IndexPriceSet, #2 triggered by 99, trade 1 @ 99 with #6 by #2, #2 filled, #3 triggered by 99, trade 2 @ 99 with #6 by #3, #6 filled, #3 filled
    `;
    expect(play(tape)).toBe(tape);
  });

  test('that is a market order trades no further than what it holds', () => {
    const tape = `
      alice       sell 1 @ 100               -> accepted #1, rested 1
      alice       sell 9 @ 104               -> accepted #2, rested 9
      alice       sell 9 @ 106               -> accepted #3, rested 9
      carol       buy 12 @ market stop 100 slippage 500000 -> accepted #4, armed
      balance     carol USDC free 98740 held 1260
      bob         buy 1 @ 100                -> accepted #5, trade 1 @ 100 with #1, #1 filled, filled, #4 triggered by 100, trade 9 @ 104 with #2 by #4, #2 filled, #4 slippageBound
      balance     carol USDC free 99064 held 0
    `;
    expect(play(tape)).toBe(tape);
  });

  test('rests as a limit order behind the ones already there, and can then be amended', () => {
    const tape = `
      bob         sell 5 @ 100 stop 101      -> accepted #1, armed
      alice       sell 3 @ 101               -> accepted #2, rested 3
      carol       sell 5 @ 100 stop 99       -> accepted #3, armed
      carol       buy 1 @ 101                -> accepted #4, trade 1 @ 101 with #2, filled, #1 triggered by 101, #1 rested 5
      book        | 100 x 5, 101 x 2
      bob         amend #1 @ 99              -> #1 amended to 5 @ 99, #1 rested 5
      alice       buy 2 @ 101                -> accepted #5, trade 2 @ 99 with #1, filled, #3 triggered by 99, #3 rested 5
      book        | 99 x 3, 100 x 5, 101 x 2
    `;
    expect(play(tape)).toBe(tape);
  });
});
