import { describe, expect, test } from 'vitest';
import { accountId, assetId, atoms, millis, seq } from '@orrery/units';
import { AMOUNT_MAX } from '@orrery/rules';
import { createEngine } from '../engine.ts';
import { addressOf, assetOf } from '../testing/tape-people.ts';
import { play, Table } from '../testing/tape.ts';

describe('R3: a key that comes again', () => {
  test('for another withdrawal is refused, whatever differs', () => {
    const tape = `
      alice       transfer 500 USDC spot>funding t1 -> Transferred
      alice       transfer 500 BTC spot>funding t2 -> Transferred
      bob         transfer 500 USDC spot>funding t1 -> Transferred
      alice       withdraw 200 USDC carol a  -> WithdrawalHeld, outflow 200
      bob         withdraw 200 USDC carol a  -> rejected KeyConflict withdrawalId
      alice       withdraw 200 BTC carol a   -> rejected KeyConflict withdrawalId
      alice       withdraw 200 USDC bob a    -> rejected KeyConflict withdrawalId
      exchange    sent a 0xaa                -> WithdrawalSent
      exchange    post a 0xaa                -> WithdrawalPosted
      exchange    post a 0xbb                -> rejected WithdrawalNotInState withdrawalId
    `;
    expect(play(tape)).toBe(tape);
  });

  test('with parts that read the same in one line is not the same', () => {
    const table = new Table();
    const award = { type: 'AwardFromBudget', budget: 'rewards', account: accountId(1), key: 'k' } as const;
    table.give({ type: 'FundBudget', budget: 'rewards', asset: assetOf('USDC'), amount: atoms(100n), key: 'f' });
    expect(table.give({ ...award, asset: assetId(1), amount: atoms(12n) })[0]?.type).toBe('Awarded');
    expect(table.give({ ...award, asset: assetId(11), amount: atoms(2n) })).toMatchObject([
      { type: 'CommandRejected', reason: 'UnknownAsset' },
    ]);
  });

  test('is 32 bytes for a withdrawal, and neither less nor more', () => {
    const table = new Table();
    for (const withdrawalId of [`0x${'0'.repeat(63)}`, `0x${'0'.repeat(65)}`, `x0x${'0'.repeat(64)}`, `0x${'A'.repeat(64)}`]) {
      const command = { type: 'RequestWithdrawal', account: accountId(1), asset: assetOf('USDC'), amount: atoms(1n) } as const;
      expect(table.give({ ...command, to: addressOf('bob'), withdrawalId })).toEqual([
        { type: 'CommandRejected', reason: 'InvalidField', field: 'withdrawalId' },
      ]);
    }
  });
});

describe('the bounds of money', () => {
  test('a budget can be paid out whole', () => {
    const tape = `
      exchange    fund rewards 5 POINTS f    -> BudgetFunded
      exchange    award alice 5 POINTS a     -> Awarded
      exchange    award alice 1 POINTS b     -> rejected BudgetExhausted budget
    `;
    expect(play(tape)).toBe(tape);
  });

  test('the largest amount is taken, and the one above it is not', () => {
    const table = new Table();
    const credit = { type: 'CreditDeposit', address: addressOf('bob'), asset: assetOf('USDC') } as const;
    expect(table.give({ ...credit, amount: AMOUNT_MAX, key: 'a' })[0]?.type).toBe('DepositCredited');
    expect(table.give({ ...credit, amount: atoms(AMOUNT_MAX + 1n), key: 'b' })).toMatchObject([{ reason: 'InvalidAmount' }]);
  });
});

describe('F1: a claim', () => {
  test('that failed after a later one leaves the later one counting', () => {
    const tape = `
      exchange    fund faucet 5 CLAIM f      -> BudgetFunded
      alice       claim c1                   -> FaucetClaimReserved
      clock       86400
      alice       claim c2                   -> FaucetClaimReserved
      exchange    settle c1 failed           -> FaucetClaimSettled
      alice       claim c3                   -> rejected ClaimTooSoon account
      exchange    settle c2 failed           -> FaucetClaimSettled
      alice       claim c3                   -> FaucetClaimReserved
    `;
    expect(play(tape)).toBe(tape);
  });

  test('of nobody, or where there is nothing to claim, is refused by name', () => {
    const claim = { type: 'ReserveFaucetClaim', account: accountId(99), claimId: 'c' } as const;
    expect(new Table().give(claim)).toEqual([{ type: 'CommandRejected', reason: 'UnknownAccount', field: 'account' }]);
    const bare = createEngine();
    expect(bare.apply({ seq: seq(1), at: millis(1), command: claim })).toEqual([
      { type: 'CommandRejected', reason: 'UnknownAsset', field: '' },
    ]);
  });
});
