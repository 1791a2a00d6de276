/**
 * The way of an order from the button to the exchange, as a pure machine. An order is sent under an id of its own, so
 * that sending it again after silence can never place it twice.
 */
import { unreachable } from '@orrery/units';
import type { OrderDraft } from './order-draft.ts';

export type Submission =
  | { readonly phase: 'idle' }
  | { readonly phase: 'confirming'; readonly order: OrderDraft }
  | { readonly phase: 'sending'; readonly order: OrderDraft; readonly clientOrderId: string }
  /** No answer came: the order may stand or not. */
  | { readonly phase: 'unanswered'; readonly order: OrderDraft; readonly clientOrderId: string };

export type SubmissionEvent =
  | { readonly type: 'submit'; readonly order: OrderDraft; readonly clientOrderId: string; readonly confirmation: 'asked' | 'skipped' }
  | { readonly type: 'confirmed'; readonly clientOrderId: string }
  | { readonly type: 'declined' }
  | { readonly type: 'accepted' }
  | { readonly type: 'refused' }
  | { readonly type: 'lost' }
  | { readonly type: 'edited' };

export const IDLE: Submission = { phase: 'idle' };

/** The same order, unanswered before, goes out under the id it had. */
function idFor(state: Submission, order: OrderDraft, fresh: string): string {
  return state.phase === 'unanswered' && JSON.stringify(state.order) === JSON.stringify(order) ? state.clientOrderId : fresh;
}

/** What does not fit the state changes nothing: a second press of the button while an order is on its way, a late answer. */
export function advance(state: Submission, event: SubmissionEvent): Submission {
  switch (event.type) {
    case 'submit':
      if (state.phase === 'confirming' || state.phase === 'sending') return state;
      if (event.confirmation === 'asked' && state.phase === 'idle') return { phase: 'confirming', order: event.order };
      return { phase: 'sending', order: event.order, clientOrderId: idFor(state, event.order, event.clientOrderId) };
    case 'confirmed':
      return state.phase === 'confirming' ? { phase: 'sending', order: state.order, clientOrderId: event.clientOrderId } : state;
    case 'declined':
      return state.phase === 'confirming' ? IDLE : state;
    case 'accepted':
    case 'refused':
      return state.phase === 'sending' ? IDLE : state;
    case 'lost':
      return state.phase === 'sending' ? { ...state, phase: 'unanswered' } : state;
    case 'edited':
      return state.phase === 'unanswered' ? IDLE : state;
    default:
      return unreachable(event);
  }
}
