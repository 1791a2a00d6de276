/** Closes every position of an account, and says what is left of them. */
import {
  assert,
  lots,
  midTicks,
  minLots,
  NO_LOTS,
  NO_POSITION,
  NO_TICKS,
  stepTicks,
  subtractLots,
  type Lots,
  type Millis,
  type OrderId,
  type Ticks,
} from '@orrery/units';
import type {
  CloseAllMode,
  CloseAllPositions,
  Event,
  LeftReason,
  OrderAccepted,
  PositionClosing,
  PositionLeft,
  RejectReason,
  Side,
} from '@orrery/protocol';
import { reject } from '@orrery/rules';
import type { Listed } from '../instruments/listed-market.ts';
import { listedMarket } from '../instruments/listings.ts';
import { bodyOf, memoryOf } from '../money/money-records.ts';
import type { MoneyState } from '../money/money-state.ts';
import { reducingLots, type PositionRow } from '../positions/position-row.ts';
import { onlyReduces } from '../clearing/reduces.ts';
import { cancelOpenOrder } from './close-order.ts';
import type { CommandScope } from './command-scope.ts';
import { limitOrder, marketOrder } from './contract-orders.ts';
import type { OpenOrder } from './open-order.ts';
import { tryForAccount } from './place-for-account.ts';
import { closableSize } from './reducing.ts';
import { stallOfRefusal, waitsOn } from './stall.ts';
import type { Trading } from './trading.ts';

const KEY_LENGTH_MAX = 64;

export function closeAllPositions(state: Trading & MoneyState, command: CloseAllPositions, at: Millis): Event[] {
  const { account, payoff, mode } = command;
  if (command.key === '' || command.key.length > KEY_LENGTH_MAX) return [reject('InvalidField', 'key')];
  if (payoff === 'practice' && state.rules < 7) return [reject('RulesTooOld')];
  if (!state.accounts.has(account)) return [reject('UnknownAccount', 'account')];
  if (state.accounts.is(account, 'blocked')) return [reject('AccountBlocked', 'account')];
  const key = `${account} ${command.key}`;
  const memory = memoryOf(state.money.bodies('closeAll'), key, bodyOf(payoff, mode));
  if (memory === 'same') return [{ type: 'CommandRepeated', key: command.key }];
  if (memory === 'other') return [reject('KeyConflict', 'key')];
  // After this point nothing fails.
  state.money.remember('closeAll', key, bodyOf(payoff, mode));
  const scope: CommandScope = { trading: state, at, events: [] };
  const closings = openRows(state, command).map((row) => closeOne(scope, row, mode));
  const left = closings
    .filter((closing) => closing.left !== NO_POSITION)
    .map(({ market, positionSide, left: size, orderId }): PositionLeft => ({ market, positionSide, size, orderId }));
  scope.events.push({ type: 'PositionsClosed', account, key: command.key, mode, left, closings: state.rules < 8 ? [] : closings });
  return scope.events;
}

/** By contract and side. */
function openRows({ positions }: Trading, { account, payoff }: CloseAllPositions): readonly PositionRow[] {
  const exposures = positions.known(account)?.exposures ?? [];
  return exposures
    .filter(({ contract: { group } }) => group === payoff || (payoff === 'any' && group !== 'practice'))
    .flatMap(({ rows }) => rows.filter((row) => row !== undefined))
    .filter(({ size }) => size !== NO_POSITION);
}

function closeOne(scope: CommandScope, row: PositionRow, mode: CloseAllMode): PositionClosing {
  const market = listedMarket(scope.trading, row.exposure.contract.terms.market);
  const { positionSide, size: asked } = row;
  const { reason, orderId } = placeClosing(scope, { row, market, mode });
  const closed = lots(Math.abs(asked) - Math.abs(row.size));
  return {
    market: market.terms.market,
    positionSide,
    asked,
    closed,
    left: row.size,
    reason: row.size === NO_POSITION ? 'none' : reason,
    orderId,
  };
}

type Outcome = Pick<PositionClosing, 'reason' | 'orderId'>;

