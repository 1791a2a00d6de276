/** The work of a TWAP order: each slice is a market order that takes what it can at once; what it leaves is caught up by later ones. */
import { minLots, NO_ATOMS, NO_LOTS, type Lots } from '@orrery/units';
import type { OrderAccepted, TwapAdvanced, TwapEnd } from '@orrery/protocol';
import { twapSlices, twapSliceSize } from '@orrery/rules';
import type { CommandScope } from '../orders/command-scope.ts';
import { marketOrder } from '../orders/contract-orders.ts';
import { placeForAccount } from '../orders/place-for-account.ts';
import { closableBy } from '../orders/reducing.ts';
import type { Timed } from './timed.ts';
import type { Twap } from './twaps.ts';

/** Places the slice that is due. One that is refused now, or for which the market is closed, is left to the next. */
export function runSlice(scope: CommandScope, timed: Timed, twap: Twap): void {
  const { terms } = twap;
  if (timed.accounts.is(terms.account, 'blocked')) return endTwap(scope, timed, twap, 'accountBlocked');
  const closable = terms.reduceOnly ? closableBy(timed, terms) : terms.size;
  if (closable === NO_LOTS) return endTwap(scope, timed, twap, 'positionClosed');
  const size = minLots(twapSliceSize(terms, twap.slice, twap.filled), closable);
  const placed = size === NO_LOTS ? undefined : placeForAccount(scope, sliceOf(scope, twap, size));
  const filled = placed?.filled ?? NO_LOTS;
  timed.timers.twaps.advance(twap, filled, placed?.filledNotional ?? NO_ATOMS);
  if (twap.slice === twapSlices(terms.minutes) || twap.filled === terms.size) endTwap(scope, timed, twap, 'completed');
  // Before rules 6 only its end said what was filled.
  else if (filled > NO_LOTS && timed.rules >= 6) scope.events.push(advancedOf(twap));
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
