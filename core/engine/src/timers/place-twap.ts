/** TWAP orders: taken with their terms, and worked off in slices by `RunTimers`. */
import { assert, lots, type Millis, NO_TICKS } from '@orrery/units';
import type { CancelTwap, CommandRejected, Event, PlaceTwap, TwapTerms } from '@orrery/protocol';
import {
  contractNotional,
  equalSlice,
  isClientOrderId,
  leastSlice,
  refuseSize,
  reject,
  TWAP_MINUTES_MAX,
  TWAPS_PER_ACCOUNT,
  twapSlices,
} from '@orrery/rules';
import type { ListedContract } from '../instruments/listed-market.ts';
import { isLiquidated } from '../risk/under-liquidation.ts';
import { bodyOf, memoryOf } from '../money/money-records.ts';
import type { CommandScope } from '../orders/command-scope.ts';
import { referenceOf } from '../orders/reference.ts';
import { closableBy } from '../orders/reducing.ts';
import { refuseState, refuseTrader } from '../orders/refuse-order.ts';
import type { Timed } from './timed.ts';
import { endTwap } from './twap-slices.ts';

const SEED_MAX = 2 ** 32 - 1;

/** The first slice is due at once. */
export function placeTwap(timed: Timed, command: PlaceTwap, at: Millis): Event[] {
  const { type: _, ...terms } = command;
  const malformed = refuseTerms(timed, terms, at);
  if (malformed !== undefined) return [malformed];
  const key = `${terms.account} ${terms.key}`;
  const body = bodyOf(terms.market, terms.side, terms.positionSide, terms.size, terms.minutes, Number(terms.reduceOnly), terms.seed);
  const memory = memoryOf(timed.money.bodies('twap'), key, body);
  if (memory === 'same') return [{ type: 'CommandRepeated', key: terms.key }];
  if (memory === 'other') return [reject('KeyConflict', 'key')];
  const refusal = refuseTwap(timed, terms);
  if (refusal !== undefined) return [refusal];
  // After this point nothing fails.
  timed.money.remember('twap', key, body);
  const { twapId } = timed.timers.twaps.start(terms, at);
  return [{ type: 'TwapAccepted', twapId, ...terms }];
}

function refuseTerms(timed: Timed, terms: TwapTerms, at: Millis): CommandRejected | undefined {
  const { key, size, minutes, seed } = terms;
  const market = timed.contracts.get(terms.market);
  if (key === '' || !isClientOrderId(key)) return reject('InvalidField', 'key');
  if (minutes < 1 || minutes > TWAP_MINUTES_MAX) return reject('InvalidField', 'minutes');
  if (seed > SEED_MAX) return reject('InvalidField', 'seed');
  if (market === undefined) return reject('UnknownMarket', 'market');
  const slice = Math.floor(size / twapSlices(minutes));
  if (slice < market.terms.minSize || slice > market.terms.maxSize) return refuseSize(lots(slice), market.terms);
  return timed.rules < 7 ? undefined : refuseSlices(timed, terms, market, at);
}

/** A slice that no market order could be would be refused each time, and the whole end with nothing. */
function refuseSlices(timed: Timed, terms: TwapTerms, market: ListedContract, at: Millis): CommandRejected | undefined {
  const { minSize, minNotional, maxNotional } = market.terms;
  const least = leastSlice(terms);
  if (least < minSize) return refuseSize(lots(least), market.terms);
  const reference = referenceOf(timed, market, at);
  if (reference === NO_TICKS) return undefined;
  if (contractNotional(reference, least, market.terms) < minNotional) return reject('InvalidNotional', 'size');
  return contractNotional(reference, equalSlice(terms), market.terms) > maxNotional ? reject('InvalidNotional', 'size') : undefined;
}

function refuseTwap(timed: Timed, terms: TwapTerms): CommandRejected | undefined {
  const market = timed.contracts.get(terms.market);
  assert(market !== undefined, 'a TWAP order of no market is refused');
  const refusal = refuseTrader(timed, terms.account) ?? refuseState(market);
  if (refusal !== undefined) return refusal;
  if (!terms.reduceOnly && isLiquidated(timed, terms.account, market.contract)) return reject('UnderLiquidation');
  if (timed.timers.twaps.of(terms.account).length >= TWAPS_PER_ACCOUNT) return reject('TooManyOpenOrders');
  return terms.reduceOnly && closableBy(timed, terms) === 0 ? reject('ReduceOnlyRefused', 'reduceOnly') : undefined;
}

export function cancelTwap(timed: Timed, { account, twapId }: CancelTwap, at: Millis): Event[] {
  if (!timed.accounts.has(account)) return [reject('UnknownAccount', 'account')];
  const twap = timed.timers.twaps.get(twapId);
  if (twap?.terms.account !== account) return [reject('UnknownTwap', 'twapId')];
  if (timed.accounts.is(account, 'blocked')) return [reject('AccountBlocked', 'account')];
  // After this point nothing fails.
  const scope: CommandScope = { trading: timed, at, events: [] };
  endTwap(scope, timed, twap, 'canceledByAccount');
  return scope.events;
}
