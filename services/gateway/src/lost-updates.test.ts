/** Two changes of the same order or position at the same moment: neither undoes the other in silence. The rows are in `api/src/testing/updates.txt`. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { updatesIn } from '../../../api/src/testing/updates.ts';
import { giveMargin, setPrice } from './testing/contract-floor.ts';
import type { Person } from './testing/people.ts';
import { openVenue, type Answer, type Venue } from './testing/venue.ts';

const trade = '/futures/fapi/trade/v1';
const user = '/futures/fapi/user/v1';
const spot = '/spot/v1/u/trade/order';
const symbol = 'BTC_USDC';

let venue: Venue;
let alice: Person;
let count = 0;
beforeAll(async () => {
  venue = await openVenue();
  await giveMargin(venue, venue.bob, '500000');
  await setPrice(venue, { symbol, price: '100000', rounds: 3 });
});
afterAll(() => venue.close());
beforeEach(async () => {
  alice = await venue.newcomer(`alice-${(count += 1)}`);
  await giveMargin(venue, alice, '100000');
});

const post = (path: string, body: object, as = alice): Promise<Answer> => venue.post(path, { as, body });
const minSeq = () => String(venue.heart.status().seq);
const get = async (path: string, query: Record<string, string> = {}) =>
  (await venue.get(path, { as: alice, query: { minSeq: minSeq(), ...query } })).data;
/** The names of the refusals of calls that come while none of them is applied yet. */
async function refusals(...calls: readonly (() => Promise<Answer>)[]): Promise<string[]> {
  venue.heart.delayMs = 50;
  const answers = await Promise.all(calls.map((call) => call())).finally(() => void (venue.heart.delayMs = 0));
  return answers.flatMap(({ code, data }) => (code === 0 ? [] : [String((data as { reason?: string } | null)?.reason)]));
}

const buy = async () =>
  (await post(`${spot}/create`, { symbol, direction: 'BUY', tradeType: 'LIMIT', price: '50000', totalAmount: '0.2' })).data;
const place = (body: object, as = alice) => post(`${trade}/order/create`, { symbol, orderType: 'LIMIT', ...body }, as);
const bid = async () => (await place({ orderSide: 'BUY', price: '90000', origQty: '0.2' })).data as string;
/** A long position of alice. */
async function hold(origQty: string): Promise<void> {
  await place({ orderSide: 'SELL', price: '100000', origQty }, venue.bob);
  await place({ orderSide: 'BUY', price: '100000', origQty });
}
const position = async () => (await get(`${user}/position/list`, { symbol }))[0] as unknown as Record<string, unknown>;
const futuresAccount = async () => (await get(`${user}/account/info`)) as unknown as Record<string, unknown>;
const openFutures = async () => ((await get(`${trade}/order/list`)) as { items: Record<string, unknown>[] }).items;
const openSpot = async () => ((await get(`${spot}/list`)) as { items: Record<string, unknown>[] }).items;

async function takeProfit(): Promise<string | undefined> {
  await hold('0.1');
  const body = { symbol, positionSide: 'BOTH', triggerProfitPrice: '120000', origQty: '0.1' };
  const { data } = await post(`${trade}/entrust/create-profit`, body);
  return (data as readonly { readonly data: string }[])[0]?.data;
}
const profitStops = async () => ((await get(`${trade}/entrust/profit-list`)) as { items: unknown[] }).items;

