import { describe, expect, test } from 'vitest';
import { atoms, NO_ATOMS } from '@orrery/units';
import { usdc, USDC } from '../testing/contract-scene.ts';
import { BTC_PERP, COIN_PERP, ETH_PERP, eventsOf, FUND, FundScene, PRICE } from '../testing/fund-scene.ts';

const DAY_MS = 24 * 3_600_000;

describe('a subscription', () => {
  test('takes the money at once, and gives shares at the next valuation', () => {
    const scene = new FundScene();
    const anna = scene.saver(500);
    scene.subscribe(anna, 400);
    expect(scene.wallet(anna, USDC, 'funding')).toBe(usdc(100));
    expect(scene.system('FUND_QUEUE')).toBe(usdc(400));
    expect(scene.shares(anna)).toBe(0n);
    const events = scene.pass(PRICE);
    expect(eventsOf(events, 'FundSubscribed')).toMatchObject([
      { account: anna, amount: usdc(400), shares: usdc(400), nav: 1_000_000_000n },
    ]);
    expect(scene.shares(anna)).toBe(usdc(400));
    expect(scene.system('FUND_QUEUE')).toBe(0n);
    expect(scene.wallet(scene.manager, USDC, 'funding')).toBe(usdc(1_400));
    scene.replay();
  });

  test('is executed at a price that nobody knew when it came', () => {
    const scene = new FundScene();
    scene.arm('futures', 1_000);
    // 0.4 BTC: 400 USDC at 1,000, the most that the fund may have of one contract.
    scene.trade(scene.manager, scene.street, 40_000, PRICE, { market: BTC_PERP });
    scene.pass(PRICE);
    const anna = scene.saver(1_000);
    // The index has jumped by 5 %, the mark follows: the subscription is paid by what the jump made of the fund.
    scene.move(10_500, 1);
    scene.subscribe(anna, 1_000);
    const [subscribed] = eventsOf(scene.pass(10_500), 'FundSubscribed');
    const gained = (subscribed?.nav ?? 0n) - 1_000_000_000n;
    expect(gained).toBe(20_000_000n);
    expect(subscribed?.shares).toBe((usdc(1_000) * usdc(1_000)) / usdc(1_020));
  });

  test('that comes within a minute of a valuation waits for the one after it', () => {
    const scene = new FundScene();
    const anna = scene.saver(1_000);
    scene.pass(PRICE);
    scene.at += 600_000 - 50_000 - (scene.at % 600_000);
    const [queued] = eventsOf(scene.subscribe(anna, 100), 'FundSubscriptionQueued');
    expect(eventsOf(scene.pass(PRICE), 'FundSubscribed')).toEqual([]);
    const events = scene.pass(PRICE);
    expect(eventsOf(events, 'FundSubscribed')).toHaveLength(1);
    expect(eventsOf(events, 'FundValued')[0]?.interval).toBe(queued?.interval);
  });

  test('names what is too small, too much and unknown', () => {
    const scene = new FundScene();
    const anna = scene.saver(2_000_000);
    expect(scene.subscribe(anna, 9.99)).toMatchObject([{ reason: 'SubscriptionTooSmall', field: 'amount' }]);
    expect(scene.subscribe(anna, 999_001)).toMatchObject([{ reason: 'FundFull', figures: { asked: usdc(999_001), limit: usdc(19_000) } }]);
    expect(scene.subscribe(scene.manager, 100)).toMatchObject([{ reason: 'FundAccount' }]);
    expect(scene.refusal({ type: 'SubscribeToFund', fund: USDC, account: anna, subscriptionId: 'x', amount: usdc(100) })).toBe(
      'UnknownFund',
    );
  });

  test('comes once, whatever is repeated', () => {
    const scene = new FundScene();
    const anna = scene.saver(1_000);
    const command = { type: 'SubscribeToFund', fund: FUND, account: anna, subscriptionId: 'once', amount: usdc(100) } as const;
    scene.must(command);
    expect(scene.give(command)).toEqual([{ type: 'CommandRepeated', key: 'once' }]);
    expect(scene.refusal({ ...command, amount: usdc(101) })).toBe('KeyConflict');
    scene.pass(PRICE);
    scene.restart();
    expect(scene.give(command)).toEqual([{ type: 'CommandRepeated', key: 'once' }]);
    expect(scene.shares(anna)).toBe(usdc(100));
  });

  test('beyond the part of the leader is refused, with those that wait: it takes no room from others', () => {
    const scene = new FundScene(10_000);
    const large = scene.saver(990_000);
    const anna = scene.saver(1_000);
    const room = (money: number): object => ({ type: 'CommandRejected', reason: 'FundFull', figures: { limit: usdc(money) } });
    expect(scene.subscribe(large, 990_000)).toMatchObject([room(190_000)]);
    expect(eventsOf(scene.subscribe(anna, 100), 'FundSubscriptionQueued')).toHaveLength(1);
    expect(scene.subscribe(large, 189_901)).toMatchObject([room(189_900)]);
    expect(eventsOf(scene.subscribe(large, 189_900), 'FundSubscriptionQueued')).toHaveLength(1);
    expect(eventsOf(scene.pass(PRICE), 'FundSubscribed')).toHaveLength(2);
    expect(scene.subscribe(anna, 10)).toMatchObject([room(0)]);
    // What the leader has queued comes before it.
    scene.credit(scene.leader, USDC, usdc(10));
    scene.subscribe(scene.leader, 10);
    expect(scene.subscribe(anna, 191)).toMatchObject([room(190)]);
    scene.subscribe(anna, 190);
    expect(eventsOf(scene.pass(PRICE), 'FundSubscribed')).toHaveLength(2);
  });

  test('is refused, and no more, where the leader has redeemed down to its part', () => {
    const scene = new FundScene(10_000);
    const anna = scene.saver(181_000);
    scene.subscribe(anna, 180_000);
    scene.pass(PRICE);
    // 9,474 of 189,474 shares would be its part; while they wait they are 189,474 and 526.
    scene.must({ type: 'RedeemFromFund', fund: FUND, account: scene.leader, redemptionId: 'r', shares: usdc(526) });
    expect(scene.subscribe(anna, 10)).toMatchObject([{ reason: 'FundFull', figures: { limit: 0n } }]);
    expect(eventsOf(scene.pass(PRICE), 'FundRedeemed')).toHaveLength(1);
    expect(scene.subscribe(anna, 10)).toMatchObject([{ reason: 'FundFull', figures: { limit: usdc(6) } }]);
  });

  test('is paid back where a lower NAV makes it more shares than the part of the leader allows', () => {
    const scene = new FundScene();
    const anna = scene.saver(20_000);
    scene.arm('spot', 100);
    scene.must(scene.spotOrder(scene.street, 'sell', 10_000, PRICE));
    scene.must(scene.spotOrder(scene.manager, 'buy', 10_000, PRICE));
    scene.subscribe(anna, 19_000);
    expect(eventsOf(scene.pass(PRICE - 100), 'FundSubscriptionReturned')).toMatchObject([{ amount: usdc(19_000), reason: 'leaderShare' }]);
    expect(scene.wallet(anna, USDC, 'funding')).toBe(usdc(20_000));
  });

  test('beyond the capacity that is left by then is paid back', () => {
    const scene = new FundScene();
    const anna = scene.saver(10_000);
    scene.subscribe(anna, 5_000);
    scene.must({ type: 'SetFundCapacity', fund: FUND, capacity: usdc(5_999) });
    expect(eventsOf(scene.pass(PRICE), 'FundSubscriptionReturned')).toMatchObject([{ reason: 'capacity' }]);
  });
});

