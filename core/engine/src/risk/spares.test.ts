import { describe, expect, test } from 'vitest';
import { assert, millis } from '@orrery/units';
import type { AccountId } from '@orrery/units';
import { decodeSnapshot } from '../snapshot/snapshot-codec.ts';
import { ContractScene, usdc } from '../testing/contract-scene.ts';
import { equityOf, marginsOf } from '../testing/naive-margin.ts';

const HOUR = 3_600_000;

interface Nearly {
  readonly scene: ContractScene;
  readonly long: AccountId;
  /** Of the mark, where it stays. */
  readonly price: number;
}

/** A long of 1 BTC at 40×, bought at 60,000, has some 10 USDC more than its maintenance: each hour of funding takes three quarters of one. */
function nearly(mode: 'cross' | 'isolated'): Nearly {
  const scene = new ContractScene();
  scene.insurance(usdc(10_000));
  const long = scene.person('long', usdc(2_000));
  const house = scene.person('house', usdc(1_000_000));
  if (mode === 'isolated') scene.must({ type: 'SetMarginMode', account: long, market: scene.market, mode });
  scene.must({ type: 'SetLeverage', account: long, market: scene.market, positionSide: 'both', leverage: 40 });
  for (let round = 0; round < 4; round += 1) scene.prices(600_000);
  scene.trade(long, house, 100_000, 600_000);
  const price = mode === 'cross' ? 587_750 : 592_510;
  scene.walk(600_000, price, 40_000);
  scene.prices(price);
  expect(scene.mark).toBe(price);
  scene.must(scene.order(house, 'buy', 200_000, price - 10));
  return { scene, long, price };
}

/** By how much the long is above its maintenance, by a second reckoning; undefined without a position. */
function beyond({ scene, long }: Nearly): bigint | undefined {
  const [margin] = marginsOf(decodeSnapshot(scene.engine.encodeState()), long);
  return margin === undefined ? undefined : equityOf(margin) - margin.maintenance;
}

describe.each(['cross', 'isolated'] as const)('of %s margin', (mode) => {
  test('P5: whom funding brings below its maintenance is liquidated in the round after it, and in no round before', () => {
    const one = nearly(mode);
    const { scene, long, price } = one;
    let paid = 0;
    for (let hour = 278; beyond(one) !== undefined; hour += 1) {
      assert(hour < 310, 'funding takes the margin');
      expect(beyond(one)).toBeGreaterThanOrEqual(0n);
      scene.waitUntil(hour * HOUR + 1_000);
      for (let round = 0; round < 4; round += 1) scene.prices(price);
      const events = scene.must({ type: 'SettleFunding', market: scene.market, interval: millis(hour * HOUR) });
      paid += events.filter((event) => event.type === 'FundingPaid' && event.account === long && event.amount < 0n).length;
      const isBelow = (beyond(one) ?? 0n) < 0n;
      const steps = scene.prices(price).filter(({ type }) => type === 'LiquidationStep');
      expect(steps.length > 0).toBe(isBelow);
    }
    expect(paid).toBeGreaterThan(10);
    scene.replay();
  });
});
