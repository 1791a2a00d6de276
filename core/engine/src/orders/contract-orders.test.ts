import { describe, expect, test } from 'vitest';
import { assetId, atoms, marketId, ppm, ticks } from '@orrery/units';
import type { Contract } from '@orrery/protocol';
import { LATEST_RULES, type RulesVersion } from '@orrery/rules';
import { contractOrder, FuturesTable, INVERSE, LINEAR } from '../testing/futures-table.ts';
import { accountOf } from '../testing/tape-people.ts';

const alice = accountOf('alice');
const bob = accountOf('bob');

const rejected = (reason: string, field = '') => [expect.objectContaining({ type: 'CommandRejected', reason, field })];

describe('a linear contract', () => {
  test('P3, M1: a position is opened, added to, reduced and flipped; every number by hand', () => {
    const table = new FuturesTable();
    table.marks(100);
    // bob sells 100 at 100 and alice takes it: notional 10,000. Taker fee 500 ppm = 5, maker fee 200 ppm = 2.
    table.give(contractOrder('bob', 'sell', 100, 100));
    table.give(contractOrder('alice', 'buy', 100, 100));
    expect(table.position('alice')).toMatchObject({ size: 100, cost: 10_000n, fees: 5n, realised: 0n, maxSize: 100 });
    expect(table.position('bob')).toMatchObject({ size: -100, cost: 10_000n, fees: 2n });
    expect(table.balance('alice')).toEqual({ free: 49_995n, held: 0n });
    // She adds 50 at 130: 6,500; cost 16,500, entry 110. Fee 3.25, up to 4.
    table.give(contractOrder('bob', 'sell', 50, 130));
    table.give(contractOrder('alice', 'buy', 50, 0));
    expect(table.position('alice')).toMatchObject({ size: 150, cost: 16_500n, fees: 9n });
    // She sells 60 at 120 to carol: releases 16,500 x 60 / 150 = 6,600; notional 7,200; profit 600; fee 3.6, up to 4.
    table.give(contractOrder('carol', 'buy', 60, 120));
    const reduction = table.emitted(contractOrder('alice', 'sell', 60, 0)).find(({ type }) => type === 'PositionReduced');
    expect(reduction).toMatchObject({ size: 60, notional: 7_200n, releasedCost: 6_600n, profit: 600n, fee: 4n, cause: 'trade' });
    expect(table.position('alice')).toMatchObject({ size: 90, cost: 9_900n, realised: 600n, fees: 13n, maxSize: 150 });
    // 50,000 - 5 - 4 - 4 + 600.
    expect(table.balance('alice').free).toBe(50_587n);
    // She sells 140 at 90: 90 close (8,100 - 9,900 = -1,800), 50 open short at 4,500. Fee 6.3, up to 7, of which 7 x 90 / 140 = 4 close.
    table.give(contractOrder('carol', 'buy', 140, 90));
    const flip = table.emitted(contractOrder('alice', 'sell', 140, 90));
    expect(flip.find(({ type }) => type === 'PositionReduced')).toMatchObject({ size: 90, profit: -1_800n, fee: 4n });
    expect(table.position('alice')).toMatchObject({ size: -50, cost: 4_500n, realised: 0n, fees: 3n, maxSize: 50 });
    expect(table.balance('alice').free).toBe(50_587n - 1_800n - 7n);
    table.replay();
  });

  test('M6: a rebate is paid out of the taker fee of the same trade', () => {
    const table = new FuturesTable();
    table.marks(100);
    table.give({ type: 'SetFeeTier', account: bob, tier: 0, rebateTier: 3 });
    table.give(contractOrder('bob', 'sell', 1_000, 100));
    table.give(contractOrder('alice', 'buy', 1_000, 100));
    // Notional 100,000: taker 50, maker -30 ppm = -3.
    expect(table.balance('bob').free).toBe(50_003n);
    expect(table.system('FEE')).toBe(47n);
  });

  test('an order that opens needs the initial margin of all positions and orders', () => {
    const table = new FuturesTable();
    table.marks(498);
    // At leverage 10: 1,000 lots at 499 are 499,000; margin 49,900 and fee 249.5, up to 250: 150 too much.
    expect(table.emitted(contractOrder('alice', 'buy', 1_000, 499))).toEqual(rejected('InsufficientMargin'));
    // 497: 49,700 + 249 = 49,949.
    expect(table.emitted(contractOrder('alice', 'buy', 1_000, 497))[0]).toMatchObject({ type: 'OrderAccepted' });
    expect(table.emitted(contractOrder('alice', 'buy', 10, 497))).toEqual(rejected('InsufficientMargin'));
    // The other side needs nothing more: only one of them can open a position.
    expect(table.emitted(contractOrder('alice', 'sell', 900, 498))[0]).toMatchObject({ type: 'OrderAccepted' });
  });

  test('each payoff has its own wallet: who has lost all linear margin opens an inverse position, and not a linear one', () => {
    const table = new FuturesTable();
    table.marks(100);
    table.marks(2_000, INVERSE);
    // 4,800 short from 100, leverage 10: margin 48,000, fee 240. Then bob and carol trade at 111, which closes 4,000 of them for a loss of 44,000.
    table.give(contractOrder('bob', 'buy', 4_800, 100));
    table.give(contractOrder('alice', 'sell', 4_800, 100));
    table.give(contractOrder('carol', 'sell', 4_000, 111));
    table.give(contractOrder('alice', 'buy', 4_000, 0, { reduceOnly: true }));
    expect(table.balance('alice').free).toBe(50_000n - 240n - 44_000n - 222n);
    expect(table.emitted(contractOrder('alice', 'sell', 10, 100))).toEqual(rejected('InsufficientMargin'));
    table.give(contractOrder('bob', 'buy', 1, 2_000, { contract: INVERSE }));
    expect(table.emitted(contractOrder('alice', 'sell', 1, 0, { contract: INVERSE }))[0]).toMatchObject({ type: 'OrderAccepted' });
    expect(table.position('alice', INVERSE)).toMatchObject({ size: -1, cost: 500n });
  });

  test('P9: no position is larger than its leverage allows, and the open interest keeps its cap', () => {
    const table = new FuturesTable();
    table.marks(101);
    // Leverage 10 allows 1,000,000.
    expect(table.emitted(contractOrder('alice', 'buy', 10_000, 101))).toEqual(rejected('PositionTooLarge', 'size'));
    expect(table.emitted({ type: 'SetLeverage', account: alice, market: LINEAR.market, positionSide: 'both', leverage: 21 })).toEqual(
      rejected('InvalidLeverage', 'leverage'),
    );
    const cheap = new FuturesTable();
    cheap.marks(10);
    cheap.give(contractOrder('bob', 'sell', 6_000, 10));
    expect(cheap.emitted(contractOrder('alice', 'buy', 5_001, 10))).toEqual(rejected('OpenInterestExceeded', 'size'));
    expect(cheap.emitted(contractOrder('alice', 'buy', 5_000, 10))[0]).toMatchObject({ type: 'OrderAccepted' });
  });
});

