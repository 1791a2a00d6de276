/** The calls and the stream of contracts on facts that are given: what the engine makes of commands is tried with the engine. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { FUTURES_STREAM_PATH, type FuturesDepthUpdate, type Position as PositionText } from '@orrery/api';
import type { Event, Market, Order, Position } from '@orrery/protocol';
import { accountId, atoms, lots, millis, NO_ATOMS, NO_LOTS, NO_TICKS, orderId, ppm, signedLots, ticks, tradeId } from '@orrery/units';
import { assert, type AccountId } from '@orrery/units';
import { CONTRACTS, registerListing, USUAL_LISTING } from '../../../../exchange/src/listing.ts';
import { MemoryHeart } from '../../../../exchange/src/testing/memory-heart.ts';
import { ReportingHeart } from '../testing/reporting-heart.ts';
import { eventually, NOW, openVenue, type Venue } from '../testing/venue.ts';

const [ALICE, BOB] = [accountId(1), accountId(2)];
const contractOf = (symbol: string) => {
  const found = CONTRACTS.find((contract) => contract.symbol === symbol);
  assert(found !== undefined, `${symbol} is a contract`);
  return found;
};
// A tick is 0.1 USDC, a lot 0.00001 BTC: one lot at one tick is one atom of USDC.
const BTC = contractOf('BTC_USDC');
// A lot is one USD.
const COIN = contractOf('BTC_USD');

let heart: ReportingHeart;
let venue: Venue;
/** The market of spot that prices BTC. */
let spot: Market;
const sockets: WebSocket[] = [];
beforeEach(async () => {
  const listing = new MemoryHeart(() => NOW);
  await registerListing(listing, { ...USUAL_LISTING });
  const view = listing.open();
  view.close();
  listing.stop();
  const listed = view.facts.find((fact) => fact.type === 'MarketRegistered' && fact.symbol === 'BTC_USDC');
  assert(listed?.type === 'MarketRegistered', 'BTC is traded for USDC');
  spot = listed;
  heart = new ReportingHeart(
    [...view.facts.filter((fact) => !/Contract|Collateral|PricesSet/.test(fact.type)), ...factsOfContracts()],
    () => NOW,
  );
  venue = await openVenue({ heart });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate();
  heart.stop();
  await venue.close();
});

function factsOfContracts(): Event[] {
  const flags = (account: AccountId): Event[] =>
    (['termsAccepted', 'whitelisted', 'connected'] as const).map((flag) => ({ type: 'AccountFlagSet', account, flag, value: true }));
  const opened = (account: AccountId): Event => ({
    type: 'AccountOpened',
    account,
    address: `0x${String(account).padStart(40, '0')}` as never,
  });
  return [
    opened(ALICE),
    ...flags(ALICE),
    opened(BOB),
    ...flags(BOB),
    ...CONTRACTS.map((contract): Event => ({ type: 'ContractRegistered', ...contract })),
    prices({ mark: 1_000_000, index: 1_000_000 }),
    {
      type: 'PricesSet',
      market: COIN.market,
      index: ticks(1_000_000),
      mark: ticks(1_000_000),
      state: 'READY',
      fundingPpb: 0,
      freshRounds: 3,
    },
    { type: 'BalanceChanged', account: ALICE, wallet: 'futures', asset: BTC.settle, free: atoms(1_000_000_000n), held: NO_ATOMS },
  ];
}

const prices = ({ mark, index }: { mark: number; index: number }): Event => ({
  type: 'PricesSet',
  market: BTC.market,
  index: ticks(index),
  mark: ticks(mark),
  state: 'READY',
  fundingPpb: 12_500,
  freshRounds: 3,
});

const position = (terms: Partial<Position>): Event => ({
  type: 'PositionChanged',
  account: ALICE,
  market: BTC.market,
  positionSide: 'both',
  size: signedLots(10_000),
  cost: atoms(10_000_000_000n),
  margin: NO_ATOMS,
  realised: NO_ATOMS,
  fees: atoms(5_000_000n),
  funding: NO_ATOMS,
  openedAt: millis(NOW),
  maxSize: lots(10_000),
  ...terms,
});

