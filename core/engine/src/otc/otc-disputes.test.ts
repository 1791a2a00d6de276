import { describe, test } from 'vitest';
import { showAtDesk } from '../testing/otc-tape.ts';

const PAID = `
      alice       otc sells 100 BTC @ 7.50 usd 10-500 as a1 -> ad 1 of 100
      bob         otc takes 1 20 BTC @ 7.50 as o1 -> order 1 of 20 for 150 held, ad 1 PUBLISHED 80
      bob         otc paid 1                 -> order 1 PAID`;

describe('a dispute', () => {
  test('is opened by either side half an hour after the payment, and stops every clock', () => {
    showAtDesk(`${PAID}
      clock       1799
      bob         otc disputes 1             -> rejected OtcTooSoon order
      alice       otc disputes 1             -> rejected OtcTooSoon order
      clock       1
      alice       otc disputes 1             -> order 1 DISPUTED
      alice       otc disputes 1             -> repeated 1
      bob         otc disputes 1             -> rejected OtcOrderNotInState status
      alice       otc releases 1             -> rejected OtcOrderNotInState status
      bob         otc cancels 1              -> rejected OtcOrderNotInState status
      clock       999999
      exchange    otc timers                 -> nothing
      balance     bob BTC funding free 500 held 0
    `);
  });

  test('opens by itself a day after the payment: no timer returns the coin', () => {
    showAtDesk(`${PAID}
      clock       86399
      exchange    otc timers                 -> nothing
      clock       1
      alice       otc releases 1             -> rejected OtcOrderNotInState status
      bob         otc cancels 1              -> rejected OtcOrderNotInState status
      exchange    otc timers                 -> order 1 DISPUTED
      bob         otc disputes 1             -> rejected OtcOrderNotInState status
      alice       otc disputes 1             -> rejected OtcOrderNotInState status
    `);
  });

  test('is no more once the seller has released, and a release is none once it is open', () => {
    showAtDesk(`${PAID}
      clock       1800
      alice       otc releases 1             -> order 1 RELEASED
      bob         otc disputes 1             -> rejected OtcOrderNotInState status
      exchange    otc decides 1 RETURNED     -> rejected OtcOrderNotInState status
      bob         otc takes 1 20 BTC @ 7.50 as o2 -> order 2 of 20 for 150, ad 1 PUBLISHED 60
      bob         otc paid 2                 -> order 2 PAID
      clock       1800
      bob         otc disputes 2             -> order 2 DISPUTED
      alice       otc releases 2             -> rejected OtcOrderNotInState status
    `);
  });

  test('is decided for the buyer: the coin is released when the time for an appeal is over', () => {
    showAtDesk(`${PAID}
      exchange    otc decides 1 RELEASED     -> rejected OtcOrderNotInState status
      clock       1800
      bob         otc disputes 1             -> order 1 DISPUTED
      exchange    otc decides 1 RELEASED     -> order 1 decided RELEASED
      exchange    otc decides 1 RELEASED     -> repeated 1
      exchange    otc decides 1 RETURNED     -> rejected OtcOrderNotInState decision
      exchange    otc decides 1 RELEASED again -> rejected OtcOrderNotInState decision
      bob         otc appeals 1              -> rejected NotPartyOfOrder account
      clock       3599
      exchange    otc timers                 -> nothing
      clock       1
      alice       otc appeals 1              -> rejected OtcOrderNotInState status
      exchange    otc timers                 -> order 1 RELEASED
      exchange    otc timers                 -> nothing
      balance     bob BTC funding free 520 held 0
      exchange    otc decides 1 RELEASED     -> repeated 1
      alice       otc appeals 1              -> rejected OtcOrderNotInState status
    `);
  });

  test('is decided for the seller: the coin returns', () => {
    showAtDesk(`${PAID}
      clock       1800
      alice       otc disputes 1             -> order 1 DISPUTED
      alice       otc appeals 1              -> rejected OtcOrderNotInState decision
      exchange    otc decides 1 RETURNED     -> order 1 decided RETURNED
      alice       otc appeals 1              -> rejected NotPartyOfOrder account
      clock       3600
      exchange    otc timers                 -> order 1 RETURNED, ad 1 PUBLISHED 100
      balance     bob BTC funding free 500 held 0
    `);
  });

  test('is appealed once by the side against which it went, and the second decision is executed at once', () => {
    showAtDesk(`${PAID}
      clock       1800
      bob         otc disputes 1             -> order 1 DISPUTED
      exchange    otc decides 1 RETURNED     -> order 1 decided RETURNED
      clock       3599
      bob         otc appeals 1              -> order 1 appealed
      bob         otc appeals 1              -> repeated 1
      clock       999999
      exchange    otc timers                 -> nothing
      exchange    otc decides 1 RETURNED     -> repeated 1
      exchange    otc decides 1 RELEASED     -> rejected OtcOrderNotInState decision
      exchange    otc decides 1 RELEASED again -> order 1 decided RELEASED, order 1 RELEASED
      exchange    otc decides 1 RELEASED again -> repeated 1
      exchange    otc decides 1 RETURNED     -> repeated 1
      exchange    otc decides 1 RETURNED again -> rejected OtcOrderNotInState status
      alice       otc appeals 1              -> rejected OtcOrderNotInState status
      balance     bob BTC funding free 520 held 0
    `);
  });
});

