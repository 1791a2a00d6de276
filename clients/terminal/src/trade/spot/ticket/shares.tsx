/** The size as a share of what is available: by slider, or at one press. */

import type { ReactElement } from 'react';
import { useText } from '../../../kit/i18n/text.tsx';
import { Button } from '../../../kit/ui/button.tsx';
import { lazyPart } from '../../../kit/ui/lazy-part.ts';
import { Panel } from '../../../kit/ui/panel.tsx';
import { sizeOfShare } from './size-share.ts';
import type { TicketContext } from './ticket-context.ts';
import type { TicketForm } from './ticket-form.ts';
import { useTicket } from './ticket-store.ts';

/** The buttons below it do the same, and are there at once. */
const Slider = lazyPart(async () => (await import('../../../kit/ui/slider.tsx')).Slider);

const SHARES = [10, 25, 50, 100] as const;

export interface SharesProps {
  readonly form: TicketForm;
  readonly context: TicketContext;
  /** Whole per cents. */
  readonly share: number;
}

export function Shares({ form, context, share }: SharesProps): ReactElement {
  const text = useText();
  const { set } = useTicket();
  const take = (percent: number): void => {
    const size = sizeOfShare(form, context, percent);
    if (size !== undefined) set({ ...size, most: percent === 100 ? size.size : '' });
  };
  const isUnknown = sizeOfShare(form, context, 100) === undefined;
  return (
    <div className="flex flex-col gap-2">
      <Panel room="line" loading={<div className="h-5" />}>
        <Slider label={text('trade.ticket.share')} value={share} onChange={take} disabled={isUnknown} />
      </Panel>
      <div className="grid grid-cols-4 gap-1.5">
        {SHARES.map((percent) => (
          <Button key={percent} size="small" disabled={isUnknown} onClick={() => take(percent)}>
            {percent === 100 ? text('trade.ticket.max') : `${percent}%`}
          </Button>
        ))}
      </div>
    </div>
  );
}
