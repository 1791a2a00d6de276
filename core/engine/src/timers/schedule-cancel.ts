/** A cancel of all orders of an account in contracts, at a time: a client that is lost leaves nothing that could open a position. */
import { millis, type Millis } from '@orrery/units';
import type { Event, ScheduleCancel } from '@orrery/protocol';
import { reject, SCHEDULE_AHEAD_MS } from '@orrery/rules';
import type { Timed } from './timed.ts';

/** Set again, it moves; at 0 there is none any more. */
export function scheduleCancel({ accounts, timers }: Timed, { account, at: due }: ScheduleCancel, at: Millis): Event[] {
  if (!accounts.has(account)) return [reject('UnknownAccount', 'account')];
  if (accounts.is(account, 'blocked')) return [reject('AccountBlocked', 'account')];
  if (due === 0) {
    timers.cancels.delete(account);
    return [{ type: 'CancelScheduled', account, at: millis(0) }];
  }
  if (due < at + SCHEDULE_AHEAD_MS) return [reject('ScheduleTooSoon', 'at')];
  // After this point nothing fails.
  timers.cancels.set(account, due);
  return [{ type: 'CancelScheduled', account, at: due }];
}
