import type {
  Applied,
  AttachedTrigger,
  BalanceChanged,
  Contract,
  ContractTerms,
  Event,
  OrderAccepted,
  PositionChanged,
  PositionReduced,
  Trade,
} from '@orrery/protocol';
import { accountId, assert, assetId, atoms, lots, marketId, millis, orderId, ppm, seq, signedLots, ticks, tradeId } from '@orrery/units';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ASSETS, CONTRACTS, MARKETS, PRACTICE_ASSET, PRACTICE_CONTRACTS } from '../../../exchange/src/listing.ts';
import { emptyProjection } from './index.ts';
import { Room, type StartedProjector } from './testing/room.ts';
import { finishedHeart } from './testing/finished-heart.ts';

const [ALICE, BOB] = [accountId(1), accountId(2)];
const [USDC, BTC] = [assetId(1), assetId(2)];
const [BTC_USDC, BTC_USD] = [marketId(101), marketId(106)];
const HOUR = 3_600_000;
const START = 1_795_046_400_000;

let room: Room;
beforeAll(async () => {
  room = await Room.open();
});
afterAll(() => room.db.close());
beforeEach(() => emptyProjection(room.db.sql));

/** Commands one after the other, by the minute; what they are called does not matter to history. */
class Tape {
  readonly applied: Applied[] = [];
  at = START;

  say(...events: Event[]): void {
    this.at += 60_000;
    this.applied.push({ seq: seq(this.applied.length + 1), at: millis(this.at), command: { type: 'RunTimers' }, events });
  }
}

function opened(): Tape {
  const tape = new Tape();
  tape.say(
    ...ASSETS.map((asset): Event => ({ type: 'AssetRegistered', ...asset })),
    ...MARKETS.map((market): Event => ({ type: 'MarketRegistered', ...market })),
    ...CONTRACTS.map((contract): Event => ({ type: 'ContractRegistered', ...contract })),
    { type: 'IndexPriceSet', market: marketId(1), price: ticks(1_000_000) },
  );
  for (const account of [ALICE, BOB]) {
    for (const [asset, amount, wallet] of [
      [USDC, 10_000_000_000n, 'futures'],
      [BTC, 100_000_000n, 'coinFutures'],
    ] as const) {
      const transferId = `${account}-${asset}`;
      tape.say(
        { type: 'DepositCredited', key: `1:${transferId}:0`, account, asset, amount: atoms(amount), suspended: false },
        { type: 'Transferred', account, transferId, asset, amount: atoms(amount), from: 'funding', to: 'spot' },
        { type: 'Transferred', account, transferId: `${transferId}-2`, asset, amount: atoms(amount), from: 'spot', to: wallet },
        balance(account, asset, amount, wallet),
      );
    }
  }
  return tape;
}

const balance = (account: number, asset: number, total: bigint, wallet: BalanceChanged['wallet'] = 'futures'): BalanceChanged => ({
  type: 'BalanceChanged',
  account: accountId(account),
  wallet,
  asset: assetId(asset),
  free: atoms(total),
  held: atoms(0n),
});

const PLAIN: ContractTerms = {
  positionSide: 'both',
  reduceOnly: false,
  closePosition: false,
  triggerBy: 'last',
  trailingPpm: ppm(0),
  source: 'plain',
};

const NO_TRIGGER: AttachedTrigger = { triggerPrice: ticks(0), triggerBy: 'mark', price: ticks(0) };

const order = (id: number, account: number, side: 'buy' | 'sell', contract: Partial<ContractTerms> = {}): OrderAccepted => ({
  type: 'OrderAccepted',
  orderId: orderId(id),
  account: accountId(account),
  market: BTC_USDC,
  clientOrderId: `c${id}`,
  side,
  orderType: 'limit',
  timeInForce: 'GTC',
  price: ticks(1_000_000),
  size: lots(100_000),
  funds: atoms(0n),
  triggerPrice: ticks(0),
  slippagePpm: ppm(0),
  selfTradePrevention: 'expireTaker',
  createdAt: millis(START),
  spot: undefined,
  contract: { ...PLAIN, ...contract, triggerDirection: 'rise', parent: 0, group: 0, takeProfit: NO_TRIGGER, stopLoss: NO_TRIGGER },
});

