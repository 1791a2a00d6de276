/** Orders in contracts as text become commands, or are refused by the name of the field. */
import {
  ApiError,
  type CreateFuturesOrder,
  type CreatePlan,
  type CreateProfitStop,
  type CreateTwap,
  type OrderSideName,
  type PositionSideName,
  type ReversePosition,
  type SetProtection as SetProtectionBody,
  type TriggerPriceType,
  type UpdateFuturesOrder,
  type UpdateProfitStop,
} from '@orrery/api';
import type {
  AmendOrder,
  AmendTrigger,
  AttachedTrigger,
  ContractTerms,
  OrderSource,
  PlaceContractOrder,
  PlaceTwap,
  PositionSide,
  ProtectionScope,
  SetProtection,
  Side,
  TriggerBy,
} from '@orrery/protocol';
import { NO_ATOMS, NO_LOTS, NO_TICKS, parseDecimal, parseTicks, ppm, type AccountId, type Ppm, type Ticks } from '@orrery/units';
import { stopDirection, takeProfitDirection } from '@orrery/rules';
import type { ListedContract, OrderState } from '@orrery/views';
import type { Floor } from '../floor.ts';
import { offGrid, orderIdOf, SELF_TRADE_PREVENTIONS, slippageOf } from '../orders/parse-order.ts';
import { contractNamed } from './contract-listing.ts';
import { sizeIn } from './parse-size.ts';

export const SIDES = { BUY: 'buy', SELL: 'sell' } as const satisfies Record<OrderSideName, Side>;
export const POSITION_SIDES = { BOTH: 'both', LONG: 'long', SHORT: 'short' } as const satisfies Record<PositionSideName, PositionSide>;
const TRIGGERS = { LATEST_PRICE: 'last', MARK_PRICE: 'mark', INDEX_PRICE: 'index' } as const satisfies Record<TriggerPriceType, TriggerBy>;

/** As the engine names fields, and as callers know them. */
export const CONTRACT_FIELDS: Readonly<Record<string, string>> = {
  market: 'symbol',
  side: 'orderSide',
  size: 'origQty',
  triggerPrice: 'stopPrice',
  slippagePpm: 'slippage',
  trailingPpm: 'callbackRate',
  triggerBy: 'triggerPriceType',
  takeProfit: 'triggerProfitPrice',
  stopLoss: 'triggerStopPrice',
  mode: 'positionMode',
  amount: 'margin',
  at: 'time',
  asset: 'coin',
};

const PPM_DECIMALS = 6;
const PPM_MAX = 1_000_000n;
const NOTHING_ATTACHED: AttachedTrigger = { triggerPrice: NO_TICKS, triggerBy: 'last', price: NO_TICKS };

const triggerOf = (type: TriggerPriceType | undefined): TriggerBy => TRIGGERS[type ?? 'MARK_PRICE'];

const sideOf = (side: PositionSideName | undefined): PositionSide => POSITION_SIDES[side ?? 'BOTH'];

export function placeContractOrder(floor: Floor, account: AccountId, body: CreateFuturesOrder): PlaceContractOrder {
  const listed = contractNamed(floor, body.symbol);
  if (body.orderType === 'LIMIT' && body.price === undefined) throw new ApiError('MissingField', { field: 'price' });
  checkSize(body);
  const price = priceIn(body.price, 'price', listed);
  const attached = (text: string | undefined, field: string): AttachedTrigger => ({
    triggerPrice: priceIn(text, field, listed),
    triggerBy: text === undefined ? 'last' : triggerOf(body.triggerPriceType),
    price: NO_TICKS,
  });
  return {
    type: 'PlaceContractOrder',
    account,
    market: listed.contract.market,
    clientOrderId: body.clientOrderId ?? '',
    side: SIDES[body.orderSide],
    orderType: body.orderType === 'LIMIT' ? 'limit' : 'market',
    timeInForce: body.timeInForce ?? (body.orderType === 'LIMIT' ? 'GTC' : 'IOC'),
    price,
    size: sizeIn(floor, listed, body, body.orderType === 'LIMIT' ? price : NO_TICKS),
    funds: NO_ATOMS,
    triggerPrice: NO_TICKS,
    slippagePpm: slippageOf(body.slippage),
    selfTradePrevention: SELF_TRADE_PREVENTIONS[body.selfTradePrevention ?? 'EXPIRE_TAKER'],
    contract: termsOf(body, { source: 'plain', triggerBy: 'last' }),
    takeProfit: attached(body.triggerProfitPrice, 'triggerProfitPrice'),
    stopLoss: attached(body.triggerStopPrice, 'triggerStopPrice'),
    ...(body.max === true && { sizing: 'most' }),
  };
}

