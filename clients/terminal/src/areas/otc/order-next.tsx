/** The head of an order: its state, what is left of the time, what happens next, and what can be done about it. */
import type { OtcOrderDetail } from '@orrery/api';
import type { ReactElement, ReactNode } from 'react';
import { formatCountdown } from '../../kit/format/time.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Section } from '../../kit/ui/page.tsx';
import { useServerNow } from '../../platform/client/server-clock.ts';
import { OrderStatus } from './order-status.tsx';
import { isOpen, nextOf } from './order-standing.ts';
import { useTrialMinute } from './use-otc.ts';

const SECOND_MS = 1_000;

interface OrderProps {
  readonly order: OtcOrderDetail;
}

/** A dispute without a decision has no deadline: all clocks stand. */
function Countdown({ order: { status, deadline } }: OrderProps): ReactElement | null {
  const text = useText();
  const now = useServerNow(SECOND_MS);
  if (deadline === null || (status !== 'CREATED' && status !== 'PAID' && status !== 'DISPUTED')) return null;
  const left = deadline - now;
  return (
    <span className="flex items-baseline gap-2 text-md text-fg2">
      {text(`otc.page.left.${status}`)}
      <span role="timer" className="text-lg font-semibold text-fg tabular-nums">
        {left > 0 ? formatCountdown(left) : text('otc.page.deadlineOver')}
      </span>
    </span>
  );
}

export function OrderNext({ order, children }: OrderProps & { readonly children: ReactNode }): ReactElement {
  const text = useText();
  const format = useFormat();
  const trial = useTrialMinute();
  const { message, at } = nextOf(order);
  return (
    <Section title={<OrderStatus status={order.status} />} aside={<Countdown order={order} />}>
      <div className="flex flex-col gap-3 p-4">
        <p role="status" aria-label={text('otc.next')} className="max-w-[64ch] text-lg text-pretty">
          {text(message, at === undefined ? {} : { time: format.time(at) })}
        </p>
        {children}
        {trial !== undefined && isOpen(order) && <p className="text-sm text-fg3">{text('otc.page.trial', { seconds: trial })}</p>}
      </div>
    </Section>
  );
}