interface TradeTerms {
  readonly id: number;
  readonly price: number;
  readonly size: number;
  readonly takerSide: 'buy' | 'sell';
  readonly fees: readonly [bigint, bigint];
  readonly notional: bigint;
  readonly market?: typeof BTC_USDC;
}

/** Alice takes from bob. */
const trade = ({ id, price, size, takerSide, fees: [takerFee, makerFee], notional, market = BTC_USDC }: TradeTerms): Trade => ({
  type: 'Trade',
  tradeId: tradeId(id),
  market,
  price: ticks(price),
  size: lots(size),
  notional: atoms(notional),
  takerSide,
  takerOrderId: orderId(id === 1 ? 1 : 10 * id),
  takerAccount: ALICE,
  takerFee: atoms(takerFee),
  makerOrderId: orderId(id === 1 ? 2 : 10 * id + 1),
  makerAccount: BOB,
  makerFee: atoms(makerFee),
  makerRemaining: lots(0),
});

const position = (account: number, size: number, cost: bigint, more: Partial<PositionChanged> = {}): PositionChanged => ({
  type: 'PositionChanged',
  account: accountId(account),
  market: BTC_USDC,
  positionSide: 'both',
  size: signedLots(size),
  cost: atoms(cost),
  margin: atoms(0n),
  realised: atoms(0n),
  fees: atoms(0n),
  funding: atoms(0n),
  openedAt: millis(START),
  maxSize: lots(Math.abs(size)),
  ...more,
});

const reduced = (
  account: number,
  parts: Pick<PositionReduced, 'isLong' | 'cause'> &
    Record<'size' | 'price', number> &
    Record<'notional' | 'released' | 'profit' | 'fee', bigint>,
): PositionReduced => ({
  type: 'PositionReduced',
  account: accountId(account),
  market: BTC_USDC,
  positionSide: 'both',
  isLong: parts.isLong,
  size: lots(parts.size),
  price: ticks(parts.price),
  notional: atoms(parts.notional),
  releasedCost: atoms(parts.released),
  profit: atoms(parts.profit),
  fee: atoms(parts.fee),
  cause: parts.cause,
});

const contractOf = (market: number): Contract => {
  const found = CONTRACTS.find((contract) => contract.market === market);
  if (found === undefined) throw new Error('no contract');
  return found;
};

