/** Journeys of the OTC desk as tapes. Prices and totals are in fiat units; the assets of a tape have no decimals. */
import { describe, expect, test } from 'vitest';
import { showAtDesk } from '../testing/otc-tape.ts';
import { play } from '../testing/tape.ts';

describe('OT1: the coin of an order lies in escrow', () => {
  test('from the advertisement of a seller to the release', () => {
    showAtDesk(`
      alice       otc sells 100 BTC @ 7.50 usd 10-500 as a1 -> ad 1 of 100
      balance     alice BTC funding free 400 held 0
      bob         otc takes 1 20 BTC @ 7.50 as o1 -> order 1 of 20 for 150 held, ad 1 PUBLISHED 80
      balance     bob BTC funding free 500 held 0
      bob         otc paid 1                 -> order 1 PAID
      alice       otc releases 1             -> order 1 RELEASED
      balance     bob BTC funding free 520 held 0
      alice       otc ends 1                 -> ad 1 TAKEN_DOWN 0
      balance     alice BTC funding free 480 held 0
    `);
  });

  test('from the taker of an advertisement that buys', () => {
    showAtDesk(`
      carol       otc buys 100 BTC @ 7.50 cny 10-500 as a1 -> ad 1 of 100
      balance     carol USDC funding free 9000 held 0
      bob         otc takes 1 20 BTC @ 7.50 as o1 -> order 1 of 20 for 150 held, ad 1 PUBLISHED 80
      balance     bob BTC funding free 480 held 0
      carol       otc paid 1                 -> order 1 PAID
      bob         otc releases 1             -> order 1 RELEASED
      balance     carol BTC funding free 20 held 0
      bob         otc takes 1 20 BTC @ 7.50 as o2 -> order 2 of 20 for 150, ad 1 PUBLISHED 60
      carol       otc cancels 2              -> order 2 CANCELLED, ad 1 PUBLISHED 80
      balance     bob BTC funding free 480 held 0
    `);
  });

  test('and goes back to an advertisement that is live, or to the seller of one that is not', () => {
    showAtDesk(`
      alice       otc sells 100 BTC @ 7.50 usd 10-750 as a1 -> ad 1 of 100
      bob         otc takes 1 100 BTC @ 7.50 as o1 -> order 1 of 100 for 750 held, ad 1 EXHAUSTED 0
      carol       otc takes 1 1 BTC @ 7.50 as o1 -> rejected AdvertisementNotOpen advertisement
      bob         otc cancels 1              -> order 1 CANCELLED, ad 1 PUBLISHED 100
      bob         otc takes 1 50 BTC @ 7.50 as o2 -> order 2 of 50 for 375 held, ad 1 PUBLISHED 50
      alice       otc ends 1                 -> ad 1 TAKEN_DOWN 0
      balance     alice BTC funding free 450 held 0
      bob         otc cancels 2              -> order 2 CANCELLED
      balance     alice BTC funding free 500 held 0
    `);
  });
});

