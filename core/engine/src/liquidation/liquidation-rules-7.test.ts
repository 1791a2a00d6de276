import { describe, expect, test } from 'vitest';
import { lots, marketId, NO_ATOMS, ticks } from '@orrery/units';
import type { Event } from '@orrery/protocol';
import { usdc } from '../testing/contract-scene.ts';
import { ContractsScene, linearContract, sizeOf } from '../testing/contracts-scene.ts';

const steps = (events: readonly Event[]): readonly string[] =>
  events.flatMap((event) => (event.type === 'LiquidationStep' ? [`${event.market} ${event.stage} ${event.size} @ ${event.price}`] : []));

const FIVE = ['BTC', 'ETH', 'SOL', 'BNB', 'DOGE'].map((base, index) => linearContract(2 + 2 * index, base));
const [BTC_FIRST, ETH_SECOND] = [2, 4];

describe('a deficit', () => {
  test('P6: is divided over the positions of the bankrupt account, and each part over the gains against it', () => {
    const scene = new ContractsScene(FIVE);
    const short = scene.person(usdc(10_000));
    const longs = FIVE.map(() => scene.person(usdc(6_200)));
    scene.all(600_000, 4);
    for (const { market } of FIVE) scene.leverage(short, 40, market);
    for (const [index, { market }] of FIVE.entries()) scene.trade(longs[index]!, short, 100_000, 600_000, { market });
    scene.at += 360_000;
    // The short has 10,000 - 5 x 12 of fees, and has lost 5 x 7,200: 26,060 are missing, 5,212 for each contract. There is no fund.
    const events = scene.all(672_000, 3);
    expect(steps(events)).toEqual(FIVE.map(({ market }) => `${market} adl 100000 @ 672000`));
    const shared = events.filter((event) => event.type === 'DeficitShared');
    expect(shared.map(({ gain, paid }) => [gain, paid])).toEqual(FIVE.map(() => [usdc(7_200), usdc(5_212)]));
    // 6,200 - 30 of fee + 7,200 - 5,212.
    for (const long of longs) expect(scene.wallet(long)).toBe(usdc(8_158));
    expect([scene.wallet(short), scene.system('UNCOVERED')]).toEqual([0n, 0n]);
    scene.replay();
  });

  test('P6: what one contract cannot pay goes on to the others, and only what all of them cannot is uncovered', () => {
    const scene = new ContractsScene(FIVE.slice(0, 2));
    const [short, first] = [scene.person(usdc(3_000)), scene.person(usdc(40_000))];
    const [late, early] = [scene.person(usdc(40_000)), scene.person(usdc(20_000))];
    scene.all(600_000, 4);
    for (const market of [BTC_FIRST, ETH_SECOND]) scene.leverage(short, 40, market);
    scene.trade(early, short, 100_000, 600_000, { market: ETH_SECOND });
    scene.trade(first, short, 50_000, 600_000);
    // The first long of BTC leaves with its gain, to one who comes in late.
    for (const [btc, eth] of [
      [620_000, 580_000],
      [640_000, 560_000],
      [660_000, 550_000],
    ] as const)
      scene.prices({ [BTC_FIRST]: btc, [ETH_SECOND]: eth });
    scene.trade(late, first, 50_000, 660_000);
    scene.at += 360_000;
    const events = scene.all(690_000, 3);
    // Missing: 13,500 - (3,000 - 18 of fees) = 10,518. A third by BTC, whose long has gained 1,500; the rest by ETH, whose long has gained 9,000.
    const bearers = events.filter((event) => event.type === 'DeficitShared').map(({ account, paid }) => [account, paid]);
    expect(bearers).toEqual([
      [early, usdc(9_000)],
      [late, usdc(1_500)],
    ]);
    expect(scene.system('UNCOVERED')).toBe(0n - usdc(18));
    expect([scene.wallet(late), scene.wallet(early)]).toEqual([usdc(40_000 - 16.5), usdc(20_000 - 30)]);
    scene.replay();
  });

  test('P7: an isolated counterpart keeps its own margin whole', () => {
    const scene = new ContractsScene([linearContract(2, 'BTC')]);
    const [long, short] = [scene.person(usdc(1_600)), scene.person(usdc(20_000))];
    scene.all(600_000, 4);
    scene.leverage(long, 40);
    scene.must({ type: 'SetMarginMode', account: short, market: marketId(2), mode: 'isolated' });
    scene.trade(long, short, 100_000, 600_000);
    scene.at += 360_000;
    const before = scene.wallet(short);
    const events = scene.all(500_000, 3);
    // 1,600 - 30 less 10,000: 8,430 are missing of a gain of 10,000.
    expect(events.find((event) => event.type === 'DeficitShared')).toMatchObject({ account: short, gain: usdc(10_000), paid: usdc(8_430) });
    expect(scene.wallet(short) - before).toBe(usdc(1_570));
    scene.replay();
  });

  test('P6: the fund pays no more of a contract within an hour than 5 % of what it had', () => {
    const scene = new ContractsScene([linearContract(2, 'BTC')]);
    scene.liquidator();
    scene.insurance(usdc(100_000));
    const long = scene.person(usdc(16_000));
    const house = scene.person(usdc(1_000_000));
    scene.all(600_000, 4);
    scene.leverage(long, 40);
    scene.trade(long, house, 1_000_000, 600_000);
    scene.at += 360_000;
    const events = scene.all(500_000, 3);
    const step = events.find((event) => event.type === 'LiquidationStep');
    expect(step).toMatchObject({ stage: 'adl', fromLiquidator: usdc(5_000), fromInsurance: 0n, uncovered: 0n });
    expect(events.find((event) => event.type === 'DeficitShared')).toMatchObject({ account: house, paid: usdc(100_000 - 15_700 - 5_000) });
    expect(scene.system('INSURANCE')).toBe(usdc(95_000));
    scene.replay();
  });
});

