import { describe, expect, test } from 'vitest';
import { play } from '../testing/tape.ts';

describe('a withdrawal', () => {
  test('D4: is held, sent and posted, each once', () => {
    const tape = `
      alice       transfer 500 USDC spot>funding t1 -> Transferred
      alice       withdraw 200 USDC carol a  -> WithdrawalHeld, outflow 200
      balance     alice USDC funding free 300 held 200
      alice       withdraw 200 USDC carol a  -> repeated withdrawal
      alice       withdraw 201 USDC carol a  -> rejected KeyConflict withdrawalId
      alice       withdraw 301 USDC carol b  -> rejected InsufficientBalance amount
      exchange    post a 0xaa                -> rejected WithdrawalNotInState withdrawalId
      exchange    sent a 0xaa                -> WithdrawalSent
      exchange    sent a 0xaa                -> repeated withdrawal
      exchange    sent a 0xbb                -> WithdrawalSent
      balance     alice USDC funding free 300 held 200
      exchange    post a 0xbb                -> WithdrawalPosted
      exchange    post a 0xbb                -> repeated withdrawal
      exchange    refund a                   -> rejected WithdrawalNotInState withdrawalId
      balance     alice USDC funding free 300 held 0
    `;
    expect(play(tape)).toBe(tape);
  });

  test('D4: is refunded, once, when it was held or sent and never when it was posted', () => {
    const tape = `
      alice       transfer 500 USDC spot>funding t1 -> Transferred
      alice       withdraw 100 USDC bob c    -> WithdrawalHeld, outflow 100
      exchange    refund c                   -> WithdrawalRefunded, outflow 0
      exchange    refund c                   -> repeated withdrawal
      exchange    sent c 0xcc                -> rejected WithdrawalNotInState withdrawalId
      exchange    post c 0xcc                -> rejected WithdrawalNotInState withdrawalId
      balance     alice USDC funding free 500 held 0
      alice       withdraw 100 USDC bob d    -> WithdrawalHeld, outflow 100
      exchange    sent d 0xdd                -> WithdrawalSent
      exchange    refund d                   -> WithdrawalRefunded, outflow 0
      balance     alice USDC funding free 500 held 0
      exchange    sent e 0xdd                -> rejected UnknownWithdrawal withdrawalId
      exchange    refund e                   -> rejected UnknownWithdrawal withdrawalId
    `;
    expect(play(tape)).toBe(tape);
  });

  test('A5: is refused to and from blocked accounts, and of what is not on the chain', () => {
    const tape = `
      alice       transfer 500 USDC spot>funding t1 -> Transferred
      alice       withdraw 10 POINTS bob e   -> rejected InvalidCombination asset
      alice       withdraw 0 USDC bob e      -> rejected InvalidAmount amount
      exchange    set carol blocked on       -> blocked on
      alice       withdraw 10 USDC carol e   -> rejected AccountBlocked to
      carol       withdraw 10 USDC alice e   -> rejected AccountBlocked account
    `;
    expect(play(tape)).toBe(tape);
  });
});

describe('a withdrawal to another account of the exchange', () => {
  test('[A9] [D4] moves the money at once, once for each id, whatever the caps say', () => {
    const tape = `
      exchange    caps USDC 0 0                -> WithdrawalCapsSet
      alice       transfer 500 USDC spot>funding t1 -> Transferred
      alice       internal 200 USDC bob a      -> WithdrawnInternally
      balance     alice USDC funding free 300 held 0
      balance     bob USDC funding free 200 held 0
      alice       internal 200 USDC bob a      -> repeated withdrawal
      alice       internal 201 USDC bob a      -> rejected KeyConflict withdrawalId
      alice       internal 200 USDC carol a    -> rejected KeyConflict withdrawalId
      alice       internal 301 USDC bob b      -> rejected InsufficientBalance amount
      bob         internal 200 USDC carol b    -> WithdrawnInternally
      balance     alice USDC funding free 300 held 0
      balance     bob USDC funding free 0 held 0
    `;
    expect(play(tape)).toBe(tape);
  });

  test('D4: shares its ids with withdrawals to the chain: one id moves money once', () => {
    const tape = `
      alice       transfer 500 USDC spot>funding t1 -> Transferred
      alice       internal 100 USDC bob a      -> WithdrawnInternally
      alice       withdraw 100 USDC bob a      -> rejected KeyConflict withdrawalId
      alice       withdraw 100 USDC bob b      -> WithdrawalHeld, outflow 100
      alice       internal 100 USDC bob b      -> rejected KeyConflict withdrawalId
      exchange    refund b                     -> WithdrawalRefunded, outflow 0
      alice       internal 100 USDC bob b      -> rejected KeyConflict withdrawalId
      balance     alice USDC funding free 400 held 0
    `;
    expect(play(tape)).toBe(tape);
  });

  test('is refused to oneself, to nobody, to and from blocked accounts, of a deposit in suspense, and under older rules', () => {
    const tape = `
      exchange    credit alice 40 USDC k       -> credited 40
      alice       internal 10 USDC alice a     -> rejected InvalidCombination to
      alice       internal 10 USDC dave a      -> rejected UnknownAccount to
      alice       internal 0 USDC bob a        -> rejected InvalidAmount amount
      alice       internal 10 POINTS bob a     -> rejected InvalidCombination asset
      exchange    set bob blocked on           -> blocked on
      alice       internal 10 USDC bob a       -> rejected AccountBlocked to
      bob         internal 10 USDC alice a     -> rejected AccountBlocked account
      exchange    suspend k                    -> suspended 40 (40 + 0 + 0)
      alice       internal 10 USDC carol a     -> rejected DepositInSuspense account
      exchange    credit alice 40 USDC k       -> credited 40
      exchange    set alice termsAccepted off  -> termsAccepted off
      alice       internal 10 USDC carol a     -> rejected TermsNotAccepted account
    `;
    expect(play(tape)).toBe(tape);
    const older = `
      exchange    credit alice 40 USDC k       -> credited 40
      alice       internal 10 USDC bob a       -> rejected RulesTooOld
      exchange    upgrade 6                    -> RulesUpgraded
      alice       internal 10 USDC bob a       -> WithdrawnInternally
    `;
    expect(play(older, { rules: 5 })).toBe(older);
  });
});

