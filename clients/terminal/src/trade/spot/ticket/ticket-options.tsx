/** How long the order lives, whether it may take, and what a stop becomes. */
import type { ReactElement } from 'react';
import { useText } from '../../../kit/i18n/text.tsx';
import { Checkbox } from '../../../kit/ui/checkbox.tsx';
import { Select } from '../../../kit/ui/select.tsx';
import { Explained } from '../../../kit/ui/tooltip.tsx';
import { orderKind, takesPrice, TIMES_IN_FORCE } from './ticket-form.ts';
import type { TicketForm } from './ticket-form.ts';
import { useTicket } from './ticket-store.ts';

function TimeInForce({ form }: { readonly form: TicketForm }): ReactElement {
  const text = useText();
  const { set } = useTicket();
  const choices = TIMES_IN_FORCE.map((value) => ({ value, label: text(`trade.ticket.${value}`) }));
  return (
    <span className="flex items-center gap-1.5 text-sm text-fg2">
      <Explained content={text(`trade.ticket.${form.timeInForce}Explained`)}>TIF</Explained>
      <Select
        label={text('trade.ticket.timeInForce')}
        size="small"
        value={form.timeInForce}
        choices={choices}
        onChange={(timeInForce) => set({ timeInForce })}
      />
    </span>
  );
}

function PostOnly({ form }: { readonly form: TicketForm }): ReactElement {
  const text = useText();
  const { set } = useTicket();
  return (
    <Checkbox value={form.postOnly === 'on'} onChange={(isOn) => set({ postOnly: isOn ? 'on' : 'off' })}>
      <Explained content={text('trade.ticket.postOnlyExplained')}>{text('trade.ticket.postOnly')}</Explained>
    </Checkbox>
  );
}

function StopKind({ form }: { readonly form: TicketForm }): ReactElement {
  const text = useText();
  const { set } = useTicket();
  const choices = [
    { value: 'limit', label: text('trade.ticket.stopLimit') },
    { value: 'market', label: text('trade.ticket.stopMarket') },
  ] as const;
  return (
    <Select
      label={text('trade.ticket.stopKind')}
      size="small"
      value={form.stopKind}
      choices={choices}
      onChange={(stopKind) => set({ stopKind })}
    />
  );
}

export function TicketOptions({ form }: { readonly form: TicketForm }): ReactElement | null {
  if (form.tab === 'market' || orderKind(form) === 'trailing') return null;
  const isPostOnly = form.tab === 'limit' && form.postOnly === 'on';
  return (
    <div className="flex min-h-7 items-center justify-between gap-2">
      {form.tab === 'limit' ? <PostOnly form={form} /> : <StopKind form={form} />}
      {takesPrice(form) && !isPostOnly && orderKind(form) !== 'pair' && <TimeInForce form={form} />}
    </div>
  );
}