const order = (id: number, terms: Partial<Order> = {}): Order => ({
  orderId: orderId(id),
  account: ALICE,
  market: BTC.market,
  clientOrderId: '',
  side: 'buy',
  orderType: 'limit',
  timeInForce: 'GTC',
  price: ticks(990_000),
  size: lots(1_000),
  funds: NO_ATOMS,
  triggerPrice: NO_TICKS,
  spot: undefined,
  slippagePpm: ppm(0),
  selfTradePrevention: 'expireTaker',
  createdAt: millis(NOW),
  contract: {
    positionSide: 'both',
    reduceOnly: false,
    closePosition: false,
    triggerBy: 'last',
    trailingPpm: ppm(0),
    source: 'plain',
    parent: 0,
    group: 0,
    triggerDirection: 'none',
    takeProfit: { triggerPrice: NO_TICKS, triggerBy: 'last', price: NO_TICKS },
    stopLoss: { triggerPrice: NO_TICKS, triggerBy: 'last', price: NO_TICKS },
  } as never,
  ...terms,
});

function rests(placed: Order): Event[] {
  const { orderId: id, account, market, side, price, size } = placed;
  return [
    { type: 'OrderAccepted', ...placed },
    { type: 'OrderRested', orderId: id, account, market, side, price, remaining: size, filled: NO_LOTS, filledNotional: NO_ATOMS },
  ];
}

const user = '/futures/fapi/user/v1';
const trade = '/futures/fapi/trade/v1';
const market = '/futures/fapi/market/v1';

