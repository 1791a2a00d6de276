/** X1, X4: a contract is open only while it may liquidate. Until then nobody opens, and no money leaves who holds it. */
import { beforeEach, describe, expect, test } from 'vitest';
import { atoms, ppm, ticks, type AccountId } from '@orrery/units';
import type { Command, Event, PlaceContractOrder } from '@orrery/protocol';
import { ContractScene, USDC, usdc } from '../testing/contract-scene.ts';
import { addressOf } from '../testing/tape-people.ts';

let scene: ContractScene;
let long: AccountId;
let short: AccountId;
let empty: AccountId;

/** The long has 1 BTC from 60,000 at 40x with 1,600 USDC, the short the other side of it. */
beforeEach(() => {
  scene = new ContractScene();
  scene.insurance(usdc(10_000));
  scene.must({ type: 'SetLiquidator', account: scene.person('liquidator', usdc(0)) });
  long = scene.person('long', usdc(1_600));
  short = scene.person('short', usdc(7_000));
  empty = scene.person('empty', usdc(1_600));
  for (let round = 0; round < 3; round += 1) scene.prices(600_000);
  for (const account of [long, empty]) scene.must(leverage(account, 40));
  scene.trade(long, short, 100_000, 600_000);
});

const leverage = (account: AccountId, to: number): Command => ({
  type: 'SetLeverage',
  account,
  market: scene.market,
  positionSide: 'both',
  leverage: to,
});
const reducing = (order: PlaceContractOrder): PlaceContractOrder => ({ ...order, contract: { ...order.contract, reduceOnly: true } });
const refusal = (events: readonly Event[]): string => {
  const [first] = events;
  return first?.type === 'CommandRejected' ? `${first.reason} ${first.field}`.trim() : (first?.type ?? 'nothing');
};
const shown = (events: readonly Event[]): string | undefined => events.find((event) => event.type === 'PricesSet')?.state;
const closings = (events: readonly Event[]): string[] =>
  events.flatMap((event) => (event.type === 'OrderClosed' ? [`${event.account} ${event.reason}`] : []));

const INTERRUPTIONS: readonly [string, () => void][] = [
  ['a restart', () => void scene.must({ type: 'ResetPrices' })],
  ['an outage of six minutes', () => scene.wait(360)],
  [
    'a halt',
    () => {
      scene.must({ type: 'SetMarketState', market: scene.market, state: 'HALT' });
      scene.prices(600_000);
      scene.must({ type: 'SetMarketState', market: scene.market, state: 'TRADING' });
    },
  ],
];

describe.each(INTERRUPTIONS)('after %s', (_what, interrupt) => {
  test('X4: clients read DEGRADED until the third fresh round, and nobody opens until then', () => {
    interrupt();
    const opens = (): string => refusal(scene.give(scene.order(empty, 'sell', 100, 600_000)));
    expect(opens()).toBe('PricesDegraded market');
    const states = [1, 2, 3].map(() => [shown(scene.prices(600_000)), opens()]);
    expect(states).toEqual([
      ['DEGRADED', 'PricesDegraded market'],
      ['DEGRADED', 'PricesDegraded market'],
      ['READY', 'OrderAccepted'],
    ]);
    scene.replay();
  });

  test('P6: the winner cannot pass the position on to an empty account and take the gain away: those who lost it are liquidated first', () => {
    interrupt();
    const before = scene.wallet(short) + scene.wallet(empty);
    scene.prices(546_000);
    scene.prices(546_000);
    expect(refusal(scene.give(scene.order(empty, 'sell', 100_000, 546_000)))).toBe('PricesDegraded market');
    scene.give(reducing(scene.order(short, 'buy', 100_000, 546_000)));
    expect(scene.position(short)?.size).toBe(-100_000);
    expect(refusal(scene.give(scene.transfer(short, 'out', usdc(1))))).toBe('PricesUnreliable account');
    expect(scene.wallet(short) + scene.wallet(empty)).toBe(before);
    scene.prices(546_000);
    expect(scene.system('UNCOVERED')).toBe(0n);
    scene.replay();
  });
});

test('X1: what rests does not open against an order that closes: it trades as far as it closes itself, and ends with a named reason', () => {
  scene.must(scene.order(empty, 'buy', 1_000, 600_000));
  scene.must(scene.order(short, 'buy', 101_000, 599_990));
  scene.must({ type: 'ResetPrices' });
  const events = scene.must(reducing({ ...scene.order(long, 'sell', 100_000, 599_000), timeInForce: 'IOC' }));
  expect(events.flatMap((event) => (event.type === 'Trade' ? [[event.makerAccount, event.size]] : []))).toEqual([[short, 100_000]]);
  expect(closings(events)).toEqual([`${empty} pricesDegraded`, `${short} pricesDegraded`, `${long} filled`]);
  expect([scene.position(long), scene.position(short), scene.position(empty)]).toEqual([undefined, undefined, undefined]);
  scene.replay();
});

