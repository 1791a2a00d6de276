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

describe('a deposit', () => {
  test('D1, R3: is credited once, however late it is repeated, and opens the account it is for', () => {
    const tape = `
      exchange    credit dave 40 USDC k      -> AccountOpened, credited 40
      exchange    credit dave 40 USDC k      -> repeated k
      exchange    credit dave 41 USDC k      -> rejected KeyConflict key
      exchange    credit alice 40 USDC k     -> rejected KeyConflict key
      exchange    credit dave 0 USDC l       -> rejected InvalidAmount amount
      exchange    credit dave 5 POINTS l     -> rejected InvalidCombination asset
    `;
    expect(play(tape)).toBe(tape);
  });
});

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

describe('a deposit whose block is gone', () => {
  test('D2: lies in suspense, its account can not withdraw, and has it back when it is credited again', () => {
    const tape = `
      exchange    credit alice 70 USDC late  -> credited 70
      exchange    suspend early              -> rejected UnknownDeposit key
      exchange    suspend late               -> suspended 70 (70 + 0 + 0)
      exchange    suspend late               -> repeated late
      balance     alice USDC funding free 0 held 0
      alice       withdraw 1 USDC bob a      -> rejected DepositInSuspense account
      exchange    credit alice 71 USDC late  -> rejected KeyConflict key
      exchange    credit alice 70 USDC late  -> credited 70
      exchange    credit alice 70 USDC late  -> repeated late
      balance     alice USDC funding free 70 held 0
      alice       withdraw 1 USDC bob a      -> WithdrawalHeld, outflow 1
    `;
    expect(play(tape)).toBe(tape);
  });

  test('D2: takes what is free in funding, then spot, and never what is held', () => {
    const tape = `
      exchange    credit alice 70 USDC late  -> credited 70
      alice       withdraw 60 USDC bob a     -> WithdrawalHeld, outflow 60
      exchange    suspend late               -> suspended 70 (10 + 60 + 0)
      balance     alice USDC funding free 0 held 60
      exchange    credit alice 70 USDC late  -> credited 70
      balance     alice USDC funding free 70 held 60
    `;
    expect(play(tape)).toBe(tape);
  });

  test('D2: takes what went to coin futures last, and names it in an event of its own; before rules 6 it stayed there', () => {
    const moves = `
      exchange    credit carol 70 BTC late   -> credited 70
      carol       transfer 60 BTC funding>spot a -> Transferred
      carol       transfer 1060 BTC spot>coinFutures b -> Transferred`;
    const tape = `${moves}
      exchange    suspend late               -> suspended 70 (10 + 0 + 0), 60 of it from coinFutures
      exchange    suspend late               -> repeated late
      balance     carol BTC coinFutures free 1000 held 0
      exchange    credit carol 70 BTC late   -> credited 70
      balance     carol BTC funding free 70 held 0
    `;
    expect(play(tape)).toBe(tape);
    const older = `${moves}
      exchange    suspend late               -> suspended 10 (10 + 0 + 0)
      balance     carol BTC coinFutures free 1060 held 0
    `;
    expect(play(older, { rules: 5 })).toBe(older);
  });

  test('D2: what is spent is missing, and is not taken later', () => {
    const tape = `
      carol       transfer 1000 BTC spot>funding t -> Transferred
      carol       withdraw 1000 BTC bob z    -> WithdrawalHeld, outflow 1000
      exchange    credit carol 5 BTC one     -> credited 5
      exchange    credit carol 7 BTC two     -> credited 7
      exchange    suspend one                -> suspended 5 (5 + 0 + 0)
      exchange    suspend two                -> suspended 7 (7 + 0 + 0)
      exchange    credit carol 5 BTC one     -> credited 5
      carol       withdraw 1 BTC bob a       -> rejected DepositInSuspense account
      exchange    credit carol 7 BTC two     -> credited 7
      carol       withdraw 9 BTC bob a       -> WithdrawalHeld, outflow 1009
      exchange    suspend two                -> suspended 3 (3 + 0 + 0)
      exchange    credit carol 4 BTC three   -> credited 4
      exchange    credit carol 7 BTC two     -> credited 3
      balance     carol BTC funding free 7 held 1009
    `;
    expect(play(tape)).toBe(tape);
  });

  test('A5, D2: of a blocked account waits for the chain first, and then for the account', () => {
    const tape = `
      exchange    set bob blocked on         -> blocked on
      exchange    credit bob 70 USDC late    -> suspended
      exchange    suspend late               -> suspended 70 (0 + 0 + 0)
      exchange    set bob blocked off        -> blocked off
      exchange    set bob blocked on         -> blocked on
      exchange    credit bob 70 USDC late    -> suspended
      exchange    set bob blocked off        -> blocked off, credited 70
    `;
    expect(play(tape)).toBe(tape);
  });

  test('A5, D2: of a blocked account is the one that is named, and the others that wait go on waiting', () => {
    const tape = `
      exchange    set bob blocked on         -> blocked on
      exchange    credit bob 70 USDC one     -> suspended
      exchange    credit bob 40 USDC two     -> suspended
      exchange    credit bob 30 USDC three   -> suspended
      exchange    suspend two                -> suspended 40 (0 + 0 + 0)
      exchange    set bob blocked off        -> blocked off, credited 70, credited 30
      balance     bob USDC funding free 100 held 0
    `;
    expect(play(tape)).toBe(tape);
  });
});