describe('[F1] positions', () => {
  const positionsOf = async (minSeq: number): Promise<PositionText[]> =>
    (await venue.get(`${user}/position/list`, { as: venue.alice, query: { minSeq: String(minSeq) } })).data;

  test('have the figures that the rules give them at the mark price', async () => {
    const { seq } = heart.report(position({}), prices({ mark: 990_000, index: 990_000 }));
    // 0.1 BTC bought at 100,000: cost 10,000. At 99,000 it is worth 9,900, so the loss is 100. Maintenance in the first tier is 9,900 / 80 = 123.75.
    // The wallet has 1,000: equity 900, margin ratio 123.75 / 900 = 0.1375. At a price p the equity is 1,000 + 0.1 p - 10,000, the maintenance 0.1 p / 80:
    // they meet at 0.1 p x 79 / 80 = 9,000, p = 91,139.24, and the position is liquidated at the tick below. Break-even: 10,005 / 0.9995 = 10,010.00500…,
    // per 0.1 BTC, up: 100,100.1.
    expect(await positionsOf(seq)).toMatchObject([
      {
        symbol: 'BTC_USDC',
        underlyingType: 'U_BASED',
        positionSide: 'BOTH',
        positionType: 'CROSSED',
        positionSize: '0.1',
        entryPrice: '100000',
        markPrice: '99000',
        breakEvenPrice: '100100.1',
        liquidationPrice: '91139.2',
        notional: '9900',
        maintenanceMargin: '123.75',
        unrealizedProfit: '-100',
        marginRatio: '0.1375',
        adlRank: 5,
      },
    ]);
  });

  test('on the coin that is their collateral move with it, and the account names that', async () => {
    const { seq } = heart.report(
      position({}),
      { type: 'CollateralSet', asset: spot.base, ratioPpm: ppm(900_000), market: spot.market, cap: atoms(10n ** 10n) },
      { type: 'IndexPriceSet', market: spot.market, price: ticks(100_000 * 10 ** spot.pricePrecision) },
      { type: 'BalanceChanged', account: ALICE, wallet: 'futures', asset: spot.base, free: atoms(1_000_000n), held: NO_ATOMS },
    );
    // 0.01 BTC count 900 of 1,000, and 0.009 p at p: 0.1 p - 10,000 + 1,000 + 0.009 p = 0.1 p / 80, p = 9,000 / 0.10775 = 83,526.68.
    expect(await positionsOf(seq)).toMatchObject([{ liquidationPrice: '83526.6' }]);
    const { data } = await venue.get(`${user}/account/info`, { as: venue.alice });
    const collaterals = [{ coin: 'BTC', amount: '0.01', price: '100000', ratio: '0.9', value: '900' }];
    expect(data).toMatchObject({ accounts: expect.arrayContaining([expect.objectContaining({ collateralValue: '1900', collaterals })]) });
  });

  test('of both legs show the same account: the long falls less far, and no rise liquidates the short', async () => {
    const { seq } = heart.report(
      position({ positionSide: 'long' }),
      position({ positionSide: 'short', size: signedLots(-8_000), cost: atoms(8_000_000_000n) }),
    );
    // 0.02 p - 2,000 + 1,000 = 0.18 p / 80, p = 1,000 / 0.01775 = 56,338.03.
    expect(await positionsOf(seq)).toMatchObject([
      { positionSide: 'LONG', liquidationPrice: '56338' },
      { positionSide: 'SHORT', liquidationPrice: null },
    ]);
  });

  test('that are empty show what is set for them, and a closed one is gone', async () => {
    heart.report(position({}));
    const { seq } = heart.report(
      position({ size: signedLots(0), cost: NO_ATOMS }),
      { type: 'LeverageSet', account: ALICE, market: BTC.market, positionSide: 'both', leverage: 7 },
      { type: 'MarginModeSet', account: ALICE, market: BTC.market, mode: 'isolated' },
    );
    expect(await positionsOf(seq)).toEqual([]);
    const { data } = await venue.get(`${user}/position/list`, { as: venue.alice, query: { symbol: 'BTC_USDC', minSeq: String(seq) } });
    expect(data).toMatchObject([{ positionSize: '0', leverage: 7, positionType: 'ISOLATED', entryPrice: null, adlRank: 0 }]);
  });

  test('an account sees its own alone', async () => {
    const { seq } = heart.report(position({}));
    expect((await venue.get(`${user}/position/list`, { as: venue.bob, query: { minSeq: String(seq) } })).data).toEqual([]);
  });
});

