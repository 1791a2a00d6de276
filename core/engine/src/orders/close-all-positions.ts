/** Closes every position of an account, and says what is left of them. */
import { midTicks, NO_POSITION, NO_TICKS, stepTicks, type Millis, type Ticks } from '@orrery/units';
import type { CloseAllMode, CloseAllPositions, Event, OrderAccepted, PositionLeft, Side } from '@orrery/protocol';
import { reject } from '@orrery/rules';
import type { Listed } from '../instruments/listed-market.ts';
import { listedMarket } from '../instruments/listings.ts';
import { bodyOf, memoryOf } from '../money/money-records.ts';
import type { MoneyState } from '../money/money-state.ts';
import type { PositionRow } from '../positions/position-row.ts';
import { onlyReduces } from '../clearing/reduces.ts';
import { cancelOpenOrder } from './close-order.ts';
import type { CommandScope } from './command-scope.ts';
import { limitOrder, marketOrder } from './contract-orders.ts';
import { placeForAccount } from './place-for-account.ts';
import { closableSize } from './reducing.ts';
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
  const left = openRows(state, command).flatMap((row) => closeOne(scope, row, mode));
  scope.events.push({ type: 'PositionsClosed', account, key: command.key, mode, left });
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

/** @returns what is left of the position: nothing, or the one entry for it */
function closeOne(scope: CommandScope, row: PositionRow, mode: CloseAllMode): readonly PositionLeft[] {
  const market = listedMarket(scope.trading, row.exposure.contract.terms.market);
  let orderId: PositionLeft['orderId'] = 0;
  if (market.state === 'TRADING' && !scope.trading.matching.has(market.terms.market)) {
    cancelReducing(scope, row);
    const order = closingOrder(scope, { row, market, mode });
    const placed = order === undefined ? undefined : placeForAccount(scope, order);
    if (placed?.status === 'resting' || placed?.status === 'matching') ({ orderId } = placed.order);
  }
  const { size, positionSide } = row;
  return size === NO_POSITION ? [] : [{ market: market.terms.market, positionSide, size, orderId }];
}

/** The orders that would reduce the position, waiting or resting: what closes it whole leaves them nothing. */
function cancelReducing(scope: CommandScope, { payer, exposure }: PositionRow): void {
  const chosen = scope.trading.orders.ofAccounts
    .of(exposure.holder.account)
    .filter((open) => open.payer === payer && onlyReduces(open.order));
  for (const open of chosen.sort((left, right) => left.order.orderId - right.order.orderId)) cancelOpenOrder(scope, open, 'closeAll');
}

interface Closing {
  readonly row: PositionRow;
  readonly market: Listed;
  readonly mode: CloseAllMode;
}

/** Undefined where there is no price to close at. */
function closingOrder({ trading, at }: CommandScope, { row, market, mode }: Closing): OrderAccepted | undefined {
  const side: Side = row.size > 0 ? 'sell' : 'buy';
  const named = {
    orderId: trading.orders.nextId(),
    account: row.exposure.holder.account,
    market: market.terms.market,
    side,
    size: closableSize(trading, { payer: row.payer, side }),
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