describe('O5: an order that only reduces', () => {
  test('is refused without a position against it, and cut to what other orders leave of it', () => {
    const table = new FuturesTable();
    table.marks(50);
    const sell = (size: number) => contractOrder('alice', 'sell', size, 100, { reduceOnly: true });
    expect(table.emitted(sell(5))).toEqual(rejected('ReduceOnlyRefused', 'reduceOnly'));
    table.give(contractOrder('bob', 'sell', 10, 50));
    table.give(contractOrder('alice', 'buy', 10, 50));
    expect(table.emitted(sell(6))[0]).toMatchObject({ type: 'OrderAccepted', size: 6 });
    expect(table.emitted(sell(5))[0]).toMatchObject({ type: 'OrderAccepted', size: 4 });
    expect(table.emitted(sell(1))).toEqual(rejected('ReduceOnlyRefused', 'size'));
  });

  test('trades no more than its position has left within one command, and the rest closes', () => {
    const table = new FuturesTable();
    table.marks(50);
    table.give(contractOrder('bob', 'sell', 10, 50));
    table.give(contractOrder('alice', 'buy', 10, 50));
    // A plain sell of 7 stands before a reduce-only one of 10: together they would open a short of 7.
    table.give(contractOrder('alice', 'sell', 7, 60));
    table.give(contractOrder('alice', 'sell', 10, 61, { reduceOnly: true }));
    const events = table.emitted(contractOrder('carol', 'buy', 20, 61, { timeInForce: 'IOC' }));
    expect(events.filter(({ type }) => type === 'Trade').map((trade) => trade.type === 'Trade' && trade.size)).toEqual([7, 3]);
    expect(events.find((one) => one.type === 'OrderClosed' && one.reason === 'reduceOnly')).toMatchObject({ removed: 7 });
    expect(table.position('alice')).toBeUndefined();
  });

  test('closes when its position becomes too small for it, the newest first', () => {
    const table = new FuturesTable();
    table.marks(50);
    table.give(contractOrder('bob', 'sell', 10, 50));
    table.give(contractOrder('alice', 'buy', 10, 50));
    for (const price of [70, 71]) table.give(contractOrder('alice', 'sell', 5, price, { reduceOnly: true }));
    table.give(contractOrder('bob', 'buy', 10, 50));
    const closed = table
      .emitted(contractOrder('alice', 'sell', 3, 50))
      .filter((one) => one.type === 'OrderClosed' && one.reason === 'reduceOnly');
    expect(closed).toHaveLength(1);
    expect(closed[0]).toMatchObject({ price: 71 });
  });

  test('close-position has the size of the position', () => {
    const table = new FuturesTable();
    table.marks(50);
    table.give(contractOrder('bob', 'sell', 10, 50));
    table.give(contractOrder('alice', 'buy', 10, 50));
    table.give(contractOrder('bob', 'buy', 20, 50));
    const close = contractOrder('alice', 'sell', 0, 0, { closePosition: true, clientOrderId: 'close' });
    expect(table.emitted(close)[0]).toMatchObject({ type: 'OrderAccepted', size: 10 });
    expect(table.position('alice')).toBeUndefined();
    expect(table.emitted(close)[0]).toMatchObject({ type: 'OrderRepeated' });
  });
});