describe('[F1] orders', () => {
  const placed = async (body: object) => {
    heart.commands.length = 0;
    heart.answer = () => rests(order(5));
    const answer = await venue.post(`${trade}/order/create`, {
      as: venue.alice,
      body: { symbol: 'BTC_USDC', orderSide: 'BUY', orderType: 'LIMIT', price: '100000', ...body },
    });
    return [answer.code === 0 ? 'ok' : Reflect.get(answer.data, 'field'), Reflect.get(heart.commands[0] ?? {}, 'size')];
  };

  test.each([
    ['COIN', '0.05', 'ok', 5_000],
    ['SHEET', '0.05', 'ok', 5_000],
    // 5,000 / 100,000 = 0.05 BTC.
    ['USDT', '5000', 'ok', 5_000],
    // 5,000.99 is worth 0.0500099 BTC: the largest size that is not worth more is 0.05.
    ['USD', '5000.99', 'ok', 5_000],
    ['COIN', '0.000001', 'origQty', undefined],
    ['USDT', '0.5', 'origQty', undefined],
  ])('[F5] %s %s is %s, %s lots', async (unit, origQty, field, size) => {
    expect(await placed({ unit, origQty })).toEqual([field, size]);
  });

  test.each([
    ['SHEET', '5000', 'ok', 5_000],
    ['USD', '5000', 'ok', 5_000],
    ['USD', '0.5', 'origQty', undefined],
    // 0.05 BTC at 100,000 are 5,000 USD.
    ['COIN', '0.05', 'ok', 5_000],
  ])('[F5] of a coin-based contract %s %s is %s, %s lots', async (unit, origQty, field, size) => {
    expect(await placed({ symbol: 'BTC_USD', unit, origQty })).toEqual([field, size]);
  });

  test('of contracts stand in lists of their own, and spot does not know them', async () => {
    const waiting = order(7, {
      orderType: 'stopMarket',
      triggerPrice: ticks(900_000),
      contract: { ...order(7).contract, source: 'plan' } as never,
    });
    const { seq } = heart.report(
      ...rests(order(6)),
      { type: 'OrderAccepted', ...waiting },
      { type: 'OrderArmed', orderId: orderId(7), account: ALICE, market: BTC.market },
    );
    const as = { as: venue.alice, query: { minSeq: String(seq) } };
    expect((await venue.get(`${trade}/order/list`, as)).data).toMatchObject({
      total: 1,
      items: [{ orderId: '6', state: 'NEW', origQty: '0.01' }],
    });
    expect((await venue.get(`${trade}/entrust/plan-list`, as)).data).toMatchObject({
      total: 1,
      items: [{ entrustId: '7', stopPrice: '90000', state: 'NOT_TRIGGERED' }],
    });
    expect((await venue.get('/spot/v1/u/trade/order/list', as)).data).toMatchObject({ total: 0 });
    for (const [path, query] of [
      ['/spot/v1/u/trade/order/detail', { orderId: '6' }],
      [`${trade}/entrust/plan-detail`, { entrustId: '6' }],
    ] as const)
      expect(await venue.get(path, { as: venue.alice, query })).toMatchObject({ status: 404 });
  });

  test('cancel-all of spot names every spot market and no contract', async () => {
    heart.commands.length = 0;
    heart.answer = () => [];
    expect(await venue.post('/spot/v1/u/trade/order/cancel-all', { as: venue.alice, body: {} })).toMatchObject({ code: 0 });
    const markets = heart.commands.map((command) => (command.type === 'CancelAllOrders' ? command.market : undefined));
    expect(markets).not.toContain(0);
    expect(markets).not.toContain(BTC.market);
    expect(markets).toHaveLength(5);
  });

  test('[F2] close-all submits what it is asked for, and answers code 0', async () => {
    heart.commands.length = 0;
    heart.answer = () => [{ type: 'PositionsClosed', account: ALICE, key: 'one', mode: 'limitAtMid', left: [], closings: [] }];
    const body = { contractType: 'PERPETUAL', mode: 'LIMIT_AT_MID', key: 'one' };
    expect(await venue.post(`${trade}/order/position/close-all`, { as: venue.alice, body })).toMatchObject({ code: 0, data: [] });
    expect(heart.commands).toEqual([{ type: 'CloseAllPositions', account: ALICE, payoff: 'any', mode: 'limitAtMid', key: 'one' }]);
  });
});

test('[F1] funding, marks, open interest and tiers are public', async () => {
  const { seq } = heart.report(
    position({}),
    position({ account: BOB, size: signedLots(-10_000) }),
    prices({ mark: 1_000_100, index: 1_000_000 }),
  );
  await venue.get(`${user}/position/list`, { as: venue.alice, query: { minSeq: String(seq) } });
  const query = { symbol: 'BTC_USDC' };
  expect((await venue.get(`${market}/q/funding-rate`, { query })).data).toMatchObject({ fundingRate: '0.0000125', collectionInterval: 1 });
  expect((await venue.get(`${market}/q/symbol-mark-price`, { query })).data).toMatchObject({ p: '100010' });
  expect((await venue.get(`${market}/contract/open-interest`, { query })).data).toMatchObject({
    openInterest: '0.1',
    openInterestValue: '10001',
  });
  // At 4 M the rate goes from 1 / 80 to 1 / 20: the deduction is 4,000,000 x (0.05 - 0.0125) = 150,000.
  expect((await venue.get(`${market}/public/leverage/bracket/detail`, { query })).data).toMatchObject({
    brackets: [
      { maintMarginRate: '0.0125', maintDeduction: '0', maxLeverage: 40 },
      { maintMarginRate: '0.05', maintDeduction: '150000' },
      {},
    ],
  });
  expect((await venue.get(`${market}/q/kline`, { query: { ...query, interval: '1m', source: 'MARK' } })).data).toMatchObject([
    { c: '100010', a: '0' },
  ]);
});