describe('the caps of withdrawals', () => {
  const OPENING = `
      alice       transfer 1000 USDC spot>funding t -> Transferred
      bob         transfer 1000 USDC spot>funding t -> Transferred`;

  test('D5: bound what all accounts together hold of an asset within any hour and within any day', () => {
    const tape = `${OPENING}
      exchange    caps USDC 100 150          -> WithdrawalCapsSet
      alice       withdraw 101 USDC carol a  -> rejected HourlyCapExceeded amount
      alice       withdraw 60 USDC carol a   -> WithdrawalHeld, outflow 60
      bob         withdraw 41 USDC carol b   -> rejected HourlyCapExceeded amount
      bob         withdraw 40 USDC carol b   -> WithdrawalHeld, outflow 100
      alice       withdraw 1 USDC carol c    -> rejected HourlyCapExceeded amount
      alice       withdraw 60 USDC carol a   -> repeated withdrawal
      clock       3599
      alice       withdraw 1 USDC carol c    -> rejected HourlyCapExceeded amount
      clock       61
      alice       withdraw 51 USDC carol c   -> rejected DailyCapExceeded amount
      alice       withdraw 50 USDC carol c   -> WithdrawalHeld, outflow 50
      clock       82759
      alice       withdraw 51 USDC carol d   -> rejected DailyCapExceeded amount
      clock       1
      alice       withdraw 100 USDC carol d  -> WithdrawalHeld, outflow 100
    `;
    expect(play(tape)).toBe(tape);
  });

  test('are of each asset its own, and what was held before them counts', () => {
    const tape = `${OPENING}
      alice       withdraw 90 USDC carol a   -> WithdrawalHeld, outflow 90
      exchange    caps USDC 100 100          -> WithdrawalCapsSet
      bob         withdraw 11 USDC carol b   -> rejected HourlyCapExceeded amount
      bob         transfer 500 BTC spot>funding u -> Transferred
      bob         withdraw 500 BTC carol b   -> WithdrawalHeld, outflow 500
      bob         withdraw 10 USDC carol c   -> WithdrawalHeld, outflow 100
      exchange    caps USDC 20 20            -> WithdrawalCapsSet
      bob         withdraw 1 USDC carol d    -> rejected HourlyCapExceeded amount
      exchange    caps USDC 300 300          -> WithdrawalCapsSet
      bob         withdraw 200 USDC carol d  -> WithdrawalHeld, outflow 300
      exchange    caps USDC 0 0              -> WithdrawalCapsSet
      clock       100000
      bob         withdraw 1 USDC carol e    -> rejected HourlyCapExceeded amount
    `;
    expect(play(tape)).toBe(tape);
  });

  test('leave again what is refunded, because it has not left; a sent or posted withdrawal counts', () => {
    const tape = `${OPENING}
      exchange    caps USDC 100 100          -> WithdrawalCapsSet
      alice       withdraw 60 USDC carol a   -> WithdrawalHeld, outflow 60
      clock       60
      bob         withdraw 40 USDC carol b   -> WithdrawalHeld, outflow 40
      exchange    sent b 0xbb                -> WithdrawalSent
      exchange    post b 0xbb                -> WithdrawalPosted
      alice       withdraw 1 USDC carol c    -> rejected HourlyCapExceeded amount
      exchange    refund a                   -> WithdrawalRefunded, outflow 0
      alice       withdraw 61 USDC carol c   -> rejected HourlyCapExceeded amount
      alice       withdraw 60 USDC carol c   -> WithdrawalHeld, outflow 100
      clock       90000
      exchange    refund c                   -> WithdrawalRefunded
      alice       withdraw 100 USDC carol d  -> WithdrawalHeld, outflow 100
    `;
    expect(play(tape)).toBe(tape);
  });

  test('are refused when they can not hold, and under rules that do not know them', () => {
    const tape = `
      exchange    caps USDC 101 100          -> rejected InvalidField hourly
      exchange    caps USDC -1 100           -> rejected InvalidField hourly
      exchange    caps USDC 0 -1             -> rejected InvalidField daily
      exchange    caps POINTS 1 1            -> rejected InvalidCombination asset
      exchange    caps USDC 1 1              -> rejected RulesTooOld
      exchange    upgrade 4                  -> RulesUpgraded
      exchange    caps USDC 1 1              -> WithdrawalCapsSet
    `;
    expect(play(tape, { rules: 2 })).toBe(tape);
  });

  test('count nothing that was held under older rules, also when it is refunded later', () => {
    const tape = `${OPENING}
      alice       withdraw 90 USDC carol a   -> WithdrawalHeld
      exchange    upgrade 4                  -> RulesUpgraded
      exchange    caps USDC 100 100          -> WithdrawalCapsSet
      alice       withdraw 100 USDC carol b  -> WithdrawalHeld, outflow 100
      exchange    refund a                   -> WithdrawalRefunded
      alice       withdraw 1 USDC carol c    -> rejected HourlyCapExceeded amount
    `;
    expect(play(tape, { rules: 2 })).toBe(tape);
  });
});
