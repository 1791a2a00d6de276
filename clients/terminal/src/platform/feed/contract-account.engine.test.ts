/** The account in contracts as the stream of a real exchange fills it: after whatever is done, it is what the lists answer. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FuturesOrder, ProfitStop } from '@orrery/api';
import { FuturesStream } from '@orrery/sdk';
import { giveMargin, setPrice } from '../../../../../services/gateway/src/testing/contract-floor.ts';
import type { Person } from '../../../../../services/gateway/src/testing/people.ts';
import { openVenue, type Venue } from '../../../../../services/gateway/src/testing/venue.ts';
import { ContractAccountFeed } from './contract-account-feed.ts';
import type { ContractAccountView } from './contract-account-store.ts';

const trade = '/futures/fapi/trade/v1';
const user = '/futures/fapi/user/v1';
const SYMBOLS = ['BTC_USDC', 'ETH_USDC'] as const;
const PRICES = { BTC_USDC: 100_000, ETH_USDC: 4_000 } as const;

let venue: Venue;
let stream: FuturesStream;
let feed: ContractAccountFeed;
let shown: Partial<ContractAccountView> = {};

beforeAll(async () => {
  venue = await openVenue();
  for (const person of [venue.alice, venue.bob]) await giveMargin(venue, person, '100000');
  for (const symbol of SYMBOLS) await setPrice(venue, { symbol, price: String(PRICES[symbol]), rounds: 3 });
  stream = new FuturesStream({
    baseUrl: venue.base,
    openSocket: (url) => new WebSocket(url),
    listenKey: async () => (await venue.get(`${user}/user/listen-key`, { as: venue.alice, query: { type: 'futures' } })).data,
  });
  feed = new ContractAccountFeed({
    stream,
    post(message) {
      if (message.type === 'contractAccount') shown = { ...shown, ...message.changed };
    },
    onState: () => undefined,
  });
  feed.follow();
});
afterAll(async () => {
  stream.close();
  await venue.close();
});

/** What the page shows of an open order: its margin and its profit are no columns of a list that moves. */
const shownOf = ({ marginFrozen: _frozen, closeProfit: _profit, ...rest }: FuturesOrder): unknown => rest;
/** The rest of a profit-stop is its position's. */
const ownOf = ({ positionType: _type, positionSize: _size, entryPrice: _entry, isolatedMargin: _margin, ...rest }: ProfitStop): unknown =>
  rest;

async function read(): Promise<unknown> {
  const minSeq = String(venue.heart.status().seq);
  const get = async (path: string, query = {}): Promise<unknown> =>
    (await venue.get(path, { as: venue.alice, query: { minSeq, ...query } })).data;
  const page = { page: '1', size: '100' };
  const { items: orders } = (await get(`${trade}/order/list`, page)) as { items: FuturesOrder[] };
  const { items: plans } = (await get(`${trade}/entrust/plan-list`, page)) as { items: unknown };
  const { items: stops } = (await get(`${trade}/entrust/profit-list`, page)) as { items: ProfitStop[] };
  const { accounts } = (await get(`${user}/account/info`)) as { accounts: unknown };
  return {
    orders: orders.map(shownOf),
    plans,
    stops: stops.map(ownOf),
    positions: await get(`${user}/position/list`),
    accounts,
    twaps: await get(`${trade}/order/twap/list`),
  };
}

const now = (): unknown => {
  feed.beat();
  const { orders = [], plans, stops, positions, accounts, twaps } = shown;
  return { orders: orders.map(shownOf), plans, stops, positions, accounts, twaps };
};

const isSame = async (): Promise<void> => {
  const wanted = await read();
  await expect.poll(now).toEqual(wanted);
};

const post = async (as: Person, path: string, body: object): Promise<never> => (await venue.post(path, { as, body })).data;

async function placeSomething(pick: (count: number) => number): Promise<void> {
  const symbol = SYMBOLS[pick(2)] ?? 'BTC_USDC';
  const near = PRICES[symbol];
  const as = pick(3) === 0 ? venue.bob : venue.alice;
  const orderSide = pick(2) === 0 ? 'BUY' : 'SELL';
  const price = String(near + (pick(7) - 3) * (near / 200));
  const protection = pick(3) === 0 ? { [orderSide === 'BUY' ? 'triggerProfitPrice' : 'triggerStopPrice']: String(near * 1.2) } : {};
  await post(as, `${trade}/order/create`, { symbol, orderSide, orderType: 'LIMIT', price, origQty: '0.1', ...protection });
}