describe('hedge mode', () => {
  test('has a long and a short position beside each other', () => {
    const table = new FuturesTable();
    table.marks(50);
    expect(table.emitted(contractOrder('alice', 'buy', 10, 50, { positionSide: 'long' }))).toEqual(
      rejected('PositionSideMismatch', 'positionSide'),
    );
    table.give({ type: 'SetPositionMode', account: alice, payoff: 'linear', mode: 'hedge' });
    expect(table.emitted(contractOrder('alice', 'buy', 10, 50))).toEqual(rejected('PositionSideMismatch', 'positionSide'));
    table.give(contractOrder('bob', 'sell', 10, 50));
    table.give(contractOrder('alice', 'buy', 10, 50, { positionSide: 'long' }));
    table.give(contractOrder('bob', 'buy', 4, 60));
    table.give(contractOrder('alice', 'sell', 4, 60, { positionSide: 'short' }));
    expect(table.position('alice', LINEAR, 'long')).toMatchObject({ size: 10, cost: 500n });
    expect(table.position('alice', LINEAR, 'short')).toMatchObject({ size: -4, cost: 240n });
    // A sell of the long side closes it and never opens.
    expect(table.emitted(contractOrder('alice', 'sell', 11, 60, { positionSide: 'long' }))[0]).toMatchObject({ size: 10 });
    table.give({ type: 'CancelAllOrders', account: alice, market: LINEAR.market });
    expect(table.emitted({ type: 'SetPositionMode', account: alice, payoff: 'linear', mode: 'oneWay' })).toEqual(rejected('PositionOpen'));
  });
});

