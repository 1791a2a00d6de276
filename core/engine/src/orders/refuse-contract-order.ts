/** Why an order of a contract is refused before it is held against the book: malformed, unknown or not allowed, in this order. */
import { assert, NO_LOTS, NO_TICKS } from '@orrery/units';
import type { CommandRejected, Order, PlaceContractOrder } from '@orrery/protocol';
import { checkContractOrder, isStop, reject } from '@orrery/rules';
import { onlyReduces } from '../clearing/reduces.ts';
import type { ListedContract } from '../instruments/listed-market.ts';
import { areReliable } from '../prices/contract-prices.ts';
import { heldLots, isLong } from '../positions/position-row.ts';
import { positionModeOf } from '../positions/positions.ts';
import type { OpenOrder } from './open-order.ts';
import { referenceOf } from './reference.ts';
import { refuseName, refuseState, refuseTrader } from './refuse-order.ts';
import type { Trading } from './trading.ts';

export function refuseContractOrder(
  trading: Trading,
  command: PlaceContractOrder,
  order: Order,
  market: ListedContract | undefined,
): CommandRejected | undefined {
  const reference = market === undefined ? NO_TICKS : referenceOf(trading, market, order.createdAt);
  const malformed =
    checkContractOrder({ ...command, orderId: order.orderId, createdAt: order.createdAt }, market?.terms, reference) ??
    refuseTriggers(command);
  if (malformed !== undefined) return malformed;
  if (market === undefined) return reject('UnknownMarket', 'market');
  return (
    refuseTrader(trading, order.account) ??
    refuseState(market) ??
    refuseName(trading, order, undefined) ??
    refuseSide(trading, order, market) ??
    refusePrices(order, market) ??
    refuseReduction(trading, order, market, undefined)
  );
}

/** The same of an order that replaces a resting one. */
export function refuseContractAmendment(trading: Trading, order: Order, old: OpenOrder): CommandRejected | undefined {
  const market = trading.contracts.get(order.market);
  assert(market !== undefined && order.contract !== undefined, 'an order of a contract has its terms');
  const reference = referenceOf(trading, market, order.createdAt);
  return (
    checkContractOrder({ ...order, contract: order.contract }, market.terms, reference) ??
    refuseTrader(trading, order.account) ??
    refuseState(market) ??
    refuseName(trading, order, old) ??
    refusePrices(order, market) ??
    refuseReduction(trading, order, market, old)
  );
}

/** Orders that wait for a price are refused here. */
function refuseTriggers({ orderType, triggerPrice, contract, takeProfit, stopLoss }: PlaceContractOrder): CommandRejected | undefined {
  if (isStop({ orderType }) || triggerPrice !== NO_TICKS) return reject('InvalidCombination', 'triggerPrice');
  if (contract.trailingPpm !== 0) return reject('InvalidCombination', 'trailingPpm');
  if (takeProfit.triggerPrice !== NO_TICKS) return reject('InvalidCombination', 'takeProfit');
  return stopLoss.triggerPrice === NO_TICKS ? undefined : reject('InvalidCombination', 'stopLoss');
}

export function refuseSide({ positions }: Trading, { account, contract }: Order, { terms }: ListedContract): CommandRejected | undefined {
  const isHedge = positionModeOf(positions.known(account), terms.payoff) === 'hedge';
  return (contract?.positionSide !== 'both') === isHedge ? undefined : reject('PositionSideMismatch', 'positionSide');
}

/** X1: while the prices of a contract cannot be relied on, orders may only reduce. Before its first round there is nothing to be liquidated by. */
export function refusePrices(order: Order, { contract }: ListedContract): CommandRejected | undefined {
  const { prices } = contract;
  if (prices.mark === NO_TICKS || areReliable(prices, order.createdAt) || onlyReduces(order)) return undefined;
  return reject('PricesDegraded', 'market');
}

/** O5: against a position, and with the other resting reduce-only orders no larger than it. */
export function refuseReduction(
  { positions }: Trading,
  order: Order,
  { contract }: ListedContract,
  leaving: OpenOrder | undefined,
): CommandRejected | undefined {
  if (!onlyReduces(order)) return undefined;
  const row = positions.row(order.account, contract, order.contract?.positionSide ?? 'both');
  const held = heldLots(row);
  const isAgainst = held > NO_LOTS && isLong(row) === (order.side === 'sell');
  if (!isAgainst || order.size === NO_LOTS) return reject('ReduceOnlyRefused', 'reduceOnly');
  const resting = order.timeInForce === 'GTC' || order.timeInForce === 'GTX' ? row.reducing : NO_LOTS;
  const others = leaving?.status === 'resting' ? resting - leaving.remaining : resting;
  return others + order.size > held ? reject('ReduceOnlyRefused', 'size') : undefined;
}
