/** What moves between funding wallets and the escrow of OTC trading: each movement is a bill, and the bills add up to what the engine has. */
import type { Command } from '@orrery/protocol';
import { accountId, advertisementId, assetId, atoms, cents, fiatPrice, NO_CENTS, otcOrderId } from '@orrery/units';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../../exchange/src/database.ts';
import type { MemoryHeart } from '../../../exchange/src/testing/memory-heart.ts';
import type { ProjectorTables } from './index.ts';
import { Room } from './testing/room.ts';

const USDC = assetId(1);
const alice = accountId(1);
const bob = accountId(2);
const MINUTE = 60_000;

let room: Room;
let db: Database<ProjectorTables>;
let heart: MemoryHeart;
beforeAll(async () => {
  room = await Room.open();
  db = room.db;
});
afterAll(() => db.close());
beforeEach(async () => {
  heart = await room.begin();
  const times = { disputeAfterMs: 30 * MINUTE, autoDisputeMs: 1_440 * MINUTE, appealWindowMs: 60 * MINUTE, holdMs: 1_440 * MINUTE };
  await submit({ type: 'SetOtcTerms', ...times, depositAsset: USDC, merchantDeposit: usdc(500) });
});

const usdc = (amount: number) => atoms(BigInt(amount) * 1_000_000n);

async function submit(command: Command): Promise<void> {
  const { events } = await heart.submit(command);
  expect(events.find(({ type }) => type === 'CommandRejected')).toBeUndefined();
}

/** The exchange is heard of: a silence of more than a minute would be an outage. */
async function pass(minutes: number): Promise<void> {
  for (let half = 0; half < 2 * minutes; half += 1) {
    room.clock.now += MINUTE / 2;
    await submit({ type: 'RunOtcTimers' });
  }
}

const TERMS = {
  pricing: { kind: 'FIXED', price: fiatPrice(70_000n) },
  minTotal: cents(100n),
  maxTotal: cents(10_000_000n),
  payWindowMs: 15 * MINUTE,
} as const;

const publish = (account: typeof alice, side: 'buy' | 'sell') =>
  submit({
    type: 'PublishAdvertisement',
    account,
    clientAdvertisementId: side,
    side,
    asset: USDC,
    currency: 'cny',
    ...TERMS,
    amount: usdc(100),
  });
const take = (account: typeof alice, advertisement: number, name: string) =>
  submit({
    type: 'CreateOtcOrder',
    account,
    clientOrderId: name,
    advertisement: advertisementId(advertisement),
    amount: usdc(10),
    total: NO_CENTS,
    price: fiatPrice(70_000n),
  });

test('[A11] J4: published, taken, released, cancelled, expired and taken down: a bill each, by advertisement or order', async () => {
  await publish(alice, 'sell');
  for (const name of ['released', 'cancelled', 'expired']) await take(bob, 1, name);
  await submit({ type: 'MarkOtcOrderPaid', account: bob, order: otcOrderId(1) });
  await submit({ type: 'ReleaseOtcOrder', account: alice, order: otcOrderId(1) });
  await submit({ type: 'CancelOtcOrder', account: bob, order: otcOrderId(2) });
  await submit({ type: 'UpdateAdvertisement', account: alice, advertisement: advertisementId(1), ...TERMS, amount: usdc(50) });
  await submit({ type: 'SetAdvertisementState', account: alice, advertisement: advertisementId(1), state: 'TAKEN_DOWN' });
  await pass(16);
  await publish(bob, 'buy');
  await take(alice, 2, 'sold');
  await submit({ type: 'CancelOtcOrder', account: bob, order: otcOrderId(4) });
  await submit({ type: 'DepositAsMerchant', account: alice, key: 'merchant-1' });
  await submit({ type: 'ReturnMerchantDeposit', account: alice, key: 'merchant-1' });
  const projector = await room.start();
  await room.caughtUp(projector);
  const billsOf = async (account: typeof alice) =>
    (await projector.history.bills({ account, page: 1, size: 50, kind: 'OTC' })).items
      .toReversed()
      .map((bill) => `${bill.amount} ${bill.reference}`);
  expect(await billsOf(alice)).toEqual([
    '-100 advertisement:1',
    '30 advertisement:1',
    '50 advertisement:1',
    '10 otc:3',
    '-10 otc:4',
    '10 otc:4',
    '-500 merchant',
    '500 merchant',
  ]);
  expect(await billsOf(bob)).toEqual(['10 otc:1']);
  expect(room.troubles).toEqual([]);
  await projector.stop();
});

test('[A11] J4: a deposit that has paid for a dispute is filled up by what it has paid', async () => {
  const order = otcOrderId(1);
  await submit({ type: 'DepositAsMerchant', account: bob, key: 'merchant-1' });
  await publish(bob, 'buy');
  await take(alice, 1, 'disputed');
  await submit({ type: 'MarkOtcOrderPaid', account: bob, order });
  await pass(31);
  await submit({ type: 'DisputeOtcOrder', account: alice, order });
  await submit({ type: 'DecideOtcDispute', order, outcome: 'RETURNED', nth: 1 });
  await pass(61);
  await submit({ type: 'PayFromMerchantDeposit', key: 'payment-1', order, amount: usdc(120) });
  await submit({ type: 'DepositAsMerchant', account: bob, key: 'merchant-2' });
  const projector = await room.start();
  await room.caughtUp(projector);
  const billsOf = async (account: typeof alice) =>
    (await projector.history.bills({ account, page: 1, size: 50, kind: 'OTC' })).items
      .toReversed()
      .map((bill) => `${bill.amount} ${bill.reference}`);
  expect(await billsOf(bob)).toEqual(['-500 merchant', '-120 merchant']);
  expect(await billsOf(alice)).toEqual(['-10 otc:1', '10 otc:1', '120 otc:1']);
  expect(room.troubles).toEqual([]);
  await projector.stop();
});
