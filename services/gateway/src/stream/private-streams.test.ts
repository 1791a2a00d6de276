import { type Seq, seq } from '@orrery/units';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AccountNews, NewsSource } from '../ports.ts';
import { Ear } from '../testing/ear.ts';
import { seqOf, spotCalls } from '../testing/spot-calls.ts';
import { eventually, openVenue, type Venue } from '../testing/venue.ts';

let venue: Venue;
beforeEach(async () => {
  venue = await openVenue();
});
afterEach(async () => {
  Ear.closeAll();
  await venue.close();
});

const { ticketOf, place } = spotCalls(() => venue);
const listen = (): Promise<Ear> => Ear.open(venue.base);

/** The command of an order of bob that takes from what alice has offered. */
const soldSeq = async (totalAmount: string): Promise<number> => seqOf(await place(venue.bob, 'SELL', '100000', totalAmount));

test('[A9] J3: an account is sent whole, then every change, numbered without a gap', async () => {
  const resting = await place(venue.alice, 'BUY', '100000', '0.02');
  const ear = await listen();
  ear.say({ sub: 'subUser', token: await ticketOf(venue.alice) });
  await ear.next('uReady');
  expect(ear.of('uOrder').map(({ data }) => data)).toMatchObject([
    { orderId: resting.data, direction: 1, state: 1, balanceType: 1, orderType: 1 },
  ]);
  const holds = ear.of('uBalance').map(({ data }) => data as { coin: string; balanceType: number; freeze: string });
  expect(holds.find(({ coin, balanceType }) => coin === 'USDC' && balanceType === 1)?.freeze).toBe('2000');
  await place(venue.bob, 'SELL', '100000', '0.01');
  expect((await ear.next('uTrade')).data).toMatchObject({
    orderId: resting.data,
    price: '100000',
    quantity: '0.01',
    feeCoin: 'BTC',
    fee: '0.000005',
    takerMaker: 'MAKER',
  });
  await ear.next('uOrder', ({ data }) => (data as { state: number }).state === 2);
  const numbers = ear.heard.flatMap(({ n }) => (n === undefined ? [] : [n]));
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
});

test('[A9] J3: a stream goes on where another one ended: the trades of that command and later ones come first, and one that history has not reached is refused', async () => {
  await place(venue.alice, 'BUY', '100000', '0.05');
  const first = await listen();
  first.say({ sub: 'subUser', token: await ticketOf(venue.alice) });
  await first.next('uReady');
  const known = await soldSeq('0.01');
  await eventually(() => first.of('uTrade').find(({ seq }) => seq === known), 'the first trade');
  first.socket.terminate();
  const missed = [await soldSeq('0.02'), await soldSeq('0.01')];
  const second = await listen();
  second.say({ sub: 'subUser', token: await ticketOf(venue.alice), from: known });
  const ready = await second.next('uReady');
  expect(second.of('uTrade').map(({ seq }) => seq)).toEqual([known, ...missed]);
  expect(second.heard.findIndex(({ resType }) => resType === 'uBalance')).toBeGreaterThan(2);
  expect(second.of('uGap')).toEqual([]);
  const third = await listen();
  third.say({ sub: 'subUser', token: await ticketOf(venue.alice), from: Number(ready.seq) + 1_000 });
  expect((await third.next('error')).data).toMatchObject({ reason: 'MalformedField', field: 'from' });
  const fourth = await listen();
  fourth.say({ sub: 'subUser', token: await ticketOf(venue.alice), from: 0 });
  await fourth.next('uReady');
  // Numbered before the trades that follow it: a stream that ends between the two begins there again.
  expect(fourth.of('uGap')).toMatchObject([{ seq: 0, data: { from: 0, to: expect.any(Number) as number } }]);
  expect(fourth.of('uTrade').map(({ seq }) => seq)).toEqual([known, ...missed]);
});