/** One BTC at 100,000: 100,000 USDC; alice pays 50, bob 20. Then half of it is closed at 101,000, and then she turns to half a BTC short. */
function tradedDay(): Tape {
  const tape = opened();
  tape.say({ type: 'LeverageSet', account: ALICE, market: BTC_USDC, positionSide: 'both', leverage: 20 });
  tape.say({ type: 'MarginModeSet', account: ALICE, market: BTC_USDC, mode: 'isolated' });
  tape.say(order(2, 2, 'sell'), {
    type: 'OrderRested',
    orderId: orderId(2),
    account: BOB,
    market: BTC_USDC,
    side: 'sell',
    price: ticks(1_000_000),
    remaining: lots(100_000),
    filled: lots(0),
    filledNotional: atoms(0n),
  });
  const openedAt = millis(tape.at + 60_000);
  tape.say(
    order(1, 1, 'buy', { source: 'plan' }),
    trade({ id: 1, price: 1_000_000, size: 100_000, takerSide: 'buy', fees: [50_000_000n, 20_000_000n], notional: 100_000_000_000n }),
    position(ALICE, 100_000, 100_000_000_000n, { openedAt, fees: atoms(50_000_000n) }),
    position(BOB, -100_000, 100_000_000_000n, { openedAt, fees: atoms(20_000_000n) }),
    balance(ALICE, USDC, 9_950_000_000n),
    balance(BOB, USDC, 9_980_000_000n),
  );
  tape.say(
    trade({ id: 2, price: 1_010_000, size: 50_000, takerSide: 'sell', fees: [25_250_000n, 10_100_000n], notional: 50_500_000_000n }),
    reduced(ALICE, {
      isLong: true,
      size: 50_000,
      price: 1_010_000,
      notional: 50_500_000_000n,
      released: 50_000_000_000n,
      profit: 500_000_000n,
      fee: 25_250_000n,
      cause: 'trade',
    }),
    reduced(BOB, {
      isLong: false,
      size: 50_000,
      price: 1_010_000,
      notional: 50_500_000_000n,
      released: 50_000_000_000n,
      profit: -500_000_000n,
      fee: 10_100_000n,
      cause: 'trade',
    }),
    position(ALICE, 50_000, 50_000_000_000n, { openedAt, fees: atoms(75_250_000n), maxSize: lots(100_000), realised: atoms(500_000_000n) }),
    position(BOB, -50_000, 50_000_000_000n, { openedAt, fees: atoms(30_100_000n), maxSize: lots(100_000), realised: atoms(-500_000_000n) }),
    balance(ALICE, USDC, 10_424_750_000n),
    balance(BOB, USDC, 9_469_900_000n),
  );
  tape.say(
    { type: 'FundingSettled', market: BTC_USDC, interval: millis(START), ratePpb: 12_500, price: ticks(1_000_000) },
    { type: 'FundingPaid', account: ALICE, market: BTC_USDC, positionSide: 'both', interval: millis(START), amount: atoms(-625_000n) },
    { type: 'FundingPaid', account: BOB, market: BTC_USDC, positionSide: 'both', interval: millis(START), amount: atoms(625_000n) },
    position(ALICE, 50_000, 50_000_000_000n, { openedAt, fees: atoms(75_250_000n), funding: atoms(-625_000n), maxSize: lots(100_000) }),
    position(BOB, -50_000, 50_000_000_000n, { openedAt, fees: atoms(30_100_000n), funding: atoms(625_000n), maxSize: lots(100_000) }),
    balance(ALICE, USDC, 10_424_125_000n),
    balance(BOB, USDC, 9_470_525_000n),
  );
  // Alice sells one BTC at 100,000: half of it closes, half of it opens a short position.
  const turnedAt = millis(tape.at + 60_000);
  tape.say(
    trade({ id: 3, price: 1_000_000, size: 100_000, takerSide: 'sell', fees: [50_000_000n, -2_000_000n], notional: 100_000_000_000n }),
    reduced(ALICE, {
      isLong: true,
      size: 50_000,
      price: 1_000_000,
      notional: 50_000_000_000n,
      released: 50_000_000_000n,
      profit: 0n,
      fee: 25_000_000n,
      cause: 'closeAll',
    }),
    reduced(BOB, {
      isLong: false,
      size: 50_000,
      price: 1_000_000,
      notional: 50_000_000_000n,
      released: 50_000_000_000n,
      profit: 0n,
      fee: -1_000_000n,
      cause: 'trade',
    }),
    position(ALICE, -50_000, 50_000_000_000n, { openedAt: turnedAt, fees: atoms(25_000_000n) }),
    position(BOB, 50_000, 50_000_000_000n, { openedAt: turnedAt, fees: atoms(-1_000_000n) }),
    balance(ALICE, USDC, 10_374_125_000n),
    balance(BOB, USDC, 9_472_525_000n),
  );
  tape.say({
    type: 'PricesSet',
    market: BTC_USDC,
    index: ticks(999_000),
    mark: ticks(1_001_000),
    state: 'READY',
    fundingPpb: 0,
    freshRounds: 3,
  });
  tape.say({
    type: 'PricesSet',
    market: BTC_USDC,
    index: ticks(997_000),
    mark: ticks(998_000),
    state: 'READY',
    fundingPpb: 0,
    freshRounds: 4,
  });
  return tape;
}

async function written(tape: Tape): Promise<StartedProjector> {
  const projector = await room.start(finishedHeart(tape.applied));
  await projector.reached(seq(tape.applied.length)).catch(() => expect.unreachable(String(room.troubles)));
  expect(room.troubles).toEqual([]);
  return projector;
}

const page = { page: 1, size: 10 } as const;