test('[F1] the sources of an index are those of the last round, each with its age, its weight and whether it counts', async () => {
  const path = `${market}/q/index-sources`;
  const query = { symbol: 'BTC_USDC' };
  expect((await venue.get(path, { query })).data).toEqual({ symbol: 'BTC_USDC', time: 0, isDegraded: false, sources: [] });
  await heart.submit({
    type: 'SubmitPrices',
    market: BTC.market,
    index: [
      { source: 'east', price: ticks(1_000_100), ageMs: 120, weight: 3 },
      { source: 'west', price: ticks(999_900), ageMs: 10_001, weight: 2 },
    ],
    external: [{ source: 'north', price: ticks(1_000_300), ageMs: 0 }],
  });
  expect((await venue.get(`${market}/public/q/index-sources`, { query })).data).toEqual({
    symbol: 'BTC_USDC',
    time: NOW,
    isDegraded: false,
    sources: [
      { source: 'east', kind: 'SPOT', price: '100010', weight: 3, ageMs: 120, isFresh: true },
      { source: 'west', kind: 'SPOT', price: '99990', weight: 2, ageMs: 10_001, isFresh: false },
      { source: 'north', kind: 'PERPETUAL', price: '100030', weight: null, ageMs: 0, isFresh: true },
    ],
  });
  expect((await venue.get(path, { query: { symbol: 'NO_SUCH' } })).data).toMatchObject({ field: 'symbol' });
});

test('[F1] the insurance fund is public, of every coin, of one, or of what a contract is settled in', async () => {
  const { seq } = heart.report(
    { type: 'InsuranceChanged', asset: COIN.settle, amount: atoms(150_000_000n), change: atoms(150_000_000n) },
    { type: 'InsuranceChanged', asset: BTC.settle, amount: atoms(8_000_000n), change: atoms(-2_000_000n) },
  );
  await venue.get(`${user}/position/list`, { as: venue.alice, query: { minSeq: String(seq) } });
  const path = `${market}/public/contract/risk-balance`;
  const fund = async (query: Record<string, string>) => (await venue.get(path, { query })).data;
  const [usdc, btc] = [
    { coin: 'USDC', amount: '8', isSettlement: true },
    { coin: 'BTC', amount: '1.5', isSettlement: true },
  ];
  expect(await fund({})).toMatchObject({ funds: [usdc, btc], items: [], hasNext: false });
  expect(await fund({ symbol: 'BTC_USD' })).toMatchObject({ funds: [btc] });
  expect(await fund({ coin: 'USDC' })).toMatchObject({ funds: [usdc] });
  for (const [query, field] of [
    [{ symbol: 'NO_SUCH' }, 'symbol'],
    [{ coin: 'NOSUCH' }, 'coin'],
    [{ symbol: 'BTC_USD', coin: 'BTC' }, 'coin'],
  ] as const)
    expect(await fund(query)).toMatchObject({ field });
});

interface Heard {
  readonly topic?: string;
  readonly id?: number;
  readonly code?: number;
  readonly n?: number;
  readonly data?: never;
}

async function listen(): Promise<{ say: (message: unknown) => void; next: (find: (message: Heard) => boolean) => Promise<Heard> }> {
  const socket = new WebSocket(`${venue.base.replace('http', 'ws')}${FUTURES_STREAM_PATH}`);
  sockets.push(socket);
  const heard: Heard[] = [];
  socket.on('message', (raw: Buffer) => heard.push(JSON.parse(raw.toString('utf8'))));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return {
    say: (message) => socket.send(JSON.stringify(message)),
    next: (find) => eventually(() => heard.find(find), 'a message of the stream'),
  };
}

