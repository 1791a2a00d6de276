import { describe, expect, test } from 'vitest';
import { accountId, atoms, millis, type AccountId } from '@orrery/units';
import type { Command, Event, FundingPaid } from '@orrery/protocol';
import { decodeSnapshot } from '../snapshot/snapshot-codec.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { assertSound } from '../testing/assert-sound.ts';
import { ContractScene, usdc } from '../testing/contract-scene.ts';
import { unpaidOf, withFundingPaid } from '../testing/naive-funding.ts';
import { equityOf, marginsOf } from '../testing/naive-margin.ts';
import { FUNDING_PAYMENTS_PER_COMMAND } from './continue-funding.ts';

/** The table's clock begins at 1,000,000 s, which is 277 h and 2,800 s. */
const FIRST = millis(278 * 3_600_000);
const PRICE = 600_000;
const ONE = 100_000;
/** Of 1 BTC at 60,000 by the interest alone. */
const HOURLY = usdc(0.75);

const snapshotOf = ({ engine }: ContractScene): Snapshot => decodeSnapshot(engine.encodeState());
const paidIn = (events: readonly Event[]): readonly FundingPaid[] => events.filter((event) => event.type === 'FundingPaid');
const accountsIn = (events: readonly Event[]): readonly AccountId[] => paidIn(events).map(({ account }) => account);

interface Unpaid {
  readonly scene: ContractScene;
  readonly long: AccountId;
  readonly short: AccountId;
  readonly settled: readonly Event[];
}

/** A long and a short of 1 BTC, whose hour has just been settled and not paid. */
function unpaid(prepare: (scene: ContractScene, accounts: readonly AccountId[]) => void = () => undefined): Unpaid {
  const scene = new ContractScene();
  scene.insurance(usdc(1_000));
  const long = scene.person('long', usdc(20_000));
  const short = scene.person('short', usdc(20_000));
  scene.wait(780);
  for (let round = 0; round < 4; round += 1) scene.prices(PRICE);
  prepare(scene, [long, short]);
  scene.trade(long, short, ONE, PRICE);
  scene.wait(10);
  const settled = scene.giveAlone({ type: 'SettleFunding', market: scene.market, interval: FIRST });
  return { scene, long, short, settled };
}

interface Nearly {
  readonly scene: ContractScene;
  /** Less than a quarter of an hour's funding above its maintenance. */
  readonly near: AccountId;
  /** Of the mark, where it stays. */
  readonly price: number;
  /** A tick against the position. */
  readonly step: number;
}

/** A long or a short of 1 BTC at 40 ×, whom the price has brought near its maintenance. */
function nearlyLiquidated(direction: 'long' | 'short'): Nearly {
  const scene = new ContractScene();
  scene.insurance(usdc(10_000));
  const near = scene.person('near', usdc(2_000));
  const house = scene.person('house', usdc(1_000_000));
  scene.must({ type: 'SetLeverage', account: near, market: scene.market, positionSide: 'both', leverage: 40 });
  for (let round = 0; round < 4; round += 1) scene.prices(PRICE);
  const [buyer, seller, step] = direction === 'long' ? [near, house, -1] : [house, near, 1];
  scene.trade(buyer, seller, ONE, PRICE);
  let price = PRICE + step * 12_000;
  scene.walk(PRICE, price, 40_000);
  const isNear = (): boolean => {
    const [margin] = marginsOf(snapshotOf(scene), near);
    return equityOf(margin!) - margin!.maintenance < HOURLY / 4n;
  };
  for (; !isNear(); price += step) scene.prices(price + step);
  expect(scene.mark).toBe(price);
  scene.must(scene.order(house, direction === 'long' ? 'buy' : 'sell', 2 * ONE, price + 10 * step));
  return { scene, near, price, step };
}

