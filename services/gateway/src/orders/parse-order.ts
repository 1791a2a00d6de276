/** Orders as text become commands, or are refused by the name of the field; nothing is rounded. */
import {
  ApiError,
  type CreateOrder as CreateOrderBody,
  type CreatePair as CreatePairBody,
  type Listing,
  type UpdateOrder as UpdateOrderBody,
} from '@orrery/api';
import {
  NOT_ATTACHED,
  type AmendOrder,
  type AttachedTrigger,
  type CancelAllOrders,
  type CancelOrder,
  type Market,
  type OrderTerms,
  type OrderType,
  type PairLeg,
  type PlaceOrder,
  type PlacePair,
  type PlaceSpotOrder,
  type SelfTradePrevention,
  type Side,
  type SpotTerms,
  type TimeInForce,
} from '@orrery/protocol';
import {
  NO_ATOMS,
  NO_LOTS,
  NO_TICKS,
  parseAtoms,
  parseDecimal,
  parseLots,
  parseOrderId,
  parseTicks,
  ppm,
  type AccountId,
  type Atoms,
  type Lots,
  type OrderId,
  type Ppm,
  type Ticks,
} from '@orrery/units';
import type { Floor } from '../floor.ts';
import { listingOf, marketNamed } from '../market-data/listing.ts';

const ORDER_TYPES = {
  LIMIT: 'limit',
  MARKET: 'market',
  STOP_LIMIT: 'stopLimit',
  STOP_MARKET: 'stopMarket',
  TAKE_PROFIT_LIMIT: 'stopLimit',
  TAKE_PROFIT_MARKET: 'stopMarket',
  TRAILING_STOP_MARKET: 'stopMarket',
} as const satisfies Record<CreateOrderBody['tradeType'], OrderType>;

export const SIDES = { BUY: 'buy', SELL: 'sell' } as const satisfies Record<CreateOrderBody['direction'], Side>;

export const SELF_TRADE_PREVENTIONS = {
  EXPIRE_TAKER: 'expireTaker',
  EXPIRE_MAKER: 'expireMaker',
  EXPIRE_BOTH: 'expireBoth',
  DECREMENT: 'decrement',
} as const satisfies Record<NonNullable<CreateOrderBody['selfTradePrevention']>, SelfTradePrevention>;

const DEFAULT_TIME_IN_FORCE = {
  limit: 'GTC',
  stopLimit: 'GTC',
  market: 'IOC',
  stopMarket: 'IOC',
} as const satisfies Record<OrderType, TimeInForce>;

const PPM_DECIMALS = 6;
const PPM_MAX = 1_000_000n;

export function placeOrder(floor: Floor, account: AccountId, body: CreateOrderBody): PlaceOrder | PlaceSpotOrder {
  const listing = listed(floor, body.symbol);
  const terms = termsOf(listing, account, body);
  const spot = spotTermsOf(listing, body);
  const sizing = body.max === true ? ({ sizing: 'most' } as const) : {};
  return spot === undefined ? { type: 'PlaceOrder', ...terms, ...sizing } : { type: 'PlaceSpotOrder', ...terms, spot, ...sizing };
}

function termsOf(listing: Listing, account: AccountId, body: CreateOrderBody): OrderTerms {
  const orderType = ORDER_TYPES[body.tradeType];
  requireFields(body, orderType);
  return {
    account,
    market: listing.market.market,
    clientOrderId: body.clientOrderId ?? '',
    side: SIDES[body.direction],
    orderType,
    timeInForce: body.timeInForce ?? DEFAULT_TIME_IN_FORCE[orderType],
    price: priceOf(body.price, 'price', listing),
    size: sizeOf(body.totalAmount, listing),
    funds: fundsOf(body.funds, listing),
    triggerPrice: priceOf(body.stopPrice, 'stopPrice', listing),
    slippagePpm: slippageOf(body.slippage),
    selfTradePrevention: SELF_TRADE_PREVENTIONS[body.selfTradePrevention ?? 'EXPIRE_TAKER'],
  };
}

