import { describe, expect, test } from 'vitest';
import { accountId, atoms, NO_ATOMS, ppm, ticks, type AccountId } from '@orrery/units';
import type { Contract, Event } from '@orrery/protocol';
import { BTC, ContractScene, USDC, usdc } from '../testing/contract-scene.ts';
import { MARKET } from '../testing/tape.ts';
import { addressOf } from '../testing/tape-people.ts';

const steps = (events: readonly Event[]): readonly string[] =>
  events.flatMap((event) => (event.type === 'LiquidationStep' ? [`${event.stage} ${event.size} @ ${event.price}`] : []));

interface Scene {
  readonly table: ContractScene;
  readonly liquidator: AccountId;
  readonly long: AccountId;
  readonly house: AccountId;
}

/** A long of `size` lots from 60,000.0 at 40x, against the house. A fee of 0.05 % leaves it `deposit` less 30 USDC for each BTC. */
function opened(size: number, deposit: number, terms: Partial<Contract> = {}): Scene {
  const table = new ContractScene(terms);
  table.insurance(usdc(10_000));
  const liquidator = table.person('liquidator', NO_ATOMS);
  table.must({ type: 'SetLiquidator', account: liquidator });
  const long = table.person('long', usdc(deposit));
  const house = table.person('house', usdc(10_000_000));
  for (let round = 0; round < 4; round += 1) table.prices(600_000);
  table.must({ type: 'SetLeverage', account: long, market: table.market, positionSide: 'both', leverage: 40 });
  table.trade(long, house, size, 600_000);
  return { table, liquidator, long, house };
}

