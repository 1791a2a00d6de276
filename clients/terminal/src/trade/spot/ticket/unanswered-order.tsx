/** The order of the ticket that has no answer. */
import type { ReactElement } from 'react';
import { useText } from '../../../kit/i18n/text.tsx';
import { Unanswered } from '../../../kit/ui/unanswered.tsx';
import { orderWords } from '../order-words.ts';
import { orderRequest } from './order-request.ts';
import type { OrderIntent } from './submission.ts';
import { dropOrder, repeatOrder } from './submit-order.ts';
import type { TicketOwner } from './tickets.ts';

export interface UnansweredOrderProps {
  readonly owner: TicketOwner;
  readonly intent: OrderIntent;
}

export function UnansweredOrder({ owner, intent: { order, clientOrderId } }: UnansweredOrderProps): ReactElement {
  const text = useText();
  return (
    <div className="pt-2.5">
      <Unanswered
        label={text('trade.ticket.unanswered')}
        kind={order.side === 'buy' ? 'up' : 'down'}
        onRepeat={() => void repeatOrder(owner)}
        onDrop={() => dropOrder(owner)}
      >
        {orderWords(orderRequest(order, clientOrderId))}
      </Unanswered>
    </div>
  );
}
