/** A book that is read over HTTP is of the moment that its id names: a book kept from the stream has the same levels at that id. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { depthChecksum, type Depth, type DepthLevel } from '@orrery/api';
import { Ear } from '../testing/ear.ts';
import { Replica } from '../testing/replica.ts';
import { eventually, openVenue, type Venue } from '../testing/venue.ts';

const ROUNDS = 150;
const DEPTH = '/pro/p/quotation/depth';

let venue: Venue;
beforeAll(async () => {
  venue = await openVenue();
});
afterAll(() => venue.close());

const place = (direction: 'BUY' | 'SELL', price: number) =>
  venue.post('/spot/v1/u/trade/order/create', {
    as: direction === 'BUY' ? venue.alice : venue.bob,
    body: { symbol: 'BTC_USDC', direction, tradeType: 'LIMIT', price: String(price), totalAmount: '0.01' },
  });
const read = async (): Promise<Depth> => (await venue.get(DEPTH, { query: { symbol: 'BTC_USDC', level: '1000' } })).data;

test('a REST book carries no level newer than its id, while the book changes as fast as it can', { timeout: 120_000 }, async () => {
  const ear = await Ear.open(venue.base);
  await ear.subscribe({ sub: 'subSymbol', symbol: 'BTC_USDC' });
  const reads: Depth[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const changed = [place('BUY', 100_000 - (round % 40)), place('SELL', 100_100 + ((round * 7) % 40))];
    // Some trade, some are read between two changes, some after both.
    if (round % 10 === 9) changed.push(place('SELL', 99_990));
    const [book] = await Promise.all([read(), ...changed]);
    reads.push(book, await read());
  }
  const { id: last } = await read();
  await eventually(() => ear.of('qDepth').some(({ data }) => (data as DepthLevel).id === last) || undefined, 'the last change');
  const replica = new Replica();
  replica.whole((await ear.next('qAllDepth')).data as Depth);
  const byId = new Map([[replica.id, replica.checksum()]]);
  for (const { data } of ear.of('qDepth')) {
    replica.level(data as DepthLevel);
    byId.set(replica.id, replica.checksum());
  }
  const different = reads.filter((book) => byId.get(book.id) !== depthChecksum(book));
  expect(reads).toHaveLength(2 * ROUNDS);
  expect(different.map(({ id }) => id)).toEqual([]);
  ear.close();
});
