/** The calls of testers, through the gateway and by the rounds of the prices service, with the real engine behind. */
import { localLease } from '@orrery/foundation';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Event } from '@orrery/protocol';
import { ContractRounds, PriceMoves } from '@orrery/prices';
import { addressOf, atoms, millis, ticks, type AccountId } from '@orrery/units';
import { giveMargin, setPrice } from '../../services/gateway/src/testing/contract-floor.ts';
import type { Person } from '../../services/gateway/src/testing/people.ts';
import { openVenue, type Answer, type Venue } from '../../services/gateway/src/testing/venue.ts';
import { assetIdOf, CONTRACTS } from './listing.ts';

const trade = '/futures/fapi/trade/v1';
const user = '/futures/fapi/user/v1';
const symbol = 'BTC_USDC';

let venue: Venue;
let rounds: ContractRounds;
let house: AccountId;
beforeAll(async () => {
  const moves = new PriceMoves();
  venue = await openVenue({
    sandbox: {
      scope: 'everywhere',
      move: (move, now) => moves.move(move, now),
      shift: (market) => moves.shift(market),
      house: () => Promise.resolve(house),
    },
  });
  const { heart, clock } = venue;
  const taker = await venue.newcomer('house');
  house = taker.account;
  const { events } = await heart.submit({ type: 'OpenAccount', address: addressOf(`0x${'f'.repeat(40)}`) });
  const [opened] = events;
  await heart.submit({ type: 'FundBudget', key: 'first', budget: 'insurance', asset: assetIdOf('USDC'), amount: atoms(1_000_000_000n) });
  if (opened?.type === 'AccountOpened') await heart.submit({ type: 'SetLiquidator', account: opened.account });
  await giveMargin(venue, venue.alice, '1200');
  await giveMargin(venue, venue.bob, '500000');
  await giveMargin(venue, taker, '500000');
  const contracts = CONTRACTS.filter((contract) => contract.symbol === symbol);
  const outside = ticks(1_000_000);
  rounds = new ContractRounds({
    lease: localLease('outside prices'),
    source: {
      round: () => ({
        index: ['one', 'two', 'three'].map((source) => ({ source, price: outside, ageMs: 0, weight: 1 })),
        external: [],
      }),
    },
    contracts,
    moves,
    heart,
    now: () => millis(clock.now),
    log: () => undefined,
  });
  await setPrice(venue, { symbol, price: '100000', rounds: 3 });
});
afterAll(() => venue.close());

const seqOf = (answer: Answer): string => String(answer.headers.get('x-orrery-seq'));
const place = (as: Person, body: object): Promise<Answer> =>
  venue.post(`${trade}/order/create`, { as, body: { symbol, orderType: 'LIMIT', ...body } });
const sandbox = (as: Person, call: string, body: object): Promise<Answer> => venue.post(`/sandbox/v1/${call}`, { as, body });
const fieldOf = ({ data }: Answer): string => String(Reflect.get(data, 'field'));

/** What commands left over, as the sequencer submits it. */
async function goOn(): Promise<void> {
  const { heart } = venue;
  for (let left = heart.continuation(); left !== undefined; left = heart.continuation()) await heart.submit(left);
}

/** Rounds as time goes by, and what the sequencer submits after each. */
async function pass(count: number): Promise<readonly Event[]> {
  const { heart, clock } = venue;
  const before = heart.history.length;
  for (let round = 0; round < count; round += 1) {
    clock.now += 3_000;
    await rounds.round();
    await goOn();
  }
  return heart.history.slice(before).flatMap(({ events }) => events);
}

