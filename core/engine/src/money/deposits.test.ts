import { describe, expect, test } from 'vitest';
import { play } from '../testing/tape.ts';

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
