import { beforeEach, describe, expect, test } from 'vitest';
import { assetId, atoms, marketId, ppm, seq, ticks } from '@orrery/units';
import type { Event, SubmitCollateralPrices } from '@orrery/protocol';
import { decodeState } from '../engine.ts';
import { contractOrder, FuturesTable, LINEAR } from '../testing/futures-table.ts';
import { accountOf } from '../testing/tape-people.ts';

const bob = accountOf('bob');
const BTC = assetId(2);
let table: FuturesTable;

/** bob's USDC is gone from futures but for 1,000, and 400 BTC are there, worth 90 % of 100 each: 36,000. */
beforeEach(() => {
  table = new FuturesTable();
  table.give({ type: 'SetCollateral', asset: BTC, ratioPpm: ppm(900_000), market: marketId(1), cap: atoms(400n) });
  table.collateral(100);
  table.marks(100);
  table.give({ type: 'Transfer', account: bob, transferId: 'a', asset: assetId(1), amount: atoms(49_000n), from: 'futures', to: 'spot' });
  table.give({ type: 'Transfer', account: bob, transferId: 'b', asset: BTC, amount: atoms(400n), from: 'coinFutures', to: 'spot' });
  table.give({ type: 'Transfer', account: bob, transferId: 'c', asset: BTC, amount: atoms(400n), from: 'spot', to: 'futures' });
});

const venues = (...prices: readonly number[]): SubmitCollateralPrices['index'] =>
  prices.map((price, place) => ({ source: `s${place}`, price: ticks(price), ageMs: 0, weight: 1 }));
const round = (...prices: readonly number[]): SubmitCollateralPrices => ({
  type: 'SubmitCollateralPrices',
  asset: BTC,
  index: venues(...prices),
});
const refused = ([event]: readonly Event[]): string => (event?.type === 'CommandRejected' ? event.reason : (event?.type ?? 'nothing'));
/** The most that bob may buy at 100 and leverage 10: each lot needs 10 and a fee of 0.05. */
function mostOf(): number {
  let low = 0;
  let high = 5_000;
  while (low < high) {
    const size = Math.ceil((low + high) / 2);
    const copy = decodeState(table.engine.encodeState());
    const [first] = copy.apply({ seq: seq(1), at: table.at, command: contractOrder('bob', 'buy', size, 100) });
    if (first?.type === 'CommandRejected') high = size - 1;
    else low = size;
  }
  return low;
}
const later = (seconds: number): void => {
  table.line(`clock ${seconds}`);
  table.marks(100);
};

describe('the price of a collateral', () => {
  test('is the median of the venues: one that says ten times as much changes nothing, and neither does an index price', () => {
    const before = mostOf();
    expect(before).toBe(Math.floor(37_000 / 10.05));
    table.give(round(100, 100, 1_000));
    table.give(round(1_000, 100, 100));
    table.give({ type: 'SetIndexPrice', market: marketId(1), price: ticks(1_000) });
    expect(mostOf()).toBe(before);
    table.replay();
  });

  test('two venues that are 1 % apart are not believed, and a sample that says nothing does not take the others with it', () => {
    expect(table.emitted(round(100, 102))).toEqual([]);
    expect(table.emitted(round(100, 0, 100))).toMatchObject([{ type: 'CollateralPriced', asset: BTC, price: 100 }]);
    expect(refused(table.emitted({ ...round(), index: [...venues(100), ...venues(100)] }))).toBe('InvalidField');
  });

  test('moves by 5 % a round at most', () => {
    const prices = [1, 2, 3]
      .map(() => table.emitted(round(200, 200, 200))[0])
      .map((event) => (event?.type === 'CollateralPriced' ? event.price : 0));
    expect(prices).toEqual([105, 110, 115]);
  });

  test('counts in full for a minute, shrinks to nothing within ten, and what it counted for closing stays', () => {
    const most = (worth: number): number => Math.floor((1_000 + worth) / 10.05);
    expect([60, 60, 240, 240].map((seconds) => (later(seconds), mostOf()))).toEqual([
      most(36_000),
      // 480 of 540 seconds are left, then 240, then none.
      most(32_000),
      most(16_000),
      most(0),
    ]);
    table.collateral(100);
    expect(mostOf()).toBe(most(36_000));
  });

  test('P5: an old price keeps its last value for liquidation, and the collateral that the position needs stays', () => {
    table.give(contractOrder('alice', 'sell', 3_000, 100));
    table.give(contractOrder('bob', 'buy', 3_000, 100));
    later(900);
    const rounds = [1, 2, 3].flatMap(() =>
      table.emitted({ type: 'SubmitPrices', market: LINEAR.market, index: venues(100, 100, 100), external: [] }),
    );
    expect(rounds.filter(({ type }) => type === 'LiquidationStep')).toEqual([]);
    const out = { type: 'Transfer', account: bob, transferId: 'd', asset: BTC, amount: atoms(1n), from: 'futures', to: 'spot' } as const;
    expect(refused(table.emitted(out))).toBe('InsufficientMargin');
    // Who only closes is not refused for it.
    table.give(contractOrder('alice', 'buy', 3_000, 100));
    expect(refused(table.emitted(contractOrder('bob', 'sell', 3_000, 100, { reduceOnly: true })))).toBe('OrderAccepted');
    expect(refused(table.emitted(out))).toBe('Transferred');
    table.replay();
  });

  test('begins with the index price when rules 7 do, and is part of the state and of the facts', () => {
    const older = new FuturesTable({ rules: 6 });
    older.give({ type: 'SetIndexPrice', market: marketId(1), price: ticks(70) });
    older.give({ type: 'SetCollateral', asset: BTC, ratioPpm: ppm(900_000), market: marketId(1), cap: atoms(400n) });
    expect(refused(older.emitted(round(100, 100)))).toBe('RulesTooOld');
    expect(older.give({ type: 'UpgradeRules', version: 7 })).toMatchObject([
      { type: 'RulesUpgraded' },
      { type: 'CollateralPriced', price: 70 },
    ]);
    expect(decodeState(older.engine.encodeState()).facts()).toContainEqual(
      expect.objectContaining({ type: 'CollateralPriced', price: 70 }),
    );
    older.replay();
  });
});
