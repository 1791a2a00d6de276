/** When an approved change takes effect: the time, and what is left until then. */
import type { Proposal } from '@orrery/api';
import type { ReactElement } from 'react';
import { formatCountdown } from '../../kit/format/time.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { useServerNow } from '../../platform/client/server-clock.ts';

export function Effect({ proposal: { state, effectiveAt } }: { readonly proposal: Proposal }): ReactElement | null {
  const text = useText();
  const format = useFormat();
  if (effectiveAt === null || (state !== 'APPROVED' && state !== 'DONE')) return null;
  return (
    <p className="flex flex-wrap gap-x-2 tabular-nums">
      <span className="text-fg3">{text(`console.proposals.effect.${state}`, { time: format.time(effectiveAt) })}</span>
      {state === 'APPROVED' && <Left until={effectiveAt} />}
    </p>
  );
}

function Left({ until }: { readonly until: number }): ReactElement {
  const text = useText();
  const now = useServerNow(1_000);
  const left = until - now;
  return (
    <span className="text-warn">
      {left > 0 ? text('console.proposals.left', { span: formatCountdown(left) }) : text('console.proposals.dueNow')}
    </span>
  );
}