describe('a settlement of funding', () => {
  test('P2: looks at nobody: what each owes is paid by the sweep, once', () => {
    const { scene, long, short, settled } = unpaid();
    expect(settled.map(({ type }) => type)).toEqual(['FundingSettled']);
    expect(scene.engine.continuation()).toEqual({ type: 'ContinueFunding', market: scene.market });
    const sweep: Command = { type: 'ContinueFunding', market: scene.market };
    expect(paidIn(scene.giveAlone(sweep)).map(({ account, amount, interval }) => [account, amount, interval])).toEqual([
      [long, atoms(0n - HOURLY), FIRST],
      [short, HOURLY, FIRST],
    ]);
    expect(scene.engine.continuation()).toBeUndefined();
    expect(scene.giveAlone(sweep)).toEqual([]);
    scene.replay();
  });

  test('P2: the next one waits until everybody has paid', () => {
    const { scene } = unpaid();
    const next: Command = { type: 'ForceFunding', market: scene.market, interval: millis(FIRST + 1_000) };
    expect(scene.giveAlone(next)).toEqual([{ type: 'CommandRejected', reason: 'FundingNotDue', field: 'interval' }]);
    expect(scene.giveAlone({ type: 'SettleFunding', market: scene.market, interval: FIRST })).toMatchObject([{ type: 'CommandRepeated' }]);
    scene.giveAlone({ type: 'ContinueFunding', market: scene.market });
    expect(scene.giveAlone(next)[0]).toMatchObject({ type: 'FundingSettled' });
  });

  test('P3: what CLEARING has advanced counts until the last one has paid, and DUST receives the remainder then', () => {
    // 1 lot more: 600,000 ticks × 100,001 lots × 12,500 ppb = 750,007.5: paid up, received down.
    const { scene, long, short } = unpaid((table, [buyer, seller]) => table.trade(buyer!, seller!, 1, PRICE));
    expect(paidIn(scene.giveAlone(scene.transfer(short, 'out', usdc(1)))).map(({ amount }) => amount)).toEqual([750_007n]);
    assertSound(snapshotOf(scene));
    expect(scene.system('CLEARING')).toBe(-750_007n);
    expect([...unpaidOf(snapshotOf(scene))]).toEqual([[`${long} 2 both`, -750_008n]]);
    expect(scene.system('DUST')).toBe(0n);
    scene.giveAlone({ type: 'ContinueFunding', market: scene.market });
    expect(scene.system('DUST')).toBe(1n);
    expect(scene.system('CLEARING')).toBe(0n);
  });
});

