/** Runs the submission machine: asks for confirmation when the settings want it, sends, says what came of it. */
import { useReducer } from 'react';
import { CallError } from '@orrery/sdk';
import { http } from '../../../client/client.ts';
import { timed } from '../../../client/order-latency.ts';
import { say } from '../../../i18n/text.tsx';
import { heard } from '../../../settings/heard.ts';
import { useSettings } from '../../../settings/settings.ts';
import { openDialog } from '../../../ui/dialogs.tsx';
import { showSuccess } from '../../../ui/toast.ts';
import { wasTold } from '../order-toasts.ts';
import { ConfirmOrder } from './confirm-order.tsx';
import { confirmationSetting } from './confirmation-setting.ts';
import type { OrderDraft } from './order-draft.ts';
import { orderRequest } from './order-request.ts';
import { advance, IDLE } from './submission.ts';
import type { Submission } from './submission.ts';

interface Submitting {
  readonly submission: Submission;
  readonly submit: (order: OrderDraft, notBestPriceRate: string | undefined) => Promise<void>;
  /** The ticket changed: an unanswered order is no longer what would be sent. */
  readonly edited: () => void;
}

export function useSubmission(onAccepted: () => void): Submitting {
  const [submission, dispatch] = useReducer(advance, IDLE);

  const send = async (order: OrderDraft, clientOrderId: string): Promise<void> => {
    try {
      await timed(() => http.call('createOrder', { body: orderRequest(order, clientOrderId) }));
    } catch (cause) {
      // The call has said in a toast what was wrong; only silence leaves a question.
      const isRefused = cause instanceof CallError && cause.status < 500;
      dispatch({ type: isRefused ? 'refused' : 'lost' });
      if (isRefused) heard('rejected');
      return;
    }
    dispatch({ type: 'accepted' });
    heard('accepted');
    if (!wasTold(clientOrderId)) showSuccess(say('trade.done.placed'));
    onAccepted();
  };

  return {
    submission,
    async submit(order, notBestPriceRate) {
      const fresh = crypto.randomUUID();
      const isRetry = submission.phase === 'unanswered';
      const isAsked = !isRetry && useSettings.getState()[confirmationSetting(order.kind)];
      const next = advance(submission, { type: 'submit', order, clientOrderId: fresh, confirmation: isAsked ? 'asked' : 'skipped' });
      dispatch({ type: 'submit', order, clientOrderId: fresh, confirmation: isAsked ? 'asked' : 'skipped' });
      if (next.phase === 'confirming') {
        const answer = await openDialog(ConfirmOrder, { order, notBestPriceRate });
        if (answer !== 'confirmed') return dispatch({ type: 'declined' });
        dispatch({ type: 'confirmed', clientOrderId: fresh });
        return send(order, fresh);
      }
      if (next.phase === 'sending' && submission.phase !== 'sending') return send(order, next.clientOrderId);
    },
    edited: () => dispatch({ type: 'edited' }),
  };
}
