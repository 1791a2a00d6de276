import { describe, expect, test } from 'vitest';
import { play } from '../testing/tape.ts';

describe('trading', () => {
  test('A6: is open to who accepted the terms, is whitelisted, established a connection and is not blocked', () => {
    const tape = `
      exchange    set alice connected off    -> connected off
      alice       buy 5 @ 100                -> rejected ConnectionMissing account
      exchange    set alice whitelisted off  -> whitelisted off
      alice       buy 5 @ 100                -> rejected NotWhitelisted account
      exchange    set alice termsAccepted off -> termsAccepted off
      alice       buy 5 @ 100                -> rejected TermsNotAccepted account
      exchange    set alice blocked on       -> blocked on
      alice       buy 5 @ 100                -> rejected AccountBlocked account
      alice       cancel all                 -> rejected AccountBlocked account
      bob         buy 5 @ 100                -> accepted #1, rested 5
      exchange    set bob connected off      -> connected off
      bob         amend #1 @ 101             -> rejected ConnectionMissing account
      bob         cancel #1                  -> #1 canceledByAccount
    `;
    expect(play(tape)).toBe(tape);
  });

  test('A5: blocking closes every open order and holds later deposits in suspense until unblocking', () => {
    const tape = `
      bob         buy 5 @ 100                -> accepted #1, rested 5
      bob         buy 5 @ 110 stop 109       -> accepted #2, armed
      exchange    set bob blocked on         -> blocked on, #1 accountBlocked, #2 accountBlocked
      balance     bob USDC free 100000 held 0
      exchange    credit bob 70 USDC late    -> suspended
      exchange    credit bob 70 USDC late    -> repeated late
      balance     bob USDC funding free 0 held 0
      exchange    set bob blocked off        -> blocked off, credited 70
      balance     bob USDC funding free 70 held 0
      exchange    credit bob 70 USDC late    -> repeated late
      exchange    set bob blocked off        -> blocked off
    `;
    expect(play(tape)).toBe(tape);
  });
});

describe('open orders', () => {
  test('are limited in one market, and an order that does not rest is not counted', () => {
    const tape = `
      alice       buy 5 @ 90                 -> accepted #1, rested 5
      alice       buy 5 @ 90 gtx             -> accepted #2, rested 5
      alice       buy 5 @ 90                 -> rejected TooManyOpenOrders
      alice       buy 5 @ 120 stop 119       -> rejected TooManyOpenOrders
      bob         sell 2 @ 95                -> accepted #3, rested 2
      alice       buy 2 @ 95                 -> accepted #4, trade 2 @ 95 with #3, #3 filled, filled
      alice       buy 5 @ 90 ioc             -> accepted #5, remainderNotFilled
      alice       amend #1 6 @ 91            -> #1 amended to 6 @ 91, #1 rested 6
      alice       cancel #2                  -> #2 canceledByAccount
      alice       buy 5 @ 120 stop 119       -> accepted #6, armed
      bob         sell 1 @ 119               -> accepted #7, rested 1
      carol       buy 1 @ 119                -> rejected PriceOutOfBand price
    `;
    expect(play(tape, { terms: { maxOpenOrders: 2 } })).toBe(tape);
  });
});