describe('an order that waits for a price', () => {
  const waits = (account: AccountId, side: 'buy' | 'sell', size: number, trigger: number): PlaceContractOrder => {
    const order = scene.order(account, side, size, 0);
    return {
      ...order,
      orderType: 'stopMarket',
      triggerPrice: ticks(trigger),
      slippagePpm: ppm(50_000),
      contract: { ...order.contract, source: 'plan' },
    };
  };
  /** Who only closes trades at this price while nobody may open. */
  const lastPrice = (price: number): readonly Event[] => {
    scene.must(reducing(scene.order(long, 'sell', 1_000, price)));
    return scene.must(reducing(scene.order(short, 'buy', 1_000, price)));
  };

  test('X1: that would open closes when it is reached, and does not act on an old price later', () => {
    scene.must(waits(empty, 'buy', 1_000, 601_000));
    scene.must({ type: 'ResetPrices' });
    expect(closings(lastPrice(601_500))).toContain(`${empty} pricesDegraded`);
    expect(scene.position(empty)).toBeUndefined();
  });

  test('X1: that would close and then open closes as far as there is a position', () => {
    scene.must(waits(long, 'sell', 500_000, 599_000));
    scene.must(scene.order(short, 'buy', 99_000, 598_000));
    scene.must({ type: 'ResetPrices' });
    lastPrice(598_500);
    expect([scene.position(long), scene.position(short)]).toEqual([undefined, undefined]);
  });
});

describe('X1: no money leaves an account whose position has no reliable price', () => {
  const stranger = '0x00000000000000000000000000000000000000aa' as ReturnType<typeof addressOf>;
  const cases: readonly [string, () => Command, string][] = [
    ['by a transfer', () => scene.transfer(short, 'out', usdc(1)), 'Transferred'],
    [
      'by a withdrawal',
      () => ({
        type: 'RequestWithdrawal',
        account: short,
        withdrawalId: `0x${'1'.repeat(64)}`,
        asset: USDC,
        amount: usdc(1),
        to: stranger,
      }),
      'WithdrawalHeld',
    ],
    [
      'to another account',
      () => ({
        type: 'WithdrawInternally',
        account: short,
        withdrawalId: `0x${'2'.repeat(64)}`,
        asset: USDC,
        amount: usdc(1),
        to: addressOf('empty'),
      }),
      'WithdrawnInternally',
    ],
    ['by a higher leverage', () => leverage(short, 11), 'InsufficientMargin leverage'],
  ];
  test.each(cases)('%s', (_how, command, open) => {
    scene.must({ type: 'CreditDeposit', key: 'more', address: addressOf('short'), asset: USDC, amount: usdc(10) });
    // A fifth of 60,000 has to stay.
    const more = { asset: USDC, amount: usdc(6_000), from: 'funding', to: 'futures' } as const;
    if (open !== 'InsufficientMargin leverage') {
      scene.must({ type: 'CreditDeposit', key: 'most', address: addressOf('short'), asset: USDC, amount: usdc(6_000) });
      scene.must({ type: 'Transfer', account: short, transferId: 'most', ...more });
    }
    scene.wait(3_600);
    expect(refusal(scene.give(command()))).toBe('PricesUnreliable account');
    for (let round = 0; round < 2; round += 1) scene.prices(600_000);
    expect(refusal(scene.give(command()))).toBe('PricesUnreliable account');
    scene.prices(600_000);
    expect(refusal(scene.give(command()))).toBe(open);
  });

  test('out of the margin of an isolated position, into which more may come', () => {
    const owner = scene.person('owner', usdc(30_000));
    scene.must({ type: 'SetMarginMode', account: owner, market: scene.market, mode: 'isolated' });
    scene.must(leverage(owner, 40));
    scene.must(scene.order(short, 'sell', 10_000, 600_000));
    scene.must(scene.order(owner, 'buy', 10_000, 600_000));
    const adjust = (direction: 'add' | 'remove', amount: number, key: string): Command => ({
      type: 'AdjustMargin',
      account: owner,
      market: scene.market,
      positionSide: 'both',
      direction,
      amount: usdc(amount),
      key,
    });
    scene.wait(3_600);
    expect(refusal(scene.give(adjust('add', 20_000, 'a')))).toBe('MarginAdjusted');
    expect(refusal(scene.give(adjust('remove', 20_000, 'b')))).toBe('PricesUnreliable account');
    for (let round = 0; round < 3; round += 1) scene.prices(600_000);
    expect(refusal(scene.give(adjust('remove', 20_000, 'b')))).toBe('MarginAdjusted');
  });

  test('and who holds nothing there takes out what he has', () => {
    scene.wait(3_600);
    expect(refusal(scene.give(scene.transfer(empty, 'out', atoms(1n))))).toBe('Transferred');
  });
});

test('X1: one sample that says nothing is dropped, and the round counts without it', () => {
  const round = (...prices: readonly number[]): Command => ({
    type: 'SubmitPrices',
    market: scene.market,
    index: prices.map((price, place) => ({ source: `s${place}`, price: ticks(price), ageMs: 0, weight: 1 })),
    external: [],
  });
  for (const bad of [0, 100_000_001]) {
    scene.wait(3);
    expect(scene.must(round(600_000, bad, 600_100))[0]).toMatchObject({ type: 'PricesSet', state: 'READY', index: 600_050 });
  }
  // Two that are left and more than 1 % apart: nobody can say which of them lies.
  expect(scene.must(round(600_000, 606_000))[0]).toMatchObject({ state: 'READY', index: 603_000 });
  expect(scene.must(round(600_000, 606_001))[0]).toMatchObject({ state: 'DEGRADED', index: 603_000 });
});
