/** Alerts by the faults of trading in contracts: the real engine behind the real gateway. */
import { addressOf, assert, atoms, ticks } from '@orrery/units';
import { afterEach, beforeEach, expect } from 'vitest';
import { giveMargin, ROUND_MS, setPrice } from '../../../services/gateway/src/testing/contract-floor.ts';
import type { Person } from '../../../services/gateway/src/testing/people.ts';
import { openVenue, type Venue } from '../../../services/gateway/src/testing/venue.ts';
import { assetIdOf, CONTRACTS } from '../listing.ts';
import { faultOf } from '../testing/fault-of-alert.ts';
import { type Page, scrape } from '../testing/scraped-pages.ts';
import { countCommands, measureGateway } from './measure.ts';
import { Metrics } from './metrics.ts';
import { type MetricsServer, startMetricsServer } from './metrics-server.ts';

const symbol = 'BTC_USDC';
const HOUR_MS = 3_600_000;

let venue: Venue;
let server: MetricsServer;
beforeEach(async () => {
  const metrics = new Metrics();
  venue = await openVenue({ onAnswer: metrics.onAnswer });
  measureGateway(metrics, venue.gateway);
  countCommands(metrics, venue.heart).catch((error: unknown) => expect.fail(String(error)));
  server = await startMetricsServer({ host: '127.0.0.1', port: 0 }, { metrics, ready: () => venue.gateway.ready() });
});
afterEach(async () => {
  await server.close();
  await venue.close();
});

const read = (): Promise<Page> => scrape(server.url);
const place = (as: Person, body: object) =>
  venue.post('/futures/fapi/trade/v1/order/create', { as, body: { symbol, orderType: 'LIMIT', ...body } });

/** @returns the code of each answer */
async function order(count: number): Promise<readonly number[]> {
  const codes: number[] = [];
  for (let placed = 0; placed < count; placed += 1)
    codes.push((await place(venue.alice, { orderSide: 'BUY', price: '99000', origQty: '0.001' })).code);
  return codes;
}

/** One venue outside is left. */
async function loseFeeds(rounds: number): Promise<void> {
  const contract = CONTRACTS.find((each) => each.symbol === symbol);
  assert(contract !== undefined, 'the contract is listed');
  for (let round = 0; round < rounds; round += 1) {
    venue.clock.now += ROUND_MS;
    const index = [{ source: 'one', price: ticks(1_000_000), ageMs: 0, weight: 1 }];
    await venue.heart.submit({ type: 'SubmitPrices', market: contract.market, index, external: [] });
  }
}

faultOf('PricesDegraded', 'too few venues outside report, and orders in the contract come', async () => {
  await giveMargin(venue, venue.alice, '50000');
  await setPrice(venue, { symbol, price: '100000', rounds: 3 });
  expect(await order(3)).toEqual([0, 0, 0]);
  const before = [await read()];
  await loseFeeds(10);
  const during: Page[] = [];
  for (let scraped = 0; scraped < 2; scraped += 1) {
    expect(new Set(await order(5))).toEqual(new Set([3027]));
    during.push(await read());
  }
  await setPrice(venue, { symbol, price: '100000', rounds: 3 });
  expect(await order(3)).toEqual([0, 0, 0]);
  return { before, during, after: [await read()] };
});

faultOf('InsuranceFundFalls', 'liquidations end below the price of bankruptcy hour by hour', async () => {
  const { heart, alice, bob } = venue;
  const budget = { type: 'FundBudget', budget: 'insurance', asset: assetIdOf('USDC') } as const;
  await heart.submit({ ...budget, key: 'first', amount: atoms(1_000_000_000n) });
  const { events } = await heart.submit({ type: 'OpenAccount', address: addressOf(`0x${'f'.repeat(40)}`) });
  const [opened] = events;
  assert(opened?.type === 'AccountOpened', 'the liquidator is there');
  await heart.submit({ type: 'SetLiquidator', account: opened.account });
  await giveMargin(venue, bob, '500000');
  const before = [await read()];
  const during: Page[] = [];
  // The engine lets one contract cost a twentieth of the fund in an hour.
  for (let hour = 0; hour < 3; hour += 1) {
    await giveMargin(venue, alice, '1200');
    await setPrice(venue, { symbol, price: '100000', rounds: 3 });
    await place(bob, { orderSide: 'SELL', price: '100000', origQty: '0.1' });
    await place(alice, { orderSide: 'BUY', price: '100000', origQty: '0.1' });
    await setPrice(venue, { symbol, price: '80000', rounds: 3 });
    during.push(await read());
    venue.clock.now += HOUR_MS;
  }
  await heart.submit({ ...budget, key: 'second', amount: atoms(500_000_000n) });
  return { before, during, after: [await read()] };
});