describe('the first share', () => {
  test('is the leader’s, and cannot be made dear by a gift', () => {
    const scene = new FundScene();
    const thief = scene.saver(100_000);
    expect(
      scene.refusal({
        type: 'WithdrawInternally',
        account: thief,
        withdrawalId: `0x${'1'.repeat(64)}`,
        asset: USDC,
        amount: usdc(50_000),
        to: scene.addressOf(scene.manager),
      }),
    ).toBe('FundAccount');
    // A deposit from the chain waits outside of the fund.
    scene.must({ type: 'CreditDeposit', key: 'gift', address: scene.addressOf(scene.manager), asset: USDC, amount: usdc(50_000) });
    const [valued] = eventsOf(scene.pass(PRICE), 'FundValued');
    expect(valued).toMatchObject({ worth: usdc(1_000), nav: 1_000_000_000n });
    const anna = scene.saver(10);
    scene.subscribe(anna, 10);
    scene.pass(PRICE);
    expect(scene.shares(anna)).toBe(usdc(10));
  });

  test('costs the leader 1,000 units, of an account that has nothing', () => {
    const scene = new FundScene();
    const open = {
      type: 'OpenFund',
      fund: FUND,
      account: scene.street,
      leader: scene.leader,
      asset: USDC,
      amount: usdc(1_000),
      capacity: usdc(9_000),
    } as const;
    expect(scene.refusal(open)).toBe('AlreadyRegistered');
    const assetOf = (asset: number): typeof FUND => asset as typeof FUND;
    scene.must({ type: 'RegisterAsset', asset: assetOf(11), code: 'FUND2', decimals: 6, kind: 'internal' });
    const rich = scene.saver(5_000);
    const other = { ...open, fund: assetOf(11), leader: rich };
    expect(scene.refusal({ ...other, amount: usdc(999) })).toBe('SubscriptionTooSmall');
    expect(scene.refusal(other)).toBe('FundAccountInUse');
    expect(scene.refusal({ ...other, account: scene.manager })).toBe('FundAccount');
    // What a merchant has deposited is its money.
    const merchant = scene.saver(500);
    const times = { disputeAfterMs: 1_800_000, autoDisputeMs: 86_400_000, appealWindowMs: 3_600_000, holdMs: 86_400_000 };
    scene.must({ type: 'SetOtcTerms', ...times, merchantDeposit: usdc(500), depositAsset: USDC });
    scene.must({ type: 'DepositAsMerchant', account: merchant, key: 'm' });
    expect(scene.refusal({ ...other, account: merchant })).toBe('FundAccountInUse');
    const empty = scene.person(NO_ATOMS);
    scene.must({ ...other, account: empty });
    expect(scene.give({ ...other, account: empty })).toMatchObject([{ type: 'CommandRepeated' }]);
  });
});