/** The engine knows the size. */
export function reversal(floor: Floor, account: AccountId, { symbol, from, clientOrderId }: ReversePosition): PlaceContractOrder {
  return {
    type: 'PlaceContractOrder',
    account,
    market: contractNamed(floor, symbol).contract.market,
    clientOrderId: clientOrderId ?? '',
    side: from === 'LONG' ? 'sell' : 'buy',
    orderType: 'market',
    timeInForce: 'IOC',
    price: NO_TICKS,
    size: NO_LOTS,
    funds: NO_ATOMS,
    triggerPrice: NO_TICKS,
    slippagePpm: ppm(0),
    selfTradePrevention: 'expireTaker',
    contract: termsOf({}, { source: 'plain', triggerBy: 'last' }),
    takeProfit: NOTHING_ATTACHED,
    stopLoss: NOTHING_ATTACHED,
    sizing: 'reverse',
  };
}

/** What closes a position has no size of its own, and everything else has one. */
function checkSize({ origQty, closePosition }: { origQty?: string; closePosition?: boolean }): void {
  if (closePosition === true && origQty !== undefined) throw new ApiError('InvalidCombination', { field: 'origQty' });
  if (closePosition !== true && origQty === undefined) throw new ApiError('MissingField', { field: 'origQty' });
}

function termsOf(
  body: { positionSide?: PositionSideName; reduceOnly?: boolean; closePosition?: boolean },
  { source, triggerBy, trailingPpm = ppm(0) }: { source: OrderSource; triggerBy: TriggerBy; trailingPpm?: Ppm },
): ContractTerms {
  const closePosition = body.closePosition ?? false;
  return {
    positionSide: sideOf(body.positionSide),
    reduceOnly: body.reduceOnly ?? closePosition,
    closePosition,
    triggerBy,
    trailingPpm,
    source,
  };
}

export function placePlan(floor: Floor, account: AccountId, body: CreatePlan): PlaceContractOrder {
  const listed = contractNamed(floor, body.symbol);
  const isTrailing = body.entrustType === 'TRAILING_STOP_MARKET';
  const isLimit = body.entrustType === 'STOP' || body.entrustType === 'TAKE_PROFIT';
  if (isLimit && body.price === undefined) throw new ApiError('MissingField', { field: 'price' });
  if (!isLimit && body.price !== undefined) throw new ApiError('InvalidCombination', { field: 'price' });
  if (!isTrailing && body.stopPrice === undefined) throw new ApiError('MissingField', { field: 'stopPrice' });
  if (isTrailing && body.stopPrice !== undefined) throw new ApiError('InvalidCombination', { field: 'stopPrice' });
  if (isTrailing && body.callbackRate === undefined) throw new ApiError('MissingField', { field: 'callbackRate' });
  if (!isTrailing && body.callbackRate !== undefined) throw new ApiError('InvalidCombination', { field: 'callbackRate' });
  checkSize(body);
  const triggerPrice = priceIn(body.stopPrice, 'stopPrice', listed);
  if (!isTrailing) checkTriggerSide(listed, body, triggerPrice);
  const price = priceIn(body.price, 'price', listed);
  return {
    type: 'PlaceContractOrder',
    account,
    market: listed.contract.market,
    clientOrderId: body.clientOrderId ?? '',
    side: SIDES[body.orderSide],
    orderType: isLimit ? 'stopLimit' : 'stopMarket',
    timeInForce: body.timeInForce ?? (isLimit ? 'GTC' : 'IOC'),
    price,
    size: sizeIn(floor, listed, body, isLimit ? price : triggerPrice),
    funds: NO_ATOMS,
    triggerPrice,
    slippagePpm: ppm(0),
    selfTradePrevention: 'expireTaker',
    contract: termsOf(body, {
      source: 'plan',
      triggerBy: triggerOf(body.triggerPriceType),
      trailingPpm: isTrailing ? rateIn(body.callbackRate, 'callbackRate') : ppm(0),
    }),
    takeProfit: NOTHING_ATTACHED,
    stopLoss: NOTHING_ATTACHED,
  };
}

