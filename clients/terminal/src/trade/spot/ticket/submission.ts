/**
 * The way of an order from the button to the exchange, as a pure machine. An order is sent under an id of its own, made once,
 * so that sending it again after silence can never place it twice; and while its answer is open nothing about it changes.
 */
import { unreachable } from '@orrery/units';
import type { OrderDraft } from './order-draft.ts';

/** An order under its own id, as it was or will be sent. */
export interface OrderIntent {
  readonly order: OrderDraft;
  readonly clientOrderId: string;
}

export type Submission =
  | { readonly phase: 'idle' }
  | ({ readonly phase: 'confirming' } & OrderIntent)
  | ({ readonly phase: 'sending' } & OrderIntent)
  /** No answer came: the order may stand or not. */
  | ({ readonly phase: 'unanswered' } & OrderIntent);

export type SubmissionEvent =
  | ({ readonly type: 'submit'; readonly confirmation: 'asked' | 'skipped' } & OrderIntent)
  | { readonly type: 'confirmed' }
  | { readonly type: 'declined' }
  /** By its answer, or found among the orders of the account. */
  | { readonly type: 'accepted'; readonly clientOrderId: string }
  | { readonly type: 'refused'; readonly clientOrderId: string }
  | { readonly type: 'lost'; readonly clientOrderId: string }
  /** Sent before this page was loaded, and not answered then. */
  | ({ readonly type: 'restored' } & OrderIntent)
  /** The same order goes out again, under the same id. */
  | { readonly type: 'repeated' }
  /** The person no longer waits for the answer. */
  | { readonly type: 'dropped' };

export const IDLE: Submission = { phase: 'idle' };

/** What does not fit the state changes nothing: a second press of the button while an order is on its way, a late answer. */
export function advance(state: Submission, event: SubmissionEvent): Submission {
  switch (event.type) {
    case 'submit': {
      if (state.phase !== 'idle') return state;
      const { order, clientOrderId } = event;
      return { phase: event.confirmation === 'asked' ? 'confirming' : 'sending', order, clientOrderId };
    }
    case 'restored': {
      const { order, clientOrderId } = event;
      return state.phase === 'idle' ? { phase: 'unanswered', order, clientOrderId } : state;
    }
    case 'confirmed':
      return state.phase === 'confirming' ? { ...state, phase: 'sending' } : state;
    case 'declined':
      return state.phase === 'confirming' ? IDLE : state;
    case 'repeated':
      return state.phase === 'unanswered' ? { ...state, phase: 'sending' } : state;
    case 'dropped':
      return state.phase === 'unanswered' ? IDLE : state;
    case 'accepted':
      return isOpen(state, event) ? IDLE : state;
    case 'refused':
      return isOpen(state, event) ? IDLE : state;
    case 'lost':
      return state.phase === 'sending' && isOpen(state, event) ? { ...state, phase: 'unanswered' } : state;
    default:
      return unreachable(event);
  }
}

const isOpen = (state: Submission, { clientOrderId }: { readonly clientOrderId: string }): boolean =>
  (state.phase === 'sending' || state.phase === 'unanswered') && state.clientOrderId === clientOrderId;
