/** The bot of the sdk's examples, over HTTP and the stream, in front of the real engine. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { giveMargin, setPrice } from '../../services/gateway/src/testing/contract-floor.ts';
import { eventually, openVenue, type Venue } from '../../services/gateway/src/testing/venue.ts';

interface Bot {
  start(): Promise<void>;
  stop(): Promise<void>;
}

const symbol = 'BTC_USDC';
let venue: Venue;
let bot: Bot;
const lines: string[] = [];
beforeAll(async () => {
  venue = await openVenue();
  for (const person of [venue.alice, venue.bob]) await giveMargin(venue, person, '100000');
  await setPrice(venue, { symbol, price: '100000', rounds: 3 });
  const key = venue.people.addKey(venue.alice, { permission: 'TRADE', endsAt: venue.clock.now + 1e9 });
  // JavaScript, as a person writes one: it has no types here.
  const { FuturesBot } = (await import(new URL('../../clients/sdk/examples/futures-bot.mjs', import.meta.url).href)) as {
    FuturesBot: new (options: object) => Bot;
  };
  const now = (): number => (venue.clock.now += 1);
  bot = new FuturesBot({ baseUrl: venue.base, ...key, symbol, size: '0.01', log: (line: string) => lines.push(line), now });
  await bot.start();
});
afterAll(() => venue.close());

const quotes = async (): Promise<string[]> => {
  const { items }: { items: { orderSide: string; price: string }[] } = (
    await venue.get('/futures/fapi/trade/v1/order/list', { as: venue.alice, query: { minSeq: String(venue.heart.status().seq) } })
  ).data;
  return items.map(({ orderSide, price }) => `${orderSide} ${price}`).toSorted();
};
const quoted = (wanted: readonly string[]): Promise<true> =>
  eventually(async () => (JSON.stringify(await quotes()) === JSON.stringify(wanted) ? (true as const) : undefined), wanted.join(' and '));

test('the example bot quotes around the index, follows it, reports its fills, and takes its quotes back when it ends', async () => {
  await quoted(['BUY 99800', 'SELL 100200']);
  await setPrice(venue, { symbol, price: '100500' });
  await quoted(['BUY 100299', 'SELL 100701']);
  const body = { symbol, orderSide: 'SELL', orderType: 'MARKET', origQty: '0.004' };
  expect(await venue.post('/futures/fapi/trade/v1/order/create', { as: venue.bob, body })).toMatchObject({ code: 0 });
  await eventually(() => lines.find((line) => line.startsWith('BUY 0.004 at 100299')), 'the line of the fill');
  await bot.stop();
  expect(await quotes()).toEqual([]);
  expect(lines.filter((line) => line.includes('refused'))).toEqual([]);
});