describe('an order', () => {
  test('expires when the buyer has not paid within the window: at its end it is over, whichever command comes first', () => {
    showAtDesk(`
      alice       otc sells 100 BTC @ 7.50 usd 10-500 as a1 -> ad 1 of 100
      bob         otc takes 1 20 BTC @ 7.50 as o1 -> order 1 of 20 for 150 held, ad 1 PUBLISHED 80
      carol       otc takes 1 20 BTC @ 7.50 as o1 -> order 2 of 20 for 150 held, ad 1 PUBLISHED 60
      clock       899
      exchange    otc timers                 -> nothing
      bob         otc paid 1                 -> order 1 PAID
      clock       1
      carol       otc paid 2                 -> rejected OtcOrderNotInState status
      carol       otc cancels 2              -> rejected OtcOrderNotInState status
      exchange    otc timers                 -> order 2 EXPIRED, ad 1 PUBLISHED 80
      carol       otc paid 2                 -> rejected OtcOrderNotInState status
      exchange    otc timers                 -> nothing
      bob         otc paid 1                 -> repeated 1
    `);
  });

  test('that is paid is cancelled by its buyer alone, and ends once', () => {
    showAtDesk(`
      alice       otc sells 100 BTC @ 7.50 usd 10-500 as a1 -> ad 1 of 100
      bob         otc takes 1 20 BTC @ 7.50 as o1 -> order 1 of 20 for 150 held, ad 1 PUBLISHED 80
      alice       otc releases 1             -> rejected OtcOrderNotInState status
      bob         otc paid 1                 -> order 1 PAID
      alice       otc cancels 1              -> rejected NotPartyOfOrder account
      bob         otc cancels 1              -> order 1 CANCELLED, ad 1 PUBLISHED 100
      bob         otc cancels 1              -> repeated 1
      alice       otc releases 1             -> rejected OtcOrderNotInState status
      bob         otc paid 1                 -> rejected OtcOrderNotInState status
      bob         otc takes 1 20 BTC @ 7.50 as o2 -> order 2 of 20 for 150 held, ad 1 PUBLISHED 80
      bob         otc paid 2                 -> order 2 PAID
      alice       otc releases 2             -> order 2 RELEASED
      alice       otc releases 2             -> repeated 2
      bob         otc cancels 2              -> rejected OtcOrderNotInState status
      bob         otc disputes 2             -> rejected OtcOrderNotInState status
      balance     bob BTC funding free 520 held 0
    `);
  });

  test('is stepped by its own sides alone', () => {
    showAtDesk(`
      alice       otc sells 100 BTC @ 7.50 usd 10-500 as a1 -> ad 1 of 100
      bob         otc takes 1 20 BTC @ 7.50 as o1 -> order 1 of 20 for 150 held, ad 1 PUBLISHED 80
      carol       otc paid 1                 -> rejected NotPartyOfOrder account
      alice       otc paid 1                 -> rejected NotPartyOfOrder account
      bob         otc paid 1                 -> order 1 PAID
      clock       1800
      carol       otc releases 1             -> rejected NotPartyOfOrder account
      bob         otc releases 1             -> rejected NotPartyOfOrder account
      carol       otc cancels 1              -> rejected NotPartyOfOrder account
      carol       otc disputes 1             -> rejected NotPartyOfOrder account
      carol       otc appeals 1              -> rejected NotPartyOfOrder account
      bob         otc paid 9                 -> rejected UnknownOtcOrder order
      alice       otc releases 9             -> rejected UnknownOtcOrder order
      bob         otc appeals 9              -> rejected UnknownOtcOrder order
      exchange    otc decides 9 RELEASED     -> rejected UnknownOtcOrder order
      carol       otc ends 1                 -> rejected UnknownAdvertisement advertisement
      carol       otc changes 1 50 @ 8 10-500 -> rejected UnknownAdvertisement advertisement
      alice       otc takes 1 20 BTC @ 7.50 as o1 -> rejected OwnAdvertisement advertisement
      bob         otc takes 9 20 BTC @ 7.50 as o2 -> rejected UnknownAdvertisement advertisement
    `);
  });

  test('is made once by its id, and so is an advertisement', () => {
    showAtDesk(`
      alice       otc sells 100 BTC @ 7.50 usd 10-500 as a1 -> ad 1 of 100
      alice       otc sells 100 BTC @ 7.50 usd 10-500 as a1 -> repeated 1
      alice       otc sells 101 BTC @ 7.50 usd 10-500 as a1 -> rejected KeyConflict clientAdvertisementId
      bob         otc takes 1 20 BTC @ 7.50 as o1 -> order 1 of 20 for 150 held, ad 1 PUBLISHED 80
      bob         otc takes 1 20 BTC @ 7.50 as o1 -> repeated 1
      bob         otc takes 1 21 BTC @ 7.50 as o1 -> rejected KeyConflict clientOrderId
      bob         otc cancels 1              -> order 1 CANCELLED, ad 1 PUBLISHED 100
      bob         otc takes 1 20 BTC @ 7.50 as o1 -> repeated 1
      bob         otc takes 1 20 BTC @ 7.50 as o- -> order 2 of 20 for 150 held, ad 1 PUBLISHED 80
    `);
  });

  test('by a total, or by an amount, is rounded against the taker, within the limits of the advertisement', () => {
    showAtDesk(`
      alice       otc sells 100 BTC @ 7.4999 usd 20-500 as a1 -> ad 1 of 100
      bob         otc takes 1 3 BTC @ 7.4999 as o1 -> order 1 of 3 for 22.5 held, ad 1 PUBLISHED 97
      bob         otc takes 1 30 usd @ 7.4999 as o2 -> order 2 of 4 for 30 held, ad 1 PUBLISHED 93
      bob         otc takes 1 2 BTC @ 7.4999 as o3 -> rejected OtcTotalOutside total
      bob         otc takes 1 19.99 usd @ 7.4999 as o3 -> rejected OtcTotalOutside total
      bob         otc takes 1 500.01 usd @ 7.4999 as o3 -> rejected OtcTotalOutside total
      bob         otc takes 1 0 usd @ 7.4999 as o3 -> rejected InvalidCombination total
      bob         otc takes 1 20 BTC @ 0 as o3 -> rejected InvalidField price
      carol       otc buys 100 BTC @ 7.4999 usd 20-5000 as a1 -> ad 2 of 100
      bob         otc takes 2 3 BTC @ 7.4999 as o3 -> order 3 of 3 for 22.49 held, ad 2 PUBLISHED 97
      bob         otc takes 2 30 usd @ 7.4999 as o4 -> rejected TooManyOtcOrders
      alice       otc takes 2 30 usd @ 7.4999 as o4 -> order 4 of 5 for 30 held, ad 2 PUBLISHED 92
      alice       otc takes 2 93 BTC @ 7.4999 as o5 -> rejected OtcTotalOutside amount
      alice       otc takes 2 92 BTC @ 7.4999 as o5 -> order 5 of 92 for 689.99 held, ad 2 EXHAUSTED 0
    `);
  });

  test('of somebody new is one of three, and of twenty after one is finished', () => {
    const further = Array.from({ length: 17 }, (_, index) => {
      const order = index + 4;
      return `bob         otc takes 1 1 BTC @ 7.50 as o${order} -> order ${order} of 1 for 7.5, ad 1 PUBLISHED ${97 - index - 1}`;
    });
    showAtDesk(`
      alice       otc sells 100 BTC @ 7.50 usd 1-500 as a1 -> ad 1 of 100
      bob         otc takes 1 1 BTC @ 7.50 as o1 -> order 1 of 1 for 7.5 held, ad 1 PUBLISHED 99
      bob         otc takes 1 1 BTC @ 7.50 as o2 -> order 2 of 1 for 7.5 held, ad 1 PUBLISHED 98
      bob         otc takes 1 1 BTC @ 7.50 as o3 -> order 3 of 1 for 7.5 held, ad 1 PUBLISHED 97
      bob         otc takes 1 1 BTC @ 7.50 as o4 -> rejected TooManyOtcOrders
      bob         otc paid 1                 -> order 1 PAID
      alice       otc releases 1             -> order 1 RELEASED
      ${further.slice(0, -1).join('\n      ')}
      bob         otc cancels 2              -> order 2 CANCELLED, ad 1 PUBLISHED 82
      bob         otc takes 1 1 BTC @ 7.50 as o20 -> order 20 of 1 for 7.5, ad 1 PUBLISHED 81
      bob         otc takes 1 1 BTC @ 7.50 as o21 -> order 21 of 1 for 7.5, ad 1 PUBLISHED 80
      bob         otc takes 1 1 BTC @ 7.50 as o22 -> order 22 of 1 for 7.5, ad 1 PUBLISHED 79
      bob         otc takes 1 1 BTC @ 7.50 as o23 -> rejected TooManyOtcOrders
    `);
  });

  test('that is cancelled five times within a day is followed by a pause of a day', () => {
    const cancelled = (from: number, to: number): string =>
      Array.from(
        { length: to - from + 1 },
        (
          _,
          index,
        ) => `bob         otc takes 1 10 BTC @ 7.50 as o${from + index} -> order ${from + index} of 10 for 75 held, ad 1 PUBLISHED 90
      bob         otc cancels ${from + index}              -> order ${from + index} CANCELLED, ad 1 PUBLISHED 100`,
      ).join('\n      ');
    showAtDesk(`
      alice       otc sells 100 BTC @ 7.50 usd 10-500 as a1 -> ad 1 of 100
      bob         otc buys 100 BTC @ 7.50 usd 10-500 as a1 -> ad 2 of 100
      ${cancelled(1, 1)}
      clock       86400
      ${cancelled(2, 6)}
      bob         otc takes 1 10 BTC @ 7.50 as o7 -> rejected OtcPaused account
      bob         otc sells 10 BTC @ 7.50 usd 10-500 as a2 -> rejected OtcPaused account
      alice       otc takes 2 10 BTC @ 7.50 as o1 -> rejected AdvertisementNotOpen advertisement
      clock       86399
      bob         otc takes 1 10 BTC @ 7.50 as o7 -> rejected OtcPaused account
      clock       1
      bob         otc takes 1 10 BTC @ 7.50 as o7 -> order 7 of 10 for 75 held, ad 1 PUBLISHED 90
    `);
  });
});

