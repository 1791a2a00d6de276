/** A fund that sells: for redemptions that wait for cash, and to end. */
import { describe, expect, test } from 'vitest';
import { marketId, type AccountId } from '@orrery/units';
import type { Event, PlaceOrder, Side } from '@orrery/protocol';
import { BTC, usdc, USDC } from '../testing/contract-scene.ts';
import { BTC_PERP, ETH_PERP, eventsOf, FUND, FundScene, PRICE } from '../testing/fund-scene.ts';

const DAY_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;

/** The street stands on both sides of a contract, at these distances from a price in ticks. */
function quote(scene: FundScene, price: number, away: number, size = 10_000_000): void {
  scene.must({ type: 'CancelAllOrders', account: scene.street, market: 0 });
  for (const market of [BTC_PERP, ETH_PERP]) {
    scene.must(scene.order(scene.street, 'buy', size, price - away, { market }));
    scene.must(scene.order(scene.street, 'sell', size, price + away, { market }));
  }
  scene.must(spotOrder(scene, scene.street, 'buy', size, price - away));
}

const spotOrder = (scene: FundScene, account: AccountId, side: Side, size: number, price: number): PlaceOrder =>
  scene.spotOrder(account, side, size, price);

/** A fund of 2,000 USDC, half Anna's, of which 800 USDC stand in coins and 400 in a short of each contract. */
function invested(): { readonly scene: FundScene; readonly anna: AccountId } {
  const scene = new FundScene();
  const anna = scene.saver(1_000);
  scene.subscribe(anna, 1_000);
  scene.pass(PRICE);
  scene.arm('futures', 1_200);
  scene.arm('spot', 800);
  scene.must(spotOrder(scene, scene.street, 'sell', 80_000, PRICE));
  scene.must(spotOrder(scene, scene.manager, 'buy', 80_000, PRICE));
  scene.trade(scene.street, scene.manager, 80_000, PRICE, { market: BTC_PERP });
  scene.at += DAY_MS;
  scene.pass(PRICE);
  return { scene, anna };
}

const coins = (scene: FundScene): bigint => scene.wallet(scene.manager, BTC, 'spot');
const sizeIn = (scene: FundScene, market: number): number => scene.position(scene.manager, market)?.size ?? 0;