describe('a merchant', () => {
  test('has a deposit in escrow, which returns when nothing is open', () => {
    showAtDesk(`
      carol       otc deposits k1            -> deposit 500
      carol       otc deposits k1            -> repeated k1
      carol       otc deposits k2            -> repeated k2
      balance     carol USDC funding free 8500 held 0
      carol       otc buys 100 BTC @ 7.50 usd 10-500 as a1 -> ad 1 of 100
      carol       otc returns r1             -> rejected OtcNotIdle account
      bob         otc takes 1 20 BTC @ 7.50 as o1 -> order 1 of 20 for 150 held, ad 1 PUBLISHED 80
      carol       otc ends 1                 -> ad 1 TAKEN_DOWN 0
      carol       otc returns r1             -> rejected OtcNotIdle account
      carol       otc cancels 1              -> order 1 CANCELLED
      bob         otc returns r1             -> rejected UnknownMerchant account
      carol       otc returns r1             -> deposit 500 back
      carol       otc returns r1             -> repeated r1
      carol       otc returns r2             -> rejected UnknownMerchant account
      balance     carol USDC funding free 9000 held 0
      alice       otc deposits k1            -> rejected InsufficientBalance amount
    `);
  });

  test('pays the other side from it when a dispute went against it, once, and nothing else does', () => {
    showAtDesk(`
      carol       otc deposits k1            -> deposit 500
      carol       otc buys 100 BTC @ 7.50 usd 10-500 as a1 -> ad 1 of 100
      bob         otc takes 1 20 BTC @ 7.50 as o1 -> order 1 of 20 for 150 held, ad 1 PUBLISHED 80
      carol       otc paid 1                 -> order 1 PAID
      exchange    otc pays 1 150 p1          -> rejected OtcOrderNotInState status
      clock       1800
      bob         otc disputes 1             -> order 1 DISPUTED
      exchange    otc decides 1 RETURNED     -> order 1 decided RETURNED
      exchange    otc pays 1 150 p1          -> rejected OtcOrderNotInState status
      clock       3600
      exchange    otc timers                 -> order 1 RETURNED, ad 1 PUBLISHED 100
      carol       otc ends 1                 -> ad 1 TAKEN_DOWN 0
      carol       otc returns r1             -> rejected OtcNotIdle account
      exchange    otc pays 1 501 p1          -> rejected InsufficientBalance amount
      exchange    otc pays 1 150 p1          -> deposit paid 150, 350 left
      exchange    otc pays 1 150 p1          -> repeated p1
      exchange    otc pays 1 150 p2          -> rejected OtcOrderNotInState status
      balance     bob USDC funding free 150 held 0
      carol       otc deposits k2            -> deposit 500
      balance     carol USDC funding free 8350 held 0
      carol       otc returns r1             -> deposit 500 back
      bob         otc takes 1 20 BTC @ 7.50 as o2 -> rejected AdvertisementNotOpen advertisement
    `);
  });

  test('of the buyer is not touched by a decision for it, nor the one who has no deposit', () => {
    showAtDesk(`
      carol       otc deposits k1            -> deposit 500
      carol       otc buys 100 BTC @ 7.50 usd 10-500 as a1 -> ad 1 of 100
      bob         otc takes 1 20 BTC @ 7.50 as o1 -> order 1 of 20 for 150 held, ad 1 PUBLISHED 80
      carol       otc paid 1                 -> order 1 PAID
      clock       86400
      exchange    otc timers                 -> order 1 DISPUTED
      exchange    otc decides 1 RELEASED     -> order 1 decided RELEASED
      clock       3600
      exchange    otc timers                 -> order 1 RELEASED
      exchange    otc pays 1 150 p1          -> rejected UnknownMerchant order
    `);
  });
});

describe('coins that somebody new bought', () => {
  test('stay on the exchange for a day, by every door, and others of the asset do not', () => {
    showAtDesk(`${PAID}
      alice       otc releases 1             -> order 1 RELEASED
      balance     bob BTC funding free 520 held 0
      bob         withdraw 501 BTC alice a   -> rejected OtcCoinsHeld amount
      bob         internal 501 BTC alice a   -> rejected OtcCoinsHeld amount
      bob         otc sells 501 BTC @ 7.50 usd 10-500 as a1 -> rejected OtcCoinsHeld amount
      bob         withdraw 500 BTC alice a   -> WithdrawalHeld, outflow 500
      bob         withdraw 1 BTC alice b     -> rejected OtcCoinsHeld amount
      clock       86399
      bob         internal 20 BTC alice c    -> rejected OtcCoinsHeld amount
      clock       1
      bob         internal 20 BTC alice c    -> WithdrawnInternally
    `);
  });

  test('are those of every order that was made before one was finished, and of none after it', () => {
    showAtDesk(`${PAID}
      bob         otc takes 1 10 BTC @ 7.50 as o2 -> order 2 of 10 for 75 held, ad 1 PUBLISHED 70
      alice       otc releases 1             -> order 1 RELEASED
      bob         otc paid 2                 -> order 2 PAID
      alice       otc releases 2             -> order 2 RELEASED
      bob         otc takes 1 10 BTC @ 7.50 as o3 -> order 3 of 10 for 75, ad 1 PUBLISHED 60
      bob         otc paid 3                 -> order 3 PAID
      alice       otc releases 3             -> order 3 RELEASED
      balance     bob BTC funding free 540 held 0
      bob         internal 511 BTC alice c   -> rejected OtcCoinsHeld amount
      bob         internal 510 BTC alice c   -> WithdrawnInternally
    `);
  });
});