describe('a floating price', () => {
  test('is the assist price with a premium, of a minute at most, and is fixed for the order', () => {
    showAtDesk(`
      alice       otc sells 100 BTC @ +1% usd 10-500 as a1 -> ad 1 of 100
      bob         otc takes 1 10 BTC @ 7.575 as o1 -> rejected AssistPriceStale advertisement
      exchange    otc assist BTC 7.50 usd    -> AssistPricesSet
      bob         otc takes 1 10 BTC @ 7.5749 as o1 -> rejected OtcPriceMoved price
      bob         otc takes 1 10 BTC @ 7.575 as o1 -> order 1 of 10 for 75.75 held, ad 1 PUBLISHED 90
      clock       60
      bob         otc takes 1 10 BTC @ 9 as o2 -> order 2 of 10 for 75.75 held, ad 1 PUBLISHED 80
      exchange    otc assist BTC 9.00 cny    -> AssistPricesSet
      clock       1
      bob         otc takes 1 10 BTC @ 7.575 as o3 -> rejected AssistPriceStale advertisement
      exchange    otc assist BTC 6.00 usd    -> AssistPricesSet
      bob         otc takes 1 10 BTC @ 7.575 as o3 -> order 3 of 10 for 60.6 held, ad 1 PUBLISHED 70
    `);
  });

  test('of an advertisement that buys moves the other way', () => {
    showAtDesk(`
      exchange    otc assist BTC 7.50 usd    -> AssistPricesSet
      carol       otc buys 100 BTC @ -1% usd 10-500 as a1 -> ad 1 of 100
      bob         otc takes 1 10 BTC @ 7.4251 as o1 -> rejected OtcPriceMoved price
      bob         otc takes 1 10 BTC @ 7.425 as o1 -> order 1 of 10 for 74.25 held, ad 1 PUBLISHED 90
    `);
  });
});