describe('a redemption beyond the cash', () => {
  test('makes the fund sell its part of everything within half a percent, and is paid at the next valuation', () => {
    const { scene, anna } = invested();
    quote(scene, PRICE, 10);
    scene.redeem(anna, 1_000);
    // Free are 1,200 of the futures wallet less a fifth of 800 of notional: enough.
    expect(eventsOf(scene.pass(PRICE), 'FundRedeemed')).toMatchObject([{ amount: usdc(1_000), left: 0n }]);

    const second = invested();
    quote(second.scene, PRICE, 10);
    // The manager brings what is free into coins.
    second.scene.must(spotOrder(second.scene, second.scene.street, 'sell', 80_000, PRICE));
    second.scene.must({
      type: 'Transfer',
      account: second.scene.manager,
      transferId: 'x',
      asset: USDC,
      amount: usdc(800),
      from: 'futures',
      to: 'spot',
    });
    second.scene.must(spotOrder(second.scene, second.scene.manager, 'buy', 80_000, PRICE));
    second.scene.redeem(second.anna, 1_000);
    const events = second.scene.pass(PRICE);
    expect(eventsOf(events, 'FundRedeemed')).toEqual([]);
    expect(eventsOf(events, 'FundReducing')).toEqual([{ type: 'FundReducing', fund: FUND, shares: usdc(1_000), of: usdc(2_000) }]);
    // Half of 1.6 coins, half of the short.
    expect(coins(second.scene)).toBe(80_000_000n);
    expect(sizeIn(second.scene, BTC_PERP)).toBe(-40_000);
    const paid = eventsOf(second.scene.pass(PRICE), 'FundRedeemed');
    // What it cost to sell, 0.1 % of half of the holdings, is borne by all.
    expect(paid).toMatchObject([{ shares: usdc(1_000), amount: 999_400_000n }]);
    second.scene.replay();
  });

  test('does not sell further from the mark than half a percent', () => {
    const { scene, anna } = invested();
    scene.must(spotOrder(scene, scene.street, 'sell', 80_000, PRICE));
    scene.must({ type: 'Transfer', account: scene.manager, transferId: 'x', asset: USDC, amount: usdc(800), from: 'futures', to: 'spot' });
    scene.must(spotOrder(scene, scene.manager, 'buy', 80_000, PRICE));
    quote(scene, PRICE, 51);
    scene.redeem(anna, 1_000);
    expect(eventsOf(scene.pass(PRICE), 'FundReducing')).toHaveLength(1);
    expect(coins(scene)).toBe(160_000_000n);
    quote(scene, PRICE, 50);
    scene.pass(PRICE);
    expect(coins(scene)).toBe(80_000_000n);
  });

  test('is paid in parts as cash comes once it has waited for a day, and nothing is sold for it any more', () => {
    const { scene, anna } = invested();
    scene.must(spotOrder(scene, scene.street, 'sell', 80_000, PRICE));
    scene.must({ type: 'Transfer', account: scene.manager, transferId: 'x', asset: USDC, amount: usdc(800), from: 'futures', to: 'spot' });
    scene.must(spotOrder(scene, scene.manager, 'buy', 80_000, PRICE));
    scene.redeem(anna, 1_000);
    expect(eventsOf(scene.pass(PRICE), 'FundReducing')).toHaveLength(1);
    scene.at += DAY_MS;
    const [part] = eventsOf(scene.pass(PRICE), 'FundRedeemed');
    // 400 in the futures wallet, less a fifth of the notional.
    expect(part).toMatchObject({ shares: usdc(240), amount: usdc(240), left: usdc(760) });
    quote(scene, PRICE, 1);
    expect(eventsOf(scene.pass(PRICE), 'FundReducing')).toEqual([]);
    scene.must(spotOrder(scene, scene.manager, 'sell', 100_000, PRICE - 1));
    expect(eventsOf(scene.pass(PRICE), 'FundRedeemed')).toMatchObject([{ left: 0n }]);
  });

  test('stands before those behind it, which are paid in the order of their coming', () => {
    const { scene, anna } = invested();
    scene.redeem(anna, 900);
    scene.redeem(anna, 50);
    scene.redeem(anna, 50);
    const paid = eventsOf(scene.pass(PRICE), 'FundRedeemed').map(({ shares }) => shares);
    expect(paid).toEqual([usdc(900), usdc(50), usdc(50)]);
  });
});

/** To the next minute, and past it, with rounds of prices around it. */
function passMinute(scene: FundScene, price: number): readonly Event[] {
  scene.at += MINUTE_MS - (scene.at % MINUTE_MS) - 12_000;
  return scene.move(price, 5);
}

/** Minutes pass, with prices, until the fund has ended. */
function untilEnded(scene: FundScene, price: number, before: readonly Event[] = []): readonly Event[] {
  const events = [...before];
  for (let minute = 0; minute < 60; minute += 1) {
    if (scene.fund === undefined) return events;
    events.push(...passMinute(scene, price));
  }
  throw new Error('the fund does not end');
}

function assertPaid(scene: FundScene, events: readonly Event[]): void {
  const [ended] = eventsOf(events, 'FundEnded');
  const paid = eventsOf(events, 'FundPaidOut').reduce((sum, { amount }) => sum + amount, 0n);
  expect(paid + (ended?.dust ?? 0n)).toBe(ended?.worth);
  expect(scene.fund).toBeUndefined();
  expect(scene.snapshot().balances.filter(({ account, asset }) => asset === FUND || (account === scene.manager && asset === USDC))).toEqual(
    [],
  );
  expect(scene.system('EXTERNAL', FUND)).toBe(0n);
  scene.replay();
}