/** What a plain order has none of. */
const FURTHER = ['callbackRate', 'activationPrice', 'triggerProfitPrice', 'profitPrice', 'triggerStopPrice', 'lossPrice'] as const;

function spotTermsOf(listing: Listing, body: CreateOrderBody): SpotTerms | undefined {
  const takesProfit = body.tradeType === 'TAKE_PROFIT_LIMIT' || body.tradeType === 'TAKE_PROFIT_MARKET';
  if (!takesProfit && FURTHER.every((field) => body[field] === undefined)) return undefined;
  const isTrailing = body.tradeType === 'TRAILING_STOP_MARKET';
  if (!isTrailing && body.callbackRate !== undefined) throw new ApiError('InvalidCombination', { field: 'callbackRate' });
  return {
    source: takesProfit ? 'takeProfit' : 'plain',
    trailingPpm: ratioOf(body.callbackRate, 'callbackRate'),
    activationPrice: priceOf(body.activationPrice, 'activationPrice', listing),
    takeProfit: attachedOf(listing, body, 'triggerProfitPrice', 'profitPrice'),
    stopLoss: attachedOf(listing, body, 'triggerStopPrice', 'lossPrice'),
  };
}

function attachedOf(
  listing: Listing,
  body: CreateOrderBody,
  trigger: 'triggerProfitPrice' | 'triggerStopPrice',
  limit: 'profitPrice' | 'lossPrice',
): AttachedTrigger {
  if (body[trigger] !== undefined)
    return { triggerPrice: priceOf(body[trigger], trigger, listing), triggerBy: 'last', price: priceOf(body[limit], limit, listing) };
  if (body[limit] !== undefined) throw new ApiError('MissingField', { field: trigger });
  return NOT_ATTACHED;
}

/** Two orders of which one acts. */
export function placePair(floor: Floor, account: AccountId, body: CreatePairBody): PlacePair {
  const { symbol, direction, totalAmount, selfTradePrevention } = body;
  const listing = listed(floor, symbol);
  const [market, side] = [listing.market.market, SIDES[direction]];
  return {
    type: 'PlacePair',
    account,
    market,
    side,
    size: sizeOf(totalAmount, listing),
    selfTradePrevention: SELF_TRADE_PREVENTIONS[selfTradePrevention ?? 'EXPIRE_TAKER'],
    above: legOf(listing, body, 'above'),
    below: legOf(listing, body, 'below'),
  };
}

function legOf(listing: Listing, body: CreatePairBody, name: 'above' | 'below'): PairLeg {
  const leg = body[name];
  // What is a take-profit and what is a stop follows from the side; the name must say the same.
  const wins = (name === 'above') === (body.direction === 'SELL');
  const isStop = leg.tradeType.startsWith('STOP');
  const fieldOf = (field: string): string => `${name}.${field}`;
  if (wins === isStop) throw new ApiError('InvalidCombination', { field: fieldOf('tradeType') });
  const orderType = ORDER_TYPES[leg.tradeType];
  const missing =
    orderType !== 'stopMarket' && leg.price === undefined
      ? 'price'
      : orderType !== 'limit' && leg.stopPrice === undefined
        ? 'stopPrice'
        : undefined;
  if (missing !== undefined) throw new ApiError('MissingField', { field: fieldOf(missing) });
  return {
    clientOrderId: leg.clientOrderId ?? '',
    orderType,
    price: priceOf(leg.price, fieldOf('price'), listing),
    triggerPrice: priceOf(leg.stopPrice, fieldOf('stopPrice'), listing),
    slippagePpm: ratioOf(leg.slippage, fieldOf('slippage')),
  };
}

/** Refuses a missing field by name; the engine rejects fields that contradict each other. */
function requireFields(body: CreateOrderBody, orderType: OrderType): void {
  const hasLimit = orderType === 'limit' || orderType === 'stopLimit';
  const isTrailing = body.tradeType === 'TRAILING_STOP_MARKET';
  const hasTrigger = !isTrailing && (orderType === 'stopLimit' || orderType === 'stopMarket');
  if (isTrailing && body.callbackRate === undefined) throw new ApiError('MissingField', { field: 'callbackRate' });
  if (hasLimit && body.price === undefined) throw new ApiError('MissingField', { field: 'price' });
  if (body.totalAmount === undefined && body.funds === undefined) throw new ApiError('MissingField', { field: 'totalAmount' });
  if (hasTrigger && body.stopPrice === undefined) throw new ApiError('MissingField', { field: 'stopPrice' });
}

