/**
 * The work of a TWAP order: each slice is a market order that takes what it can at once. What it leaves the next one makes up, and no more than one slice of it: an order that
 * was spread over time does not act in one instant when the exchange was away or its contract not open. What is not made up ends unfilled.
 */
import { addLots, assert, minLots, NO_ATOMS, NO_LOTS, NO_TICKS, subtractLots, type Lots, type Millis } from '@orrery/units';
import type { OrderAccepted, TwapAdvanced, TwapEnd } from '@orrery/protocol';
import { contractNotional, equalSlice, twapOwnSize, twapSliceAt, twapSlices, twapSliceSize, twapTarget } from '@orrery/rules';
import type { CommandScope } from '../orders/command-scope.ts';
import { marketOrder } from '../orders/contract-orders.ts';
import { placeForAccount } from '../orders/place-for-account.ts';
import { referenceOf } from '../orders/reference.ts';
import { closableBy } from '../orders/reducing.ts';
import type { Timed } from './timed.ts';
import type { Twap } from './twaps.ts';

/** Places the slice that is due. One that is refused now, or for which the market is closed, is left to the next. */
export function runSlice(scope: CommandScope, timed: Timed, twap: Twap): void {
  const { terms } = twap;
  if (timed.accounts.is(terms.account, 'blocked')) return endTwap(scope, timed, twap, 'accountBlocked');
  const closable = terms.reduceOnly ? closableBy(timed, terms) : terms.size;
  if (closable === NO_LOTS) return endTwap(scope, timed, twap, 'positionClosed');
  if (timed.rules >= 7) skipMissed(twap, scope.at);
  const wanted = timed.rules < 7 ? twapSliceSize(terms, twap.slice, twap.filled) : sliceSize(timed, twap, scope.at);
  const size = minLots(wanted, closable);
  const placed = size === NO_LOTS ? undefined : placeForAccount(scope, sliceOf(scope, twap, size));
  const filled = placed?.filled ?? NO_LOTS;
  if (timed.rules >= 7) twap.missed = minLots(subtractLots(wanted, minLots(filled, wanted)), equalSlice(terms));
  timed.timers.twaps.advance(twap, filled, placed?.filledNotional ?? NO_ATOMS);
  if (twap.slice === twapSlices(terms.minutes) || twap.filled === terms.size) endTwap(scope, timed, twap, 'completed');
  // Before rules 6 only its end said what was filled.
  else if (filled > NO_LOTS && timed.rules >= 6) scope.events.push(advancedOf(twap));
}

/** Slices whose time is past are not placed any more: the one whose time came last is. */
function skipMissed(twap: Twap, at: Millis): void {
  const { terms, startedAt, slice } = twap;
  const last = twapSliceAt(terms, startedAt, at);
  if (last <= slice) return;
  let missed = twap.missed;
  const before = slice === 0 ? NO_LOTS : twapTarget(terms, slice - 1);
  missed = addLots(missed, subtractLots(twapTarget(terms, last - 1), before));
  twap.missed = minLots(missed, equalSlice(terms));
  twap.slice = last;
}

/** With what it makes up, where the bounds of an order allow it. */
function sliceSize(timed: Timed, { terms, slice, missed }: Twap, at: Millis): Lots {
  const own = twapOwnSize(terms, slice);
  const market = timed.contracts.get(terms.market);
  assert(market !== undefined, 'a TWAP order is of a listed contract');
  const both = minLots(addLots(own, missed), market.terms.maxSize);
  const reference = referenceOf(timed, market, at);
  const isTooMuch = both > NO_LOTS && reference !== NO_TICKS && contractNotional(reference, both, market.terms) > market.terms.maxNotional;
  return isTooMuch ? own : both;
}

/** How far it has come. */
export function advancedOf({ twapId, terms, startedAt, filled, filledNotional }: Twap): TwapAdvanced {
  return { type: 'TwapAdvanced', twapId, account: terms.account, market: terms.market, startedAt, filled, filledNotional };
}

export function endTwap({ events }: Pick<CommandScope, 'events'>, { timers }: Pick<Timed, 'timers'>, twap: Twap, reason: TwapEnd): void {
  timers.twaps.close(twap);
  const { twapId, terms, filled, filledNotional } = twap;
  events.push({ type: 'TwapClosed', twapId, account: terms.account, market: terms.market, reason, filled, filledNotional });
}

function sliceOf({ trading, at }: CommandScope, { twapId, terms }: Twap, size: Lots): OrderAccepted {
  const { account, market, side, positionSide, reduceOnly } = terms;
  return marketOrder(
    { orderId: trading.orders.nextId(), account, market, side, size, createdAt: at },
    { positionSide, reduceOnly, source: 'twap', group: twapId },
  );
}