describe('an isolated contract', () => {
  test('M4: holds the margin of its position and of its orders, and a loss takes no more than its margin', () => {
    // By rules 6 the order at 70 would close instead.
    const table = new FuturesTable({ rules: 5 });
    table.give({ type: 'SetMarginMode', account: alice, market: LINEAR.market, mode: 'isolated' });
    // 100 at 100: margin 1,000 and fee 5.
    table.give(contractOrder('alice', 'buy', 100, 100));
    expect(table.balance('alice')).toEqual({ free: 48_995n, held: 1_005n });
    table.give(contractOrder('bob', 'sell', 100, 100));
    // As maker she pays 2.
    expect(table.position('alice')).toMatchObject({ margin: 1_000n });
    expect(table.balance('alice')).toEqual({ free: 48_998n, held: 1_000n });
    const adjust = { type: 'AdjustMargin', account: alice, market: LINEAR.market, positionSide: 'both' } as const;
    table.give({ ...adjust, direction: 'add', amount: atoms(500n), key: 'a' });
    expect(table.emitted({ ...adjust, direction: 'add', amount: atoms(500n), key: 'a' })).toEqual([{ type: 'CommandRepeated', key: 'a' }]);
    expect(table.emitted({ ...adjust, direction: 'remove', amount: atoms(501n), key: 'b' })).toEqual(
      rejected('MarginNotRemovable', 'amount'),
    );
    table.give({ ...adjust, direction: 'remove', amount: atoms(400n), key: 'c' });
    expect(table.balance('alice')).toEqual({ free: 48_898n, held: 1_100n });
    // Half is closed at 95: 50 x 5 = 250 lost, fee 2.375 up to 3; half of the margin, 550, returns less both.
    table.give(contractOrder('carol', 'buy', 50, 95));
    table.give(contractOrder('alice', 'sell', 50, 95));
    expect(table.balance('alice')).toEqual({ free: 48_898n + 550n - 250n - 3n, held: 550n });
    // The rest at 70, by a resting order: 1,500 lost and a fee of 0.7 up to 1, of a margin of 550: 951 are missing, which nobody but UNCOVERED has.
    table.give(contractOrder('alice', 'sell', 50, 70));
    table.give(contractOrder('carol', 'buy', 50, 70));
    expect(table.balance('alice')).toEqual({ free: 49_195n, held: 0n });
    expect(table.system('UNCOVERED')).toBe(-951n);
    table.give({ type: 'UpgradeRules', version: LATEST_RULES });
    // P6: a fund that has money again pays that first, as far as it has.
    const fund = { type: 'FundBudget', budget: 'insurance', asset: assetId(1) } as const;
    table.give({ ...fund, key: 'f1', amount: atoms(900n) });
    expect([table.system('UNCOVERED'), table.system('INSURANCE')]).toEqual([-51n, 0n]);
    table.give({ ...fund, key: 'f2', amount: atoms(900n) });
    expect([table.system('UNCOVERED'), table.system('INSURANCE')]).toEqual([0n, 849n]);
  });

  test('closing a position closes the orders that would need more than is free then, and is not refused for them', () => {
    const table = new FuturesTable();
    table.marks(1_000);
    table.give({ type: 'SetMarginMode', account: alice, market: LINEAR.market, mode: 'isolated' });
    table.give(contractOrder('bob', 'sell', 400, 1_000));
    table.give(contractOrder('alice', 'buy', 400, 1_000));
    // Margin 40,000, fee 200: 9,800 free. What sells close needs nothing.
    table.give(contractOrder('alice', 'sell', 400, 1_400));
    expect(table.balance('alice')).toEqual({ free: 9_800n, held: 40_000n });
    // Closed at 980 she has 9,800 + 40,000 - 8,000 - 196 = 41,604. The other 400 would open at 560,000: 56,000 and a fee.
    table.give(contractOrder('carol', 'buy', 400, 980));
    const events = table.emitted(contractOrder('alice', 'sell', 400, 980));
    expect(events.filter((one) => one.type === 'OrderClosed' && one.account === alice)).toMatchObject([
      { reason: 'filled' },
      { reason: 'marginMissing', removed: 400, price: 1_400 },
    ]);
    expect(table.balance('alice')).toEqual({ free: 41_604n, held: 0n });
  });

  test('P6: without a mark an order that would lose more than the margin closes; by rules 5 it traded and the insurance fund paid', () => {
    for (const rules of [5, 6] as const) expectLossBeyondMargin(rules);
  });
});