describe('an account that is being liquidated', () => {
  /** Long 2 BTC near its maintenance, of which a fifth is closed first. */
  const liquidated = () => {
    const scene = new ContractsScene(FIVE.slice(0, 2));
    scene.liquidator();
    scene.insurance(usdc(1_000_000));
    const [long, house] = [scene.person(usdc(3_200)), scene.person(usdc(10_000_000))];
    scene.all(600_000, 4);
    scene.leverage(long, 40);
    scene.trade(long, house, 200_000, 600_000);
    scene.must(scene.order(house, 'buy', 1_000_000, 591_000));
    return { scene, long, house };
  };

  test('loses its orders, plan orders and TWAPs in every contract of its wallet', () => {
    const { scene, long } = liquidated();
    scene.must({
      type: 'PlaceTwap',
      account: long,
      market: marketId(ETH_SECOND),
      key: 'slow',
      side: 'buy',
      positionSide: 'both',
      size: lots(1_000),
      minutes: 10,
      reduceOnly: false,
      seed: 0,
    });
    const resting = scene.order(long, 'buy', 100, 590_000, { market: ETH_SECOND });
    scene.must(resting);
    const plan = scene.order(long, 'buy', 100, 0, { market: ETH_SECOND });
    scene.must({ ...plan, orderType: 'stopMarket', triggerPrice: ticks(610_000), contract: { ...plan.contract, source: 'plan' } });
    const events = scene.all(590_000);
    const closed = events.filter((event) => event.type === 'OrderClosed').filter(({ reason }) => reason === 'liquidation');
    expect(closed.map(({ market }) => market)).toEqual([ETH_SECOND, ETH_SECOND]);
    expect(events.find((event) => event.type === 'TwapClosed')).toMatchObject({ account: long, reason: 'liquidation' });
    scene.replay();
  });

  test('opens nothing, and no money leaves it', () => {
    const { scene, long } = liquidated();
    scene.all(590_000);
    const away = { type: 'Transfer', account: long, transferId: 'away', asset: scene.contracts[0]!.settle, amount: usdc(1) } as const;
    expect(scene.refusal(scene.order(long, 'buy', 100, 590_000, { market: ETH_SECOND }))).toBe('UnderLiquidation');
    expect(scene.refusal({ ...away, from: 'futures', to: 'spot' })).toBe('UnderLiquidation');
    const leverage = { type: 'SetLeverage', account: long, market: marketId(ETH_SECOND), positionSide: 'both', leverage: 20 } as const;
    expect(scene.refusal(leverage)).toBe('UnderLiquidation');
    expect(scene.refusal(scene.order(long, 'sell', 100, 590_000, { reduceOnly: true }))).toBe('taken');
    scene.replay();
  });
});