test('[T9] events of an account outside its trading reach its own streams, numbered among the rest', async () => {
  let announce: (news: AccountNews) => void = () => undefined;
  const news: NewsSource = {
    onNews(listener) {
      announce = listener;
      return () => undefined;
    },
  };
  await venue.close();
  venue = await openVenue({ news });
  const [alices, bobs] = [await listen(), await listen()];
  alices.say({ sub: 'subUser', token: await ticketOf(venue.alice) });
  bobs.say({ sub: 'subUser', token: await ticketOf(venue.bob) });
  await alices.next('uReady');
  await bobs.next('uReady');
  const award = { awardId: 'lucky:1', kind: 'LUCKY_BLOCK', points: 77_777, title: '{"en":"Lucky Block"}', at: 1 } as const;
  announce({ account: venue.alice.account, resType: 'uClaim', data: { status: 1 } });
  announce({ account: venue.alice.account, resType: 'uAward', data: award });
  expect((await alices.next('uAward')).data).toEqual(award);
  expect(alices.of('uClaim').map(({ data }) => data)).toEqual([{ status: 1 }]);
  const numbers = alices.heard.flatMap(({ n }) => (n === undefined ? [] : [n]));
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  expect([...bobs.of('uClaim'), ...bobs.of('uAward')]).toEqual([]);
});

test('[A10] a ticket is good once and for thirty seconds, and subscribes to its own account only', async () => {
  const ticket = await ticketOf(venue.alice);
  const [first, second] = [await listen(), await listen()];
  first.say({ sub: 'subUser', token: ticket });
  await first.next('uReady');
  second.say({ sub: 'subUser', token: ticket });
  expect((await second.next('error')).data).toMatchObject({ reason: 'NotSignedIn' });
  const late = await ticketOf(venue.alice);
  venue.clock.now += 30_000;
  second.say({ sub: 'subUser', token: late });
  await eventually(() => (second.of('error').length === 2 ? true : undefined), 'the second refusal');
  await place(venue.bob, 'BUY', '90000');
  await place(venue.alice, 'BUY', '91000');
  await first.next('uOrder');
  expect(first.of('uOrder').map(({ data }) => (data as { price: string }).price)).toEqual(['91000']);
});

test('A2: a ticket of a session that has ended since opens nothing', async () => {
  const [ticket, other] = [await ticketOf(venue.alice), await ticketOf(venue.alice)];
  const bobs = await ticketOf(venue.bob);
  venue.people.end(venue.alice);
  const ear = await listen();
  ear.say({ sub: 'subUser', token: ticket });
  expect((await ear.next('error')).data).toMatchObject({ reason: 'NotSignedIn' });
  ear.say({ op: 'login', id: 1, params: { token: other } });
  expect((await ear.next('reply')).data).toMatchObject({ reason: 'NotSignedIn' });
  ear.say({ op: 'login', id: 2, params: { token: bobs } });
  expect((await ear.next('reply', ({ id }) => id === 2)).code).toBe(0);
});

test('A2: an ended session and a blocked account lose their streams', async () => {
  const [ears, others] = [await listen(), await listen()];
  ears.say({ sub: 'subUser', token: await ticketOf(venue.alice) });
  others.say({ sub: 'subUser', token: await ticketOf(venue.bob) });
  await ears.next('uReady');
  await others.next('uReady');
  venue.people.end(venue.alice);
  await eventually(() => ears.closed, 'the end');
  expect(ears.closed).toBe(1008);
  await venue.heart.submit({ type: 'SetAccountFlag', account: venue.bob.account, flag: 'blocked', value: true });
  expect(await eventually(() => others.closed, 'the end')).toBe(1008);
});

test('A2: a session that ends, and an account that is blocked, while their stream waits for history opens none', async () => {
  const end = Promise.withResolvers<Seq>();
  const from = venue.heart.status().seq + 1;
  let asked = 0;
  venue.heart.end = () => {
    asked += 1;
    return end.promise;
  };
  const ears = [await listen(), await listen()] as const;
  // A connection without a topic would be closed as one that asks for nothing.
  for (const ear of ears) ear.say({ sub: 'subStats' });
  for (const [at, person] of [venue.alice, venue.bob].entries()) ears[at]?.say({ sub: 'subUser', token: await ticketOf(person), from });
  await eventually(() => (asked === 2 ? true : undefined), 'both questions');
  venue.people.end(venue.alice);
  await venue.heart.submit({ type: 'SetAccountFlag', account: venue.bob.account, flag: 'blocked', value: true });
  for (const ear of ears) expect(await eventually(() => ear.closed, 'the end')).toBe(1008);
  end.resolve(seq(from));
  await place(venue.bob, 'BUY', '90000');
  for (const ear of ears) expect(ear.heard.filter(({ n }) => n !== undefined)).toEqual([]);
});