describe('an advertisement', () => {
  test('whose change names no amount keeps what is available, also when the change is repeated after an order', () => {
    showAtDesk(`
      alice       otc sells 100 BTC @ 7.50 usd 10-500 as a1 -> ad 1 of 100
      alice       otc changes 1 same @ 8 10-500 -> ad 1 PUBLISHED 100
      bob         otc takes 1 20 BTC @ 8 as o1 -> order 1 of 20 for 160 held, ad 1 PUBLISHED 80
      alice       otc changes 1 same @ 8 10-500 -> repeated 1
      alice       otc changes 1 same @ 9 10-500 -> ad 1 PUBLISHED 80
      balance     alice BTC funding free 400 held 0
      bob         otc cancels 1              -> order 1 CANCELLED, ad 1 PUBLISHED 100
      alice       otc ends 1                 -> ad 1 TAKEN_DOWN 0
      alice       otc changes 1 same @ 8 10-500 -> rejected AdvertisementNotOpen advertisement
      balance     alice BTC funding free 500 held 0
    `);
  });

  test('of a version that has changed since stays as it is: a late repetition makes nothing available again that was sold', () => {
    showAtDesk(`
      alice       otc sells 100 BTC @ 7.50 usd 10-500 as a1 -> ad 1 of 100
      alice       otc changes 1 150 @ 7.50 10-500 version 1 -> ad 1 PUBLISHED 150
      alice       otc changes 1 150 @ 7.50 10-500 version 1 -> repeated 1
      bob         otc takes 1 50 BTC @ 7.50 as o1 -> order 1 of 50 for 375 held, ad 1 PUBLISHED 100
      alice       otc changes 1 150 @ 7.50 10-500 version 1 -> rejected AdvertisementVersionStale version
      alice       otc changes 1 150 @ 7.50 10-500 version 2 -> rejected AdvertisementVersionStale version
      alice       otc changes 1 same @ 8 10-500 version 2 -> rejected AdvertisementVersionStale version
      balance     alice BTC funding free 350 held 0
      alice       otc changes 1 120 @ 8 10-500 version 3 -> ad 1 PUBLISHED 120
      bob         otc cancels 1              -> order 1 CANCELLED, ad 1 PUBLISHED 170
      alice       otc changes 1 120 @ 8 10-500 version 4 -> rejected AdvertisementVersionStale version
      alice       otc pauses 1               -> ad 1 PAUSED 170
      alice       otc changes 1 120 @ 8 10-500 version 5 -> rejected AdvertisementVersionStale version
      alice       otc changes 1 120 @ 8 10-500 version 6 -> ad 1 PAUSED 120
      balance     alice BTC funding free 380 held 0
    `);
  });

  test('is halted, changed and taken down by its advertiser, and taken down by an operator for good', () => {
    showAtDesk(`
      alice       otc sells 100 BTC @ 7.50 usd 10-500 as a1 -> ad 1 of 100
      alice       otc pauses 1               -> ad 1 PAUSED 100
      alice       otc pauses 1               -> repeated 1
      bob         otc takes 1 10 BTC @ 7.50 as o1 -> rejected AdvertisementNotOpen advertisement
      alice       otc changes 1 50 @ 8 10-500 -> ad 1 PAUSED 50
      balance     alice BTC funding free 450 held 0
      alice       otc changes 1 50 @ 8 10-500 -> repeated 1
      alice       otc changes 1 501 @ 8 10-500 -> rejected InsufficientBalance amount
      alice       otc changes 1 500 @ 8 10-500 -> ad 1 PAUSED 500
      alice       otc changes 1 1 @ 8 10-500 -> ad 1 PAUSED 1
      alice       otc publishes 1            -> ad 1 EXHAUSTED 1
      alice       otc changes 1 60 @ 8 10-500 -> ad 1 PUBLISHED 60
      exchange    otc pauses 1               -> ad 1 PAUSED 60
      exchange    otc ends 1                 -> ad 1 TAKEN_DOWN 0
      exchange    otc ends 1                 -> repeated 1
      balance     alice BTC funding free 500 held 0
      alice       otc publishes 1            -> rejected AdvertisementNotOpen advertisement
      alice       otc changes 1 60 @ 8 10-500 -> rejected AdvertisementNotOpen advertisement
      exchange    otc ends 9                 -> rejected UnknownAdvertisement advertisement
    `);
  });

  test('has what its advertiser says is available from now on, whatever orders have taken before', () => {
    showAtDesk(`
      alice       otc sells 100 BTC @ 7.50 usd 10-500 as a1 -> ad 1 of 100
      alice       otc changes 1 50 @ 7.50 10-500 -> ad 1 PUBLISHED 50
      bob         otc takes 1 20 BTC @ 7.50 as o1 -> order 1 of 20 for 150 held, ad 1 PUBLISHED 30
      alice       otc changes 1 50 @ 7.50 10-500 -> ad 1 PUBLISHED 50
      balance     alice BTC funding free 430 held 0
      bob         otc cancels 1              -> order 1 CANCELLED, ad 1 PUBLISHED 70
    `);
  });

  test('is one of twenty live ones, and offers at least its smallest order', () => {
    const many = Array.from(
      { length: 20 },
      (_, index) => `alice       otc sells 2 BTC @ 7.50 usd 10-500 as a${index} -> ad ${index + 1} of 2`,
    );
    showAtDesk(`
      alice       otc sells 1 BTC @ 7.50 usd 10-500 as a -> rejected OtcTotalOutside amount
      alice       otc sells 501 BTC @ 7.50 usd 10-500 as a -> rejected InsufficientBalance amount
      alice       otc sells 0 BTC @ 7.50 usd 10-500 as a -> rejected InvalidAmount amount
      alice       otc sells 100 BTC @ 7.50 usd 500-10 as a -> rejected InvalidField maxTotal
      alice       otc sells 100 BTC @ 7.50 usd 0-10 as a -> rejected InvalidField minTotal
      alice       otc sells 100 BTC @ +51% usd 10-500 as a -> rejected InvalidField premium
      alice       otc sells 100 BTC @ 0 usd 10-500 as a -> rejected InvalidField price
      alice       otc sells 100 POINTS @ 7.50 usd 10-500 as a -> rejected InvalidCombination asset
      ${many.join('\n      ')}
      alice       otc sells 2 BTC @ 7.50 usd 10-500 as a20 -> rejected TooManyAdvertisements
      alice       otc ends 1                 -> ad 1 TAKEN_DOWN 0
      alice       otc sells 2 BTC @ 7.50 usd 10-500 as a20 -> ad 21 of 2
    `);
  });

  test('needs a desk that is open, and rules 9', () => {
    const tape = `
      alice       otc sells 100 BTC @ 7.50 usd 10-500 as a -> rejected RulesTooOld
      exchange    otc opens                  -> rejected RulesTooOld
      exchange    otc timers                 -> rejected RulesTooOld
      exchange    upgrade 9                  -> RulesUpgraded
      alice       otc sells 100 BTC @ 7.50 usd 10-500 as a -> rejected OtcClosed
      alice       otc deposits k             -> rejected OtcClosed
      exchange    otc opens                  -> OtcTermsSet
      alice       transfer 500 BTC spot>funding t -> Transferred
      alice       otc sells 100 BTC @ 7.50 usd 10-500 as a -> ad 1 of 100
    `;
    expect(play(tape, { rules: 8 })).toBe(tape);
  });

  test('and an order are forgotten a week after they ended', () => {
    showAtDesk(`
      alice       otc sells 100 BTC @ 7.50 usd 10-500 as a1 -> ad 1 of 100
      bob         otc takes 1 20 BTC @ 7.50 as o1 -> order 1 of 20 for 150 held, ad 1 PUBLISHED 80
      alice       otc ends 1                 -> ad 1 TAKEN_DOWN 0
      bob         otc cancels 1              -> order 1 CANCELLED
      clock       604799
      exchange    otc timers                 -> nothing
      bob         otc cancels 1              -> repeated 1
      alice       otc ends 1                 -> repeated 1
      clock       1
      exchange    otc timers                 -> nothing
      bob         otc cancels 1              -> rejected UnknownOtcOrder order
      alice       otc ends 1                 -> rejected UnknownAdvertisement advertisement
      bob         otc takes 1 20 BTC @ 7.50 as o1 -> repeated 1
    `);
  });
});

