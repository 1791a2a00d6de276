import { Duplex } from 'node:stream';
import { expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { lots, ppm, ticks, atoms, marketId } from '@orrery/units';
import { registerListing } from '../../../../exchange/src/listing.ts';
import { MemoryHeart } from '../../../../exchange/src/testing/memory-heart.ts';
import { Floor } from '../floor.ts';
import { LIMITS } from '../limits/limits.ts';
import { MemoryHistory } from '../testing/memory-history.ts';
import { Replica } from '../testing/replica.ts';
import { NOW } from '../testing/venue.ts';
import { eventually } from '../testing/venue.ts';
import { Connection } from './connection.ts';
import { PublicTopics } from './public-topics.ts';

const STREAM = { ...LIMITS.stream, conflateAboveBytes: 2_000, closeAboveBytes: 50_000 };
const BTC_USDC = marketId(1);

/** A reader that reads on demand, over a wire that buffers unread messages. */
function reader(clock: { now: number }) {
  const frames: Buffer[] = [];
  let isReading = true;
  let resume: (() => void) | undefined;
  const wire = new Duplex({
    read: () => undefined,
    write(frame: Buffer, _encoding, done) {
      frames.push(frame);
      if (isReading) done();
      else resume = done;
    },
  });
  const closes: number[] = [];
  const socket = { readyState: 1, OPEN: 1, close: (code: number) => closes.push(code), terminate: () => undefined } as unknown as WebSocket;
  const connection = new Connection({ socket, wire, ip: '127.0.0.1', id: 1, isFutures: false, limits: STREAM, now: () => clock.now });
  return {
    connection,
    closes,
    pause: () => (isReading = false),
    read: () => {
      isReading = true;
      resume?.();
    },
    messages: () => textsOf(Buffer.concat(frames)).map((text) => JSON.parse(text) as { resType: string; data: never }),
  };
}

/** Unmasked text frames of any length. */
function textsOf(bytes: Buffer): string[] {
  const texts: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const short = bytes[at + 1] ?? 0;
    const [header, length] =
      short < 126 ? [2, short] : short === 126 ? [4, bytes.readUInt16BE(at + 2)] : [10, Number(bytes.readBigUInt64BE(at + 2))];
    texts.push(bytes.toString('utf8', at + header, at + header + length));
    at += header + length;
  }
  return texts;
}

async function openMarket() {
  const clock = { now: NOW };
  const heart = new MemoryHeart(() => clock.now);
  await registerListing(heart);
  const history = new MemoryHistory(heart);
  const floor = await Floor.open({
    heart,
    marketHistory: history,
    pastReaches: () => Promise.resolve(),
    onFailure: (error) => {
      throw error;
    },
  });
  const topics = new PublicTopics(floor, () => clock.now);
  floor.listen(topics);
  const {
    events: [opened],
  } = await heart.submit({ type: 'OpenAccount', address: `0x${'1'.repeat(40)}` as never });
  if (opened?.type !== 'AccountOpened') throw new Error('no account');
  const { account } = opened;
  for (const flag of ['termsAccepted', 'whitelisted', 'connected'] as const)
    await heart.submit({ type: 'SetAccountFlag', account, flag, value: true });
  const usdc = atoms(10n ** 15n);
  await heart.submit({ type: 'CreditDeposit', key: 'one', address: opened.address, asset: 1 as never, amount: usdc });
  await heart.submit({ type: 'Transfer', account, transferId: 'one', asset: 1 as never, amount: usdc, from: 'funding', to: 'spot' });
  const churn = async (rounds: number): Promise<void> => {
    for (let round = 0; round < rounds; round += 1) {
      const { events, seq } = await heart.submit({
        type: 'PlaceOrder',
        account,
        market: BTC_USDC,
        clientOrderId: '',
        side: 'buy',
        orderType: 'limit',
        timeInForce: 'GTC',
        price: ticks(900_000 + (round % 90)),
        size: lots(10 + round),
        funds: atoms(0n),
        triggerPrice: ticks(0),
        slippagePpm: ppm(0),
        selfTradePrevention: 'expireTaker',
      });
      if (events[0]?.type !== 'OrderAccepted') throw new Error(JSON.stringify(events));
      if (round % 60 === 59) await heart.submit({ type: 'CancelAllOrders', account, market: 0 });
      await eventually(() => (floor.seq >= seq ? true : undefined), 'the views');
      topics.publishDepth();
    }
  };
  return { clock, heart, floor, topics, churn };
}

const replay = (messages: readonly { resType: string; data: never }[]): Replica => {
  const replica = new Replica();
  for (const { resType, data } of messages) {
    if (resType === 'qAllDepth') replica.whole(data);
    if (resType === 'qDepth') replica.level(data);
  }
  return replica;
};

test('O9: a slow reader misses changes, gets the whole book again when it has caught up, and ends with the same book as a fast one', async () => {
  const { clock, heart, topics, churn } = await openMarket();
  const [slow, quick] = [reader(clock), reader(clock)];
  const topic = { kind: 'market', market: BTC_USDC } as const;
  for (const { connection } of [slow, quick]) {
    topics.subscribe(connection, topic);
    topics.sendWhole(connection, topic);
  }
  slow.pause();
  await churn(200);
  const written = slow.messages().length;
  await churn(100);
  expect(slow.messages()).toHaveLength(written);
  slow.read();
  await new Promise((resolve) => setImmediate(resolve));
  topics.publishDepth();
  await churn(10);
  expect(slow.messages().filter(({ resType }) => resType === 'qAllDepth')).toHaveLength(2);
  const [left, right] = [replay(slow.messages()), replay(quick.messages())];
  expect(left.id).toBe(right.id);
  expect(left.checksum()).toBe(right.checksum());
  expect(right.proofs).toBeGreaterThan(300);
  expect(slow.closes).toEqual([]);
  heart.stop();
});

test('a reader who stays behind for longer than five seconds is closed with 1013', async () => {
  const { clock, heart, topics, churn } = await openMarket();
  const slow = reader(clock);
  slow.pause();
  topics.subscribe(slow.connection, { kind: 'market', market: BTC_USDC });
  await churn(60);
  expect(slow.closes).toEqual([]);
  clock.now += LIMITS.stream.closeBehindMs + 1;
  topics.publishDepth();
  expect(slow.closes).toEqual([1013]);
  heart.stop();
});

test('a reader to whom more is owed than can be kept is closed with 1013 at once', async () => {
  const { clock, heart } = await openMarket();
  const slow = reader(clock);
  slow.pause();
  slow.connection.say('x'.repeat(STREAM.closeAboveBytes + 1));
  slow.connection.say('y');
  expect(slow.closes[0]).toBe(1013);
  heart.stop();
});
