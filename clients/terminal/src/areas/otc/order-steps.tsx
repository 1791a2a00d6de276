/** The steps of an order with their times, and those that are still ahead. */
import type { OtcActor, OtcOrderDetail, OtcOrderStatus } from '@orrery/api';
import { Check, Circle } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import type { MessageId } from '../../kit/i18n/catalog.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Section } from '../../kit/ui/page.tsx';
import { coinName } from '../balances/coin-name.ts';
import { useOtcWords } from './use-otc.ts';

/** The usual way of an order that goes on. */
const AHEAD: Partial<Record<OtcOrderStatus, readonly MessageId[]>> = {
  CREATED: ['otc.page.stepAhead.PAID', 'otc.page.stepAhead.RELEASED'],
  PAID: ['otc.page.stepAhead.RELEASED'],
  DISPUTED: ['otc.page.stepAhead.DECIDED'],
};

interface StepProps {
  readonly isDone: boolean;
  readonly children: ReactNode;
}

function Step({ isDone, children }: StepProps): ReactElement {
  const text = useText();
  const Icon = isDone ? Check : Circle;
  return (
    <li className="flex gap-2.5 py-1.5">
      <Icon size={15} aria-hidden="true" className={isDone ? 'mt-0.5 shrink-0 text-ok' : 'mt-0.5 shrink-0 text-fg3'} />
      <div className={isDone ? '' : 'text-fg3'}>
        {children}
        <span className="sr-only">{isDone ? ` (${text('otc.page.stepDone')})` : ''}</span>
      </div>
    </li>
  );
}

export function OrderSteps({ order }: { readonly order: OtcOrderDetail }): ReactElement {
  const text = useText();
  const format = useFormat();
  const words = useOtcWords();
  const { steps, status, amount, coin } = order;
  const by = (actor: OtcActor): string => text(`otc.page.by.${actor}`);
  return (
    <Section title={text('otc.page.steps')}>
      <ol aria-label={text('otc.page.steps')} className="px-4 py-2">
        {steps.map((step) => (
          <Step key={`${step.status} ${step.at}`} isDone>
            <p>{text(`otc.page.step.${step.status}`, { amount: words.number(amount), coin: coinName(coin) })}</p>
            <p className="text-sm text-fg3">{`${format.time(step.at)}, ${by(step.by)}`}</p>
          </Step>
        ))}
        {(AHEAD[status] ?? []).map((message) => (
          <Step key={message} isDone={false}>
            {text(message)}
          </Step>
        ))}
      </ol>
    </Section>
  );
}