describe('[F4] the stream of contracts', () => {
  test('depth_update begins with the whole, then counts on without a gap', async () => {
    heart.report(...rests(order(6)));
    const ear = await listen();
    ear.say({ method: 'SUBSCRIBE', params: ['depth_update@btc_usdc'], id: 1 });
    const isUpdate = ({ topic }: Heard): boolean => topic === 'depth_update';
    const whole = (await ear.next(isUpdate)).data as unknown as FuturesDepthUpdate;
    expect(whole).toMatchObject({ s: 'BTC_USDC', whole: true, pu: null, b: [['99000', '0.01']], a: [] });
    heart.report(...rests(order(7, { price: ticks(995_000) })));
    const update = (await ear.next((message) => isUpdate(message) && !(message.data as unknown as FuturesDepthUpdate).whole))
      .data as unknown as FuturesDepthUpdate;
    expect(update).toMatchObject({ pu: whole.u, fu: whole.u + 1, u: whole.u + 1, b: [['99500', '0.01']], a: [] });
  });

  test('[F4] a listen key opens orders, positions and own trades of its account; it is renewed, and no other key does', async () => {
    const keyOf = async (type?: string): Promise<string> =>
      (await venue.get(`${user}/user/listen-key`, { as: venue.alice, query: type === undefined ? {} : { type } })).data;
    const key = await keyOf();
    expect(await keyOf()).toBe(key);
    expect(await keyOf('spot')).not.toBe(key);
    const ear = await listen();
    for (const [id, strange] of [
      [1, await keyOf('spot')],
      [2, '0'.repeat(32)],
    ] as const) {
      ear.say({ method: 'SUBSCRIBE', params: [`order@${strange}`], id });
      await ear.next((message) => message.code === 12_001);
    }
    ear.say({ method: 'SUBSCRIBE', params: [`order@${key}`, `position@${key}`, `trade@${key}`], id: 3 });
    await ear.next(({ id, code }) => id === 3 && code === 0);
    const maker = order(6);
    heart.report(...rests(maker), position({ account: BOB }));
    expect(await ear.next(({ topic }) => topic === 'order')).toMatchObject({ data: { orderId: '6', symbol: 'BTC_USDC' } });
    heart.report(
      {
        type: 'Trade',
        tradeId: tradeId(1),
        market: BTC.market,
        price: maker.price,
        size: lots(400),
        notional: atoms(396_000_000n),
        takerSide: 'sell',
        takerOrderId: orderId(9),
        takerAccount: BOB,
        takerFee: atoms(198_000n),
        makerOrderId: maker.orderId,
        makerAccount: ALICE,
        makerFee: atoms(-7_920n),
        makerRemaining: lots(600),
      },
      position({ size: signedLots(400), cost: atoms(396_000_000n), fees: NO_ATOMS }),
    );
    expect(await ear.next(({ topic }) => topic === 'own_trade')).toMatchObject({
      data: { orderSide: 'BUY', quantity: '0.004', fee: '-0.00792', takerMaker: 'MAKER' },
    });
    expect(await ear.next(({ topic }) => topic === 'position')).toMatchObject({ data: { positionSize: '0.004', entryPrice: '99000' } });
  });

  test('an unknown topic is refused and nothing of its message is taken', async () => {
    const ear = await listen();
    ear.say({ method: 'SUBSCRIBE', params: ['mark@btc_usdc', 'nonsense@btc_usdc'], id: 1 });
    expect(await ear.next(({ code }) => code !== undefined && code !== 0)).toMatchObject({ code: 11_002 });
    ear.say({ method: 'SUBSCRIBE', params: ['mark@btc_usdc'], id: 2 });
    expect(await ear.next(({ topic }) => topic === 'mark')).toMatchObject({ data: { s: 'BTC_USDC', p: '100000' } });
  });
});