describe('an account that has not paid', () => {
  const touches: readonly (readonly [string, (one: Unpaid) => Command])[] = [
    ['trades', ({ scene, long, short }) => (scene.giveAlone(scene.order(short, 'sell', 10, PRICE)), scene.order(long, 'buy', 10, PRICE))],
    ['rests an order', ({ scene, long }) => scene.order(long, 'buy', 10, PRICE - 1_000)],
    ['closes', ({ scene, long, short }) => (scene.giveAlone(scene.order(short, 'buy', ONE, PRICE)), scene.order(long, 'sell', ONE, 0))],
    [
      'turns round',
      ({ scene, long, short }) => (scene.giveAlone(scene.order(short, 'buy', ONE + 5, PRICE)), scene.order(long, 'sell', ONE + 5, PRICE)),
    ],
    ['takes money out', ({ scene, long }) => scene.transfer(long, 'out', usdc(1))],
    [
      'changes its leverage',
      ({ scene, long }) => ({ type: 'SetLeverage', account: long, market: scene.market, positionSide: 'both', leverage: 9 }),
    ],
  ];
  test.each(touches)('P2: pays when it %s, and nothing in the sweep', (_what, touch) => {
    const one = unpaid();
    const { scene, long, short } = one;
    const events = scene.giveAlone(touch(one));
    expect(events[0]?.type).not.toBe('FundingPaid');
    expect(accountsIn(events)).toContain(long);
    assertSound(snapshotOf(scene));
    const swept = accountsIn(scene.give({ type: 'ContinueFunding', market: scene.market }));
    expect(swept).not.toContain(long);
    expect(new Set([...accountsIn(events), ...swept, short])).toEqual(new Set([long, short]));
    expect(snapshotOf(scene).settlements).toEqual([]);
    scene.replay();
  });

  test('P2: a resting order that trades pays too, and who opens after the interval has ended pays nothing for it', () => {
    const { scene, long, short } = unpaid((table, [, seller]) => {
      table.person('late', usdc(10_000));
      table.must(table.order(seller!, 'buy', 10, PRICE - 10));
    });
    const late = accountId(3);
    expect(accountsIn(scene.giveAlone(scene.order(late, 'sell', 10, PRICE - 10)))).toEqual([short]);
    expect(accountsIn(scene.give({ type: 'ContinueFunding', market: scene.market }))).toEqual([long]);
  });

  test('R11: pays nothing where its command is refused', () => {
    const { scene, long } = unpaid();
    const before = scene.engine.encodeState();
    expect(scene.giveAlone(scene.transfer(long, 'out', usdc(19_000)))).toMatchObject([{ type: 'CommandRejected' }]);
    expect(scene.giveAlone(scene.order(long, 'buy', 100 * ONE, PRICE))).toMatchObject([{ type: 'CommandRejected' }]);
    expect(scene.engine.encodeState()).toEqual(before);
  });

  test('P4: has no more to take out than it has after its payment', () => {
    const free = (one: Unpaid): bigint => {
      const [cross] = marginsOf(withFundingPaid(snapshotOf(one.scene)), one.long);
      return cross!.worth - (cross!.notional + 4n) / 5n;
    };
    const one = unpaid();
    const [most, more] = [
      one.scene.transfer(one.long, 'out', atoms(free(one))),
      one.scene.transfer(one.long, 'out', atoms(free(one) + 1n)),
    ];
    expect(one.scene.giveAlone(more)).toMatchObject([{ reason: 'InsufficientMargin' }]);
    expect(one.scene.giveAlone(most)[0]).toMatchObject({ type: 'Transferred' });
  });

  test('an isolated position pays from its margin', () => {
    const { scene, long } = unpaid((table, accounts) => {
      for (const account of accounts) table.must({ type: 'SetMarginMode', account, market: table.market, mode: 'isolated' });
    });
    const before = scene.position(long)!.margin;
    const added = usdc(10);
    const adjust = {
      type: 'AdjustMargin',
      account: long,
      market: scene.market,
      positionSide: 'both',
      direction: 'add',
      amount: added,
      key: 'a',
    } as const;
    expect(accountsIn(scene.giveAlone(adjust))).toEqual([long]);
    expect(scene.position(long)).toMatchObject({ margin: before - HOURLY + added, funding: 0n - HOURLY });
  });

  test('P4: what an isolated position receives counts in what may be taken out of its margin, and no more', () => {
    const { scene, short } = unpaid((table, accounts) => {
      for (const account of accounts) table.must({ type: 'SetMarginMode', account, market: table.market, mode: 'isolated' });
    });
    // At the mark, with its initial margin.
    const remove = { type: 'AdjustMargin', account: short, market: scene.market, positionSide: 'both', direction: 'remove' } as const;
    const more = scene.giveAlone({ ...remove, amount: atoms(HOURLY + 1n), key: 'more' });
    expect(more).toMatchObject([{ reason: 'MarginNotRemovable' }]);
    expect(accountsIn(scene.giveAlone({ ...remove, amount: HOURLY, key: 'all' }))).toEqual([short]);
    assertSound(snapshotOf(scene));
  });
});

