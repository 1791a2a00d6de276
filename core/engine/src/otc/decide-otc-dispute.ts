/** Disputes: the operators decide, the side against which it went may appeal once, and what stands is executed. */
import { AssertionError, millis, unreachable, type Millis } from '@orrery/units';
import type { AppealOtcDecision, DecideOtcDispute, DisputeOutcome, Event, OtcDisputeDecided } from '@orrery/protocol';
import { reject } from '@orrery/rules';
import { releaseCoin, returnCoin, type Ending } from './end-otc-order.ts';
import { loserOf, NEVER, type OtcOrder } from './otc-order.ts';
import { termsOf, type OtcState } from './otc-state.ts';
import { refuseParty, refuseStatus } from './step-otc-order.ts';

export function decideOtcDispute(state: OtcState, { order: id, outcome, nth }: DecideOtcDispute, at: Millis): Event[] {
  const order = state.otc.order(id);
  if (order === undefined) return [reject('UnknownOtcOrder', 'order')];
  // It stands, was executed, or was appealed.
  if (decisionsOf(order)[nth - 1] === outcome) return [{ type: 'CommandRepeated', key: `${id}` }];
  const refusal = refuseStatus(order, ['DISPUTED'], at);
  if (refusal !== undefined) return [refusal];
  const awaited = order.appealedBy === 0 ? 1 : 2;
  if (nth !== awaited || order.decision !== undefined) return [reject('OtcOrderNotInState', 'decision')];
  // After this point nothing fails.
  order.decision = outcome;
  if (nth === 2) return [decidedOf(order, outcome, NEVER), ...execute(state, { order, by: 0, at })];
  const executesAt = millis(at + termsOf(state).appealWindowMs);
  state.otc.setDue(order, executesAt);
  return [decidedOf(order, outcome, executesAt)];
}

/** Both are known: the first one went against the side that appealed it. */
function decisionsOf({ decision, appealedBy, terms }: OtcOrder): readonly DisputeOutcome[] {
  const first: readonly DisputeOutcome[] = appealedBy === 0 ? [] : [appealedBy === terms.seller ? 'RELEASED' : 'RETURNED'];
  return decision === undefined ? first : [...first, decision];
}

export function decidedOf({ terms: { order, buyer, seller } }: OtcOrder, outcome: DisputeOutcome, executesAt: Millis): OtcDisputeDecided {
  return { type: 'OtcDisputeDecided', order, buyer, seller, outcome, executesAt };
}

/** What was decided of a disputed order. */
export function execute(state: OtcState, ending: Ending): Event[] {
  const { decision } = ending.order;
  switch (decision) {
    case 'RELEASED':
      return releaseCoin(state, ending);
    case 'RETURNED':
      return returnCoin(state, ending, 'RETURNED');
    case undefined:
      throw new AssertionError('what is executed was decided');
    default:
      return unreachable(decision);
  }
}

export function appealOtcDecision(state: OtcState, { account, order: id }: AppealOtcDecision, at: Millis): Event[] {
  const order = state.otc.order(id);
  if (order === undefined) return [reject('UnknownOtcOrder', 'order')];
  const refusal = refuseParty(state, order, account);
  if (refusal !== undefined) return [refusal];
  if (order.appealedBy === account) return [{ type: 'CommandRepeated', key: `${id}` }];
  const untimely = refuseStatus(order, ['DISPUTED'], at);
  if (untimely !== undefined) return [untimely];
  const loser = loserOf(order);
  if (loser === undefined || order.appealedBy !== 0) return [reject('OtcOrderNotInState', 'decision')];
  if (loser !== account) return [reject('NotPartyOfOrder', 'account')];
  // After this point nothing fails.
  Object.assign(order, { decision: undefined, appealedBy: account } satisfies Partial<OtcOrder>);
  state.otc.setDue(order, NEVER);
  return [{ type: 'OtcDecisionAppealed', order: id, by: account }];
}
