/** An order in a contract in the words and decimals of the public contract, whether it is open, waits for its trigger, or is over. */
import type {
  EntrustState,
  EntrustType,
  FuturesFill,
  FuturesOrder,
  FuturesOrderState,
  OrderSideName,
  Plan,
  PositionSideName,
  ProfitStop,
  ProfitStopTerms,
  SourceType,
  TriggerPriceType,
} from '@orrery/api';
import type { Asset, Contract, ContractOrderTerms, OrderSource, PositionSide, Side, TriggerBy } from '@orrery/protocol';
import { entryPrice, takeProfitDirection, type AttachedKind } from '@orrery/rules';
import {
  assert,
  NO_ATOMS,
  NO_LOTS,
  printAtoms,
  printDecimal,
  printLots,
  printTicks,
  type Atoms,
  type Lots,
  type Ticks,
} from '@orrery/units';
import { holdingOf, needOf, type OrderState } from '@orrery/views';
import type { Floor } from '../floor.ts';
import type { TradeSide } from '../market-data/wire.ts';
import { ratio } from '../market-data/listing.ts';
import { settleOf } from './contract-listing.ts';
import { priceIn } from './futures-market.ts';

export const SIDE_NAMES = { buy: 'BUY', sell: 'SELL' } as const satisfies Record<Side, OrderSideName>;
export const POSITION_SIDE_NAMES = { both: 'BOTH', long: 'LONG', short: 'SHORT' } as const satisfies Record<PositionSide, PositionSideName>;
const TRIGGER_NAMES = { last: 'LATEST_PRICE', mark: 'MARK_PRICE', index: 'INDEX_PRICE' } as const satisfies Record<
  TriggerBy,
  TriggerPriceType
>;
const SOURCE_NAMES = {
  plain: 'DEFAULT',
  plan: 'ENTRUST',
  takeProfit: 'PROFIT',
  stopLoss: 'PROFIT',
  twap: 'TWAP',
  closeAll: 'CLOSE_ALL',
  liquidation: 'LIQUIDATION',
} as const satisfies Record<OrderSource, SourceType>;

export const PLAN_SOURCES: readonly OrderSource[] = ['plan'];
export const PROFIT_STOP_SOURCES: readonly OrderSource[] = ['takeProfit', 'stopLoss'];

/** The terms that make an order one of a contract. */
export function contractOf({ order }: OrderState): ContractOrderTerms {
  assert(order.contract !== undefined, `order ${order.orderId} is one of a contract`);
  return order.contract;
}

/** Whether it has not acted yet: it waits for its trigger, or for the order that it protects. */
export const isWaiting = ({ status, order }: OrderState): boolean =>
  status === 'armed' || (status === 'open' && order.orderType === 'stopMarket' && order.contract?.parent !== 0);

export const isPlan = (state: OrderState): boolean => isWaiting(state) && PLAN_SOURCES.includes(contractOf(state).source);
export const isProfitStop = (state: OrderState): boolean => isWaiting(state) && PROFIT_STOP_SOURCES.includes(contractOf(state).source);

/** What the order itself does not say. */
interface Beside {
  /** The open orders of its account: what was attached to it is among them once it is over. */
  readonly open?: readonly OrderState[];
  /** Settle atoms that its fills realised, where history knows them. */
  readonly closeProfit?: Atoms | undefined;
}

