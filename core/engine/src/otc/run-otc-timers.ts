/** Moves deadlines after an outage; then does what is due at the desk, a bounded part of it: windows that are over, disputes that open by themselves, decisions that stand; and forgets what is long over. */
import { millis, unreachable, type Millis } from '@orrery/units';
import type { Event } from '@orrery/protocol';
import { OTC_TIMERS_PER_COMMAND } from '@orrery/rules';
import { execute } from './decide-otc-dispute.ts';
import { returnCoin } from './end-otc-order.ts';
import type { OtcOrder } from './otc-order.ts';
import type { OtcState } from './otc-state.ts';
import { openDispute } from './step-otc-order.ts';

/** Without anything due, nothing changes and nothing is emitted. */
export function runOtcTimers(state: OtcState, at: Millis): Event[] {
  const events: Event[] = [];
  if (state.otc.wasAway(at)) {
    const since = state.otc.heardAt;
    state.otc.moveDeadlines(at);
    events.push({ type: 'OtcDeadlinesMoved', since, by: millis(at - since) });
  }
  for (let step = 0; step < OTC_TIMERS_PER_COMMAND; step += 1) {
    const order = state.otc.dueOrder(at);
    const advertisement = state.otc.dueAdvertisement(at);
    if (order !== undefined) events.push(...nextOf(state, order, at));
    else if (advertisement !== undefined) state.otc.forgetAdvertisement(advertisement);
    else break;
  }
  return events;
}

function nextOf(state: OtcState, order: OtcOrder, at: Millis): readonly Event[] {
  const ending = { order, by: 0, at } as const;
  switch (order.status) {
    case 'CREATED':
      state.otc.people.cancel(order.terms.buyer, at);
      return returnCoin(state, ending, 'EXPIRED');
    case 'PAID':
      return [openDispute(state, ending)];
    case 'DISPUTED':
      return execute(state, ending);
    case 'RELEASED':
    case 'RETURNED':
    case 'CANCELLED':
    case 'EXPIRED':
      state.otc.forgetOrder(order);
      return [];
    default:
      return unreachable(order.status);
  }
}