describe('a price that is missing', () => {
  /** Long of BTC at 40x, and one lot of DOGE. */
  const holding = () => {
    const scene = new ContractsScene(FIVE);
    scene.liquidator();
    scene.insurance(usdc(1_000_000));
    const [long, house] = [scene.person(usdc(1_600)), scene.person(usdc(10_000_000))];
    scene.all(600_000, 4);
    scene.leverage(long, 40);
    scene.trade(long, house, 100_000, 600_000);
    scene.trade(long, house, 1, 600_000, { market: 10 });
    return { scene, long };
  };

  test('X1: of one lot does not keep an account from being liquidated in what has a price', () => {
    const { scene, long } = holding();
    scene.at += 3_000;
    scene.round(10, 600_000, 1);
    const events = [...scene.prices({ 2: 585_000 }), ...scene.prices({ 2: 570_000 })];
    expect(steps(events)).toContain('2 takeover 100000 @ 585000');
    expect([sizeOf(scene.position(long)), sizeOf(scene.position(long, 10))]).toEqual([0, 1]);
    scene.replay();
  });

  test('X1: counts at the best that it may have become', () => {
    const { scene, long } = holding();
    // As much of DOGE as of BTC: what it may have gained since is worth more than what BTC has lost.
    const house = scene.person(usdc(1_000_000));
    scene.deposit(long, usdc(6_000));
    scene.trade(long, house, 100_000, 600_000, { market: 10 });
    scene.at += 3_000;
    scene.round(10, 600_000, 1);
    scene.at += 30_000;
    expect(steps([...scene.prices({ 2: 570_000 }), ...scene.prices({ 2: 541_500 }), ...scene.prices({ 2: 520_000 })])).toEqual([]);
    // Beyond a fifth of it nothing counts: 7,540 and 12,000 are less than what BTC loses by 404,000.
    const further = [494_000, 470_000, 447_000, 425_000, 404_000].map((price) => steps(scene.prices({ 2: price })));
    expect(further.map(({ length }) => length)).toEqual([0, 0, 0, 0, 1]);
    scene.replay();
  });
});