function expectLossBeyondMargin(rules: RulesVersion): void {
  const table = new FuturesTable({ rules });
  table.give({ type: 'FundBudget', key: 'f', budget: 'insurance', asset: assetId(1), amount: atoms(10_000n) });
  table.give({ type: 'SetMarginMode', account: alice, market: LINEAR.market, mode: 'isolated' });
  table.give(contractOrder('bob', 'sell', 100, 100));
  table.give(contractOrder('alice', 'buy', 100, 100));
  table.give(contractOrder('alice', 'sell', 100, 80));
  const events = table.emitted(contractOrder('carol', 'buy', 100, 80));
  if (rules >= 6) {
    expect(events.find((one) => one.type === 'OrderClosed' && one.account === alice)).toMatchObject({ reason: 'marginMissing', filled: 0 });
    expect([table.position('alice')?.size, table.system('INSURANCE')]).toEqual([100, 10_000n]);
    return;
  }
  // A resting order: 2,000 lost and a fee of 1.6 up to 2, of a margin of 1,000.
  expect(table.system('INSURANCE')).toBe(8_998n);
  expect(events.at(-1)).toEqual({ type: 'InsuranceChanged', asset: 1, amount: 8_998n, change: -1_002n });
  expect(table.emitted(contractOrder('carol', 'buy', 1, 1)).map(({ type }) => type)).not.toContain('InsuranceChanged');
  expect(table.system('UNCOVERED')).toBe(0n);
}

describe('an inverse contract', () => {
  test('pays in its base: profit by 1 / price, and both sides of each trade by the same notional', () => {
    const table = new FuturesTable();
    table.marks(1_000, INVERSE);
    const of = { contract: INVERSE };
    // 10 lots at 1,000: 10 x 1,000,000 / 1,000 = 10,000 atoms... which at leverage 10 needs 1,000 and a fee: too much. 5 lots: 5,000.
    expect(table.emitted(contractOrder('alice', 'buy', 10, 1_000, of))).toEqual(rejected('InsufficientMargin'));
    table.give(contractOrder('bob', 'sell', 5, 1_000, of));
    table.give(contractOrder('alice', 'buy', 5, 1_000, of));
    // Taker 2.5 up to 3, maker 1.
    expect(table.position('alice', INVERSE)).toMatchObject({ size: 5, cost: 5_000n, fees: 3n });
    table.marks(1_250, INVERSE);
    // At 1,250: 5 x 1,000,000 / 1,250 = 4,000: a long gains 1,000. Fee 2.
    table.give(contractOrder('carol', 'buy', 5, 1_250, of));
    table.give(contractOrder('alice', 'sell', 5, 1_250, of));
    expect(table.balance('alice', 'coinFutures').free).toBe(1_000n - 3n + 1_000n - 2n);
    expect(table.system('CLEARING', 2)).toBe(-1_000n);
  });
});

test('P6: a loss beyond the free money is paid by what the other side has gained, and by nobody else', () => {
  const table = new FuturesTable();
  table.marks(100);
  table.give({ type: 'FundBudget', key: 'f', budget: 'insurance', asset: assetId(1), amount: atoms(100_000n) });
  table.give({ type: 'SetPositionMode', account: alice, payoff: 'linear', mode: 'hedge' });
  table.give(contractOrder('bob', 'sell', 400, 100));
  table.give(contractOrder('alice', 'buy', 400, 100, { positionSide: 'long' }));
  table.give(contractOrder('bob', 'buy', 400, 100));
  table.give(contractOrder('alice', 'sell', 400, 100, { positionSide: 'short' }));
  // By 5 % a round.
  for (let count = 0; count < 8; count += 1) table.marks(300);
  // Each side paid a fee of 20. The short has lost 400 x 200 = 80,000 and pays a fee of 60: 30,100 more than the 49,960 that are free.
  table.give(contractOrder('carol', 'sell', 400, 300));
  table.give(contractOrder('alice', 'buy', 400, 300, { positionSide: 'short' }));
  expect(table.balance('alice').free).toBe(0n);
  expect(table.position('alice', LINEAR, 'long')).toMatchObject({ size: 400, cost: 70_100n, realised: 30_100n });
  expect([table.system('INSURANCE'), table.system('UNCOVERED')]).toEqual([100_000n, 0n]);
  table.give(contractOrder('carol', 'buy', 400, 300));
  table.give(contractOrder('alice', 'sell', 400, 300, { positionSide: 'long' }));
  expect(table.balance('alice').free).toBe(50_000n - 20n - 20n - 60n - 60n);
  table.replay();
});