export function futuresOrderText(floor: Floor, state: OrderState, { open = [], closeProfit }: Beside = {}): FuturesOrder {
  const { order, filled, filledNotional, closeReason } = state;
  const terms = contractOf(state);
  const listed = floor.listedContract(order.market);
  const { contract } = listed;
  const price = priceIn(contract);
  const settle = settleOf(floor, contract);
  // Until the order is over what is attached to it are terms of it; then it is an order of its own, whose trigger may have been moved since.
  const attached = (kind: AttachedKind): string | null => {
    const child = open.find(({ order: other }) => other.contract?.parent === order.orderId && other.contract.source === kind);
    return price(child === undefined ? terms[kind].triggerPrice : child.order.triggerPrice);
  };
  return {
    orderId: String(order.orderId),
    clientOrderId: order.clientOrderId,
    symbol: contract.symbol,
    contractType: 'PERPETUAL',
    orderType: order.orderType === 'limit' || order.orderType === 'stopLimit' ? 'LIMIT' : 'MARKET',
    orderSide: SIDE_NAMES[order.side],
    positionSide: POSITION_SIDE_NAMES[terms.positionSide],
    timeInForce: order.timeInForce,
    price: price(order.price),
    origQty: sizeOrNull(order.size, contract),
    avgPrice: averagePrice(state, contract),
    executedQty: printLots(filled, contract.sizePrecision),
    executedValue: printAtoms(filledNotional, settle.decimals),
    marginFrozen: printAtoms(state.status === 'open' ? needOf(floor, listed, order.account, [state]) : NO_ATOMS, settle.decimals),
    closeProfit: closeProfit === undefined ? null : printAtoms(closeProfit, settle.decimals),
    reduceOnly: terms.reduceOnly,
    closePosition: terms.closePosition,
    triggerProfitPrice: attached('takeProfit'),
    triggerStopPrice: attached('stopLoss'),
    sourceType: SOURCE_NAMES[terms.source],
    entrustType: order.orderType === 'stopMarket' || order.orderType === 'stopLimit' ? entrustTypeOf(state) : null,
    stopPrice: price(order.triggerPrice),
    sourceId: terms.parent === 0 ? null : String(terms.parent),
    forceClose: terms.source === 'liquidation',
    state: stateOf(state),
    closeReason: closeReason ?? null,
    createdTime: order.createdAt,
    updatedTime: state.updatedAt,
  };
}

export function planText(floor: Floor, state: OrderState): Plan {
  const { order } = state;
  const terms = contractOf(state);
  const { contract } = floor.listedContract(order.market);
  const price = priceIn(contract);
  return {
    entrustId: String(order.orderId),
    clientOrderId: order.clientOrderId,
    symbol: contract.symbol,
    orderSide: SIDE_NAMES[order.side],
    positionSide: POSITION_SIDE_NAMES[terms.positionSide],
    entrustType: entrustTypeOf(state),
    timeInForce: order.timeInForce,
    stopPrice: price(order.triggerPrice),
    price: price(order.price),
    triggerPriceType: TRIGGER_NAMES[terms.triggerBy],
    callbackRate: terms.trailingPpm === 0 ? null : ratio(terms.trailingPpm),
    origQty: sizeOrNull(order.size, contract),
    executedQty: printLots(state.filled, contract.sizePrecision),
    avgPrice: averagePrice(state, contract),
    reduceOnly: terms.reduceOnly,
    closePosition: terms.closePosition,
    ...endOf(state),
  };
}

/** What the order itself says; the rest of a profit-stop is its position's. */
export function profitStopTerms(floor: Floor, state: OrderState): ProfitStopTerms {
  const { order } = state;
  const terms = contractOf(state);
  const { contract } = floor.listedContract(order.market);
  const trigger = priceIn(contract)(order.triggerPrice);
  const isProfit = terms.source === 'takeProfit';
  return {
    profitId: String(order.orderId),
    clientOrderId: order.clientOrderId,
    entrustType: entrustTypeOf(state),
    price: priceIn(contract)(order.price),
    closePosition: terms.closePosition,
    groupId: terms.group === 0 ? null : String(terms.group),
    parentId: terms.parent === 0 ? null : String(terms.parent),
    symbol: contract.symbol,
    orderSide: SIDE_NAMES[order.side],
    positionSide: POSITION_SIDE_NAMES[terms.positionSide],
    triggerProfitPrice: isProfit ? trigger : null,
    triggerStopPrice: isProfit ? null : trigger,
    triggerPriceType: TRIGGER_NAMES[terms.triggerBy],
    origQty: sizeOrNull(order.size, contract),
    executedQty: printLots(state.filled, contract.sizePrecision),
    ...endOf(state),
  };
}