describe('a deposit in suspense that will not return', () => {
  test('D2, M1: leaves the ledger by its write-off, once, and its account can withdraw again', () => {
    const tape = `
      exchange    credit alice 70 USDC late  -> credited 70
      exchange    write-off early            -> rejected UnknownDeposit key
      exchange    write-off late             -> rejected DepositNotInSuspense key
      exchange    suspend late               -> suspended 70 (70 + 0 + 0)
      exchange    write-off late             -> written off 70 (70 suspended, 0 + 0 + 0 + 0; 0 of insurance, 0 uncovered)
      exchange    write-off late             -> repeated late
      exchange    suspend late               -> repeated late
      exchange    credit alice 71 USDC late  -> rejected KeyConflict key
      balance     alice USDC funding free 0 held 0
      exchange    credit alice 9 USDC own    -> credited 9
      alice       withdraw 1 USDC bob a      -> WithdrawalHeld, outflow 1
    `;
    expect(play(tape)).toBe(tape);
    const older = `
      exchange    credit alice 70 USDC late  -> credited 70
      exchange    suspend late               -> suspended 70 (70 + 0 + 0)
      exchange    write-off late             -> rejected RulesTooOld
    `;
    expect(play(older, { rules: 5 })).toBe(older);
  });

  test('D2, M1: what the account spent the insurance fund pays, and what the fund lacks is uncovered until the fund is funded again', () => {
    const tape = `
      exchange    fund insurance 10 BTC f    -> BudgetFunded, insurance 10
      carol       transfer 1000 BTC spot>funding t -> Transferred
      exchange    credit carol 70 BTC late   -> credited 70
      carol       withdraw 1065 BTC bob z    -> WithdrawalHeld, outflow 1065
      exchange    suspend late               -> suspended 5 (5 + 0 + 0)
      exchange    credit carol 20 BTC more   -> credited 20
      exchange    write-off late             -> written off 70 (5 suspended, 20 + 0 + 0 + 0; 10 of insurance, 35 uncovered), insurance 0
      balance     carol BTC funding free 0 held 1065
      exchange    fund insurance 40 BTC g    -> BudgetFunded, insurance 5
    `;
    expect(play(tape)).toBe(tape);
  });

  test('D1, M1: that returns after its write-off is credited with what was taken of the account, and the exchange has the rest back', () => {
    const tape = `
      exchange    fund insurance 10 BTC f    -> BudgetFunded, insurance 10
      carol       transfer 1000 BTC spot>funding t -> Transferred
      exchange    credit carol 70 BTC late   -> credited 70
      carol       withdraw 1065 BTC bob z    -> WithdrawalHeld, outflow 1065
      exchange    suspend late               -> suspended 5 (5 + 0 + 0)
      exchange    write-off late             -> written off 70 (5 suspended, 0 + 0 + 0 + 0; 10 of insurance, 55 uncovered), insurance 0
      exchange    credit carol 70 BTC late   -> credited 5, the exchange has 65 back, insurance 10
      exchange    credit carol 70 BTC late   -> repeated late
      exchange    write-off late             -> rejected DepositNotInSuspense key
      exchange    suspend late               -> suspended 5 (5 + 0 + 0)
      exchange    write-off late             -> written off 70 (5 suspended, 0 + 0 + 0 + 0; 10 of insurance, 55 uncovered), insurance 0
    `;
    expect(play(tape)).toBe(tape);
  });

  test("D1: that returns before the write-off is refused it, and is the account's", () => {
    const tape = `
      exchange    credit alice 70 USDC late  -> credited 70
      exchange    suspend late               -> suspended 70 (70 + 0 + 0)
      exchange    credit alice 70 USDC late  -> credited 70
      exchange    write-off late             -> rejected DepositNotInSuspense key
      balance     alice USDC funding free 70 held 0
    `;
    expect(play(tape)).toBe(tape);
  });

  test('A5, D2: of a blocked account is written off as it lies, and waits for the account when it returns', () => {
    const tape = `
      exchange    set bob blocked on         -> blocked on
      exchange    credit bob 70 USDC late    -> suspended
      exchange    suspend late               -> suspended 70 (0 + 0 + 0)
      exchange    write-off late             -> written off 70 (70 suspended, 0 + 0 + 0 + 0; 0 of insurance, 0 uncovered)
      exchange    set bob blocked off        -> blocked off
      exchange    set bob blocked on         -> blocked on
      exchange    credit bob 70 USDC late    -> suspended
      exchange    set bob blocked off        -> blocked off, credited 70
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