describe('a redemption', () => {
  test('is paid at the next valuation, less the performance fee, which is the leader’s in shares', () => {
    const scene = new FundScene();
    const anna = scene.saver(1_000);
    scene.subscribe(anna, 1_000);
    scene.pass(PRICE);
    scene.arm('futures', 2_000);
    scene.trade(scene.manager, scene.street, 80_000, PRICE, { market: BTC_PERP });
    scene.at += DAY_MS;
    scene.move(12_500, 1);
    scene.pass(12_500);
    // 80,000 lots × 2,500 ticks: 200 USDC of 2,000.
    expect(scene.fund?.nav).toBe(1_100_000_000n);
    scene.redeem(anna, 500);
    const [redeemed] = eventsOf(scene.pass(12_500), 'FundRedeemed');
    // A tenth of 0.1 on 500 shares is 5 USDC, which are 4.545455 shares at 1.1.
    expect(redeemed).toMatchObject({ shares: usdc(500), fee: 4_545_455n, amount: 544_999_999n, left: 0n });
    expect(scene.wallet(anna, USDC, 'funding')).toBe(544_999_999n);
    expect(scene.shares(scene.leader)).toBe(usdc(1_000) + 4_545_455n);
    expect(scene.shares(anna)).toBe(usdc(500));
    scene.replay();
  });

  test('waits for a day after the last subscription', () => {
    const scene = new FundScene();
    const anna = scene.saver(1_000);
    scene.subscribe(anna, 500);
    scene.pass(PRICE);
    expect(scene.redeem(anna, 1)).toMatchObject([{ reason: 'SharesLocked' }]);
    scene.at += DAY_MS;
    scene.pass(PRICE);
    scene.redeem(anna, 1);
    expect(eventsOf(scene.pass(PRICE), 'FundRedeemed')).toHaveLength(1);
    scene.subscribe(anna, 100);
    scene.pass(PRICE);
    expect(scene.redeem(anna, 1)).toMatchObject([{ reason: 'SharesLocked' }]);
  });

  test('before a known fall gets what the fall leaves', () => {
    const scene = new FundScene();
    const anna = scene.saver(1_000);
    scene.subscribe(anna, 1_000);
    scene.pass(PRICE);
    scene.arm('futures', 2_000);
    scene.trade(scene.manager, scene.street, 80_000, PRICE, { market: BTC_PERP });
    scene.at += DAY_MS;
    scene.pass(PRICE);
    scene.move(9_500, 1);
    scene.redeem(anna, 1_000);
    expect(eventsOf(scene.pass(9_500), 'FundRedeemed')).toMatchObject([{ amount: usdc(980), fee: 0n }]);
  });

  test('of one share a hundred times at once pays a hundred shares, and no more than there are', () => {
    const scene = new FundScene();
    const anna = scene.saver(1_000);
    scene.subscribe(anna, 100);
    scene.pass(PRICE);
    scene.at += DAY_MS;
    scene.pass(PRICE);
    for (let count = 0; count < 100; count += 1) expect(scene.redeem(anna, 1)[0]?.type).toBe('FundRedemptionQueued');
    expect(scene.redeem(anna, 1)).toMatchObject([{ reason: 'InsufficientBalance', field: 'shares' }]);
    expect(eventsOf(scene.pass(PRICE), 'FundRedeemed')).toHaveLength(100);
    expect(scene.shares(anna)).toBe(0n);
    expect(scene.wallet(anna, USDC, 'funding')).toBe(usdc(1_000));
    scene.replay();
  });

  test('of the leader leaves its part, also when others subscribe meanwhile', () => {
    const scene = new FundScene(10_000);
    const anna = scene.saver(200_000);
    expect(scene.redeem(scene.leader, 9_001)).toMatchObject([{ reason: 'LeaderShareTooSmall' }]);
    scene.subscribe(anna, 100_000);
    scene.redeem(scene.leader, 9_000);
    // The shares that the leader redeems are no part of it any more.
    expect(scene.subscribe(anna, 10)).toMatchObject([{ reason: 'FundFull' }]);
    const events = scene.pass(PRICE);
    expect(eventsOf(events, 'FundSubscribed')).toHaveLength(1);
    expect(eventsOf(events, 'FundRedemptionReturned')).toMatchObject([
      { account: scene.leader, shares: usdc(9_000), reason: 'leaderShare' },
    ]);
    expect(scene.shares(scene.leader)).toBe(usdc(10_000));
  });
});