async function changeSomething(pick: (count: number) => number): Promise<void> {
  const symbol = SYMBOLS[pick(2)] ?? 'BTC_USDC';
  const near = PRICES[symbol];
  const { orders = [], plans = [], stops = [], twaps = [] } = shown;
  switch (pick(11)) {
    case 0:
      return post(venue.alice, `${user}/position/adjust-leverage`, { symbol, leverage: 2 + pick(9) });
    case 1:
      return post(venue.alice, `${user}/position/change-type`, { symbol, positionType: pick(2) === 0 ? 'ISOLATED' : 'CROSSED' });
    case 2:
      return post(venue.alice, `${user}/position/margin`, { symbol, margin: '5', type: pick(2) === 0 ? 'ADD' : 'SUB' });
    case 3:
      return post(venue.alice, `${user}/position/auto-margin`, { symbol, autoMargin: pick(2) === 0 });
    case 4:
      return post(venue.alice, `${trade}/entrust/create-plan`, {
        symbol,
        orderSide: 'BUY',
        entrustType: 'STOP_MARKET',
        stopPrice: String(near * 1.01),
        origQty: '0.01',
      });
    case 5:
      return post(venue.alice, `${trade}/entrust/create-profit`, {
        symbol,
        triggerProfitPrice: String(near * (pick(2) === 0 ? 0.8 : 1.2)),
      });
    case 6:
      return post(venue.alice, `${trade}/order/cancel`, { orderId: orders[pick(orders.length)]?.orderId ?? '1' });
    case 7: {
      const cancelled = pick(2) === 0;
      const [path, body] = cancelled
        ? ['cancel-plan', { entrustId: plans[pick(plans.length)]?.entrustId ?? '1' }]
        : ['update-profit-stop', { profitId: stops[pick(stops.length)]?.profitId ?? '1', triggerProfitPrice: String(near * 1.3) }];
      return post(venue.alice, `${trade}/entrust/${path}`, body);
    }
    case 8:
      return post(venue.alice, `${trade}/order/twap`, { symbol, orderSide: 'BUY', origQty: '0.5', minutes: 5 });
    case 9:
      return post(venue.alice, `${trade}/order/twap/cancel`, { twapId: twaps[0]?.twapId ?? '1' });
    default:
      // Two rounds: figures follow the prices every five seconds.
      return setPrice(venue, { symbol, price: String(near + (pick(5) - 2) * (near / 100)), rounds: 3 });
  }
}

const LISTS = ['orders', 'plans', 'stops', 'positions', 'twaps'] as const;

test('[F4] orders, plans, profit-stops, positions, margin and TWAP orders follow the stream, whatever is done', async () => {
  await isSame();
  const seen = new Set<string>();
  for (const seed of [1, 2, 3]) {
    let state = seed;
    const pick = (count: number): number =>
      Math.floor(((state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648) * count);
    for (let step = 0; step < 40; step += 1) {
      if (pick(2) === 0) await placeSomething(pick);
      else await changeSomething(pick);
      await isSame();
      for (const list of LISTS) if (shown[list]?.length) seen.add(list);
    }
  }
  // Nothing of it is true because there was nothing.
  expect([...seen].toSorted()).toEqual(LISTS.toSorted());
});

test('[F4] terms follow: leverage, margin type, and the legs of the other position mode', async () => {
  const of = (symbol: string): unknown => {
    feed.beat();
    return shown.terms?.filter((each) => each.symbol === symbol).map(({ positionSide, leverage }) => `${positionSide} ${leverage}`);
  };
  await post(venue.alice, `${user}/position/adjust-leverage`, { symbol: 'SOL_USDC', leverage: 7 });
  await expect.poll(() => of('SOL_USDC')).toEqual(['BOTH 7']);
  await post(venue.alice, `${user}/position/change-mode`, { underlyingType: 'COIN_BASED', positionMode: 'HEDGE' });
  await expect.poll(() => (of('BTC_USD') as string[]).map((leg) => leg.split(' ')[0])).toEqual(['BOTH', 'LONG', 'SHORT']);
});