describe('the end of a fund', () => {
  test('does not come of nights in which the exchange was off: its manager had nobody to speak to', () => {
    const { scene } = invested();
    for (let night = 0; night < 3; night += 1) {
      scene.at += 12 * 3_600_000;
      expect(eventsOf(passMinute(scene, PRICE), 'FundClosing')).toEqual([]);
    }
    expect(scene.isOpen).toBe(true);
    // The manager is back.
    scene.must({ type: 'SendFundHeartbeat', account: scene.manager });
    expect(scene.fund?.silent).toBe(0);
  });

  test('that its manager has left for an hour: everything is sold, everybody is paid by share', () => {
    const { scene, anna } = invested();
    const ben = scene.saver(100);
    const events: Event[] = [];
    for (let minute = 0; minute < 75 && eventsOf(events, 'FundClosing').length === 0; minute += 1) {
      events.push(...passMinute(scene, PRICE));
    }
    expect(eventsOf(events, 'FundValued').length).toBe(5);
    expect(eventsOf(events, 'FundClosing')).toMatchObject([{ reason: 'silent' }]);
    expect(scene.subscribe(ben, 50)).toMatchObject([{ reason: 'FundNotOpen' }]);
    expect(scene.refusal(scene.order(scene.manager, 'buy', 1, PRICE, { market: BTC_PERP }))).toBe('FundNotOpen');
    quote(scene, PRICE, 10);
    const rest = untilEnded(scene, PRICE, events);
    expect(eventsOf(rest, 'FundEnded')).toMatchObject([{ reason: 'silent', worth: 1_998_400_000n, shares: usdc(2_000) }]);
    expect(scene.wallet(anna, USDC, 'funding')).toBe(999_200_000n);
    expect(scene.wallet(scene.leader, USDC, 'funding')).toBe(999_200_000n);
    assertPaid(scene, rest);
  });

  test('that was heard within the hour does not come', () => {
    const { scene } = invested();
    const events: Event[] = [];
    for (let minute = 0; minute < 180; minute += 1) {
      events.push(...passMinute(scene, PRICE));
      if (minute % 55 === 0) scene.must({ type: 'SendFundHeartbeat', account: scene.manager });
    }
    expect(eventsOf(events, 'FundClosing')).toEqual([]);
    expect(eventsOf(events, 'FundValued').length).toBeGreaterThan(15);
  });

  test('that an operator has halted gives back what waits', () => {
    const { scene, anna } = invested();
    quote(scene, PRICE, 10);
    const ben = scene.saver(100);
    scene.subscribe(ben, 50);
    scene.redeem(anna, 10);
    scene.must({ type: 'CloseFund', fund: FUND });
    const events = untilEnded(scene, PRICE);
    expect(eventsOf(events, 'FundSubscriptionReturned')).toMatchObject([{ account: ben, amount: usdc(50), reason: 'closing' }]);
    expect(eventsOf(events, 'FundRedemptionReturned')).toMatchObject([{ account: anna, shares: usdc(10), reason: 'closing' }]);
    expect(scene.wallet(ben, USDC, 'funding')).toBe(usdc(100));
    assertPaid(scene, events);
    expect(scene.refusal({ type: 'ValueFund', fund: FUND, interval: scene.fundInterval })).toBe('UnknownFund');
  });

  test('pays gains less the fee of each holder', () => {
    const scene = new FundScene();
    const anna = scene.saver(1_000);
    scene.subscribe(anna, 1_000);
    scene.pass(PRICE);
    scene.arm('futures', 2_000);
    scene.trade(scene.manager, scene.street, 80_000, PRICE, { market: BTC_PERP });
    scene.move(12_500, 4);
    scene.must(scene.order(scene.street, 'buy', 100_000, 12_500, { market: BTC_PERP }));
    scene.must({ type: 'CloseFund', fund: FUND });
    const events = untilEnded(scene, 12_500);
    // 2,200 by 2,000 shares; a tenth of Anna's gain of 100 is the leader's.
    expect(eventsOf(events, 'FundPaidOut')).toMatchObject([
      { account: anna, shares: usdc(1_000), amount: 1_089_999_999n },
      { account: scene.leader, fee: 0n, amount: 1_110_000_001n },
    ]);
    assertPaid(scene, events);
  });

  test('comes with the block of its account, and with its liquidation', () => {
    const { scene } = invested();
    quote(scene, PRICE, 10);
    scene.must({ type: 'SetAccountFlag', account: scene.manager, flag: 'blocked', value: true });
    const events = untilEnded(scene, PRICE, scene.pass(PRICE));
    expect(eventsOf(events, 'FundEnded')).toMatchObject([{ reason: 'blocked' }]);
    assertPaid(scene, events);

    const other = new FundScene();
    other.liquidator();
    other.insurance(usdc(1_000));
    other.arm('futures', 1_000);
    other.trade(other.street, other.manager, 40_000, PRICE, { market: BTC_PERP });
    // A short of 0.4 coins loses more than 1,000 USDC.
    const fall = other.move(36_000, 40);
    expect(eventsOf(fall, 'LiquidationStep').some(({ account }) => account === other.manager)).toBe(true);
    const rest = untilEnded(other, 36_000, [...fall, ...other.pass(36_000)]);
    expect(eventsOf(rest, 'FundEnded')).toMatchObject([{ reason: 'liquidated' }]);
    assertPaid(other, rest);
  });

  test('waits for a market that is halted', () => {
    const { scene } = invested();
    quote(scene, PRICE, 10);
    scene.must({ type: 'SetMarketState', market: marketId(BTC_PERP), state: 'HALT' });
    scene.must({ type: 'CloseFund', fund: FUND });
    const events: Event[] = [];
    for (let minute = 0; minute < 5; minute += 1) {
      events.push(...passMinute(scene, PRICE));
    }
    expect(eventsOf(events, 'FundEnded')).toEqual([]);
    scene.must({ type: 'SetMarketState', market: marketId(BTC_PERP), state: 'TRADING' });
    const before = passMinute(scene, PRICE);
    assertPaid(scene, untilEnded(scene, PRICE, before));
  });

  test('gives the deposits that came to its address to its account', () => {
    const { scene } = invested();
    quote(scene, PRICE, 10);
    scene.credit(scene.manager, USDC, usdc(7));
    scene.must({ type: 'CloseFund', fund: FUND });
    untilEnded(scene, PRICE);
    expect(scene.wallet(scene.manager, USDC, 'funding')).toBe(usdc(7));
  });
});