/**
 * The engine takes a plan order whose trigger is on either side of the present price, as the one it then is. What the caller calls it must fit: a
 * stop on the winning side would act as its opposite.
 */
function checkTriggerSide({ mark, index, lastPrice: last }: ListedContract, body: CreatePlan, triggerPrice: Ticks): void {
  const present = { last, mark, index }[triggerOf(body.triggerPriceType)];
  if (present === NO_TICKS || triggerPrice === present) return;
  const isStop = body.entrustType === 'STOP' || body.entrustType === 'STOP_MARKET';
  const side = SIDES[body.orderSide];
  const direction = isStop ? stopDirection(side) : takeProfitDirection(side);
  if (triggerPrice > present === (direction === 'rise')) return;
  const where = direction === 'rise' ? 'above' : 'below';
  throw new ApiError('InvalidTrigger', {
    field: 'stopPrice',
    message: `stopPrice of a ${body.entrustType} that ${side === 'buy' ? 'buys' : 'sells'} must be ${where} the present price`,
  });
}

/** One order for each trigger that is given, take-profit first. @param isLong of the position they close */
export function placeProfitStops(
  floor: Floor,
  account: AccountId,
  { body, isLong }: { body: CreateProfitStop; isLong: boolean },
): PlaceContractOrder[] {
  const listed = contractNamed(floor, body.symbol);
  const closePosition = body.origQty === undefined;
  const place = (text: string, field: string, source: OrderSource): PlaceContractOrder => {
    const triggerPrice = priceIn(text, field, listed);
    return {
      type: 'PlaceContractOrder',
      account,
      market: listed.contract.market,
      clientOrderId: '',
      side: isLong ? 'sell' : 'buy',
      orderType: 'stopMarket',
      timeInForce: 'IOC',
      price: NO_TICKS,
      size: sizeIn(floor, listed, body, triggerPrice),
      funds: NO_ATOMS,
      triggerPrice,
      slippagePpm: ppm(0),
      selfTradePrevention: 'expireTaker',
      contract: termsOf(
        { ...(body.positionSide === undefined ? {} : { positionSide: body.positionSide }), reduceOnly: true, closePosition },
        { source, triggerBy: triggerOf(body.triggerPriceType) },
      ),
      takeProfit: NOTHING_ATTACHED,
      stopLoss: NOTHING_ATTACHED,
    };
  };
  const { triggerProfitPrice, triggerStopPrice } = body;
  if (triggerProfitPrice === undefined && triggerStopPrice === undefined)
    throw new ApiError('MissingField', { field: 'triggerProfitPrice' });
  return [
    ...(triggerProfitPrice === undefined ? [] : [place(triggerProfitPrice, 'triggerProfitPrice', 'takeProfit')]),
    ...(triggerStopPrice === undefined ? [] : [place(triggerStopPrice, 'triggerStopPrice', 'stopLoss')]),
  ];
}

/** Its fields, as callers know them. */
export const PROTECTION_FIELDS: Readonly<Record<string, string>> = {
  ...CONTRACT_FIELDS,
  'takeProfit.triggerPrice': 'triggerProfitPrice',
  'takeProfit.price': 'profitPrice',
  'takeProfit.clientOrderId': 'profitClientOrderId',
  'stopLoss.triggerPrice': 'triggerStopPrice',
  'stopLoss.price': 'stopPrice',
  'stopLoss.clientOrderId': 'stopClientOrderId',
  takeProfit: 'triggerProfitPrice',
};

const SCOPES = { WHOLE: 'whole', PART: 'part', FURTHER_PART: 'furtherPart' } as const satisfies Record<string, ProtectionScope>;

