/** What stands in place of a ticket's button: the order without an answer, or the step that comes before an order. */
import type { ReactElement, ReactNode } from 'react';
import { useText } from '../../../kit/i18n/text.tsx';
import { Unanswered } from '../../../kit/ui/unanswered.tsx';
import type { UnansweredProps } from '../../../kit/ui/unanswered.tsx';
import type { Once } from '../../../platform/session/use-once.ts';
import { TicketGate } from './ticket-gate.tsx';

export interface TicketEndProps<Order> extends Pick<UnansweredProps, 'kind'> {
  readonly once: Pick<Once<Order>, 'phase' | 'open' | 'repeat' | 'drop'>;
  readonly words: (order: Order) => ReactNode;
  readonly mayOrder: boolean;
}

export function TicketEnd<Order>({ once, words, mayOrder, kind }: TicketEndProps<Order>): ReactElement | null {
  const text = useText();
  const isUnanswered = once.phase === 'unanswered' && once.open !== undefined;
  if (!isUnanswered && mayOrder) return null;
  const look = kind === undefined ? {} : { kind };
  // What was wrong has been said in a toast.
  const repeat = (): void => void once.repeat().catch(() => undefined);
  return (
    <div className="pt-2.5">
      {isUnanswered ? (
        <Unanswered label={text('trade.ticket.unanswered')} {...look} onRepeat={repeat} onDrop={once.drop}>
          {words(once.open)}
        </Unanswered>
      ) : (
        <TicketGate />
      )}
    </div>
  );
}
