import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { ApiError, FUTURES_STREAM_PATH, type FuturesFill, type FuturesOrder } from '@orrery/api';
import { atoms, orderId, type Atoms, type OrderId } from '@orrery/units';
import { giveMargin, setPrice } from '../testing/contract-floor.ts';
import { MemoryContractHistory } from '../testing/memory-contract-history.ts';
import type { Person } from '../testing/people.ts';
import { eventually, openVenue, type Answer, type Venue } from '../testing/venue.ts';

const trade = '/futures/fapi/trade/v1';

/** Knows what was realised by orders that it is given. */
class KnowingHistory extends MemoryContractHistory {
  readonly realised = new Map<OrderId, Atoms>();

  isAway = false;

  override async closeProfits(): Promise<ReadonlyMap<OrderId, Atoms>> {
    if (this.isAway) throw new ApiError('Upstream', { field: 'the database', retryAfterSeconds: 1 });
    return this.realised;
  }
}

const history = new KnowingHistory();
let venue: Venue;
beforeAll(async () => {
  venue = await openVenue({ contractHistory: history });
  for (const person of [venue.alice, venue.bob]) await giveMargin(venue, person, '100000');
  await setPrice(venue, { symbol: 'BTC_USDC', price: '100000', rounds: 3 });
});
afterAll(() => venue.close());

const place = (as: Person, body: object): Promise<Answer> =>
  venue.post(`${trade}/order/create`, { as, body: { symbol: 'BTC_USDC', orderType: 'LIMIT', price: '100000', ...body } });

async function fillsOf(as: Person): Promise<(orderId: string) => Promise<FuturesFill>> {
  const key: string = (await venue.get('/futures/fapi/user/v1/user/listen-key', { as })).data;
  const socket = new WebSocket(`${venue.base.replace('http', 'ws')}${FUTURES_STREAM_PATH}`);
  onTestFinished(() => socket.close());
  const fills: FuturesFill[] = [];
  socket.on('message', (raw: Buffer) => {
    const { topic, data } = JSON.parse(raw.toString('utf8')) as { topic?: string; data: FuturesFill };
    if (topic === 'own_trade') fills.push(data);
  });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const subscribed = new Promise((resolve) => socket.once('message', resolve));
  socket.send(JSON.stringify({ method: 'SUBSCRIBE', params: [`trade@${key}`], id: 1 }));
  await subscribed;
  return (id) => eventually(() => fills.find((fill) => fill.orderId === id), 'a fill of the order');
}

test('[F4] the stream says of each fill what it has realised, to the maker and to the taker', async () => {
  const { alice, bob } = venue;
  const [ofAlice, ofBob] = [await fillsOf(alice), await fillsOf(bob)];
  const opening = await place(alice, { orderSide: 'BUY', origQty: '0.1' });
  await place(bob, { orderSide: 'SELL', origQty: '0.1' });
  const closing = await place(alice, { orderSide: 'SELL', origQty: '0.1', price: '100100' });
  const other = await place(bob, { orderSide: 'BUY', origQty: '0.1', price: '100100' });
  expect(await ofAlice(opening.data)).toMatchObject({ closeProfit: '0', takerMaker: 'MAKER' });
  expect(await ofAlice(closing.data)).toMatchObject({ closeProfit: '10', takerMaker: 'MAKER' });
  expect(await ofBob(other.data)).toMatchObject({ closeProfit: '-10', takerMaker: 'TAKER' });
});

test('[F1] an open order shows what its fills have realised until now', async () => {
  const { alice, bob } = venue;
  await place(alice, { orderSide: 'BUY', origQty: '0.2' });
  await place(bob, { orderSide: 'SELL', origQty: '0.2' });
  const { data: closing } = await place(alice, { orderSide: 'SELL', origQty: '0.2' });
  const waiting = await place(alice, { orderSide: 'BUY', origQty: '0.1', price: '99000' });
  history.realised.set(orderId(Number(closing)), atoms(5_250_000n));
  const taken = await place(bob, { orderSide: 'BUY', origQty: '0.1' });
  const minSeq = String(taken.headers.get('x-orrery-seq'));
  const list = await venue.get(`${trade}/order/list`, { as: alice, query: { minSeq } });
  const { items }: { items: FuturesOrder[] } = list.data;
  expect(items).toMatchObject([
    { orderId: waiting.data, state: 'NEW', closeProfit: '0' },
    { orderId: closing, state: 'PARTIALLY_FILLED', executedQty: '0.1', closeProfit: '5.25' },
  ]);
  const detail = await venue.get(`${trade}/order/detail`, { as: alice, query: { orderId: closing, minSeq } });
  expect(detail.data).toMatchObject({ closeProfit: '5.25' });
});

test('[F1] open orders are listed while the database is away, without what they have realised', async () => {
  const { alice } = venue;
  history.isAway = true;
  onTestFinished(() => void (history.isAway = false));
  const list = await venue.get(`${trade}/order/list`, { as: alice });
  const { items }: { items: FuturesOrder[] } = list.data;
  expect(items).toMatchObject([
    { state: 'NEW', closeProfit: '0' },
    { state: 'PARTIALLY_FILLED', executedQty: '0.1', closeProfit: null },
  ]);
  const detail = await venue.get(`${trade}/order/detail`, { as: alice, query: { orderId: String(items[1]?.orderId) } });
  expect(detail.data).toMatchObject({ closeProfit: null });
});

test('[F1] a running TWAP shows when it was accepted and what it has filled', async () => {
  const { bob } = venue;
  // alice's order of above sells 0.1 still; of two slices the first takes half of the size.
  const body = { symbol: 'BTC_USDC', orderSide: 'BUY', origQty: '0.1', minutes: 1 };
  const { data: twapId } = await venue.post(`${trade}/order/twap`, { as: bob, body });
  const { seq } = await venue.heart.submit({ type: 'RunTimers' });
  const twaps = await venue.get(`${trade}/order/twap/list`, { as: bob, query: { minSeq: String(seq) } });
  expect(twaps.data).toMatchObject([{ twapId, origQty: '0.1', executedQty: '0.05', createdTime: venue.clock.now }]);
});
