import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Seq, seq } from '@orrery/units';
import { FUTURES_STREAM_PATH, type Liquidation } from '@orrery/api';
import { giveMargin, setPrice } from '../testing/contract-floor.ts';
import { Ear, type Received } from '../testing/ear.ts';
import type { Person } from '../testing/people.ts';
import { seqOf } from '../testing/spot-calls.ts';
import { LIMITS } from '../limits/limits.ts';
import { eventually, openVenue, ROOMY, type Venue } from '../testing/venue.ts';

let venue: Venue;
beforeEach(async () => {
  venue = await openVenue();
  for (const person of [venue.alice, venue.bob]) await giveMargin(venue, person, '100000');
  await setPrice(venue, { symbol: 'BTC_USDC', price: '100000', rounds: 3 });
});
afterEach(async () => {
  Ear.closeAll();
  await venue.close();
});

const keyOf = async (as: Person): Promise<string> => (await venue.get('/futures/fapi/user/v1/user/listen-key', { as })).data;

async function listen(
  as: Person,
  { topics = ['trade', 'liquidation', 'position'], from }: { topics?: string[]; from?: number } = {},
): Promise<Ear> {
  const key = await keyOf(as);
  const ear = await Ear.open(venue.base, { path: FUTURES_STREAM_PATH });
  ear.say({ method: 'SUBSCRIBE', params: topics.map((topic) => `${topic}@${key}`), id: 1, ...(from !== undefined && { from }) });
  return ear;
}

/** One contract trade of alice with bob. @returns its command */
async function traded(origQty: string): Promise<number> {
  const body = { symbol: 'BTC_USDC', orderType: 'LIMIT', price: '100000', origQty };
  await venue.post('/futures/fapi/trade/v1/order/create', { as: venue.bob, body: { ...body, orderSide: 'SELL' } });
  return seqOf(await venue.post('/futures/fapi/trade/v1/order/create', { as: venue.alice, body: { ...body, orderSide: 'BUY' } }));
}

const seqsOf = (heard: readonly Received[]): readonly (number | undefined)[] => heard.map(({ seq: at }) => at);

test('[A9] J3: a private stream of contracts goes on where another one ended: trades and steps of liquidations of that command and later ones come first, in their order', async () => {
  const first = await listen(venue.alice);
  const known = await traded('1');
  await eventually(() => first.of('own_trade').find((heard) => heard.seq === known), 'the first trade');
  const sent = first.of('own_trade');
  first.socket.terminate();
  const missed = await traded('4');
  await setPrice(venue, { symbol: 'BTC_USDC', price: '75000', rounds: 20 });
  const second = await listen(venue.alice, { from: known });
  await eventually(() => second.of('ready')[2], 'all three');
  expect(second.of('own_trade').slice(0, 2)).toMatchObject([
    { ...sent[0], n: 1 },
    { seq: missed, data: { quantity: '4' } },
  ]);
  expect(second.of('liquidation').length).toBeGreaterThan(0);
  const happened = second.heard.filter(({ topic }) => topic === 'own_trade' || topic === 'liquidation');
  expect(seqsOf(happened)).toEqual(seqsOf(happened).toSorted((a, b) => Number(a) - Number(b)));
  expect(second.heard.findIndex(({ topic }) => topic === 'ready')).toBe(1 + happened.length);
  expect(second.of('gap')).toEqual([]);
  const onlySteps = await listen(venue.alice, { from: known, topics: ['liquidation'] });
  await onlySteps.next('ready');
  expect([onlySteps.of('own_trade'), onlySteps.of('liquidation').map(({ data }) => data)]).toEqual([
    [],
    second.of('liquidation').map(({ data }) => data),
  ]);
});

test('J3: what history has not reached is refused, and what is not here any more is named', async () => {
  const trade = await traded('1');
  const ahead = await listen(venue.alice, { from: 1_000_000 });
  expect((await ahead.next('error')).data).toMatchObject({
    reason: 'MalformedField',
    field: 'from',
  });
  const strange = await listen(venue.alice, { from: 0, topics: ['position'] });
  expect((await strange.next('error')).data).toMatchObject({
    field: 'from',
  });
  const whole = await listen(venue.alice, { from: 0 });
  await whole.next('own_trade');
  // Numbered before what follows it: a stream that ends between the two begins there again.
  expect(whole.heard.slice(1, 3)).toMatchObject([
    { topic: 'gap', n: 1, seq: 0, data: { from: 0, to: expect.any(Number) as number } },
    { topic: 'own_trade', n: 2, seq: trade },
  ]);
});

test('A2: a session that ends while its stream of contracts waits for history opens none', async () => {
  const end = Promise.withResolvers<Seq>();
  const from = venue.heart.status().seq + 10;
  let asked = 0;
  venue.heart.end = () => {
    asked += 1;
    return end.promise;
  };
  const ear = await listen(venue.alice, { from });
  await eventually(() => (asked === 1 ? true : undefined), 'the question');
  venue.people.end(venue.alice);
  expect(await eventually(() => ear.closed, 'the end')).toBe(1008);
  end.resolve(seq(from));
  expect(ear.heard).toEqual([]);
});

test('a stream that goes on costs more than a message: a connection that does so again and again is closed', async () => {
  await venue.close();
  venue = await openVenue({ limits: { ...ROOMY, stream: { ...ROOMY.stream, messages: LIMITS.stream.messages } } });
  const ear = await listen(venue.alice, { from: 0 });
  const key = await keyOf(venue.alice);
  for (let count = 0; count < 5; count += 1) ear.say({ method: 'SUBSCRIBE', params: [`trade@${key}`], id: 2, from: 0 });
  expect(await eventually(() => ear.closed, 'the end')).toBe(1008);
});

test('each step of a liquidation has an id of its own, also where one command takes several positions over', async () => {
  await setPrice(venue, { symbol: 'ETH_USDC', price: '4000', rounds: 3 });
  const body = { symbol: 'ETH_USDC', orderType: 'LIMIT', price: '4000', origQty: '20' };
  await venue.post('/futures/fapi/trade/v1/order/create', { as: venue.bob, body: { ...body, orderSide: 'SELL' } });
  await venue.post('/futures/fapi/trade/v1/order/create', { as: venue.alice, body: { ...body, orderSide: 'BUY' } });
  const ear = await listen(venue.alice);
  await traded('4.5');
  await setPrice(venue, { symbol: 'BTC_USDC', price: '75000', rounds: 20 });
  await eventually(() => ear.of('liquidation')[1], 'two steps');
  const steps = ear.of('liquidation');
  const data = steps.map((step) => step.data as Pick<Liquidation, 'id' | 'symbol'>);
  expect(new Set(data.map(({ symbol }) => symbol))).toEqual(new Set(['BTC_USDC', 'ETH_USDC']));
  expect(new Set(seqsOf(steps)).size).toBe(1);
  expect(new Set(data.map(({ id }) => id)).size).toBe(steps.length);
});