/** `market`: of the order that is amended. */
export function amendOrder({ floor, market }: { floor: Floor; market: Market }, account: AccountId, body: UpdateOrderBody): AmendOrder {
  const listing = listingOf(floor, market);
  return {
    type: 'AmendOrder',
    account,
    orderId: orderIdOf(body.orderId),
    clientOrderId: body.clientOrderId ?? '',
    price: priceOf(body.price, 'price', listing),
    size: sizeOf(body.totalAmount, listing),
  };
}

/** The market of a spot order that is open and the caller's: another's is as unknown as one that never was. */
export function ownMarketOf(floor: Floor, account: AccountId, orderId: OrderId): Market | undefined {
  const state = floor.orders.find(orderId);
  return state?.order.account === account && state.order.contract === undefined ? floor.listed(state.order.market).market : undefined;
}

export function cancelOrder(account: AccountId, body: { orderId?: string; clientOrderId?: string }): CancelOrder {
  const { orderId, clientOrderId } = body;
  if ((orderId === undefined) === (clientOrderId === undefined)) {
    throw new ApiError(orderId === undefined ? 'MissingField' : 'InvalidCombination', { field: 'orderId' });
  }
  return { type: 'CancelOrder', account, orderId: orderId === undefined ? 0 : orderIdOf(orderId), clientOrderId: clientOrderId ?? '' };
}

/** One command for each market meant: without a symbol every one of spot that is not halted, because 0 would mean contracts too. */
export function cancelAllOrders(floor: Floor, account: AccountId, symbol: string | undefined): CancelAllOrders[] {
  const markets = symbol === undefined ? floor.markets.markets().filter(({ state }) => state !== 'HALT') : [marketNamed(floor, symbol)];
  return markets.map(({ market: { market } }) => ({ type: 'CancelAllOrders', account, market }));
}

/** @param field as the caller names it */
export function orderIdOf(text: string, field = 'orderId'): OrderId {
  const orderId = parseOrderId(text);
  if (orderId === undefined) throw new ApiError('MalformedField', { field });
  return orderId;
}

const listed = (floor: Floor, symbol: string): Listing => listingOf(floor, marketNamed(floor, symbol).market);

/** @param field as the caller names it */
export function priceOf(text: string | undefined, field: string, { market }: Listing): Ticks {
  if (text === undefined) return NO_TICKS;
  const price = parseTicks(text, market.pricePrecision);
  if (price === undefined || price === NO_TICKS) throw offGrid(field, market.pricePrecision);
  return price;
}

function sizeOf(text: string | undefined, { market }: Listing): Lots {
  if (text === undefined) return NO_LOTS;
  const size = parseLots(text, market.sizePrecision);
  if (size === undefined || size === NO_LOTS) throw offGrid('totalAmount', market.sizePrecision);
  return size;
}

function fundsOf(text: string | undefined, { quote }: Listing): Atoms {
  if (text === undefined) return NO_ATOMS;
  const funds = parseAtoms(text, quote.decimals);
  if (funds === undefined || funds === NO_ATOMS) throw offGrid('funds', quote.decimals);
  return funds;
}

export const slippageOf = (text: string | undefined): Ppm => ratioOf(text, 'slippage');

/** A ratio above 0 and at most 1, such as 0.01. */
function ratioOf(text: string | undefined, field: string): Ppm {
  if (text === undefined) return ppm(0);
  const ratio = parseDecimal(text, PPM_DECIMALS);
  if (ratio === undefined || ratio === 0n || ratio > PPM_MAX) throw new ApiError('MalformedField', { field });
  return ppm(Number(ratio));
}

export const offGrid = (field: string, decimals: number): ApiError =>
  new ApiError('MalformedField', { field, message: `${field} must be above zero and have at most ${decimals} decimals` });