/** A day, and two minutes with prices around them. */
function passDay(scene: FundScene): readonly Event[] {
  scene.at += DAY_MS;
  return [...passMinute(scene, PRICE), ...passMinute(scene, PRICE)];
}

describe('a fund that closes and finds no buyer', () => {
  /** 1,900 in cash and 100 in coins, half Anna's. */
  function stuck(): { readonly scene: FundScene; readonly anna: AccountId } {
    const scene = new FundScene();
    const anna = scene.saver(1_000);
    scene.subscribe(anna, 1_000);
    scene.pass(PRICE);
    scene.arm('spot', 100);
    scene.must(spotOrder(scene, scene.street, 'sell', 10_000, PRICE));
    scene.must(spotOrder(scene, scene.manager, 'buy', 10_000, PRICE));
    return { scene, anna };
  }

  test('pays its cash after a day, what it sells later when it is sold, and ends then', () => {
    const { scene, anna } = stuck();
    const ben = scene.saver(100);
    scene.subscribe(ben, 50);
    scene.must({ type: 'CloseFund', fund: FUND });
    expect(eventsOf(passMinute(scene, PRICE), 'FundSubscriptionReturned')).toMatchObject([{ account: ben, reason: 'closing' }]);
    const round = eventsOf(passDay(scene), 'FundPaidOut');
    const none = { shares: 0n, fee: 0n };
    expect(round).toMatchObject([
      { account: scene.leader, ...none, amount: usdc(950) },
      { account: anna, ...none, amount: usdc(950) },
    ]);
    expect(scene.shares(anna)).toBe(usdc(1_000));
    expect(eventsOf([...passDay(scene), ...passDay(scene)], 'FundPaidOut')).toEqual([]);
    scene.must(spotOrder(scene, scene.street, 'buy', 4_000, PRICE));
    const later = eventsOf(passDay(scene), 'FundPaidOut');
    expect(later.map(({ amount }) => amount)).toEqual([usdc(20), usdc(20)]);
    scene.must(spotOrder(scene, scene.street, 'buy', 6_000, PRICE));
    assertPaid(scene, untilEnded(scene, PRICE));
    expect(scene.wallet(anna, USDC, 'funding')).toBe(usdc(1_000));
    expect(scene.wallet(scene.leader, USDC, 'funding')).toBe(usdc(1_000));
  });

  test('pays once a day, and not for less than 10 units', () => {
    const { scene } = stuck();
    scene.must({ type: 'CloseFund', fund: FUND });
    expect(eventsOf(passDay(scene), 'FundPaidOut')).toHaveLength(2);
    scene.must(spotOrder(scene, scene.street, 'buy', 900, PRICE));
    expect(eventsOf(passDay(scene), 'FundPaidOut')).toEqual([]);
    scene.must(spotOrder(scene, scene.street, 'buy', 100, PRICE));
    expect(eventsOf(passMinute(scene, PRICE), 'FundPaidOut')).toHaveLength(2);
    scene.must(spotOrder(scene, scene.street, 'buy', 2_000, PRICE));
    expect(eventsOf([...passMinute(scene, PRICE), ...passMinute(scene, PRICE)], 'FundPaidOut')).toEqual([]);
    expect(eventsOf(passDay(scene), 'FundPaidOut')).toHaveLength(2);
  });

  test('ends after 30 days with coins that nobody bought and that are worth less than 10 units: they stay in its account', () => {
    const { scene, anna } = stuck();
    scene.must({ type: 'CloseFund', fund: FUND });
    passDay(scene);
    scene.must(spotOrder(scene, scene.street, 'buy', 9_000, PRICE));
    passDay(scene);
    scene.must(spotOrder(scene, scene.street, 'buy', 1, PRICE));
    passDay(scene);
    // 9.99 USDC of coins are left, and a cent in cash.
    expect(scene.wallet(anna, USDC, 'funding')).toBe(usdc(950) + usdc(45));
    scene.at += 27 * DAY_MS - 3_600_000;
    expect(eventsOf(passMinute(scene, PRICE), 'FundEnded')).toEqual([]);
    const events = passDay(scene);
    expect(eventsOf(events, 'FundEnded')).toMatchObject([{ worth: usdc(0.01) }]);
    assertPaid(scene, events);
    expect(coins(scene)).toBe(999_000n);
    expect(scene.wallet(anna, USDC, 'funding')).toBe(usdc(995) + usdc(0.005));
  });

  test('does not end while coins are worth 10 units, or a position stands, however long it closes', () => {
    const { scene } = stuck();
    scene.must({ type: 'CloseFund', fund: FUND });
    scene.must(spotOrder(scene, scene.street, 'buy', 9_000, PRICE));
    passDay(scene);
    scene.at += 60 * DAY_MS;
    expect(eventsOf(passDay(scene), 'FundEnded')).toEqual([]);
    // A tick lower they are crumbs.
    expect(eventsOf([...scene.move(PRICE - 1, 4), ...passMinute(scene, PRICE - 1)], 'FundEnded')).toHaveLength(1);
    scene.replay();

    const other = stuck().scene;
    other.arm('futures', 100);
    other.trade(other.street, other.manager, 100, PRICE, { market: BTC_PERP });
    other.must({ type: 'SetMarketState', market: marketId(BTC_PERP), state: 'HALT' });
    other.must({ type: 'CloseFund', fund: FUND });
    other.must(spotOrder(other, other.street, 'buy', 10_000, PRICE));
    passDay(other);
    other.at += 60 * DAY_MS;
    expect(eventsOf(passDay(other), 'FundEnded')).toEqual([]);
  });

  test('pays although the coin has no price any more', () => {
    const { scene, anna } = stuck();
    // Perpetuals have prices, the spot index has none any more: the fund cannot be valued.
    scene.at += 600_000;
    scene.must({ type: 'SendFundHeartbeat', account: scene.manager });
    expect(eventsOf(scene.round(2, PRICE), 'FundValued')).toEqual([]);
    scene.must({ type: 'CloseFund', fund: FUND });
    scene.at += DAY_MS;
    scene.round(2, PRICE);
    expect(scene.wallet(anna, USDC, 'funding')).toBe(usdc(950));
  });

  test('keeps the margin of a position that cannot be closed', () => {
    const { scene, anna } = stuck();
    scene.arm('futures', 1_000);
    scene.trade(scene.street, scene.manager, 80_000, PRICE, { market: BTC_PERP });
    scene.must({ type: 'SetMarketState', market: marketId(BTC_PERP), state: 'HALT' });
    scene.must({ type: 'CloseFund', fund: FUND });
    passDay(scene);
    passDay(scene);
    const kept = scene.wallet(scene.manager, USDC, 'futures');
    // A fifth of the notional.
    expect(kept).toBe(usdc(160));
    expect(scene.wallet(anna, USDC, 'funding')).toBe(usdc(870));
    expect(sizeIn(scene, BTC_PERP)).toBe(-80_000);
  });

  test('takes the fee at the end, of what all payments are above the cost', () => {
    const { scene, anna } = stuck();
    scene.must({ type: 'CloseFund', fund: FUND });
    passDay(scene);
    // 100 of coins are worth 300: a gain of 100 for each half.
    scene.move(3 * PRICE, 40);
    scene.must(spotOrder(scene, scene.street, 'buy', 10_000, 3 * PRICE));
    const events = untilEnded(scene, 3 * PRICE);
    const had = scene.wallet(anna, USDC, 'funding');
    expect(eventsOf(events, 'FundEnded')).toMatchObject([{ worth: usdc(300) }]);
    expect(had).toBeLessThanOrEqual(usdc(1_090));
    expect(had).toBeGreaterThanOrEqual(usdc(1_090) - 2n);
  });
});

describe('commands are bounded', () => {
  test('ten thousand redemptions are worked through by continuations', () => {
    const scene = new FundScene(100_000);
    const people = Array.from({ length: 50 }, () => scene.saver(10_000));
    for (const person of people) scene.subscribe(person, 10_000);
    scene.pass(PRICE);
    scene.at += DAY_MS;
    scene.pass(PRICE);
    scene.isChecked = false;
    for (const person of people) for (let count = 0; count < 200; count += 1) scene.redeem(person, 1);
    scene.isChecked = true;
    const before = scene.history.length;
    const events = scene.pass(PRICE);
    expect(eventsOf(events, 'FundRedeemed')).toHaveLength(10_000);
    const steps = scene.history.slice(before).filter(({ command }) => command.type === 'ContinueFund');
    expect(steps.length).toBeGreaterThanOrEqual(10_000 / 64 - 1);
    expect(scene.shares(people[0] ?? scene.leader)).toBe(usdc(9_800));
  });
});