describe('[F1] testers', () => {
  test('let the house take their order, and what stands before it', async () => {
    const { alice, bob } = venue;
    await place(bob, { orderSide: 'BUY', price: '99900', origQty: '0.01' });
    const { data: orderId } = await place(alice, { orderSide: 'BUY', price: '99800', origQty: '0.1' });
    const filled = await sandbox(alice, 'fill-my-order', { orderId });
    expect(filled).toMatchObject({ code: 0, data: { orderId, filledQty: '0.1', isFilled: true } });
    const positions = await venue.get(`${user}/position/list`, { as: alice, query: { minSeq: seqOf(filled) } });
    expect(positions.data).toMatchObject([{ symbol, positionSize: '0.1', entryPrice: '99800' }]);
    expect(await sandbox(alice, 'fill-my-order', { orderId })).toMatchObject({ status: 404 });
  });

  test('settle funding when they like: it is paid between long and short', async () => {
    venue.clock.now += 1_000;
    const settled = await sandbox(venue.alice, 'force-funding', { symbol });
    expect(settled).toMatchObject({ code: 0, data: { symbol, fundingRate: '0.0000125', price: '100000', createdTime: venue.clock.now } });
    await goOn();
    // 0.1 x 100,000 x 0.0000125.
    const query = { minSeq: String(venue.heart.status().seq) };
    const positions = await venue.get(`${user}/position/list`, { as: venue.alice, query });
    expect(positions.data).toMatchObject([{ cumFunding: '-0.125' }]);
  });

  test('are liquidated by a fall that they script, and the price returns', async () => {
    const { alice, bob, heart } = venue;
    await place(bob, { orderSide: 'BUY', price: '85000', origQty: '1' });
    const moved = await sandbox(alice, 'move-price', { symbol, change: '-0.12', seconds: 60 });
    expect(moved.data).toEqual({ symbol, change: '-0.12', endsAt: venue.clock.now + 60_000 });
    const events = await pass(5);
    expect(events.filter((event) => event.type === 'LiquidationStep')).toMatchObject([{ account: alice.account }]);
    const as = { as: alice, query: { minSeq: String(heart.status().seq) } };
    expect((await venue.get(`${user}/position/list`, as)).data).toEqual([]);
    await pass(25);
    const mark = await venue.get('/futures/fapi/market/v1/q/symbol-index-price', { query: { symbol } });
    expect(mark.data).toMatchObject({ p: '100000' });
  });

  test.each([
    ['move-price', { symbol, change: '-0.6', seconds: 60 }, 400, 'change'],
    ['move-price', { symbol, change: '1', seconds: 60 }, 400, 'change'],
    ['move-price', { symbol, change: '-0.1', seconds: 601 }, 400, 'seconds'],
    ['move-price', { symbol: 'NO_SUCH', change: '-0.1', seconds: 1 }, 404, 'symbol'],
    ['force-funding', { symbol: 'ETH_USDC' }, 422, 'symbol'],
    ['force-funding', {}, 400, 'symbol'],
    ['fill-my-order', { orderId: '99999' }, 404, 'orderId'],
  ])('%s with %o is refused: %s, %s', async (call, body, status, field) => {
    const refused = await sandbox(venue.alice, call, body);
    expect([refused.status, fieldOf(refused)]).toEqual([status, field]);
  });

  test('fill no order of another, and none that waits', async () => {
    const { data: orderId } = await place(venue.bob, { orderSide: 'BUY', price: '90000', origQty: '0.01' });
    expect(await sandbox(venue.alice, 'fill-my-order', { orderId })).toMatchObject({ status: 404 });
    const plan = { symbol, orderSide: 'BUY', entrustType: 'STOP_MARKET', stopPrice: '110000', origQty: '0.01' };
    const waiting = await venue.post(`${trade}/entrust/create-plan`, { as: venue.bob, body: plan });
    const refused = await sandbox(venue.bob, 'fill-my-order', { orderId: waiting.data });
    expect([refused.status, fieldOf(refused)]).toEqual([400, 'orderId']);
  });

  test('find no such calls where there is no sandbox', async () => {
    const real = await openVenue({ sandbox: undefined });
    for (const call of ['move-price', 'force-funding', 'fill-my-order'])
      expect(await real.post(`/sandbox/v1/${call}`, { as: real.alice, body: { symbol } })).toMatchObject({ status: 404, code: 14_001 });
    await real.close();
  });
});