describe('prices that are not fresh', () => {
  test('keep what waits waiting, and an event says of which market', () => {
    const scene = new FundScene();
    scene.arm('futures', 1_000);
    scene.trade(scene.manager, scene.street, 10_000, PRICE, { market: ETH_PERP });
    const anna = scene.saver(1_000);
    scene.subscribe(anna, 1_000);
    const next = scene.at - (scene.at % 600_000) + 600_000;
    scene.at = next + 100;
    const events = scene.must({ type: 'SendFundHeartbeat', account: scene.manager });
    expect(eventsOf(events, 'FundValuationMissed')).toMatchObject([{ market: ETH_PERP, interval: next }]);
    expect(scene.system('FUND_QUEUE')).toBe(usdc(1_000));
    expect(eventsOf(scene.pass(PRICE), 'FundSubscribed')).toHaveLength(1);
  });

  test('of nothing that the fund holds do not matter', () => {
    const scene = new FundScene();
    const anna = scene.saver(1_000);
    scene.subscribe(anna, 1_000);
    scene.at += 700_000;
    expect(eventsOf(scene.must({ type: 'SendFundHeartbeat', account: scene.manager }), 'FundSubscribed')).toHaveLength(1);
  });
});

describe('the performance fee', () => {
  test('is above each holder’s own high-water mark', () => {
    const scene = new FundScene();
    const [anna, ben] = [scene.saver(1_000), scene.saver(1_000)];
    scene.subscribe(anna, 1_000);
    scene.pass(PRICE);
    scene.arm('futures', 2_000);
    scene.trade(scene.manager, scene.street, 80_000, PRICE, { market: BTC_PERP });
    scene.move(12_500, 1);
    scene.subscribe(ben, 1_000);
    scene.pass(12_500);
    const marks = new Map(scene.fund?.holders.map(({ account, highWaterMark }) => [account, highWaterMark]));
    expect(marks.get(anna)).toBe(1_000_000_000n);
    expect(marks.get(ben)).toBe(1_100_000_000n);
    scene.at += DAY_MS;
    scene.pass(12_500);
    scene.redeem(anna, 100);
    scene.redeem(ben, 100);
    const [first, second] = eventsOf(scene.pass(12_500), 'FundRedeemed');
    expect(first?.fee).toBe(909_091n);
    expect(second?.fee).toBe(0n);
  });

  test('of a month is taken at its end, once, and marks the NAV', () => {
    const scene = new FundScene();
    const anna = scene.saver(1_000);
    scene.subscribe(anna, 1_000);
    scene.pass(PRICE);
    scene.arm('futures', 2_000);
    scene.trade(scene.manager, scene.street, 80_000, PRICE, { market: BTC_PERP });
    // The scene begins on 12 January 1970.
    scene.at = Date.UTC(1970, 0, 31, 23, 55);
    scene.move(12_500, 1);
    const taken = eventsOf(scene.pass(12_500), 'FundFeeTaken');
    expect(taken).toEqual([
      { type: 'FundFeeTaken', fund: FUND, account: anna, shares: 9_090_910n, nav: 1_100_000_000n, leader: scene.leader },
    ]);
    expect(scene.shares(anna)).toBe(usdc(1_000) - 9_090_910n);
    expect(scene.fund?.nav).toBe(1_100_000_000n);
    expect(eventsOf(scene.pass(12_500), 'FundFeeTaken')).toEqual([]);
    scene.redeem(anna, 100);
    expect(eventsOf(scene.pass(12_500), 'FundRedeemed')).toMatchObject([{ fee: 0n }]);
    scene.replay();
  });
});