function placeClosing(scope: CommandScope, closing: Closing): Outcome {
  const { trading } = scope;
  const { row, market, mode } = closing;
  if (market.state !== 'TRADING') return { reason: 'marketClosed', orderId: 0 };
  if (trading.matching.has(market.terms.market)) return { reason: 'matching', orderId: 0 };
  if (trading.rules < 8) cancelReducing(scope, row, () => true);
  else if (mode === 'limitAtMid') cancelReducing(scope, row, (open) => open.status !== 'armed' && !waitsOn(trading, open));
  const size = sizeToClose(trading, closing);
  if (size === NO_LOTS) return { reason: 'ordersResting', orderId: 0 };
  const order = closingOrder(scope, closing, size);
  if (order === undefined) return { reason: 'noPrice', orderId: 0 };
  const placed = tryForAccount(scope, order);
  if ('type' in placed) return { reason: leftByRefusal(placed.reason), orderId: 0 };
  if (placed.status === 'resting') return { reason: 'restingAtMid', orderId: order.orderId };
  if (placed.status === 'matching') return { reason: 'matching', orderId: order.orderId };
  return { reason: leftByEnd(scope, order.orderId), orderId: 0 };
}

/** No more than an order may be; a limit order leaves to the ones that protect the position what they have in the book. */
function sizeToClose(trading: Trading, { row, market, mode }: Closing): Lots {
  const closable = closableSize(trading, { payer: row.payer, side: sideToClose(row) });
  if (trading.rules < 8) return closable;
  const resting = mode === 'limitAtMid' ? reducingLots(row) : NO_LOTS;
  return minLots(market.terms.maxSize, subtractLots(closable, minLots(resting, closable)));
}

const sideToClose = ({ size }: PositionRow): Side => (size > 0 ? 'sell' : 'buy');

function leftByRefusal(reason: RejectReason): LeftReason {
  if (reason === 'InvalidSize' || reason === 'InvalidNotional') return 'sizeBounds';
  const isStall = ['NoLiquidity', 'PriceOutOfBand', 'InsufficientMargin'].includes(reason);
  return isStall ? stallOfRefusal(reason) : 'refused';
}

/** Of an order that took what it could, and is over. One that was filled whole was smaller than the position. */
function leftByEnd({ events }: CommandScope, orderId: OrderId): LeftReason {
  const end = events.findLast((event) => event.type === 'OrderClosed' && event.orderId === orderId);
  assert(end?.type === 'OrderClosed', 'an order that is over has closed');
  if (end.reason === 'filled') return 'sizeBounds';
  if (end.reason === 'slippageBound' || end.reason === 'selfTrade') return end.reason;
  return end.reason === 'remainderNotFilled' ? 'noLiquidity' : 'refused';
}

/** Orders that would reduce the position: before rules 8 all of them, waiting or resting; since then those that rest, where a limit order needs what they take up. */
function cancelReducing(scope: CommandScope, { payer, exposure }: PositionRow, isChosen: (open: OpenOrder) => boolean): void {
  const chosen = scope.trading.orders.ofAccounts
    .of(exposure.holder.account)
    .filter((open) => open.payer === payer && onlyReduces(open.order) && isChosen(open));
  for (const open of chosen.sort((left, right) => left.order.orderId - right.order.orderId)) cancelOpenOrder(scope, open, 'closeAll');
}

interface Closing {
  readonly row: PositionRow;
  readonly market: Listed;
  readonly mode: CloseAllMode;
}

/** Undefined where there is no price to close at. */
function closingOrder({ trading, at }: CommandScope, { row, market, mode }: Closing, size: Lots): OrderAccepted | undefined {
  const side = sideToClose(row);
  const named = {
    orderId: trading.orders.nextId(),
    account: row.exposure.holder.account,
    market: market.terms.market,
    side,
    size,
    createdAt: at,
  };
  const terms = { positionSide: row.positionSide, reduceOnly: true, source: 'closeAll' } as const;
  if (mode === 'market') return marketOrder(named, terms);
  const mid = midOf(market, side);
  return mid === NO_TICKS ? undefined : limitOrder(named, mid, terms);
}

/** The middle of the book, rounded to the tick that is further from trading at once; the mark where a side is empty; 0 without either. */
function midOf({ book, contract }: Listed, side: Side): Ticks {
  const bid = book.bestPrice('buy');
  const ask = book.bestPrice('sell');
  if (bid === NO_TICKS || ask === NO_TICKS) return contract?.prices.mark ?? NO_TICKS;
  const floor = midTicks(bid, ask);
  return side === 'sell' && floor * 2 < bid + ask ? stepTicks(floor, 1) : floor;
}
