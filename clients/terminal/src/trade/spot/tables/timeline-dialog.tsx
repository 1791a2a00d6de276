/** What happened to an order: each step with its time and the number of its command in the journal. */
import type { Order, OrderStep, OrderTimeline } from '@orrery/api';
import type { ReactElement, ReactNode } from 'react';
import { useOrderLatency } from '../../../platform/client/order-latency.ts';
import { useData } from '../../../platform/data/use-data.ts';
import { shownName } from '../../../market/market.ts';
import { formatMillis } from '../../../kit/format/time.ts';
import { useText } from '../../../kit/i18n/text.tsx';
import { useFormat } from '../../../kit/settings/use-format.ts';
import { Dialog } from '../../../kit/ui/dialog.tsx';
import type { Dialogue } from '../../../kit/ui/dialogs.tsx';
import { FailedState } from '../../../kit/ui/empty-state.tsx';
import { Skeleton } from '../../../kit/ui/skeleton.tsx';

const POLL_MS = 2_000;

const isOver = ({ steps }: OrderTimeline): boolean => steps.some(({ step }) => step === 'CLOSED');

interface StepProps {
  readonly name: string;
  /** Unix milliseconds. */
  readonly at: number;
  /** Number of the command; of steps that only this page knows there is none. */
  readonly seq?: number | null | undefined;
  readonly children?: ReactNode;
}

function Step({ name, at, seq, children }: StepProps): ReactElement {
  const text = useText();
  const format = useFormat();
  return (
    <li className="relative border-s border-strong ps-4 pb-4 last:border-transparent last:pb-0">
      <span aria-hidden="true" className="absolute inset-s-[-4px] top-1.5 size-[7px] rounded-full bg-bone" />
      <div className="flex items-baseline justify-between gap-3">
        <span className="font-medium">{name}</span>
        {seq != null && <span className="text-sm text-fg3">{text('timeline.seq', { seq: format.number(String(seq)) })}</span>}
      </div>
      <div className="flex items-baseline justify-between gap-3 text-sm text-fg2">
        <span>{children}</span>
        <time dateTime={new Date(at).toISOString()}>
          {format.time(at)}
          <span className="text-fg3">{formatMillis(at)}</span>
        </time>
      </div>
    </li>
  );
}

function Happened({ order, step }: { readonly order: Order; readonly step: OrderStep }): ReactElement {
  const text = useText();
  const format = useFormat();
  const [coin = '', quote = ''] = order.symbol.split('_').map(shownName);
  return (
    <Step name={text(`timeline.${step.step}`)} at={step.time} seq={step.seq}>
      {step.price !== undefined &&
        text('timeline.matched', { size: format.own(step.quantity), coin, price: format.number(step.price), quote })}
      {step.reason !== undefined && text(`trade.reason.${step.reason}`)}
    </Step>
  );
}

export function TimelineDialog({ order, close }: Dialogue<never> & { readonly order: Order }): ReactElement {
  const text = useText();
  const { orderId } = order;
  const timeline = useData({
    name: 'orderTimeline',
    input: { query: { orderId } },
    of: 'account',
    pollMs: (known) => (known !== undefined && isOver(known) ? undefined : POLL_MS),
  });
  const sent = useOrderLatency(({ sent: all }) => all.find((known) => known.orderId === orderId));
  const steps = timeline.value?.steps ?? [];
  const last = steps.findLast(({ seq }) => seq !== null)?.seq;
  return (
    <Dialog open onClose={close} title={text('timeline.title')} description={text('timeline.lead', { orderId })} width="narrow">
      {timeline.phase === 'failed' && <FailedState onRetry={timeline.retry} />}
      {timeline.phase === 'loading' && <Skeleton className="h-24 w-full" />}
      {timeline.value !== undefined && (
        <ol aria-label={text('timeline.title')} className="ps-1">
          {sent !== undefined && (
            <Step name={text('timeline.sent')} at={sent.sentAt}>
              {text('timeline.sentHint')}
            </Step>
          )}
          {steps.map((step) => (
            <Happened key={`${step.step} ${step.execId ?? ''}`} order={order} step={step} />
          ))}
          {sent !== undefined && (
            <Step name={text('timeline.durable')} at={sent.answeredAt} seq={last}>
              {text('timeline.took', { millis: sent.answeredAt - sent.sentAt })}
            </Step>
          )}
        </ol>
      )}
      <p className="pt-3 text-sm text-fg2">{text('timeline.durableLead')}</p>
    </Dialog>
  );
}
