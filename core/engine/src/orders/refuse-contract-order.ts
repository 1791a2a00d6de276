/** Why an order of a contract is refused before it is held against the book: malformed, unknown or not allowed, in this order. */
import { assert, NO_LOTS, NO_TICKS } from '@orrery/units';
import type { CommandRejected, Order, OrderAccepted, PlaceContractOrder } from '@orrery/protocol';
import {
  ATTACHED_KINDS,
  checkAttachedPrices,
  checkAttachedTriggers,
  checkContractBounds,
  checkContractCombination,
  checkContractFields,
  checkContractOrder,
  checkTrailing,
  checkTriggerCombination,
  countBeyond,
  isAttached,
  isStop,
  reject,
  rejectBeyond,
  sizeBeyond,
  TRIGGERS_PER_POSITION,
} from '@orrery/rules';
import { onlyReduces } from '../clearing/reduces.ts';
import { refuseFundMarket } from '../funds/refuse-fund.ts';
import type { ListedContract } from '../instruments/listed-market.ts';
import { refuseOpening } from '../risk/under-liquidation.ts';
import { isOpenBy } from '../prices/contract-prices.ts';
import { heldLots, isLong, reducingLots } from '../positions/position-row.ts';
import { positionModeOf } from '../positions/positions.ts';
import type { OpenOrder } from './open-order.ts';
import { presentPrices, refuseTrigger } from './present-prices.ts';
import { closableBy, protects } from './reducing.ts';
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
    checkContractFields(command) ??
    checkTrailing(command) ??
    (market === undefined ? undefined : (checkContractBounds(command, market.terms, reference) ?? refuseTriggers(market, command))) ??
    checkContractCombination(command) ??
    refuseTriggerCombination(command, order);
  if (malformed !== undefined) return malformed;
  if (market === undefined) return reject('UnknownMarket', 'market');
  return (
    refuseTrader(trading, order.account) ??
    refuseFundMarket(trading, order.account, order.market) ??
    refuseState(market) ??
    refuseName(trading, order, undefined) ??
    refuseSide(trading, order, market) ??
    refusePrices(trading, order, market) ??
    refuseOpening(trading, order, market.contract) ??
    (isStop(order) ? refuseProtection(trading, order, market) : refuseReduction(trading, order, market, undefined)) ??
    refuseTriggerCount(trading, order, market)
  );
}

function refuseTriggers(market: ListedContract, command: PlaceContractOrder): CommandRejected | undefined {
  const { terms } = market;
  const isPlain = !isStop(command) && !isAttached(command.takeProfit) && !isAttached(command.stopLoss);
  if (isPlain) return checkAttachedPrices(command, terms);
  return (
    checkAttachedPrices(command, terms) ?? refuseTrigger(market, command) ?? checkAttachedTriggers(command, terms, presentPrices(market))
  );
}

/** Only what waits names a trigger, and only what may open a position has something attached. */
function refuseTriggerCombination(command: PlaceContractOrder, order: Order): CommandRejected | undefined {
  if (!isStop(command) && command.triggerPrice !== NO_TICKS) return reject('InvalidCombination', 'triggerPrice');
  const refusal = checkTriggerCombination(command);
  if (refusal !== undefined || !onlyReduces(order)) return refusal;
  const kind = ATTACHED_KINDS.find((one) => isAttached(command[one]));
  return kind === undefined ? undefined : reject('InvalidCombination', kind);
}

/** What waits to reduce a position is against it, and no larger than it is now: since rules 8 it has been cut to it. Each stands by itself: it is cut to the position when it triggers. */
function refuseProtection(trading: Trading, order: Order, market: ListedContract): CommandRejected | undefined {
  if (!onlyReduces(order)) return undefined;
  const closable = closableBy(trading, { ...order, market: market.terms.market, positionSide: order.contract?.positionSide ?? 'both' });
  if (closable === NO_LOTS) return reject('ReduceOnlyRefused', 'reduceOnly');
  return order.size > closable ? reducesTooMuch(market, { asked: order.size, limit: closable }) : undefined;
}

/** Take-profits and stop-losses of a position, those attached to open orders included. */
function refuseTriggerCount(trading: Trading, order: Order, market: ListedContract): CommandRejected | undefined {
  const more = triggersOf(order) + Number(isStop(order) && protects(order));
  if (more === 0) return undefined;
  const payer = market.clearing.payerOf(order);
  let count = more;
  for (const open of trading.orders.ofAccounts.of(order.account))
    if (open.payer === payer && open.market === market)
      count += triggersOf(open.order) + Number(open.status === 'armed' && protects(open.order));
  return count > TRIGGERS_PER_POSITION
    ? rejectBeyond('TooManyTriggers', '', countBeyond({ asked: count, limit: TRIGGERS_PER_POSITION }))
    : undefined;
}

