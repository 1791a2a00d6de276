/** The steps that the two sides of an order take. */
import { millis, type AccountId, type Millis } from '@orrery/units';
import type {
  CancelOtcOrder,
  CommandRejected,
  DisputeOtcOrder,
  Event,
  MarkOtcOrderPaid,
  OtcStatus,
  ReleaseOtcOrder,
} from '@orrery/protocol';
import { reject, rejectBeyond } from '@orrery/rules';
import { refuseActor, timeBeyond } from './check-otc.ts';
import { releaseCoin, returnCoin } from './end-otc-order.ts';
import { NEVER, steppedOf, type OtcOrder, type OtcOrderTerms } from './otc-order.ts';
import { termsOf, type OtcState } from './otc-state.ts';

type Step = MarkOtcOrderPaid | ReleaseOtcOrder | CancelOtcOrder | DisputeOtcOrder;

interface Allowed {
  /** Whose step it is. */
  readonly by: (terms: OtcOrderTerms) => readonly AccountId[];
  readonly from: readonly OtcStatus[];
  readonly to: OtcStatus;
}

const buyer = ({ buyer: one }: OtcOrderTerms): readonly AccountId[] => [one];
const seller = ({ seller: one }: OtcOrderTerms): readonly AccountId[] => [one];
const bothSides = (terms: OtcOrderTerms): readonly AccountId[] => [terms.buyer, terms.seller];

export function markOtcOrderPaid(state: OtcState, command: MarkOtcOrderPaid, at: Millis): Event[] {
  const order = stepped(state, command, { by: buyer, from: ['CREATED'], to: 'PAID' }, at);
  if ('type' in order) return [order];
  const { disputeAfterMs, autoDisputeMs } = termsOf(state);
  // After this point nothing fails.
  Object.assign(order, {
    status: 'PAID',
    by: command.account,
    steppedAt: at,
    disputableAt: millis(at + disputeAfterMs),
  } satisfies Partial<OtcOrder>);
  state.otc.setDue(order, millis(at + autoDisputeMs));
  return [steppedOf(order)];
}

export function releaseOtcOrder(state: OtcState, command: ReleaseOtcOrder, at: Millis): Event[] {
  const order = stepped(state, command, { by: seller, from: ['PAID'], to: 'RELEASED' }, at);
  return 'type' in order ? [order] : releaseCoin(state, { order, by: command.account, at });
}

export function cancelOtcOrder(state: OtcState, command: CancelOtcOrder, at: Millis): Event[] {
  const order = stepped(state, command, { by: buyer, from: ['CREATED', 'PAID'], to: 'CANCELLED' }, at);
  if ('type' in order) return [order];
  // After this point nothing fails.
  state.otc.people.cancel(command.account, at);
  return returnCoin(state, { order, by: command.account, at }, 'CANCELLED');
}

export function disputeOtcOrder(state: OtcState, command: DisputeOtcOrder, at: Millis): Event[] {
  const order = stepped(state, command, { by: bothSides, from: ['PAID'], to: 'DISPUTED' }, at);
  if ('type' in order) return [order];
  const { steppedAt, disputableAt } = order;
  if (at < disputableAt) return [rejectBeyond('OtcTooSoon', 'order', timeBeyond(at - steppedAt, disputableAt - steppedAt))];
  // After this point nothing fails.
  return [openDispute(state, { order, by: command.account, at })];
}

interface Opening {
  readonly order: OtcOrder;
  readonly by: AccountId | 0;
  readonly at: Millis;
}

/** From now on only an arbiter moves it. */
export function openDispute(state: OtcState, { order, by, at }: Opening): Event {
  Object.assign(order, { status: 'DISPUTED', by, steppedAt: at, disputableAt: NEVER } satisfies Partial<OtcOrder>);
  state.otc.setDue(order, NEVER);
  return steppedOf(order);
}

/** The order whose step it is now; or that it was taken before, or why it cannot be. */
function stepped(state: OtcState, { account, order: id }: Step, { by, from, to }: Allowed, at: Millis): OtcOrder | CommandRejected | Event {
  const order = state.otc.order(id);
  if (order === undefined) return reject('UnknownOtcOrder', 'order');
  const refusal =
    refuseParty(state, order, account) ?? (by(order.terms).includes(account) ? undefined : reject('NotPartyOfOrder', 'account'));
  if (refusal !== undefined) return refusal;
  if (order.status === to && (order.by === account || to === 'RELEASED')) return { type: 'CommandRepeated', key: `${id}` };
  return refuseStatus(order, from, at) ?? order;
}

export function refuseParty(state: OtcState, { terms }: OtcOrder, account: AccountId): CommandRejected | undefined {
  if (!state.accounts.has(account)) return reject('UnknownAccount', 'account');
  return bothSides(terms).includes(account) ? refuseActor(state, account) : reject('NotPartyOfOrder', 'account');
}

/** What a timer has to do about it comes first: at its deadline an order is no longer what it was, however late the timer runs. */
export function refuseStatus({ status, dueAt }: OtcOrder, from: readonly OtcStatus[], at: Millis): CommandRejected | undefined {
  const isDue = dueAt !== NEVER && at >= dueAt;
  return isDue || !from.includes(status) ? reject('OtcOrderNotInState', 'status') : undefined;
}
