/** The end of an order: its coin goes to the buyer, or back to where it came from. Once. */
import { addAtoms, assert, millis, type AccountId, type Millis } from '@orrery/units';
import type { Event, OtcStatus } from '@orrery/protocol';
import { pay } from '../ledger/movements.ts';
import { isLive } from './advertisement.ts';
import { settled } from './advertise.ts';
import { isEnded, NEVER, steppedOf, type OtcOrder } from './otc-order.ts';
import { escrowOf, fundingOf, termsOf, type OtcState } from './otc-state.ts';

export interface Ending {
  readonly order: OtcOrder;
  /** 0 when it is by a timer or an arbiter. */
  readonly by: AccountId | 0;
  readonly at: Millis;
}

function end(state: OtcState, { order, by, at }: Ending, status: OtcStatus): void {
  assert(!isEnded(order), 'an order ends once');
  Object.assign(order, { status, by, steppedAt: at });
  state.otc.endOrder(order, at);
}

export function releaseCoin(state: OtcState, ending: Ending): Event[] {
  const { order, at } = ending;
  const { buyer, seller, asset, amount, coinsAreHeld } = order.terms;
  const { people } = state.otc;
  const { holdMs } = termsOf(state);
  end(state, ending, 'RELEASED');
  pay(state.ledger, escrowOf(state, asset), fundingOf(state, buyer, asset), amount);
  people.finish(buyer);
  people.finish(seller);
  const heldUntil = coinsAreHeld && holdMs > 0 ? millis(at + holdMs) : NEVER;
  if (heldUntil !== NEVER) state.coinHolds.add({ account: buyer, asset, amount, until: heldUntil }, at);
  return [steppedOf(order, heldUntil)];
}

/** To the advertisement while that is live; what its seller brought for this order, and what has no advertisement any more, to the seller. */
export function returnCoin(state: OtcState, ending: Ending, status: 'RETURNED' | 'CANCELLED' | 'EXPIRED'): Event[] {
  const { order } = ending;
  const { seller, asset, amount } = order.terms;
  end(state, ending, status);
  const advertisement = state.otc.advertisement(order.terms.advertisement);
  const live = advertisement !== undefined && isLive(advertisement) ? advertisement : undefined;
  if (live?.side !== 'sell') pay(state.ledger, escrowOf(state, asset), fundingOf(state, seller, asset), amount);
  if (live === undefined) return [steppedOf(order)];
  state.otc.setAvailable(live, addAtoms(live.available, amount));
  return [steppedOf(order), settled(state, live)];
}