describe('a liquidation', () => {
  test('P5: begins when equity is below maintenance, closes by orders of the book, and leaves the rest with its account', () => {
    // 1 BTC with 1,600 - 30 = 1,570. Liquidated at or below (60,000 - 1,570) / (1 - 1/80) = 59,169.62; at 59,169.7 it stands.
    const { table, long, house } = opened(100_000, 1_600);
    table.must(table.order(house, 'buy', 200_000, 591_000));
    expect(steps(table.prices(591_697))).toEqual([]);
    // At 59,160: equity 1,570 - 840 = 730, maintenance 739.5, two thirds of it 493.
    const events = table.prices(591_600);
    expect(steps(events)).toEqual(['orderBook 100000 @ 591000']);
    expect(events.find((event) => event.type === 'LiquidationStep')).toMatchObject({
      account: long,
      mark: 591_600,
      equity: usdc(730),
      maintenance: usdc(739.5),
      fromMargin: usdc(900),
      fromInsurance: 0n,
      uncovered: 0n,
    });
    // 1,570 - 900 lost at 59,100.0 - a fee of 29.55.
    expect(table.position(long)).toBeUndefined();
    expect(table.wallet(long)).toBe(usdc(640.45));
    table.replay();
  });

  test('P5: of a position above 100,000 USDC a fifth is closed first, and the rest waits for 30 s', () => {
    // 2 BTC with 3,200 - 60 = 3,140. At 59,000: equity 3,140 - 2,000 = 1,140, maintenance 1,475, two thirds 983.3.
    const { table, long, house } = opened(200_000, 3_200);
    table.must(table.order(house, 'buy', 1_000_000, 591_000));
    expect(steps(table.prices(590_000))).toEqual(['orderBook 40000 @ 591000']);
    // Equity 3,140 - 360 - 11.82 - 1,600 = 1,168.18, maintenance 1,180: still too little, but it waits.
    expect(table.position(long)?.size).toBe(160_000);
    expect(steps(table.prices(590_000))).toEqual([]);
    table.wait(24);
    expect(steps(table.prices(590_000))).toEqual(['orderBook 160000 @ 591000']);
    expect(table.position(long)).toBeUndefined();
    table.replay();
  });

  test('O8: leaves the stop that was reached and rests in the book with what is left of the position, and ends what it placed itself', () => {
    const { table, long, house } = opened(200_000, 3_200);
    const order = table.order(long, 'sell', 200_000, 597_000);
    const contract = { ...order.contract, reduceOnly: true, source: 'stopLoss', triggerBy: 'index' } as const;
    table.must({ ...order, orderType: 'stopLimit', triggerPrice: ticks(595_000), contract });
    const stop = table.prices(594_000).find((event) => event.type === 'OrderRested');
    expect(stop).toMatchObject({ account: long, remaining: 200_000 });
    table.must({ ...table.order(long, 'sell', 1_000, 598_000), clientOrderId: 'plain' });
    table.must(table.order(house, 'buy', 1_000_000, 591_000));
    const events = table.prices(590_000);
    expect(steps(events)).toEqual(['orderBook 40000 @ 591000']);
    const closed = events.filter((event) => event.type === 'OrderClosed' && event.account === long);
    expect(closed).toMatchObject([{ clientOrderId: 'plain', reason: 'liquidation' }, { reason: 'filled' }]);
    expect(events.find((event) => event.type === 'OrderReduced')).toMatchObject({ orderId: stop?.orderId, remaining: 160_000 });
    table.must({ type: 'CancelAllOrders', account: house, market: 0 });
    table.must(table.order(house, 'buy', 160_000, 597_000));
    expect(table.position(long)).toBeUndefined();
    table.replay();
  });

  test('ends when the account is safe again, and its margin comes by a transfer', () => {
    const { table, long, house } = opened(200_000, 3_200);
    table.must(table.order(house, 'buy', 1_000_000, 591_000));
    table.prices(591_600);
    table.must({ type: 'CreditDeposit', key: 'more', address: addressOf('long'), asset: USDC, amount: usdc(5_000) });
    table.must(table.transfer(long, 'in', usdc(5_000)));
    table.wait(60);
    expect(steps(table.prices(591_300))).toEqual([]);
    expect(table.position(long)?.size).toBe(160_000);
  });

  test('P6: below two thirds of its maintenance the liquidator takes position and margin over, and unwinds into the book', () => {
    const { table, liquidator, long, house } = opened(100_000, 1_600);
    // At 58,850: equity 1,570 - 1,150 = 420; maintenance 735.625, two thirds 490.4. Nobody bids.
    const events = table.prices(588_500);
    expect(steps(events)).toEqual(['takeover 100000 @ 588500']);
    expect(table.wallet(long)).toBe(0n);
    // 5 % of 10,000 and the 420 that were left.
    expect(table.wallet(liquidator)).toBe(usdc(920));
    expect(table.position(liquidator)?.size).toBe(100_000);
    // With a bid it closes: 50 of profit less 29.45 of fee; flat, it keeps 5 % of the fund and itself.
    table.must(table.order(house, 'buy', 100_000, 589_000));
    for (let round = 0; round < 5; round += 1) table.prices(588_500);
    expect(table.position(liquidator)).toBeUndefined();
    const all = table.wallet(liquidator) + table.system('INSURANCE');
    expect(all).toBe(usdc(10_000 + 420 + 50 - 29.45));
    expect(table.wallet(liquidator)).toBe((all * 5n) / 100n);
    table.replay();
  });

  test('P6: the liquidator is closed at mark in the first round in which it has lost what the fund may lose of a contract', () => {
    const { table, liquidator, long, house } = opened(100_000, 1_600);
    // As above: the account has left 420. The fund and the liquidator may lose 5 % of 10,000 beyond that: 920 and 1 BTC from 58,850 are 57,930.
    table.prices(588_500);
    expect(table.position(long)).toBeUndefined();
    expect(steps(table.prices(579_310))).toEqual([]);
    const events = table.prices(579_250);
    expect(steps(events)).toEqual(['adl 100000 @ 579250']);
    // What is beyond it, 5 USDC, the gain of the house pays.
    expect(events.find((event) => event.type === 'DeficitShared')).toMatchObject({ account: house, paid: usdc(5) });
    expect(table.wallet(liquidator) + table.system('INSURANCE')).toBe(usdc(9_500));
    table.replay();
  });

  test('P7: of both sides of hedge mode only what is left after they have closed against each other is deleveraged', () => {
    const table = new ContractScene();
    const hedger = table.person('hedger', usdc(4_700));
    const house = table.person('house', usdc(10_000_000));
    for (let round = 0; round < 4; round += 1) table.prices(600_000);
    table.must({ type: 'SetPositionMode', account: hedger, payoff: 'linear', mode: 'hedge' });
    const open = (positionSide: 'long' | 'short', size: number): void => {
      const [side, other] = positionSide === 'long' ? (['buy', 'sell'] as const) : (['sell', 'buy'] as const);
      table.must(table.order(house, other, size, 600_000));
      const order = table.order(hedger, side, size, 600_000);
      table.must({ ...order, contract: { ...order.contract, positionSide } });
    };
    for (const positionSide of ['long', 'short'] as const)
      table.must({ type: 'SetLeverage', account: hedger, market: table.market, positionSide, leverage: 40 });
    open('long', 200_000);
    open('short', 100_000);
    // 4,700 less fees of 90; net it is long 1 BTC, which has lost all of that at 60,000 - 4,610. There is no liquidator and no fund.
    table.prices(575_000);
    const events = table.prices(550_000);
    expect(events.filter(({ type }) => type === 'PositionDeleveraged')).toMatchObject([
      { account: house, size: 100_000, price: 550_000, profit: usdc(4_610) },
    ]);
    // The house has gained 5,000 at 55,000, of which 390 were missing.
    expect(events.filter(({ type }) => type === 'DeficitShared')).toMatchObject([{ account: house, gain: usdc(5_000), paid: usdc(390) }]);
    expect([table.wallet(hedger), table.system('UNCOVERED'), table.system('INSURANCE')]).toEqual([0n, 0n, 0n]);
    table.replay();
  });

  test('P6: what is missing the liquidator pays first, then the insurance fund, within 5 % of both', () => {
    const { table, long, liquidator } = opened(100_000, 1_600);
    table.insurance(usdc(190_000));
    // At 57,060: equity 1,570 - 2,940 = -1,370. The liquidator is funded again before it pays, with 10,000.
    const events = table.prices(570_600);
    const step = events.find((event) => event.type === 'LiquidationStep');
    expect(step).toMatchObject({
      stage: 'takeover',
      fromMargin: usdc(1_570),
      fromLiquidator: usdc(1_370),
      fromInsurance: 0n,
      uncovered: 0n,
    });
    expect(table.wallet(long)).toBe(0n);
    expect(table.wallet(liquidator) + table.system('INSURANCE')).toBe(usdc(200_000 - 1_370));
    table.replay();
  });

  test('P7: what the fund may not pay the gains on the other side do, and the positions are closed at mark, exactly', () => {
    const { table, long, house } = opened(6_000_000, 96_000);
    // 60 BTC. At 57,060: equity 94,200 - 176,400 = -82,200. The fund may pay 500 of it, the house has gained 176,400.
    const events = table.prices(570_600);
    expect(steps(events)).toEqual(['adl 6000000 @ 570600']);
    expect(events.find((event) => event.type === 'DeficitShared')).toMatchObject({
      account: house,
      gain: usdc(176_400),
      paid: usdc(81_700),
    });
    const deleveraged = { account: house, size: 6_000_000, price: 570_600, rank: 1, profit: usdc(94_700) };
    expect(events.find((event) => event.type === 'PositionDeleveraged')).toMatchObject(deleveraged);
    expect(table.wallet(long)).toBe(0n);
    expect(table.openInterest()).toBe(0);
    expect(table.system('INSURANCE') + table.wallet(accountId(1))).toBe(usdc(9_500));
    table.replay();
  });

  test('X4: nothing is liquidated in the first two rounds after a start, and the account is found in the third', () => {
    const { table } = opened(100_000, 1_600);
    table.must({ type: 'ResetPrices' });
    expect(steps(table.prices(588_500))).toEqual([]);
    expect(steps(table.prices(588_500))).toEqual([]);
    expect(steps(table.prices(588_500))).toEqual(['takeover 100000 @ 588500']);
  });

  test('X1: nothing is liquidated by a degraded price', () => {
    const { table } = opened(100_000, 1_600);
    table.wait(3);
    const index = [{ source: 'binance', price: ticks(500_000), ageMs: 0, weight: 1 }];
    const events = table.must({ type: 'SubmitPrices', market: table.market, index, external: [] });
    expect(events).toEqual([expect.objectContaining({ type: 'PricesSet', state: 'DEGRADED', mark: 600_000 })]);
  });

  test('its open orders are closed before anything else', () => {
    const { table, long, house } = opened(100_000, 1_600);
    table.must(table.order(house, 'buy', 200_000, 591_000));
    table.must(table.order(long, 'sell', 1_000, 640_000));
    const events = table.prices(591_600);
    const closed = events.findIndex((event) => event.type === 'OrderClosed' && event.reason === 'liquidation');
    expect(closed).toBeGreaterThan(0);
    expect(closed).toBeLessThan(events.findIndex((event) => event.type === 'LiquidationStep'));
  });

  test('P6: a step does not count the collateral that the other side of its trade sells', () => {
    const table = new ContractScene();
    table.insurance(usdc(10_000));
    table.must({ type: 'SetLiquidator', account: table.person('liquidator', NO_ATOMS) });
    const spot = { ...MARKET, pricePrecision: 1, sizePrecision: 5, lotAtoms: atoms(1_000n), maxPrice: ticks(1_000_000) };
    table.must({ type: 'RegisterMarket', ...spot });
    table.must({ type: 'SetCollateral', asset: BTC, ratioPpm: ppm(900_000), market: spot.market, cap: atoms(100_000_000n) });
    table.collateralPrices(BTC, 600_000);
    const long = table.person('long', usdc(320));
    const house = table.person('house', usdc(1_000_000));
    const short = table.person('short', usdc(100));
    // 0.1 BTC are worth 5,400 USDC.
    table.must({ type: 'CreditDeposit', key: 'btc', address: addressOf('short'), asset: BTC, amount: atoms(10_000_000n) });
    const move = { type: 'Transfer', account: short, asset: BTC, amount: atoms(10_000_000n), from: 'funding', to: 'futures' } as const;
    table.must({ ...move, transferId: 'btc' });
    for (let round = 0; round < 4; round += 1) table.prices(570_000);
    table.trade(house, short, 20_000, 570_000);
    table.walk(570_000, 600_000, 40_000);
    table.must({ type: 'SetLeverage', account: long, market: table.market, positionSide: 'both', leverage: 40 });
    table.trade(long, house, 20_000, 600_000);
    table.must(table.order(short, 'buy', 20_000, 591_000));
    // The short loses 0.2 x 2,100 = 420 USDC of about 98. The long has 314 - 168 = 146 of a maintenance of 147.9, and loses 180.
    const events = table.prices(591_600);
    expect(events.filter(({ type }) => type === 'CollateralSold')).not.toEqual([]);
    expect(events.find((event) => event.type === 'LiquidationStep')).toMatchObject({
      account: long,
      stage: 'orderBook',
      equity: usdc(146),
      maintenance: usdc(147.9),
      fromMargin: usdc(180),
      fromInsurance: 0n,
      uncovered: 0n,
    });
    table.replay();
  });

  test('of many accounts at one price sixteen take a step within a command, and the rest by continuations', () => {
    const table = new ContractScene();
    table.insurance(usdc(1_000_000));
    table.must({ type: 'SetLiquidator', account: table.person('liquidator', NO_ATOMS) });
    const house = table.person('house', usdc(10_000_000));
    // 0.1 BTC each: at 58,850 an equity of 160 - 3 - 115 = 42, below two thirds of 73.56.
    const people = Array.from({ length: 40 }, (_, index) => table.person(`p${index}`, usdc(160)));
    for (let round = 0; round < 4; round += 1) table.prices(600_000);
    for (const account of people) {
      table.must({ type: 'SetLeverage', account, market: table.market, positionSide: 'both', leverage: 40 });
      table.trade(account, house, 10_000, 600_000);
    }
    table.prices(588_500);
    expect(table.answers.map((events) => steps(events).length)).toEqual([16, 16, 8]);
  });
});