describe('the account of a fund', () => {
  test('has no door: no withdrawal, no award, no practice money, no subscription', () => {
    const scene = new FundScene();
    const account = scene.manager;
    const to = scene.addressOf(scene.leader);
    const withdrawalId = `0x${'2'.repeat(64)}`;
    expect(scene.refusal({ type: 'RequestWithdrawal', account, withdrawalId, asset: USDC, amount: usdc(1), to })).toBe('FundAccount');
    expect(scene.refusal({ type: 'WithdrawInternally', account, withdrawalId, asset: USDC, amount: usdc(1), to })).toBe('FundAccount');
    scene.must({ type: 'FundBudget', key: 'b', budget: 'rewards', asset: USDC, amount: usdc(10) });
    expect(scene.refusal({ type: 'AwardFromBudget', key: 'a', budget: 'rewards', account, asset: USDC, amount: usdc(1) })).toBe(
      'FundAccount',
    );
  });

  test('trades within its limits: 40 % a contract, three times in all', () => {
    const scene = new FundScene(10_000);
    scene.arm('futures', 10_000);
    const order = scene.order(scene.manager, 'buy', 400_001, PRICE, { market: BTC_PERP });
    expect(scene.give(order)).toMatchObject([{ reason: 'FundContractExceeded', figures: { limit: usdc(4_000) } }]);
    scene.must({ ...order, size: scene.order(scene.manager, 'buy', 400_000, PRICE).size });
    // The order rests: another one counts with it, and one that closes what is open does not.
    expect(scene.give(scene.order(scene.manager, 'buy', 1, PRICE, { market: BTC_PERP }))).toMatchObject([
      { reason: 'FundContractExceeded' },
    ]);
    scene.must(scene.order(scene.street, 'sell', 400_000, PRICE, { market: BTC_PERP }));
    scene.move(12_000, 1);
    scene.must(scene.order(scene.manager, 'sell', 400_000, 12_100, { market: BTC_PERP }));
  });

  test('trades only what is settled in its asset', () => {
    const scene = new FundScene();
    expect(scene.refusal(scene.order(scene.manager, 'buy', 1, PRICE, { market: COIN_PERP }))).toBe('FundMarketRefused');
  });
});

describe('shares', () => {
  test('have no door but a redemption', () => {
    const scene = new FundScene();
    const account = scene.leader;
    const money = { asset: FUND, amount: atoms(1n) };
    expect(scene.refusal({ type: 'Transfer', account, transferId: 'a', ...money, from: 'funding', to: 'spot' })).toBe('FundShare');
    const to = scene.addressOf(scene.street);
    const withdrawalId = `0x${'3'.repeat(64)}`;
    expect(scene.refusal({ type: 'RequestWithdrawal', account, withdrawalId, ...money, to })).toBe('FundShare');
    expect(scene.refusal({ type: 'WithdrawInternally', account, withdrawalId, ...money, to })).toBe('FundShare');
    for (const budget of ['rewards', 'insurance'] as const)
      expect(scene.refusal({ type: 'FundBudget', key: budget, budget, ...money })).toBe('FundShare');
    expect(scene.refusal({ type: 'CreditDeposit', key: 'd', address: to, ...money })).toBe('FundShare');
  });
});