export function profitStopText(floor: Floor, state: OrderState): ProfitStop {
  const { account, market } = state.order;
  const { contract } = floor.listedContract(market);
  const place = { account, market, positionSide: contractOf(state).positionSide };
  const position = floor.positions.get(place);
  return {
    ...profitStopTerms(floor, state),
    positionType: floor.positions.marginMode(place) === 'isolated' ? 'ISOLATED' : 'CROSSED',
    positionSize: printDecimal(BigInt(position?.size ?? 0), contract.sizePrecision),
    entryPrice: position === undefined ? null : priceIn(contract)(entryPrice(position.cost, holdingOf(position).size, contract)),
    isolatedMargin: printAtoms(position?.margin ?? NO_ATOMS, settleOf(floor, contract).decimals),
  };
}

/** One side's part of a trade in a contract. @param closeProfit settle atoms that it realised */
export function futuresFillOf(
  { trade, role, clientOrderId, at }: TradeSide,
  { contract, settle, positionSide, closeProfit }: { contract: Contract; settle: Asset; positionSide: PositionSide; closeProfit: Atoms },
): FuturesFill {
  const isTaker = role === 'TAKER';
  const isBuy = (trade.takerSide === 'buy') === isTaker;
  return {
    orderId: String(isTaker ? trade.takerOrderId : trade.makerOrderId),
    clientOrderId,
    execId: String(trade.tradeId),
    symbol: contract.symbol,
    orderSide: isBuy ? 'BUY' : 'SELL',
    positionSide: POSITION_SIDE_NAMES[positionSide],
    quantity: printLots(trade.size, contract.sizePrecision),
    price: printTicks(trade.price, contract.pricePrecision),
    value: printAtoms(trade.notional, settle.decimals),
    fee: printAtoms(isTaker ? trade.takerFee : trade.makerFee, settle.decimals),
    feeCoin: settle.code,
    closeProfit: printAtoms(closeProfit, settle.decimals),
    takerMaker: role,
    timestamp: at,
  };
}

function stateOf({ status, closeReason, filled }: OrderState): FuturesOrderState {
  if (status === 'closed') return closeReason === 'filled' ? 'FILLED' : 'CANCELED';
  return filled > NO_LOTS ? 'PARTIALLY_FILLED' : 'NEW';
}

function entrustTypeOf({ order }: OrderState): EntrustType {
  const { contract, side, orderType } = order;
  if (contract !== undefined && contract.trailingPpm !== 0) return 'TRAILING_STOP_MARKET';
  const isLimit = orderType === 'stopLimit';
  if (contract?.triggerDirection === takeProfitDirection(side)) return isLimit ? 'TAKE_PROFIT' : 'TAKE_PROFIT_MARKET';
  return isLimit ? 'STOP' : 'STOP_MARKET';
}

function endOf(state: OrderState): Pick<Plan, 'state' | 'stallReason' | 'closeReason' | 'createdTime' | 'updatedTime'> {
  return {
    state: entrustStateOf(state),
    stallReason: state.stalled ?? null,
    closeReason: state.closeReason ?? null,
    createdTime: state.order.createdAt,
    updatedTime: state.updatedAt,
  };
}

function entrustStateOf(state: OrderState): EntrustState {
  if (isWaiting(state)) return 'NOT_TRIGGERED';
  switch (state.closeReason) {
    case 'canceledByAccount':
    case 'replaced':
      return state.filled > NO_LOTS ? 'TRIGGERED' : 'USER_REVOCATION';
    case 'expired':
      return 'EXPIRED';
    case undefined:
    case 'filled':
    case 'remainderNotFilled':
    case 'slippageBound':
    case 'refusedAtTrigger':
      return 'TRIGGERED';
    default:
      return state.filled > NO_LOTS ? 'TRIGGERED' : 'PLATFORM_REVOCATION';
  }
}

const sizeOrNull = (size: Lots, { sizePrecision }: Contract): string | null => (size === NO_LOTS ? null : printLots(size, sizePrecision));

/** Rounded down to a tick; null before the first fill. */
function averagePrice({ filled, filledNotional }: OrderState, contract: Contract): string | null {
  if (filled === NO_LOTS || filledNotional === NO_ATOMS) return null;
  const price: Ticks = entryPrice(filledNotional, filled, contract);
  return printTicks(price, contract.pricePrecision);
}