test('a closed position has its entry, exit, profit, fees and funding, also where the same trade opens another one', async () => {
  const projector = await written(tradedDay());
  const { contracts } = projector.history;
  const { items, total } = await contracts.closedPositions({ account: ALICE, ...page });
  expect(total).toBe(1);
  // One BTC was bought at 100,000; half of it sold at 101,000, half at 100,000. The fees: 50 + 25.25 + 25 of the part that closed.
  expect(items[0]).toMatchObject({
    symbol: 'BTC_USDC',
    side: 'LONG',
    positionSide: 'BOTH',
    positionType: 'ISOLATED',
    leverage: 20,
    maxSize: '1',
    entryPrice: '100000',
    avgClosePrice: '100500',
    realizedProfit: '500',
    cumTradingFee: '100.25',
    cumFunding: '-0.625',
    settleCoin: 'USDC',
    cause: 'CLOSE_ALL',
  });
  expect((await contracts.closedPositions({ account: BOB, ...page })).items[0]).toMatchObject({
    side: 'SHORT',
    positionType: 'CROSSED',
    leverage: contractOf(BTC_USDC).initLeverage,
    realizedProfit: '-500',
    cumTradingFee: '29.1',
    cumFunding: '0.625',
  });
  expect((await contracts.closedPositions({ account: ALICE, market: BTC_USD, ...page })).total).toBe(0);
  const { items: fills } = await contracts.fills({ account: ALICE, ...page });
  expect(fills.map(({ execId, closeProfit, fee, feeCoin, value }) => [execId, closeProfit, fee, feeCoin, value])).toEqual([
    ['3', '0', '50', 'USDC', '100000'],
    ['2', '500', '25.25', 'USDC', '50500'],
    ['1', '0', '50', 'USDC', '100000'],
  ]);
  expect((await projector.history.fills({ account: ALICE, ...page })).total).toBe(0);
  expect((await projector.history.activity(ALICE)).orders).toBe(0);
  await projector.stop();
});

test('J4: the bills of the wallets of futures add up to them, page by page, and say what each was for', async () => {
  const projector = await written(tradedDay());
  const { contracts } = projector.history;
  const first = await contracts.bills({ account: ALICE, limit: 4 });
  expect(first).toMatchObject({ hasPrev: false, hasNext: true });
  const rest = await contracts.bills({ account: ALICE, limit: 100, id: first.next ?? '' });
  expect(rest).toMatchObject({ hasPrev: true, hasNext: false, next: null });
  const all = [...first.items, ...rest.items].map(({ coin, type, side, amount, symbol }) => `${symbol} ${type} ${side} ${amount} ${coin}`);
  expect(all).toEqual([
    'BTC_USDC FEE SUB 50 USDC',
    'BTC_USDC FUND SUB 0.625 USDC',
    'BTC_USDC CLOSE_POSITION ADD 500 USDC',
    'BTC_USDC FEE SUB 25.25 USDC',
    'BTC_USDC FEE SUB 50 USDC',
    'null EXCHANGE ADD 1 BTC',
    'null EXCHANGE ADD 10000 USDC',
  ]);
  expect(first.items[0]?.afterAmount).toBe('10374.125');
  expect((await contracts.bills({ account: BOB, type: 'FEE', limit: 1 })).items[0]).toMatchObject({ side: 'ADD', amount: '2' });
  expect((await contracts.bills({ account: BOB, coin: 'NONE', limit: 1 })).items).toEqual([]);
  expect((await contracts.bills({ account: ALICE, id: 'x', limit: 1 })).items).toEqual([]);
  const { items } = await contracts.fundingPayments({ account: ALICE, limit: 10 });
  expect(items.map(({ symbol, coin, amount }) => [symbol, coin, amount])).toEqual([['BTC_USDC', 'USDC', '-0.625']]);
  const rates = await contracts.fundingRates({ market: BTC_USDC, limit: 10 });
  expect(rates.items).toEqual([
    { id: String(START), symbol: 'BTC_USDC', fundingRate: '0.0000125', price: '100000', collectionInterval: 1, createdTime: START },
  ]);
  await projector.stop();
});

test('J4: a balance that its bills do not explain stops history, unless the account was settled by a liquidation', async () => {
  const tape = opened();
  tape.say(balance(ALICE, USDC, 9_999_999_999n));
  const projector = await room.start(finishedHeart(tape.applied));
  await expect.poll(() => projector.status().failure).toContain('the bills of account 1 add up to 10000000000');
  await projector.stop();
  room.troubles.length = 0;
});

