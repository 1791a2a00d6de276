import { accountId, assert, assetId, atoms, lots, marketId, orderId, ticks, tradeId } from '@orrery/units';
import { CONTRACTS } from '@orrery/exchange/listing';
import type { Contract, Event } from '@orrery/protocol';
import { expect, test } from 'vitest';
import { Violation } from '../violation.ts';
import { HandAudit, type Holdings } from './hand-audit.ts';

const [MINE, MINE_TOO, STRANGER] = [accountId(1), accountId(2), accountId(3)];
const CONTRACT = linearContract();
const { market, settle, tickLotAtoms } = CONTRACT;
const PLACE = { market, positionSide: 'both' } as const;
const NOTHING = atoms(0n);

function linearContract(): Contract {
  const found = CONTRACTS.find(({ payoff }) => payoff === 'linear');
  assert(found !== undefined, 'a linear contract is listed');
  return found;
}

const at = (price: number, of = market): Event => ({
  type: 'PricesSet',
  market: of,
  index: ticks(price),
  mark: ticks(price),
  state: 'READY',
  fundingPpb: 0,
  freshRounds: 3,
});
const worth = (size: number, price: number): bigint => BigInt(size) * BigInt(price) * tickLotAtoms;

/** One of the hand has brought 1,000 and buys 10 lots of somebody at 500. */
const bought = (from: typeof STRANGER): readonly Event[] => [
  { ...CONTRACT, type: 'ContractRegistered' },
  { type: 'DepositCredited', key: 'one', account: MINE, asset: settle, amount: atoms(1_000n), suspended: false },
  at(500),
  {
    type: 'Trade',
    tradeId: tradeId(1),
    market,
    price: ticks(500),
    size: lots(10),
    notional: atoms(worth(10, 500)),
    takerSide: 'buy',
    takerOrderId: orderId(1),
    takerAccount: MINE,
    takerFee: NOTHING,
    makerOrderId: orderId(2),
    makerAccount: from,
    makerFee: NOTHING,
    makerRemaining: lots(0),
  },
];

function holding(money: bigint, size: number): Holdings {
  const balance = { account: MINE, wallet: 'futures', asset: settle, free: atoms(money), held: NOTHING } as const;
  const position = { account: MINE, market, size, cost: worth(size, 500) };
  return { balances: [balance], positions: size === 0 ? [] : [position] };
}

function violationOf(events: readonly Event[], held: Holdings): string | undefined {
  const audit = new HandAudit(settle);
  audit.join(MINE);
  audit.join(MINE_TOO);
  audit.follow(events);
  try {
    audit.compare(held);
  } catch (error) {
    assert(error instanceof Violation, 'what fails is a violation');
    return error.invariant;
  }
  return undefined;
}

const LOST = worth(10, 500) - worth(10, 400);

/** It has lost more than its money, and the liquidator takes it over at mark; the fund pays what is missing. */
const TAKEN_OVER: readonly Event[] = [
  at(400),
  {
    type: 'PositionReduced',
    account: MINE,
    ...PLACE,
    isLong: true,
    size: lots(10),
    price: ticks(400),
    notional: atoms(worth(10, 400)),
    releasedCost: atoms(worth(10, 500)),
    profit: atoms(0n - LOST),
    fee: NOTHING,
    cause: 'takeover',
  },
  {
    type: 'LiquidationStep',
    liquidationId: 1,
    account: MINE,
    ...PLACE,
    stage: 'takeover',
    mark: ticks(400),
    equity: atoms(1_000n - LOST),
    maintenance: atoms(1n),
    size: lots(10),
    price: ticks(400),
    fromMargin: atoms(1_000n),
    fromLiquidator: NOTHING,
    fromInsurance: atoms(LOST - 1_000n),
    uncovered: NOTHING,
  },
];

test.each([
  ['has what it brought', bought(STRANGER), holding(1_000n, 10)],
  ['has what a stranger lost to it', [...bought(STRANGER), at(600)], holding(1_000n, 10)],
  ['has nothing, and the fund has paid', [...bought(STRANGER), ...TAKEN_OVER], holding(0n, 0)],
] as const)('a hand that %s passes', (_what, events, held) => {
  expect(violationOf(events, held)).toBeUndefined();
});

test.each([
  ['has more than it brought', bought(STRANGER), holding(1_100n, 10)],
  ['gains by a trade with itself', [...bought(MINE_TOO), at(600)], holding(1_000n, 10)],
  ['was taken over at more than mark', [...bought(STRANGER), ...TAKEN_OVER], holding(worth(10, 1), 0)],
] as const)('P6: a hand that %s fails', (_what, events, held) => {
  expect(violationOf(events, held)).toBe('P6');
});

test('another asset and another contract are not looked at', () => {
  const audit = new HandAudit(assetId(settle + 1));
  audit.join(MINE);
  audit.follow([...bought(STRANGER), at(600, marketId(9_999))]);
  expect(() => audit.compare(holding(1_000_000n, 10))).not.toThrow();
});
