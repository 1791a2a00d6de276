/** Shares of funds in a portfolio: what is paid for them and by them is no gain, what a redemption pays above their cost is one. */
import { accountId, assert, assetId, atoms, lots, marketId, millis, ppm, ticks } from '@orrery/units';
import { FUND_VALUATION_MS } from '@orrery/rules';
import type { Command } from '@orrery/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MemoryHeart } from '../../../exchange/src/testing/memory-heart.ts';
import { gainsOf } from './fund-gains.ts';
import { Room } from './testing/room.ts';

const [LEADER, ALICE, BOB] = [1, 2, 3].map(accountId) as [
  ReturnType<typeof accountId>,
  ReturnType<typeof accountId>,
  ReturnType<typeof accountId>,
];
const [USDC, SHARE] = [assetId(1), assetId(21)];
const BTC_USDC = marketId(1);
const HOUR = 3_600_000;
const UNIT = 1_000_000n;

let room: Room;
let heart: MemoryHeart;
beforeAll(async () => {
  room = await Room.open();
});
afterAll(() => room.db.close());

async function must(command: Command): Promise<void> {
  const { events } = await heart.submit(command);
  const [first] = events;
  assert(
    first?.type !== 'CommandRejected',
    `${command.type}: ${first?.type === 'CommandRejected' ? `${first.reason} ${first.field}` : ''}`,
  );
}

let fund = accountId(1);

/** The next valuation, with BTC at this price in dollars. */
async function value(price: number): Promise<void> {
  const next = room.clock.now - (room.clock.now % FUND_VALUATION_MS) + FUND_VALUATION_MS;
  room.clock.now = next - 2_000;
  await must({ type: 'SendFundHeartbeat', account: fund });
  await must({ type: 'SetIndexPrice', market: BTC_USDC, price: ticks(price * 10) });
  room.clock.now = next + 1_000;
  await must({ type: 'ValueFund', fund: SHARE, interval: millis(next) });
  await heart.submit({ type: 'ContinueFund', fund: SHARE });
}

async function openWithBitcoin(): Promise<void> {
  heart = await room.begin();
  await must({ type: 'RegisterAsset', asset: SHARE, code: 'QUANTO1', decimals: 6, kind: 'internal' });
  const { events } = await heart.submit({ type: 'OpenAccount', address: `0x${'f'.repeat(40)}` as never });
  const [first] = events;
  assert(first?.type === 'AccountOpened', 'the account is open');
  fund = first.account;
  for (const flag of ['termsAccepted', 'whitelisted', 'connected'] as const)
    await must({ type: 'SetAccountFlag', account: fund, flag, value: true });
  const amount = atoms(10_000n * UNIT);
  await must({ type: 'OpenFund', fund: SHARE, account: fund, leader: LEADER, asset: USDC, amount, capacity: atoms(100_000n * UNIT) });
  await must({ type: 'SubscribeToFund', fund: SHARE, account: ALICE, subscriptionId: 's', amount: atoms(1_000n * UNIT) });
  await must({ type: 'SubscribeToFund', fund: SHARE, account: BOB, subscriptionId: 's', amount: atoms(10n * UNIT) });
  await value(100_000);
}