/** By the name of the call. */
const CASES: Readonly<Record<string, () => Promise<void>>> = {
  async updateOrder() {
    const orderId = await buy();
    const refused = await refusals(
      () => post(`${spot}/update`, { orderId, price: '51000' }),
      () => post(`${spot}/update`, { orderId, totalAmount: '0.3' }),
    );
    expect(refused).toEqual([]);
    expect(await openSpot()).toMatchObject([{ orderId, price: '51000', origQty: '0.3' }]);
  },
  async cancelOrder() {
    const orderId = await buy();
    const refused = await refusals(
      () => post(`${spot}/update`, { orderId, price: '51000' }),
      () => post(`${spot}/cancel`, { orderId }),
    );
    expect((await openSpot()).length).toBe(refused.length);
  },
  async updateFuturesOrder() {
    const orderId = await bid();
    const refused = await refusals(
      () => post(`${trade}/order/update`, { orderId, price: '91000' }),
      () => post(`${trade}/order/update`, { orderId, origQty: '0.3' }),
    );
    expect(refused).toEqual([]);
    expect(await openFutures()).toMatchObject([{ orderId, price: '91000', origQty: '0.3' }]);
  },
  async cancelFuturesOrder() {
    const orderId = await bid();
    const refused = await refusals(
      () => post(`${trade}/order/update`, { orderId, price: '91000' }),
      () => post(`${trade}/order/cancel`, { orderId }),
    );
    expect((await openFutures()).length).toBe(refused.length);
  },
  async updateProfitStop() {
    const profitId = await takeProfit();
    const update = (change: object) => post(`${trade}/entrust/update-profit-stop`, { profitId, ...change });
    expect(
      await refusals(
        () => update({ triggerProfitPrice: '130000' }),
        () => update({ origQty: '0.05' }),
      ),
    ).toEqual([]);
    expect(await profitStops()).toMatchObject([{ triggerProfitPrice: '130000', origQty: '0.05' }]);
  },
  async setProtection() {
    await hold('0.1');
    const set = (triggerStopPrice: string) =>
      post(`${trade}/entrust/set-protection`, { symbol, triggerProfitPrice: '120000', triggerStopPrice, triggerPriceType: 'INDEX_PRICE' });
    expect(
      await refusals(
        () => set('90000'),
        () => set('91000'),
      ),
    ).toEqual([]);
    expect(await profitStops()).toHaveLength(2);
  },
  async cancelTwap() {
    const { data: twapId } = await post(`${trade}/order/twap`, { symbol, orderSide: 'BUY', origQty: '0.1', minutes: 5 });
    const cancel = () => post(`${trade}/order/twap/cancel`, { twapId });
    expect(await refusals(cancel, cancel)).toHaveLength(1);
  },
  async cancelPlan() {
    const plan = { symbol, orderSide: 'BUY', entrustType: 'STOP_MARKET', stopPrice: '110000', origQty: '0.01' };
    const { data: entrustId } = await post(`${trade}/entrust/create-plan`, plan);
    const cancel = () => post(`${trade}/entrust/cancel-plan`, { entrustId });
    expect(await refusals(cancel, cancel)).toEqual(['UnknownOrder']);
  },
  async cancelProfitStop() {
    const profitId = await takeProfit();
    const update = () => post(`${trade}/entrust/update-profit-stop`, { profitId, triggerProfitPrice: '130000' });
    await refusals(update, () => post(`${trade}/entrust/cancel-profit-stop`, { profitId }));
    expect(await profitStops()).toEqual([]);
  },
  async reversePosition() {
    await hold('0.1');
    await place({ orderSide: 'BUY', price: '99999', origQty: '1' }, venue.bob);
    const reverse = () => post(`${trade}/order/position/reverse`, { symbol, from: 'LONG' });
    expect(await refusals(reverse, reverse)).toEqual(['UnknownPosition']);
    expect(await position()).toMatchObject({ positionSize: '-0.1' });
  },
  async adjustLeverage() {
    const refused = await refusals(
      () => post(`${user}/position/adjust-leverage`, { symbol, positionSide: 'BOTH', leverage: 7 }),
      () => post(`${user}/position/change-type`, { symbol, positionSide: 'BOTH', positionType: 'ISOLATED' }),
    );
    expect(refused).toEqual([]);
    expect(await position()).toMatchObject({ leverage: 7, positionType: 'ISOLATED' });
  },
  async changePositionType() {
    const change = (positionType: string) => post(`${user}/position/change-type`, { symbol, positionSide: 'BOTH', positionType });
    expect(
      await refusals(
        () => change('ISOLATED'),
        () => change('ISOLATED'),
      ),
    ).toEqual([]);
    expect(await position()).toMatchObject({ positionType: 'ISOLATED' });
  },
  async adjustPositionMargin() {
    await post(`${user}/position/change-type`, { symbol, positionSide: 'BOTH', positionType: 'ISOLATED' });
    await hold('0.1');
    const before = Number((await position())['isolatedMargin']);
    const add = (margin: string) => post(`${user}/position/margin`, { symbol, positionSide: 'BOTH', margin, type: 'ADD' });
    expect(
      await refusals(
        () => add('10'),
        () => add('20'),
      ),
    ).toEqual([]);
    expect(Number((await position())['isolatedMargin'])).toBe(before + 30);
  },
  async setAutoMargin() {
    await post(`${user}/position/change-type`, { symbol, positionSide: 'BOTH', positionType: 'ISOLATED' });
    const refused = await refusals(
      () => post(`${user}/position/auto-margin`, { symbol, positionSide: 'BOTH', autoMargin: true }),
      () => post(`${user}/position/adjust-leverage`, { symbol, positionSide: 'BOTH', leverage: 9 }),
    );
    expect(refused).toEqual([]);
    expect(await position()).toMatchObject({ leverage: 9, autoMargin: true });
  },
  async changePositionMode() {
    const change = (positionMode: string) => post(`${user}/position/change-mode`, { underlyingType: 'U_BASED', positionMode });
    // Both hold: the leverage is one of the contract, or it is refused because its side is none of the mode.
    const refused = await refusals(
      () => change('HEDGE'),
      () => post(`${user}/position/adjust-leverage`, { symbol, positionSide: 'BOTH', leverage: 8 }),
    );
    expect([[], ['PositionSideMismatch']]).toContainEqual(refused);
    expect(await futuresAccount()).toMatchObject({
      accounts: expect.arrayContaining([expect.objectContaining({ positionMode: 'HEDGE' })]),
    });
  },
  async scheduleCancel() {
    const at = (ms: number) => post(`${trade}/order/schedule-cancel`, { time: venue.clock.now + ms });
    expect(
      await refusals(
        () => at(60_000),
        () => at(120_000),
      ),
    ).toEqual([]);
    expect([60_000, 120_000].map((ms) => venue.clock.now + ms)).toContain((await futuresAccount())['scheduledCancelTime']);
  },
};

test('every update that is tested here has a row, and each row its test', () => {
  expect(Object.keys(CASES).toSorted()).toEqual([...updatesIn('services/gateway/src/lost-updates.test.ts')].toSorted());
});

test.each(Object.entries(CASES))('[F1] %s: of two at once neither undoes the other in silence', async (_, atTheSameMoment) => {
  await atTheSameMoment();
});
