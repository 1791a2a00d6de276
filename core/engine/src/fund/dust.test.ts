import { expect, test } from 'vitest';
import { ppm } from '@orrery/units';
import { BTC } from '../testing/contract-scene.ts';
import { BTC_SPOT, eventsOf, FundScene, PRICE, SPOT_MARKET } from '../testing/fund-scene.ts';

const DAY_MS = 24 * 3_600_000;

test('less than a lot of a coin whose price is gone stops no valuation: nobody can sell it', () => {
  const scene = new FundScene();
  const anna = scene.saver(1_000);
  scene.subscribe(anna, 1_000);
  scene.pass(PRICE);
  scene.must({ ...SPOT_MARKET, type: 'SetMarketTerms', market: BTC_SPOT, takerFeePpm: ppm(1_000) });
  scene.arm('spot', 100);
  scene.must(scene.spotOrder(scene.street, 'sell', 333, PRICE));
  scene.must(scene.spotOrder(scene.manager, 'buy', 333, PRICE));
  scene.must(scene.spotOrder(scene.street, 'buy', 332, PRICE));
  scene.must(scene.spotOrder(scene.manager, 'sell', 332, PRICE));
  // The fee of the purchase was taken of the coin.
  expect(scene.wallet(scene.manager, BTC, 'spot')).toBe(667n);
  scene.at += DAY_MS;
  scene.pass(PRICE);
  scene.redeem(anna, 100);
  const redeemed: unknown[] = [];
  for (let round = 0; round < 3; round += 1) {
    scene.at += 600_000;
    redeemed.push(...eventsOf(scene.must({ type: 'SendFundHeartbeat', account: scene.manager }), 'FundRedeemed'));
  }
  expect(redeemed).toHaveLength(1);
});