test('P6: an order does not trade an isolated position below nothing, nor opens one that is liquidated at once', () => {
  const table = new FuturesTable();
  table.give({ type: 'SetMarginMode', account: alice, market: LINEAR.market, mode: 'isolated' });
  table.marks(100);
  // At leverage 10 she puts in a tenth. Bought at 110 the position has lost 1,000 of 1,100 at mark, and its maintenance is 250.
  table.give(contractOrder('bob', 'sell', 100, 110));
  expect(table.emitted(contractOrder('alice', 'buy', 100, 110))).toEqual(rejected('InsufficientMargin'));
  table.give(contractOrder('bob', 'sell', 100, 100));
  table.give(contractOrder('alice', 'buy', 100, 100));
  expect(table.position('alice')).toMatchObject({ size: 100, margin: 1_000n });
  // Her margin of 1,000 pays a loss of 9 a lot and a fee of 5; not one of 10.
  table.give(contractOrder('bob', 'buy', 100, 90));
  const sell = (price: number) => contractOrder('alice', 'sell', 100, price, { reduceOnly: true, timeInForce: 'IOC' });
  expect(table.emitted(sell(90))).toEqual(rejected('InsufficientMargin'));
  table.give(contractOrder('carol', 'buy', 100, 91));
  expect(table.emitted(sell(91))[0]).toMatchObject({ type: 'OrderAccepted' });
  expect(table.position('alice')).toBeUndefined();
  table.replay();
});

test('P7: what a bankrupt account is missing those pay who gained it, and all of its positions are closed at mark', () => {
  const table = new FuturesTable();
  const other = { ...LINEAR, market: marketId(13), symbol: 'ETH_USDC', baseCode: 'ETH' };
  table.give({ type: 'RegisterContract', ...other });
  table.marks(100);
  table.marks(100, other);
  table.give(contractOrder('bob', 'sell', 900, 100));
  table.give(contractOrder('alice', 'buy', 900, 100));
  table.give(contractOrder('carol', 'buy', 900, 100, { contract: other }));
  table.give(contractOrder('alice', 'sell', 900, 100, { contract: other }));
  const round = (contract: Contract, price: number) => {
    const index = ['one', 'two', 'three'].map((source) => ({ source, price: ticks(price), ageMs: 0, weight: 1 }));
    return table.emitted({ type: 'SubmitPrices', market: contract.market, index, external: [] });
  };
  // After an outage the mark begins at the index.
  table.line('clock 400');
  for (let count = 0; count < 3; count += 1) round(other, 100);
  round(LINEAR, 40);
  round(LINEAR, 40);
  // 50,000 less fees of 90 less 54,000: what is missing is 4,090. The other contract has the larger maintenance, 2,250 to 900.
  const events = round(LINEAR, 40);
  expect(events.filter(({ type }) => type === 'DeficitShared')).toMatchObject([{ account: bob, market: 11, gain: 54_000n, paid: 4_090n }]);
  expect(events.filter(({ type }) => type === 'PositionDeleveraged')).toMatchObject([
    { account: accountOf('carol'), market: 13, size: 900, price: 100 },
    { account: bob, market: 11, size: 900, price: 40 },
  ]);
  expect([table.system('INSURANCE'), table.system('UNCOVERED')]).toEqual([0n, 0n]);
  table.replay();
});

