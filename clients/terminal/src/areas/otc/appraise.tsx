/** How the other side was, once the order has been released or decided. */
import type { OtcOrderDetail } from '@orrery/api';
import { ThumbsDown, ThumbsUp } from 'lucide-react';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { actor } from '../../kit/storage/account-in-view.ts';
import { Button } from '../../kit/ui/button.tsx';
import { showSuccess } from '../../kit/ui/toast.ts';
import { act, refresh } from '../../platform/data/calls.ts';
import { usePending } from '../../platform/data/use-pending.ts';

type Appraisal = 'POSITIVE' | 'NEGATIVE';
const icons = { POSITIVE: ThumbsUp, NEGATIVE: ThumbsDown } as const;

export function Appraise({ order: { orderId, status, appraisal } }: { readonly order: OtcOrderDetail }): ReactElement | null {
  const text = useText();
  const { pending, begin } = usePending(async (chosen: Appraisal) => {
    await act('appraiseOtcOrder', { body: { orderId, appraisal: chosen } }, actor());
    showSuccess('otc.appraise.done');
    await refresh('otcOrder');
  });
  if (status !== 'RELEASED' && status !== 'RETURNED') return null;
  return (
    <div role="group" aria-label={text('otc.appraise')} className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <span className="text-fg2">{text('otc.appraise')}</span>
        {(['POSITIVE', 'NEGATIVE'] as const).map((value) => {
          const Icon = icons[value];
          return (
            <Button
              key={value}
              aria-pressed={appraisal === value}
              kind={appraisal === value ? 'primary' : 'secondary'}
              busy={pending?.input === value}
              onClick={() => begin(value)}
            >
              <Icon size={15} aria-hidden="true" />
              {text(`otc.appraise.${value}`)}
            </Button>
          );
        })}
      </div>
      <p className="text-sm text-fg3">{text('otc.appraise.hint')}</p>
    </div>
  );
}