export function setProtection(floor: Floor, account: AccountId, body: SetProtectionBody, key: string): SetProtection {
  const listed = contractNamed(floor, body.symbol);
  const triggerBy = triggerOf(body.triggerPriceType);
  const takeProfit = {
    triggerPrice: priceIn(body.triggerProfitPrice, 'triggerProfitPrice', listed),
    triggerBy,
    price: priceIn(body.profitPrice, 'profitPrice', listed),
    clientOrderId: body.profitClientOrderId ?? '',
  };
  const stopLoss = {
    triggerPrice: priceIn(body.triggerStopPrice, 'triggerStopPrice', listed),
    triggerBy,
    price: priceIn(body.stopPrice, 'stopPrice', listed),
    clientOrderId: body.stopClientOrderId ?? '',
  };
  const price = takeProfit.triggerPrice === NO_TICKS ? stopLoss.triggerPrice : takeProfit.triggerPrice;
  return {
    type: 'SetProtection',
    account,
    market: listed.contract.market,
    positionSide: sideOf(body.positionSide),
    scope: SCOPES[body.scope ?? (body.origQty === undefined ? 'WHOLE' : 'PART')],
    size: sizeIn(floor, listed, body, price),
    takeProfit,
    stopLoss,
    key,
  };
}

/** Of an order that waits; a trigger that is not of its kind is refused. */
export function amendTrigger(floor: Floor, { order }: OrderState, body: UpdateProfitStop): AmendTrigger {
  const listed = floor.listedContract(order.market);
  const [own, other] =
    order.contract?.source === 'takeProfit'
      ? (['triggerProfitPrice', 'triggerStopPrice'] as const)
      : (['triggerStopPrice', 'triggerProfitPrice'] as const);
  if (body[other] !== undefined) throw new ApiError('InvalidCombination', { field: other });
  if (body[own] === undefined && body.origQty === undefined) throw new ApiError('MissingField', { field: own });
  const triggerPrice = priceIn(body[own], own, listed);
  return {
    type: 'AmendTrigger',
    account: order.account,
    orderId: order.orderId,
    triggerPrice,
    price: NO_TICKS,
    size: sizeIn(floor, listed, body, triggerPrice === NO_TICKS ? order.triggerPrice : triggerPrice),
  };
}

/** Of an open order; what is left out stays. */
export function amendContractOrder(floor: Floor, { order }: OrderState, body: UpdateFuturesOrder): AmendOrder {
  const listed = floor.listedContract(order.market);
  const price = priceIn(body.price, 'price', listed);
  return {
    type: 'AmendOrder',
    account: order.account,
    orderId: orderIdOf(body.orderId),
    clientOrderId: body.clientOrderId ?? '',
    price,
    size: body.origQty === undefined ? NO_LOTS : sizeIn(floor, listed, body, price === NO_TICKS ? order.price : price),
  };
}

/** `key` names it. */
export function placeTwap(floor: Floor, account: AccountId, body: CreateTwap, key: string): PlaceTwap {
  const listed = contractNamed(floor, body.symbol);
  return {
    type: 'PlaceTwap',
    account,
    market: listed.contract.market,
    key,
    side: SIDES[body.orderSide],
    positionSide: sideOf(body.positionSide),
    size: sizeIn(floor, listed, body, NO_TICKS),
    minutes: body.minutes,
    reduceOnly: body.reduceOnly ?? false,
    seed: 0,
  };
}

export function priceIn(text: string | undefined, field: string, { contract }: ListedContract): Ticks {
  if (text === undefined) return NO_TICKS;
  const price = parseTicks(text, contract.pricePrecision);
  if (price === undefined || price === NO_TICKS) throw offGrid(field, contract.pricePrecision);
  return price;
}

function rateIn(text: string | undefined, field: string): Ppm {
  const rate = text === undefined ? undefined : parseDecimal(text, PPM_DECIMALS);
  if (rate === undefined || rate === 0n || rate >= PPM_MAX) throw new ApiError('MalformedField', { field });
  return ppm(Number(rate));
}
