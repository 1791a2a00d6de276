import { describe, expect, test } from 'vitest';
import { play } from '../testing/tape.ts';

describe('a transfer', () => {
  test('M7: moves both legs or none, once, and there is no way from futures to funding', () => {
    const tape = `
      alice       transfer 500 USDC spot>funding t1 -> Transferred
      balance     alice USDC free 99500 held 0
      balance     alice USDC funding free 500 held 0
      alice       transfer 500 USDC spot>funding t1 -> repeated t1
      alice       transfer 501 USDC spot>funding t1 -> rejected KeyConflict transferId
      bob         transfer 500 USDC spot>futures t1 -> Transferred
      bob         transfer 500 USDC futures>funding t2 -> rejected TransferRouteClosed to
      bob         transfer 501 USDC futures>spot t3 -> rejected InsufficientBalance amount
      bob         transfer 500 USDC futures>spot t3 -> Transferred
      bob         transfer 0 USDC spot>funding t4 -> rejected InvalidAmount amount
      bob         transfer 1 USDC spot>spot t4 -> rejected InvalidCombination to
      bob         transfer 1 POINTS funding>spot t4 -> rejected InvalidCombination asset
      bob         buy 400 @ 100              -> accepted #1, rested 400
      bob         transfer 60001 USDC spot>funding t4 -> rejected InsufficientBalance amount
      bob         transfer 60000 USDC spot>funding t4 -> Transferred
      exchange    set bob blocked on         -> blocked on, #1 accountBlocked
      bob         transfer 1 USDC spot>funding t5 -> rejected AccountBlocked account
    `;
    expect(play(tape)).toBe(tape);
  });
});

test('A6: since rules 4 nobody moves money before accepting the terms, as nobody trades', () => {
  const tape = `
      exchange    set alice termsAccepted off -> termsAccepted off
      alice       transfer 9 USDC spot>funding t -> Transferred
      alice       withdraw 4 USDC bob a      -> WithdrawalHeld
      exchange    upgrade 4                  -> RulesUpgraded
      alice       transfer 1 USDC spot>funding u -> rejected TermsNotAccepted account
      alice       transfer 1 USDC futures>funding u -> rejected TermsNotAccepted account
      alice       withdraw 4 USDC bob b      -> rejected TermsNotAccepted account
      alice       withdraw 4 USDC bob a      -> repeated withdrawal
      exchange    refund a                   -> WithdrawalRefunded
      exchange    set alice blocked on       -> blocked on
      alice       withdraw 4 USDC bob b      -> rejected AccountBlocked account
      exchange    set alice blocked off      -> blocked off
      exchange    set alice termsAccepted on -> termsAccepted on
      alice       withdraw 4 USDC bob b      -> WithdrawalHeld, outflow 4
  `;
  expect(play(tape, { rules: 2 })).toBe(tape);
});

describe('the faucet', () => {
  test('F1, M10: one claim in 24 hours, out of its budget, once', () => {
    const tape = `
      alice       claim c1                   -> rejected BudgetExhausted
      exchange    fund faucet 2 CLAIM k1     -> BudgetFunded
      exchange    fund faucet 2 CLAIM k1     -> repeated k1
      exchange    fund faucet 3 CLAIM k1     -> rejected KeyConflict key
      alice       claim c1                   -> FaucetClaimReserved
      alice       claim c1                   -> repeated c1
      bob         claim c1                   -> rejected KeyConflict claimId
      alice       claim c2                   -> rejected ClaimTooSoon account
      bob         claim c3                   -> FaucetClaimReserved
      carol       claim c4                   -> rejected BudgetExhausted
      exchange    settle c1 paid             -> FaucetClaimSettled
      exchange    settle c1 paid             -> repeated c1
      exchange    settle c1 failed           -> rejected KeyConflict outcome
      exchange    settle c9 paid             -> rejected UnknownClaim claimId
      exchange    fund faucet 9 CLAIM k2     -> BudgetFunded
      clock       86399
      alice       claim c5                   -> rejected ClaimTooSoon account
      clock       1
      alice       claim c5                   -> FaucetClaimReserved
    `;
    expect(play(tape)).toBe(tape);
  });

  test('F1: a claim that failed returns to the budget and may be made again', () => {
    const tape = `
      exchange    fund faucet 1 CLAIM k1     -> BudgetFunded
      alice       claim c1                   -> FaucetClaimReserved
      exchange    settle c1 failed           -> FaucetClaimSettled
      alice       claim c2                   -> FaucetClaimReserved
      exchange    settle c1 failed           -> repeated c1
      exchange    set bob whitelisted off    -> whitelisted off
      bob         claim c3                   -> rejected NotWhitelisted account
      exchange    set bob blocked on         -> blocked on
      bob         claim c3                   -> rejected AccountBlocked account
    `;
    expect(play(tape)).toBe(tape);
  });
});

describe('an award', () => {
  test('M10, F2: comes out of a funded budget, at most 77,777 points at once, once', () => {
    const tape = `
      exchange    award alice 5 POINTS a1    -> rejected BudgetExhausted budget
      exchange    fund rewards 100000 POINTS k -> BudgetFunded
      exchange    award alice 77778 POINTS a1 -> rejected AwardTooLarge amount
      exchange    award alice 77777 POINTS a1 -> Awarded
      exchange    award alice 77777 POINTS a1 -> repeated a1
      exchange    award alice 77776 POINTS a1 -> rejected KeyConflict key
      exchange    award bob 30000 POINTS a2  -> rejected BudgetExhausted budget
      balance     alice POINTS funding free 77777 held 0
    `;
    expect(play(tape)).toBe(tape);
  });

  test('F4: is taken back whole, once, also from a blocked account; the budget has it again', () => {
    const tape = `
      exchange    fund rewards 100 POINTS k  -> BudgetFunded
      exchange    award alice 60 POINTS a1   -> Awarded
      exchange    award alice 40 POINTS a2   -> Awarded
      exchange    reverse a3 r1              -> rejected UnknownAward awardKey
      exchange    set alice blocked on       -> blocked on
      exchange    reverse a1 r1              -> AwardReversed
      exchange    reverse a1 r1              -> repeated r1
      exchange    reverse a1 r2              -> rejected AwardAlreadyReversed awardKey
      exchange    reverse a2 r1              -> rejected KeyConflict key
      balance     alice POINTS funding free 40 held 0
      exchange    award alice 60 POINTS a1   -> repeated a1
      exchange    award bob 61 POINTS a3     -> rejected BudgetExhausted budget
      exchange    award bob 60 POINTS a3     -> Awarded
    `;
    expect(play(tape)).toBe(tape);
  });

  test('F4: of money that is spent already is not taken back', () => {
    const tape = `
      exchange    fund rewards 100 USDC k    -> BudgetFunded
      exchange    award alice 100 USDC a     -> Awarded
      alice       transfer 1 USDC funding>spot t -> Transferred
      exchange    reverse a r                -> rejected InsufficientBalance awardKey
      alice       transfer 1 USDC spot>funding u -> Transferred
      exchange    reverse a r                -> AwardReversed
      balance     alice USDC funding free 0 held 0
    `;
    expect(play(tape)).toBe(tape);
  });

  test('M9: of another asset than the budget has is refused', () => {
    const tape = `
      exchange    fund rewards 100000 POINTS k -> BudgetFunded
      exchange    award bob 1 BTC a          -> rejected BudgetExhausted budget
      exchange    set bob blocked on         -> blocked on
      exchange    award bob 1 POINTS a       -> rejected AccountBlocked account
    `;
    expect(play(tape)).toBe(tape);
  });
});