describe('collateral and transfers', () => {
  const transfer = (amount: bigint, transferId: string, asset = 1) =>
    ({ type: 'Transfer', account: alice, transferId, asset: assetId(asset), amount: atoms(amount), from: 'futures', to: 'spot' }) as const;

  test('P4: what leaves is beyond the initial margin, a fifth of the notional and the loss', () => {
    const table = new FuturesTable();
    table.marks(1_000);
    table.give(contractOrder('bob', 'sell', 100, 1_000));
    table.give(contractOrder('alice', 'buy', 100, 1_000));
    // 100,000 of notional: a fifth is 20,000, more than the margin of 10,000. 50,000 less 50 of fee less 20,000.
    expect(table.emitted(transfer(29_951n, 'a'))).toEqual(rejected('InsufficientMargin', 'amount'));
    expect(table.emitted(transfer(29_950n, 'b'))[0]).toMatchObject({ type: 'Transferred' });
    expect(table.emitted(transfer(1n, 'c'))).toEqual(rejected('InsufficientMargin', 'amount'));
  });

  test('collateral counts by its price and ratio, has a cap, and is sold to the insurance fund for a loss', () => {
    const table = new FuturesTable();
    table.marks(500);
    const collateral = { type: 'SetCollateral', asset: assetId(2), ratioPpm: ppm(900_000), market: marketId(1), cap: atoms(400n) } as const;
    table.give({ type: 'FundBudget', key: 'f', budget: 'insurance', asset: assetId(1), amount: atoms(100_000n) });
    table.give(collateral);
    table.collateral(100);
    const move = { type: 'Transfer', account: bob, asset: assetId(2), from: 'coinFutures', to: 'spot' } as const;
    table.give({ ...move, transferId: 'back', amount: atoms(1_000n) });
    const into = { ...move, from: 'spot', to: 'futures' } as const;
    expect(table.emitted({ ...into, transferId: 'a', amount: atoms(401n) })).toEqual(rejected('CollateralCapExceeded', 'amount'));
    table.give({ ...into, transferId: 'b', amount: atoms(400n) });
    // 50,000 + 400 x 100 x 0.9 = 86,000 of worth.
    table.give(contractOrder('alice', 'buy', 500, 500));
    table.give(contractOrder('bob', 'sell', 500, 500));
    // He buys back at 620: 60,000 lost; with fees of 125 and 155 he has 49,875 free, so 10,125 and then 155 are missing: 113 and 2 BTC.
    table.give(contractOrder('carol', 'sell', 500, 620));
    const events = table.emitted(contractOrder('bob', 'buy', 500, 620));
    expect(events.filter(({ type }) => type === 'CollateralSold')).toMatchObject([
      { asset: 2, amount: 113n, price: 100, proceeds: 10_125n },
      { asset: 2, amount: 2n, price: 100, proceeds: 155n },
    ]);
    expect(table.balance('bob').free).toBe(0n);
    expect(table.system('INSURANCE')).toBe(100_000n - 10_280n);
    expect(table.system('INSURANCE', 2)).toBe(115n);
  });

  test('P6: collateral is sold for a loss also when the fund cannot pay for it: UNCOVERED lends what it holds collateral for', () => {
    const table = new FuturesTable();
    table.marks(500);
    table.give({ type: 'FundBudget', key: 'f', budget: 'insurance', asset: assetId(1), amount: atoms(4_000n) });
    table.give({ type: 'SetCollateral', asset: assetId(2), ratioPpm: ppm(900_000), market: marketId(1), cap: atoms(400n) });
    table.collateral(100);
    const move = { type: 'Transfer', account: bob, asset: assetId(2), amount: atoms(400n) } as const;
    table.give({ ...move, from: 'coinFutures', to: 'spot', transferId: 'back' });
    table.give({ ...move, from: 'spot', to: 'futures', transferId: 'in' });
    table.give(contractOrder('alice', 'buy', 500, 500));
    table.give(contractOrder('bob', 'sell', 500, 500));
    // As above 10,125 and then 155 are missing; the fund has 4,000.
    table.give(contractOrder('carol', 'sell', 500, 620));
    const events = table.emitted(contractOrder('bob', 'buy', 500, 620));
    expect(events.filter(({ type }) => type === 'CollateralSold')).toMatchObject([
      { amount: 113n, proceeds: 10_125n },
      { amount: 2n, proceeds: 155n },
    ]);
    expect(table.system('INSURANCE')).toBe(0n);
    expect(table.system('INSURANCE', 2)).toBe(115n);
    expect(table.system('UNCOVERED')).toBe(4_000n - 10_280n);
    table.replay();
  });
});

test('before rules 5 there are no contracts', async () => {
  const { Table } = await import('../testing/tape.ts');
  const table = new Table({ rules: 4 });
  expect(table.give({ type: 'RegisterContract', ...LINEAR })).toEqual(rejected('RulesTooOld'));
  expect(table.give(contractOrder('alice', 'buy', 1, 100))).toEqual(rejected('RulesTooOld'));
});