describe('who may not trade', () => {
  test('begins nothing at the desk, and takes no step when blocked', () => {
    showAtDesk(`
      alice       otc sells 100 BTC @ 7.50 usd 10-500 as a1 -> ad 1 of 100
      carol       otc buys 100 BTC @ 7.50 usd 10-500 as a1 -> ad 2 of 100
      bob         otc takes 1 20 BTC @ 7.50 as o1 -> order 1 of 20 for 150 held, ad 1 PUBLISHED 80
      exchange    set bob whitelisted off    -> whitelisted off
      bob         otc takes 1 20 BTC @ 7.50 as o2 -> rejected NotWhitelisted account
      exchange    set bob termsAccepted off  -> termsAccepted off
      bob         otc takes 1 20 BTC @ 7.50 as o2 -> rejected TermsNotAccepted account
      bob         otc sells 20 BTC @ 7.50 usd 10-500 as a1 -> rejected TermsNotAccepted account
      bob         otc deposits k             -> rejected TermsNotAccepted account
      bob         otc paid 1                 -> order 1 PAID
      exchange    set alice blocked on       -> blocked on
      alice       otc releases 1             -> rejected AccountBlocked account
      alice       otc ends 1                 -> rejected AccountBlocked account
      carol       otc takes 1 20 BTC @ 7.50 as o1 -> rejected AdvertisementNotOpen advertisement
      clock       1800
      bob         otc disputes 1             -> order 1 DISPUTED
      exchange    otc decides 1 RELEASED     -> order 1 decided RELEASED
      alice       otc appeals 1              -> rejected AccountBlocked account
      clock       3600
      exchange    otc timers                 -> order 1 RELEASED
      balance     bob BTC funding free 520 held 0
      exchange    set carol blocked on       -> blocked on
      exchange    set bob termsAccepted on   -> termsAccepted on
      exchange    set bob whitelisted on     -> whitelisted on
      bob         otc takes 2 20 BTC @ 7.50 as o2 -> rejected AdvertisementNotOpen advertisement
    `);
  });

  test('sells nothing while a deposit of its account has left the chain', () => {
    showAtDesk(`
      alice       otc sells 100 BTC @ 7.50 usd 10-500 as a1 -> ad 1 of 100
      bob         otc buys 100 BTC @ 7.50 usd 10-500 as a1 -> ad 2 of 100
      exchange    credit alice 5 BTC orphan  -> credited 5
      exchange    suspend orphan             -> suspended 5 (5 + 0 + 0)
      carol       otc takes 1 20 BTC @ 7.50 as o1 -> rejected AdvertisementNotOpen advertisement
      alice       otc sells 100 BTC @ 7.50 usd 10-500 as a2 -> rejected DepositInSuspense account
      alice       otc changes 1 101 @ 7.50 10-500 -> rejected DepositInSuspense account
      alice       otc takes 2 20 BTC @ 7.50 as o1 -> rejected DepositInSuspense account
      alice       otc deposits k             -> rejected DepositInSuspense account
      alice       otc changes 1 99 @ 7.50 10-500 -> ad 1 PUBLISHED 99
      exchange    credit alice 5 BTC orphan  -> credited 5
      carol       otc takes 1 20 BTC @ 7.50 as o1 -> order 1 of 20 for 150 held, ad 1 PUBLISHED 79
    `);
  });
});
