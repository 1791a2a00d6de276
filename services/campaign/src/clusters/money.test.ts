import { type AccountId, accountId, type Address, assetId } from '@orrery/units';
import { describe, expect, test } from 'vitest';
import { findClusters } from './clusters.ts';
import type { FundingMove, Payment } from '../ports.ts';
import { fundingLinks } from './money.ts';

const USDC = assetId(1);
const MINIMUM = 1_000n;
const [ALICE, BOB, CAROL, DAVE] = [1, 2, 3, 4];
const MALLORY = 0xbad;
const PURSE = 0xaa;

const addressOf = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}` as Address;
const accountAt = (address: Address): AccountId | undefined => {
  const n = Number.parseInt(address, 16);
  return n <= DAVE ? accountId(n) : undefined;
};

let keys = 0;
const deposit = (payer: number, payee: number, amount: bigint): Payment => ({
  direction: 'IN',
  key: `deposit-${(keys += 1)}`,
  address: addressOf(payee),
  counterparty: addressOf(payer),
  asset: USDC,
  amount,
});
const payout = (payer: number, payee: number, amount: bigint): Payment => ({
  direction: 'OUT',
  key: `payout-${(keys += 1)}`,
  address: addressOf(payer),
  counterparty: addressOf(payee),
  asset: USDC,
  amount,
});
const internal = (payer: number, payee: number, amount: bigint): Payment => ({ ...deposit(payer, payee, amount), direction: 'INTERNAL' });
const received = (payment: Payment): FundingMove => ({ ...credited(payment), kind: 'INTERNAL' });
const credited = ({ key, address, amount }: Payment): FundingMove => ({
  account: accountAt(address) ?? expect.fail('nobody has an account there'),
  asset: USDC,
  kind: 'DEPOSIT',
  amount,
  reference: key,
});
const move = (n: number, kind: FundingMove['kind'], amount: bigint): FundingMove => ({
  account: accountId(n),
  asset: USDC,
  kind,
  amount,
  reference: `own-${(keys += 1)}`,
});
const own = (n: number, amount: bigint): FundingMove => move(n, 'DEPOSIT', amount);
const toSpot = (n: number, amount: bigint): FundingMove => move(n, 'TRANSFER', -amount);
const fromSpot = (n: number, amount: bigint): FundingMove => move(n, 'TRANSFER', amount);

/** The members of each cluster that money makes. */
function clusters(payments: readonly Payment[], moves: readonly FundingMove[]): readonly (readonly number[])[] {
  const funding = fundingLinks({
    payments,
    moves,
    accountAt,
    addressOf,
    minimumOf: (asset) => (asset === USDC ? MINIMUM : undefined),
  });
  const relations = { funding, invites: [], traces: [], apart: [], funds: [] };
  return findClusters({ flows: [], relations, isHouse: () => false, captiveFrom: undefined }).all.map(({ members }) => members);
}

describe('framing: who pays something to strangers does not make them one', () => {
  test('1 wei to two strangers links nobody, although they move all they have', () => {
    const gifts = [deposit(MALLORY, ALICE, 1n), deposit(MALLORY, BOB, 1n)];
    const moves = [ALICE, BOB].flatMap((n, index) => [own(n, 5_000n), ...gifts.slice(index, index + 1).map(credited), toSpot(n, 5_001n)]);
    expect(clusters(gifts, moves)).toEqual([]);
  });

  test('a thousand gifts of 1 wei to each add up to the minimum, and join only who takes the minimum along', () => {
    const gifts = [ALICE, BOB].flatMap((n) => Array.from({ length: Number(MINIMUM) }, () => deposit(MALLORY, n, 1n)));
    const moves = gifts.map(credited);
    expect(clusters(gifts, [...moves, toSpot(ALICE, MINIMUM - 1n), toSpot(BOB, MINIMUM)])).toEqual([]);
    expect(clusters(gifts, [...moves, toSpot(ALICE, MINIMUM), toSpot(BOB, MINIMUM)])).toEqual([[ALICE, BOB]]);
  });

  test('[A9] money from one account to another within the exchange joins them as a deposit does: where the minimum is taken along', () => {
    const gift = internal(ALICE, BOB, 5_000n);
    const moves = [own(ALICE, 5_000n), { ...received(gift), account: accountId(ALICE), amount: -5_000n }, received(gift)];
    expect(clusters([gift], moves)).toEqual([]);
    expect(clusters([gift], [...moves, toSpot(BOB, MINIMUM)])).toEqual([[ALICE, BOB]]);
  });

  test('a large gift that stays where it lies links nobody: own money leaves first, and what comes back is own money', () => {
    const gifts = [deposit(MALLORY, ALICE, 50_000n), deposit(MALLORY, BOB, 50_000n)];
    const trading = [ALICE, BOB].flatMap((n) => [toSpot(n, 5_000n), fromSpot(n, 5_000n), toSpot(n, 5_000n), move(n, 'WITHDRAW', -3_000n)]);
    const moves = [own(ALICE, 8_000n), own(BOB, 8_000n), ...gifts.map(credited), ...trading];
    expect(clusters(gifts, moves)).toEqual([]);
    expect(clusters(gifts, [...moves, toSpot(ALICE, MINIMUM), toSpot(BOB, MINIMUM)])).toEqual([[ALICE, BOB]]);
  });

  test('a gift of a coin without a minimum links nobody', () => {
    const gifts = [deposit(MALLORY, ALICE, 50_000n), deposit(MALLORY, BOB, 50_000n)].map((gift) => ({ ...gift, asset: assetId(9) }));
    const moves = gifts.flatMap((gift) => [
      { ...credited(gift), asset: assetId(9) },
      { ...toSpot(accountAt(gift.address) ?? 0, 50_000n), asset: assetId(9) },
    ]);
    expect(clusters(gifts, moves)).toEqual([]);
  });

  test('a payout to the address of a stranger links nobody, until that address pays in what it was given', () => {
    const gift = payout(ALICE, BOB, 5_000n);
    expect(clusters([payout(ALICE, BOB, 1n), deposit(BOB, BOB, 5_000n)], [])).toEqual([]);
    expect(clusters([gift], [])).toEqual([]);
    // What the address was paid by its own account is paid in first.
    expect(clusters([payout(BOB, BOB, 5_000n), gift, deposit(BOB, BOB, 5_000n)], [])).toEqual([]);
    expect(clusters([deposit(BOB, BOB, 5_000n), gift], [])).toEqual([]);
    expect(clusters([gift, deposit(BOB, BOB, MINIMUM)], [])).toEqual([[ALICE, BOB]]);
  });

  test('a deposit whose block is gone was no gift', () => {
    const gifts = [deposit(MALLORY, ALICE, 5_000n), deposit(MALLORY, BOB, 5_000n)];
    const gone = gifts.map((gift) => ({ ...credited(gift), kind: 'DEPOSIT_SUSPENDED' as const, amount: -gift.amount }));
    const moves = [...gifts.map(credited), ...gone, own(ALICE, 5_000n), own(BOB, 5_000n), toSpot(ALICE, 5_000n), toSpot(BOB, 5_000n)];
    expect(clusters(gifts, moves)).toEqual([]);
  });
});

describe('F4: a ring that is paid from one purse is found', () => {
  test('where its accounts trade with the money', () => {
    const gifts = [ALICE, BOB, CAROL].map((n) => deposit(PURSE, n, 10_000n));
    const moves = [
      ...gifts.map(credited),
      ...[ALICE, BOB, CAROL].map((n) => toSpot(n, 9_000n)),
      ...[ALICE, BOB].map((n) => fromSpot(n, 9_000n)),
    ];
    expect(clusters(gifts, moves)).toEqual([[ALICE, BOB, CAROL]]);
  });

  test('where one account pays in for another, and where money goes around outside', () => {
    const gift = deposit(ALICE, BOB, 10_000n);
    expect(clusters([gift], [credited(gift), toSpot(BOB, 10_000n)])).toEqual([[ALICE, BOB]]);
    const around = [payout(ALICE, PURSE, 4_000n), payout(CAROL, PURSE, 4_000n), deposit(PURSE, DAVE, 8_000n)];
    const moves = around.slice(2).map(credited);
    expect(clusters(around, [...moves, toSpot(DAVE, 8_000n)])).toEqual([[ALICE, CAROL, DAVE]]);
  });
});