test('a TWAP order that is over has a row with what was filled of it, and why it ended', async () => {
  const tape = opened();
  const terms = { account: ALICE, market: BTC_USDC, side: 'buy', positionSide: 'both', minutes: 5, reduceOnly: false, seed: 0 } as const;
  for (const twapId of [1, 2, 3]) tape.say({ type: 'TwapAccepted', twapId, ...terms, key: `twap-${twapId}`, size: lots(50_000) });
  const startedAt = tape.at;
  const end = { account: ALICE, market: BTC_USDC, filledNotional: atoms(1n) } as const;
  tape.say({ type: 'TwapClosed', twapId: 1, ...end, reason: 'completed', filled: lots(25_000) });
  tape.say({ type: 'TwapClosed', twapId: 3, ...end, reason: 'positionClosed', filled: lots(0) });
  const { history } = await written(tape);
  const { items, total } = await history.contracts.twaps({ account: ALICE, ...page });
  expect(total).toBe(2);
  expect(items).toMatchObject([
    { twapId: '3', clientOrderId: 'twap-3', origQty: '0.5', executedQty: '0', closeReason: 'positionClosed', closedTime: tape.at },
    { twapId: '1', symbol: 'BTC_USDC', orderSide: 'BUY', origQty: '0.5', executedQty: '0.25', closeReason: 'completed' },
  ]);
  expect(items[1]?.closedTime).toBeGreaterThanOrEqual(startedAt);
  expect((await history.contracts.twaps({ account: BOB, ...page })).items).toEqual([]);
});

test('a liquidation is in history step by step, and what its margin did not cover is a bill of it', async () => {
  const tape = opened();
  tape.say(
    { type: 'BudgetFunded', key: 'first', budget: 'insurance', asset: USDC, amount: atoms(10_000_000_000n) },
    { type: 'InsuranceChanged', asset: USDC, amount: atoms(10_000_000_000n), change: atoms(10_000_000_000n) },
  );
  const openedAt = millis(tape.at);
  tape.say(position(ALICE, 100_000, 100_000_000_000n, { openedAt }));
  tape.say(
    trade({ id: 1, price: 880_000, size: 100_000, takerSide: 'sell', fees: [0n, 0n], notional: 88_000_000_000n }),
    reduced(ALICE, {
      isLong: true,
      size: 100_000,
      price: 880_000,
      notional: 88_000_000_000n,
      released: 100_000_000_000n,
      profit: -12_000_000_000n,
      fee: 0n,
      cause: 'liquidation',
    }),
    {
      type: 'LiquidationStep',
      liquidationId: 7,
      account: ALICE,
      market: BTC_USDC,
      positionSide: 'both',
      stage: 'orderBook',
      mark: ticks(905_000),
      equity: atoms(500_000_000n),
      maintenance: atoms(1_131_250_000n),
      size: lots(100_000),
      price: ticks(880_000),
      fromMargin: atoms(10_000_000_000n),
      fromLiquidator: atoms(0n),
      fromInsurance: atoms(2_000_000_000n),
      uncovered: atoms(0n),
    },
    {
      type: 'PositionDeleveraged',
      liquidationId: 7,
      account: BOB,
      market: BTC_USDC,
      positionSide: 'both',
      size: lots(10),
      price: ticks(900_000),
      rank: 1,
      profit: atoms(5n),
    },
    position(ALICE, 0, 0n, { openedAt, maxSize: lots(100_000) }),
    balance(ALICE, USDC, 0n),
    { type: 'InsuranceChanged', asset: USDC, amount: atoms(8_000_000_000n), change: atoms(-2_000_000_000n) },
    { type: 'InsuranceChanged', asset: BTC, amount: atoms(1n), change: atoms(1n) },
  );
  const projector = await written(tape);
  const { contracts } = projector.history;
  const fund = await contracts.insurance({ asset: USDC, limit: 1 });
  expect(fund).toMatchObject({
    hasPrev: false,
    hasNext: true,
    items: [{ coin: 'USDC', amount: '8000', change: '-2000', cause: 'LIQUIDATION', createdTime: tape.at }],
  });
  const before = await contracts.insurance({ asset: USDC, limit: 1, id: fund.next ?? '' });
  expect(before).toMatchObject({ hasPrev: true, hasNext: false, next: null, items: [{ change: '10000', cause: 'BUDGET' }] });
  expect((await contracts.insurance({ limit: 10 })).items.map(({ coin }) => coin)).toEqual(['BTC', 'USDC', 'USDC']);
  const { items } = await contracts.liquidations({ account: ALICE, ...page });
  expect(items).toMatchObject([
    {
      liquidationId: '7',
      stage: 'ORDER_BOOK',
      markPrice: '90500',
      equity: '500',
      maintenanceMargin: '1131.25',
      size: '1',
      price: '88000',
      fromMargin: '10000',
      fromInsurance: '2000',
      uncovered: '0',
    },
  ]);
  const bills = await contracts.bills({ account: ALICE, type: 'QIANG_PING_MANAGER', limit: 10 });
  expect(bills.items.map(({ side, amount }) => `${side} ${amount}`)).toEqual(['ADD 2000', 'SUB 12000']);
  expect((await contracts.closedPositions({ account: ALICE, ...page })).items).toMatchObject([
    { cause: 'LIQUIDATION', realizedProfit: '-12000' },
  ]);
  await projector.stop();
});

