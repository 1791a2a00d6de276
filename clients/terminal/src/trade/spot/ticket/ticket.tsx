/** The order ticket: says what would be sent and what it would do, and sends it. */
import { useEffect, useState } from 'react';
import type { FormEvent, ReactElement } from 'react';
import { useText } from '../../../i18n/text.tsx';
import type { MessageId } from '../../../i18n/catalog.ts';
import { Notice } from '../../../ui/notice.tsx';
import { TabPanel, Tabs } from '../../../ui/tabs.tsx';
import { useMarket } from '../../shared/market-context.tsx';
import { Available } from './available.tsx';
import { readTicket } from './order-draft.ts';
import { shareOfSize } from './size-share.ts';
import type { Issues } from './ticket-fields.ts';
import { PriceFields } from './price-fields.tsx';
import { ReceiptLines } from './receipt-lines.tsx';
import { Shares } from './shares.tsx';
import { SideSwitch } from './side-switch.tsx';
import { SizeField } from './size-field.tsx';
import { SubmitButton } from './submit-button.tsx';
import { orderKind, takesPrice, TICKET_TABS } from './ticket-form.ts';
import type { TicketField, TicketForm, TicketTab } from './ticket-form.ts';
import { TicketGate, useMayOrder } from './ticket-gate.tsx';
import { TicketOptions } from './ticket-options.tsx';
import { useTicket } from './ticket-store.ts';
import { usePrefill } from './use-prefill.ts';
import { useSubmission } from './use-submission.ts';
import { useTicketContext } from './use-ticket-context.ts';

type Missing = Partial<Record<TicketField, MessageId>>;

function missing(form: TicketForm): Missing {
  return {
    ...(takesPrice(form) && form.price === '' && { price: 'trade.issue.missingPrice' as const }),
    ...(form.tab === 'stop' && form.trigger === '' && { trigger: 'trade.issue.missingTrigger' as const }),
    ...(form.size === '' && { size: 'trade.issue.missingSize' as const }),
  };
}

/** What is wrong with each field, in words. What was left empty is only said once the person tried to send. */
function useErrors(issues: Issues, lacking: Missing): Readonly<Record<TicketField, string | undefined>> {
  const text = useText();
  const said = (field: TicketField): string | undefined => {
    const issue = issues[field];
    if (issue !== undefined) return text(issue.message, issue.values);
    const empty = lacking[field];
    return empty && text(empty);
  };
  return { price: said('price'), trigger: said('trigger'), size: said('size') };
}

function Aggression({ side, rate }: { readonly side: 'buy' | 'sell'; readonly rate: string }): ReactElement {
  const text = useText();
  return (
    <Notice tone="warn">
      {text('trade.ticket.aggressive', { rate, side: text(side === 'buy' ? 'trade.ticket.sideBid' : 'trade.ticket.sideAsk') })}
    </Notice>
  );
}

function TicketBody(): ReactElement {
  const text = useText();
  const context = useTicketContext(useMarket());
  const { form, set, clear } = useTicket();
  const mayOrder = useMayOrder();
  const [wasTried, setTried] = useState(false);
  const { submission, submit, edited } = useSubmission(() => {
    clear('size');
    setTried(false);
  });
  usePrefill(context);
  // Only an edit ends an unanswered order: `edited` itself is new at every render.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  useEffect(() => edited(), [form]);
  const { issues, draft, receipt, notBestPriceRate } = readTicket(form, context);
  const errors = useErrors(issues, wasTried ? missing(form) : {});
  const send = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (mayOrder && draft !== undefined) void submit(draft, notBestPriceRate);
  };
  return (
    <form onSubmit={send} aria-label={text('trade.ticket.title')} className="flex flex-col gap-2.5 p-2.5">
      <SideSwitch side={form.side} onChange={(side) => set({ side, ...(orderKind(form) === 'market' && { size: '' }) })} />
      <Available form={form} context={context} />
      <PriceFields form={form} context={context} errors={errors} />
      <SizeField form={form} error={errors.size} />
      <Shares form={form} context={context} share={shareOfSize(receipt, form, context)} />
      <TicketOptions form={form} />
      {notBestPriceRate !== undefined && <Aggression side={form.side} rate={notBestPriceRate} />}
      <ReceiptLines form={form} receipt={receipt} />
      {submission.phase === 'unanswered' && <Notice tone="warn">{text('trade.ticket.noAnswer')}</Notice>}
      {mayOrder ? <SubmitButton side={form.side} draft={draft} phase={submission.phase} /> : <TicketGate />}
    </form>
  );
}

export function Ticket(): ReactElement {
  const text = useText();
  const tab = useTicket((ticket) => ticket.form.tab);
  const set = useTicket((ticket) => ticket.set);
  const tabs = TICKET_TABS.map((id) => ({ id, label: text(`trade.ticket.${id}`) }));
  // Spending an amount of the quote coin is a thing of market orders.
  const change = (next: TicketTab): void => set({ tab: next, ...(next !== 'market' && { unit: 'base', size: '' }) });
  return (
    <Tabs
      className="shrink-0"
      panel={text('trade.panel.ticket')}
      tabs={tabs}
      active={tab}
      label={text('trade.ticket.type')}
      onChange={change}
    >
      <TabPanel id={tab}>
        <TicketBody />
      </TabPanel>
    </Tabs>
  );
}