describe('the sweep', () => {
  /** Each pair is a long and a short. */
  function crowd(pairs: number): ContractScene {
    const scene = new ContractScene();
    scene.wait(780);
    for (let round = 0; round < 4; round += 1) scene.prices(PRICE);
    for (let pair = 0; pair < pairs; pair += 1)
      scene.trade(scene.person(`long${pair}`, usdc(20_000)), scene.person(`short${pair}`, usdc(20_000)), ONE, PRICE);
    scene.wait(10);
    for (let round = 0; round < 4; round += 1) scene.prices(PRICE);
    scene.giveAlone({ type: 'SettleFunding', market: scene.market, interval: millis(FIRST) });
    return scene;
  }

  test('P2, R1: pays a bounded number a command, goes on from a snapshot, and passes over those who were touched', () => {
    const scene = crowd(FUNDING_PAYMENTS_PER_COMMAND);
    const touched = accountId(2 * FUNDING_PAYMENTS_PER_COMMAND - 1);
    const sizes: number[] = [];
    const all: AccountId[] = [];
    for (let next = scene.engine.continuation(); next !== undefined; next = scene.engine.continuation()) {
      const paid = accountsIn(scene.giveAlone(next));
      sizes.push(paid.length);
      all.push(...paid);
      assertSound(snapshotOf(scene));
      expect(decodeSnapshot(scene.engine.encodeState()).settlements.length).toBe(sizes.length < 2 ? 1 : 0);
      if (sizes.length > 1) break;
      scene.restart();
      all.push(...accountsIn(scene.giveAlone(scene.transfer(touched, 'out', usdc(1)))));
    }
    expect(sizes).toEqual([FUNDING_PAYMENTS_PER_COMMAND, FUNDING_PAYMENTS_PER_COMMAND - 1]);
    expect([...all].sort((left, right) => left - right)).toEqual(
      Array.from({ length: 2 * FUNDING_PAYMENTS_PER_COMMAND }, (_, index) => index + 1),
    );
    scene.replay();
  });

  test('P5, R1: whom funding brings below its maintenance is liquidated by the round after its payment, restored or not', () => {
    for (const isRestored of [false, true]) {
      const { scene, near, price } = nearlyLiquidated('long');
      scene.giveAlone({ type: 'ForceFunding', market: scene.market, interval: scene.now });
      if (isRestored) scene.restart();
      const round = scene.giveAlone(scene.round(price));
      expect(round.map(({ type }) => type)).not.toContain('LiquidationStep');
      expect(accountsIn(scene.give({ type: 'ContinueFunding', market: scene.market }))).toContain(near);
      expect(scene.prices(price)).toContainEqual(expect.objectContaining({ type: 'LiquidationStep', account: near }));
      scene.replay();
    }
  });

  test('P5: whom its receipt keeps above its maintenance receives it before it is liquidated, and is not', () => {
    const { scene, near, price, step } = nearlyLiquidated('short');
    scene.giveAlone({ type: 'ForceFunding', market: scene.market, interval: scene.now });
    // It has less than its maintenance now, and receives more than it lacks.
    const round = scene.giveAlone(scene.round(price + 2 * step));
    expect(accountsIn(round)).toEqual([near]);
    expect(round.map(({ type }) => type)).not.toContain('LiquidationStep');
  });
});

test('X4: orders that an account places together wait until what it owes is paid, and those of another do not', () => {
  let stranger = accountId(1);
  const { scene, long } = unpaid((before) => {
    stranger = before.person('stranger', usdc(20_000));
  });
  const together = (account: AccountId): Command => ({
    type: 'PlaceOrders',
    account,
    orders: [PRICE - 1_000, PRICE - 2_000].map((price) => ({ ...scene.order(account, 'buy', 1_000, price), timeInForce: 'GTX' })),
  });
  const before = scene.engine.encodeState();
  expect(scene.engine.mustWait(together(long))).toBe(true);
  expect(scene.giveAlone(together(long))).toMatchObject([{ type: 'CommandRejected', reason: 'MatchingUnfinished' }]);
  expect(scene.engine.encodeState()).toEqual(before);
  expect(scene.engine.mustWait(together(stranger))).toBe(false);
  expect(scene.giveAlone(together(stranger)).filter(({ type }) => type === 'OrderRested')).toHaveLength(2);
  expect(scene.engine.continuation()).toEqual({ type: 'ContinueFunding', market: scene.market });
  expect(paidIn(scene.giveAlone({ type: 'ContinueFunding', market: scene.market })).length).toBe(2);
  expect(scene.engine.mustWait(together(long))).toBe(false);
  expect(scene.giveAlone(together(long)).filter(({ type }) => type === 'OrderRested')).toHaveLength(2);
  scene.replay();
});