test('J4: the liquidator that is funded before a deleveraging has a bill of it', async () => {
  const tape = opened();
  const LIQUIDATOR = accountId(3);
  tape.say(
    {
      type: 'LiquidationStep',
      liquidationId: 1,
      account: ALICE,
      market: BTC_USDC,
      positionSide: 'both',
      stage: 'adl',
      mark: ticks(905_000),
      equity: atoms(-500_000_000n),
      maintenance: atoms(1_131_250_000n),
      size: lots(100_000),
      price: ticks(900_000),
      fromMargin: atoms(0n),
      fromLiquidator: atoms(0n),
      fromInsurance: atoms(0n),
      uncovered: atoms(0n),
    },
    balance(LIQUIDATOR, USDC, 1_000_000_000n),
  );
  const { contracts } = (await written(tape)).history;
  const { items } = await contracts.bills({ account: LIQUIDATOR, limit: 10 });
  expect(items).toMatchObject([{ side: 'ADD', amount: '1000', afterAmount: '1000' }]);
});

test('a portfolio counts futures: their wallets, transfers into them, and what open positions are worth at the mark', async () => {
  const tape = tradedDay();
  tape.at += 2 * HOUR;
  tape.say({ type: 'IndexPriceSet', market: marketId(1), price: ticks(1_000_000) });
  const projector = await written(tape);
  const { portfolio } = projector.history;
  const latest = async (scope: 'all' | 'spot' | 'futures') => (await portfolio.history({ account: ALICE, range: '1d', scope })).latest;
  // 10,374.125 USDC, one BTC at 100,000, and half a BTC short from 100,000 at 99,800: 100.
  expect(await latest('futures')).toMatchObject({ equity: '110474.125', net: '110000' });
  expect(await latest('all')).toMatchObject({ equity: '110474.125', net: '110000' });
  expect(await latest('spot')).toMatchObject({ equity: '0', net: '0' });
  const summary = (account: typeof ALICE, scope: 'all' | 'spot' | 'futures') => portfolio.summary({ account, range: '1d', scope });
  const traded = { trades: 3, volume: '250500', feesValue: '125.25', closedPositions: 1, wonPositions: 1 };
  expect(await summary(ALICE, 'all')).toMatchObject(traded);
  expect(await summary(ALICE, 'futures')).toMatchObject({ ...traded, fees: [{ coin: 'USDC', amount: '125.25', value: '125.25' }] });
  expect(await summary(ALICE, 'spot')).toMatchObject({
    trades: 0,
    volume: '0',
    fees: [],
    feesValue: '0',
    closedPositions: 0,
    wonPositions: 0,
  });
  const [minute, next] = await projector.history.contracts.priceMinutes({
    market: BTC_USDC,
    source: 'mark',
    from: millis(START),
    to: millis(START + HOUR),
    limit: 100,
  });
  expect([minute?.close, next?.open]).toEqual([1_001_000, 998_000]);
  await projector.stop();
});

