import { accountId, assert, atoms, lots, marketId, millis, ticks } from '@orrery/units';
import type { Event } from '@orrery/protocol';
import { expect, test } from 'vitest';
import { Violation } from '../violation.ts';
import { ContractAudit } from './contract-audit.ts';

const [ALICE, BOB] = [accountId(1), accountId(2)];
const MARKET = marketId(101);
const INTERVAL = millis(3_600_000);
const PLACE = { market: MARKET, positionSide: 'both' } as const;

const settled: Event = { type: 'FundingSettled', market: MARKET, interval: INTERVAL, ratePpb: 10, price: ticks(1_000) };
const settledNext: Event = { ...settled, interval: millis(2 * INTERVAL) };
const paid = (account: typeof ALICE, amount: bigint): Event => ({
  type: 'FundingPaid',
  account,
  ...PLACE,
  interval: INTERVAL,
  amount: atoms(amount),
});
const deleveraged = (size: number): Event => ({
  type: 'PositionDeleveraged',
  liquidationId: 1,
  account: BOB,
  ...PLACE,
  size: lots(size),
  price: ticks(900),
  rank: 1,
  profit: atoms(0n),
});
const step = (more: Partial<Extract<Event, { type: 'LiquidationStep' }>>): Event => ({
  type: 'LiquidationStep',
  liquidationId: 1,
  account: ALICE,
  ...PLACE,
  stage: 'orderBook',
  mark: ticks(900),
  equity: atoms(4n),
  maintenance: atoms(5n),
  size: lots(10),
  price: ticks(900),
  fromMargin: atoms(0n),
  fromLiquidator: atoms(0n),
  fromInsurance: atoms(0n),
  uncovered: atoms(0n),
  ...more,
});

function violationOf(...commands: readonly (readonly Event[])[]): string | undefined {
  const audit = new ContractAudit();
  try {
    for (const [index, events] of commands.entries()) audit.follow(index + 1, events);
  } catch (error) {
    assert(error instanceof Violation, 'what fails is a violation');
    return error.invariant;
  }
  return undefined;
}

test('funding, liquidation and deleveraging as they must be pass', () => {
  expect(
    violationOf(
      [settled, paid(BOB, 9n)],
      [paid(ALICE, -10n)],
      [settledNext],
      [step({})],
      [deleveraged(6), deleveraged(4), step({ stage: 'adl' })],
    ),
  ).toBeUndefined();
});

test.each([
  ['P2: an interval is settled twice', 'P2', [[settled], [settled]]],
  ['P2: more is received than is paid', 'P2', [[settled, paid(ALICE, -10n), paid(BOB, 11n)], [settledNext]]],
  ['P2: somebody pays twice for an interval', 'P2', [[settled, paid(ALICE, -10n)], [paid(ALICE, -10n)]]],
  ['P2: somebody pays for what was not settled', 'P2', [[paid(ALICE, -10n)]]],
  ['P2: somebody pays for an interval before the last one', 'P2', [[settled], [settledNext, paid(ALICE, -10n)]]],
  ['P5: an account is liquidated that has its maintenance', 'P5', [[step({ equity: atoms(5n) })]]],
  ['P6: a loss is left uncovered', 'P6', [[step({ uncovered: atoms(1n) })]]],
  ['P7: less is deleveraged than is bankrupt', 'P7', [[deleveraged(9), step({ stage: 'adl' })]]],
] as const)('%s', (_what, invariant, commands) => {
  expect(violationOf(...commands)).toBe(invariant);
});