test('a subscription is neither gain nor loss; a redemption gains what it pays above the cost of its shares', async () => {
  await openWithBitcoin();
  // Half of the fund is BTC, which becomes a fifth dearer: shares are worth a tenth more.
  await must({ type: 'Transfer', account: fund, transferId: 't', asset: USDC, amount: atoms(6_000n * UNIT), from: 'funding', to: 'spot' });
  const order = {
    type: 'PlaceOrder',
    market: BTC_USDC,
    clientOrderId: '',
    orderType: 'limit',
    timeInForce: 'GTC',
    price: ticks(1_000_000),
    size: lots(5_505),
    funds: atoms(0n),
    triggerPrice: ticks(0),
    slippagePpm: ppm(0),
    selfTradePrevention: 'expireTaker',
  } as const;
  await must({ ...order, account: LEADER, side: 'sell' });
  await must({ ...order, account: fund, side: 'buy' });
  const projector = await room.start();
  const gainOf = async (account: typeof ALICE): Promise<number> => {
    await room.caughtUp(projector);
    const { points, latest } = await projector.history.portfolio.history({ account, range: '7d', scope: 'all' });
    const [begin] = points;
    assert(begin !== undefined && latest !== null, 'there is a beginning');
    return Number(latest.equity) - Number(begin.equity) - (Number(latest.net) - Number(begin.net));
  };
  room.clock.now += HOUR;
  const before = await gainOf(BOB);
  expect(await gainOf(ALICE)).toBe(before);
  room.clock.now += 26 * HOUR;
  await value(120_000);
  const priceAlone = await gainOf(BOB);
  expect(await gainOf(ALICE)).toBe(priceAlone);
  await must({ type: 'RedeemFromFund', fund: SHARE, account: ALICE, redemptionId: 'r', shares: atoms(500n * UNIT) });
  room.clock.now += 2 * 60_000;
  await value(120_000);
  // Five hundred shares bring about 550, less a tenth of the gain, and had cost 500.
  const gained = (await gainOf(ALICE)) - (await gainOf(BOB));
  expect(gained).toBeGreaterThan(44);
  expect(gained).toBeLessThan(46);
  const { items } = await projector.history.bills({ account: ALICE, coin: 'QUANTO1', page: 1, size: 10 });
  expect(items.map(({ type, amount }) => `${type} ${Number(amount).toFixed(0)}`)).toEqual([
    'PERFORMANCE_FEE -5',
    'REDEMPTION -495',
    'SUBSCRIPTION 1000',
  ]);
  await projector.stop();
  expect(room.troubles).toEqual([]);
});

test('a fee takes shares and leaves their cost; the shares of the leader from fees cost nothing', () => {
  const bill = { at: HOUR / 2, asset: SHARE, kind: 'SUBSCRIPTION' as const, reference: 's' };
  const money = { ...bill, asset: USDC };
  const gains = gainsOf(
    [
      { ...money, seq: 1, amount: atoms(-100n) },
      { ...bill, seq: 2, amount: atoms(100n) },
      { ...bill, seq: 3, kind: 'PERFORMANCE_FEE', reference: 'fund:21', amount: atoms(-20n) },
      { ...bill, seq: 4, kind: 'PERFORMANCE_FEE', reference: 'of another', amount: atoms(120n) },
      { ...money, seq: 5, kind: 'REDEMPTION', reference: 'r', amount: atoms(150n) },
      { ...bill, seq: 5, kind: 'REDEMPTION', reference: 'r', amount: atoms(-90n) },
      { ...bill, seq: 5, kind: 'PERFORMANCE_FEE', reference: 'r', amount: atoms(-10n) },
      { ...money, seq: 6, reference: 'back', amount: atoms(-70n) },
      { ...money, seq: 7, reference: 'back', amount: atoms(70n) },
    ],
    USDC,
  );
  expect(gains).toEqual([{ endsAt: HOUR, amount: 100n }]);
});

test('a round of a fund that closes returns the cost of shares that stay; what is beyond it is gained', () => {
  const bill = { at: HOUR / 2, asset: SHARE, kind: 'SUBSCRIPTION' as const, reference: 's' };
  const money = { ...bill, asset: USDC };
  const round = { ...money, kind: 'REDEMPTION' as const, reference: 'fund:21' };
  const gains = gainsOf(
    [
      { ...money, seq: 1, amount: atoms(-100n) },
      { ...bill, seq: 2, amount: atoms(100n) },
      { ...round, seq: 3, amount: atoms(70n) },
      { ...round, seq: 4, amount: atoms(40n) },
      { ...round, seq: 5, amount: atoms(5n) },
      { ...bill, seq: 5, kind: 'REDEMPTION', reference: 'fund:21', amount: atoms(-100n) },
    ],
    USDC,
  );
  expect(gains).toEqual([0n, 10n, 5n].map((amount) => ({ endsAt: HOUR, amount })));
});