describe('the liquidator', () => {
  /** It has taken 10 BTC over at 588,500, and somebody bids for all of it 5 % below. */
  const holding = () => {
    const scene = new ContractsScene([linearContract(2, 'BTC')]);
    const liquidator = scene.liquidator();
    scene.insurance(usdc(200_000));
    const [long, house] = [scene.person(usdc(16_000)), scene.person(usdc(10_000_000))];
    scene.all(600_000, 4);
    scene.leverage(long, 40);
    scene.trade(long, house, 1_000_000, 600_000);
    return { scene, liquidator, house };
  };

  test('sells a fifth at a time and not far below the mark, and after two minutes what is left is deleveraged at mark', () => {
    const { scene, liquidator, house } = holding();
    scene.must(scene.order(house, 'buy', 1_000_000, 560_000));
    expect(steps(scene.all(588_500))).toEqual(['2 takeover 1000000 @ 588500']);
    // 0.4 % below.
    scene.must(scene.order(house, 'buy', 300_000, 586_200));
    scene.all(588_500);
    expect(sizeOf(scene.position(liquidator))).toBe(800_000);
    scene.all(588_500);
    expect(sizeOf(scene.position(liquidator))).toBe(700_000);
    // 0.8 % below: only after a minute.
    scene.must(scene.order(house, 'buy', 100_000, 583_800));
    scene.all(588_500, 17);
    expect(sizeOf(scene.position(liquidator))).toBe(700_000);
    scene.all(588_500);
    expect(sizeOf(scene.position(liquidator))).toBe(600_000);
    const last = scene.all(588_500, 20);
    expect(steps(last)).toEqual(['2 adl 600000 @ 588500']);
    expect(last.some(({ type }) => type === 'DeficitShared')).toBe(false);
    expect(sizeOf(scene.position(liquidator))).toBe(0);
    scene.replay();
  });

  test('P6: loses no more of a contract than the fund may: what is beyond it the gains against it pay', () => {
    const { scene, liquidator, house } = holding();
    scene.all(588_500);
    const fund = scene.system('INSURANCE') + scene.wallet(liquidator);
    // 10 BTC lose 29,425 at once; 5 % of the fund and what the account left are less.
    const events = scene.all(559_075);
    expect(steps(events)).toEqual(['2 adl 1000000 @ 559075']);
    expect(events.find((event) => event.type === 'DeficitShared')).toMatchObject({ account: house });
    const lost = fund - scene.system('INSURANCE') - scene.wallet(liquidator);
    expect(lost > 0n && lost <= fund / 10n).toBe(true);
    scene.replay();
  });

  test('P6: what it gains of another contract does not let it lose more of one', () => {
    const scene = new ContractsScene(FIVE.slice(0, 2));
    const liquidator = scene.liquidator();
    scene.insurance(usdc(20_000));
    const [long, short, house] = [scene.person(usdc(1_600)), scene.person(usdc(1_600)), scene.person(usdc(10_000_000))];
    scene.all(600_000, 4);
    for (const [person, market] of [
      [long, BTC_FIRST],
      [short, ETH_SECOND],
    ] as const)
      scene.leverage(person, 40, market);
    scene.trade(long, house, 100_000, 600_000);
    scene.trade(house, short, 100_000, 600_000, { market: ETH_SECOND });
    // Each is taken over with some hundreds of USDC left.
    scene.prices({ [BTC_FIRST]: 588_500, [ETH_SECOND]: 611_500 });
    expect([sizeOf(scene.position(liquidator)), sizeOf(scene.position(liquidator, ETH_SECOND))]).toEqual([100_000, -100_000]);
    scene.prices({ [ETH_SECOND]: 581_000 });
    const events = scene.prices({ [BTC_FIRST]: 560_000 });
    const shared = events.filter((event) => event.type === 'DeficitShared');
    expect(shared).toMatchObject([{ account: house, market: BTC_FIRST }]);
    // 2,850 of BTC are lost; 5 % of the fund and what the account left of its margin may be.
    expect(shared[0]!.paid > usdc(1_000) && shared[0]!.paid < usdc(2_850)).toBe(true);
    scene.replay();
  });
});

test('HALT: nobody is taken over where its owner cannot close', () => {
  const scene = new ContractsScene([linearContract(2, 'BTC')]);
  scene.liquidator();
  scene.insurance(usdc(200_000));
  const [long, house] = [scene.person(usdc(1_600)), scene.person(usdc(10_000_000))];
  scene.all(600_000, 4);
  scene.leverage(long, 40);
  scene.trade(long, house, 100_000, 600_000);
  scene.must({ type: 'SetMarketState', market: marketId(2), state: 'CANCEL_ONLY' });
  expect(steps(scene.all(585_000, 4))).toEqual([]);
  scene.must({ type: 'SetMarketState', market: marketId(2), state: 'TRADING' });
  expect(steps(scene.all(585_000, 4))).toEqual(['2 takeover 100000 @ 585000']);
  expect(scene.wallet(long)).toBe(NO_ATOMS);
  scene.replay();
});