test('volume of contracts is apart from spot, in USDC, and an inverse contract counts its dollars', async () => {
  const tape = tradedDay();
  tape.say(
    trade({ id: 4, price: 1_000_000, size: 2_000, takerSide: 'buy', fees: [100n, 40n], notional: 2_000_000n, market: BTC_USD }),
    balance(ALICE, BTC, 99_999_900n, 'coinFutures'),
    balance(BOB, BTC, 99_999_960n, 'coinFutures'),
  );
  const projector = await written(tape);
  const days = await projector.history.dayActivity({ accounts: [ALICE], from: START, until: tape.at });
  expect(days).toMatchObject([
    { orders: 0, trades: 0, volume: 0n, contractOrders: 1, contractTrades: 4, contractVolume: 252_500_000_000n },
  ]);
  // Bob was paid a rebate in the third: that trade counts for alice alone.
  const ofBob = await projector.history.dayActivity({ accounts: [BOB], from: START, until: tape.at });
  expect(ofBob).toMatchObject([{ contractOrders: 1, contractTrades: 3, contractVolume: 152_500_000_000n }]);
  const together = await projector.history.dayActivity({ accounts: [ALICE, BOB], from: START, until: tape.at });
  expect(together.map(({ contractTrades, contractVolume }) => [contractTrades, contractVolume])).toEqual([
    [0, 0n],
    [0, 0n],
  ]);
  const tomorrow = tape.at + 24 * HOUR;
  expect(await projector.history.contracts.volumes({ now: tomorrow })).toEqual([
    { account: ALICE, perpetual: 252_500_000_000n, spot: 0n, maker: 0n },
    { account: BOB, perpetual: 152_500_000_000n, spot: 0n, maker: 252_500_000_000n },
  ]);
  expect(await projector.history.contracts.tierVolume(ALICE, tomorrow)).toBe(252_500_000_000n);
  expect(await projector.history.contracts.tierVolume(ALICE, tape.at)).toBe(0n);
  await projector.stop();
});

test('what is practised counts nowhere: no volume, no task, no fee tier, no portfolio; its bills say what it is', async () => {
  const tape = tradedDay();
  const before = await written(tape);
  const until = tape.at + HOUR;
  const activity = () => before.history.dayActivity({ accounts: [ALICE], from: START, until });
  const counted = await activity();
  const summary = await before.history.portfolio.summary({ account: ALICE, range: '1d', scope: 'all' });
  await before.stop();
  const [play] = PRACTICE_CONTRACTS;
  assert(play !== undefined, 'there is a practice contract');
  const { market } = play;
  const { asset } = PRACTICE_ASSET;
  const day = millis(START);
  tape.say({ type: 'AssetRegistered', ...PRACTICE_ASSET }, { type: 'PracticeAssetSet', asset }, { type: 'ContractRegistered', ...play });
  for (const account of [ALICE, BOB])
    tape.say({ type: 'PracticeGranted', account, asset, amount: atoms(10_000_000_000n), day }, balance(account, asset, 10_000_000_000n));
  tape.say(
    { ...order(50, ALICE, 'buy'), market },
    { ...order(51, BOB, 'sell'), market },
    trade({
      id: 5,
      price: 1_000_000,
      size: 100_000,
      takerSide: 'buy',
      fees: [50_000_000n, 20_000_000n],
      notional: 100_000_000_000n,
      market,
    }),
    balance(ALICE, asset, 9_950_000_000n),
    balance(BOB, asset, 9_980_000_000n),
  );
  const after = await written(tape);
  expect(await after.history.dayActivity({ accounts: [ALICE], from: START, until })).toEqual(counted);
  const tomorrow = tape.at + 24 * HOUR;
  expect(await after.history.contracts.tierVolume(ALICE, tomorrow)).toBe(250_500_000_000n);
  const { since: _, until: __, ...figures } = summary;
  expect(await after.history.portfolio.summary({ account: ALICE, range: '1d', scope: 'all' })).toMatchObject(figures);
  const bills = await after.history.contracts.bills({ account: ALICE, coin: 'PRACTICE', limit: 10 });
  expect(bills.items.map(({ type, underlyingType, amount, side }) => `${type} ${underlyingType} ${side} ${amount}`)).toEqual([
    'FEE PRACTICE SUB 50',
    'PRACTICE PRACTICE ADD 10000',
  ]);
  await after.stop();
});

test('J1: written command by command, with a restart after each, it is the same as written at once', async () => {
  const tape = tradedDay();
  for (let end = 1; end <= tape.applied.length; end += 1) {
    const projector = await room.start(finishedHeart(tape.applied.slice(0, end)));
    await projector.reached(seq(end));
    await projector.stop();
  }
  const inPieces = await room.everything();
  for (const table of [
    'projector_closed_position',
    'projector_funding',
    'projector_position',
    'projector_price_candle',
    'projector_position_hour',
  ])
    expect(inPieces[table]?.length).toBeGreaterThan(0);
  await emptyProjection(room.db.sql);
  const projector = await written(tape);
  expect(await room.everything()).toEqual(inPieces);
  await projector.stop();
});