export const triggersOf = ({ contract }: Pick<Order, 'contract'>): number =>
  contract === undefined ? 0 : Number(isAttached(contract.takeProfit)) + Number(isAttached(contract.stopLoss));

/** The same of an order that the exchange itself makes, which has no name and no trigger. */
export function refuseOwnOrder(trading: Trading, order: OrderAccepted, market: ListedContract): CommandRejected | undefined {
  const { contract } = order;
  assert(contract !== undefined, 'an order of a contract has its terms');
  return (
    checkContractBounds({ ...order, contract }, market.terms, referenceOf(trading, market, order.createdAt)) ??
    refuseTrader(trading, order.account) ??
    refuseFundMarket(trading, order.account, order.market) ??
    refuseState(market) ??
    refuseSide(trading, order, market) ??
    refusePrices(trading, order, market) ??
    refuseOpening(trading, order, market.contract) ??
    refuseReduction(trading, order, market, undefined)
  );
}

/** The same of a resting order that changes, apart from what it may reduce. */
export function refuseContractTerms(trading: Trading, order: Order, market: ListedContract, old: OpenOrder): CommandRejected | undefined {
  const { contract } = order;
  assert(contract !== undefined, 'an order of a contract has its terms');
  const reference = referenceOf(trading, market, order.createdAt);
  return (
    checkContractOrder({ ...order, contract }, market.terms, reference) ??
    // Before rules 8 a stop-loss could be left on the winning side of the price that it protects.
    (trading.rules < 8
      ? undefined
      : checkAttachedTriggers(
          { ...order, takeProfit: contract.takeProfit, stopLoss: contract.stopLoss },
          market.terms,
          presentPrices(market),
        )) ??
    refuseTrader(trading, order.account) ??
    refuseFundMarket(trading, order.account, order.market) ??
    refuseState(market) ??
    refuseName(trading, order, old) ??
    refusePrices(trading, order, market) ??
    refuseOpening(trading, order, market.contract)
  );
}

export function refuseSide({ positions }: Trading, { account, contract }: Order, listed: ListedContract): CommandRejected | undefined {
  const isHedge = positionModeOf(positions.known(account), listed.contract.group) === 'hedge';
  return (contract?.positionSide !== 'both') === isHedge ? undefined : reject('PositionSideMismatch', 'positionSide');
}

/** X1: while a contract is not open, orders may only reduce. Before rules 7 it was open until its first round: a trade at any price was a gain of somebody then. */
export function refusePrices({ rules }: Trading, order: Order, { contract }: ListedContract): CommandRejected | undefined {
  const { prices } = contract;
  if ((rules < 7 && prices.mark === NO_TICKS) || isOpenBy(rules, prices, order.createdAt) || onlyReduces(order)) return undefined;
  return reject('PricesDegraded', 'market');
}

/** More than a position leaves to close. */
export const reducesTooMuch = ({ terms }: ListedContract, compared: { readonly asked: number; readonly limit: number }): CommandRejected =>
  rejectBeyond('ReduceOnlyRefused', 'size', sizeBeyond(terms.market, compared));

/** O5: against a position, and with the other resting reduce-only orders no larger than it. Since rules 8 it has been cut to what they leave, if they leave something. */
export function refuseReduction(
  { positions }: Trading,
  order: Order,
  listed: ListedContract,
  leaving: OpenOrder | undefined,
): CommandRejected | undefined {
  if (!onlyReduces(order)) return undefined;
  const row = positions.row(order.account, listed.contract, order.contract?.positionSide ?? 'both');
  const held = heldLots(row);
  const isAgainst = held > NO_LOTS && isLong(row) === (order.side === 'sell');
  if (!isAgainst || order.size === NO_LOTS) return reject('ReduceOnlyRefused', 'reduceOnly');
  const resting = order.timeInForce === 'GTC' || order.timeInForce === 'GTX' ? reducingLots(row) : NO_LOTS;
  const others = leaving?.status === 'resting' ? resting - leaving.remaining : resting;
  return others + order.size > held ? reducesTooMuch(listed, { asked: order.size, limit: Math.max(0, held - others) }) : undefined;
}
