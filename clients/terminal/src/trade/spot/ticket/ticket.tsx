/** The order ticket: says what would be sent and what it would do, and sends it. */
import { useState } from 'react';
import type { FormEvent, ReactElement } from 'react';
import { useText } from '../../../kit/i18n/text.tsx';
import type { MessageId } from '../../../kit/i18n/catalog.ts';
import { Checkbox } from '../../../kit/ui/checkbox.tsx';
import { lazyPart } from '../../../kit/ui/lazy-part.ts';
import { Notice } from '../../../kit/ui/notice.tsx';
import { Panel } from '../../../kit/ui/panel.tsx';
import { Select } from '../../../kit/ui/select.tsx';
import { TabPanel, Tabs } from '../../../kit/ui/tabs.tsx';
import { useMarket } from '../../../market/market-context.tsx';
import { useNumbers } from '../../../market/use-numbers.ts';
import { Available } from './available.tsx';
import { lacksProtection, readTicket } from './order-draft.ts';
import { draftWords } from './draft-words.ts';
import { shareOfSize } from './size-share.ts';
import type { Issues } from './ticket-fields.ts';
import { PriceFields } from './price-fields.tsx';
import type { Errors } from './price-fields.tsx';
import { ReceiptLines } from './receipt-lines.tsx';
import { Shares } from './shares.tsx';
import { SideSwitch } from '../../shared/ticket/side-switch.tsx';
import { SizeField } from './size-field.tsx';
import { SubmitButton } from './submit-button.tsx';
import { isProtectable, orderKind, takesLegPrice, takesPrice, takesTrigger, TICKET_TABS, WAITS } from './ticket-form.ts';
import type { TicketField, TicketForm, TicketTab } from './ticket-form.ts';
import { TicketEnd } from '../../shared/ticket/ticket-end.tsx';
import { useMayOrder } from '../../shared/ticket/ticket-gate.tsx';
import { TicketOptions } from './ticket-options.tsx';
import { useTicket } from './ticket-store.ts';
import type { TicketOwner } from './tickets.ts';
import type { TicketContext } from './ticket-context.ts';
import { useOrders } from './use-orders.ts';
import { usePrefill } from './use-prefill.ts';
import { useTicketContext } from './use-ticket-context.ts';

/** Most orders wait for nothing and protect nothing. */
const WaitingFields = lazyPart(async () => (await import('./waiting-fields.tsx')).WaitingFields);
const ProtectionFields = lazyPart(async () => (await import('./waiting-fields.tsx')).ProtectionFields);

type Missing = Partial<Record<TicketField, MessageId>>;

function missing(form: TicketForm): Missing {
  return {
    ...(takesPrice(form) && form.price === '' && { price: 'trade.issue.missingPrice' as const }),
    ...(takesTrigger(form) && form.trigger === '' && { trigger: 'trade.issue.missingTrigger' as const }),
    ...(takesLegPrice(form) && form.legPrice === '' && { legPrice: 'trade.issue.missingPrice' as const }),
    ...(orderKind(form) === 'trailing' && form.callback === '' && { callback: 'trade.issue.missing' as const }),
    ...(lacksProtection(form) && { takeProfit: 'trade.issue.noProtection' as const }),
    ...(form.size === '' && { size: 'trade.issue.missingSize' as const }),
  };
}

/** What is wrong with each field, in words. What was left empty is only said once the person tried to send. */
function useErrors(issues: Issues, lacking: Missing): Errors {
  const text = useText();
  const said = (field: TicketField): string | undefined => {
    const issue = issues[field];
    if (issue !== undefined) return text(issue.message, issue.values);
    const empty = lacking[field];
    return empty && text(empty);
  };
  return {
    price: said('price'),
    trigger: said('trigger'),
    size: said('size'),
    legPrice: said('legPrice'),
    callback: said('callback'),
    activation: said('activation'),
    takeProfit: said('takeProfit'),
    stopLoss: said('stopLoss'),
  };
}

function Aggression({ side, rate }: { readonly side: 'buy' | 'sell'; readonly rate: string }): ReactElement {
  const text = useText();
  return (
    <Notice tone="warn">
      {text('trade.ticket.aggressive', { rate, side: text(side === 'buy' ? 'trade.ticket.sideBid' : 'trade.ticket.sideAsk') })}
    </Notice>
  );
}

/** On a phone the ticket lies over the book: its best prices are said here. */
function BestPrices({ context: { market, bestBid, bestAsk } }: { readonly context: TicketContext }): ReactElement {
  const text = useText();
  const numbers = useNumbers(market);
  return (
    <p className="flex justify-between text-sm text-fg2 tablet:hidden">
      <span>{text('trade.ticket.bidAt', { price: numbers.price(bestBid) })}</span>
      <span>{text('trade.ticket.askAt', { price: numbers.price(bestAsk) })}</span>
    </p>
  );
}

/** Which order it is that waits for a price. */
function WaitsChoice({ form }: { readonly form: TicketForm }): ReactElement {
  const text = useText();
  const { set } = useTicket();
  return (
    <Select
      label={text('trade.ticket.waits')}
      size="small"
      value={form.waits}
      choices={WAITS.map((value) => ({ value, label: text(`trade.ticket.waits.${value}`) }))}
      onChange={(waits) => set({ waits })}
    />
  );
}

function TicketBody(): ReactElement {
  const text = useText();
  const context = useTicketContext(useMarket());
  const { form, owner, set } = useTicket();
  const orders = useOrders(owner.symbol);
  const mayOrder = useMayOrder();
  // What was left empty counts for the ticket that was tried, until an order of it was placed.
  const [tried, setTried] = useState<TicketOwner>();
  const isTried = tried === owner && orders.phase === 'idle';
  usePrefill(owner, context);
  const { issues, draft, receipt, notBestPriceRate } = readTicket(form, context);
  const errors = useErrors(issues, isTried ? missing(form) : {});
  const send = (event: FormEvent): void => {
    event.preventDefault();
    setTried(draft === undefined ? owner : undefined);
    if (mayOrder && draft !== undefined) void orders.submit({ order: draft, notBestPriceRate, receipt });
  };
  return (
    <form onSubmit={send} aria-label={text('trade.ticket.title')} className="p-2.5">
      {/* While an order is on its way or unanswered, the ticket shows it as it was sent. */}
      <fieldset disabled={orders.phase !== 'idle'} className="flex min-w-0 flex-col gap-2.5">
        <SideSwitch side={form.side} onChange={(side) => set({ side, ...(orderKind(form) === 'market' && { size: '' }) })} />
        <BestPrices context={context} />
        <Available form={form} context={context} />
        {form.tab === 'stop' && <WaitsChoice form={form} />}
        <PriceFields form={form} context={context} errors={errors} />
        {form.tab === 'stop' && (
          <Panel room="line" loading={<div className="h-5" />}>
            <WaitingFields form={form} context={context} errors={errors} />
          </Panel>
        )}
        <SizeField form={form} error={errors.size} />
        <Shares form={form} context={context} share={shareOfSize(receipt, form, context)} />
        <TicketOptions form={form} />
        {isProtectable(form) && (
          <Checkbox value={form.protection === 'on'} onChange={(isOn) => set({ protection: isOn ? 'on' : 'off' })}>
            {text('trade.ticket.protection')}
          </Checkbox>
        )}
        {isProtectable(form) && form.protection === 'on' && (
          <Panel room="line" loading={<div className="h-20" />}>
            <ProtectionFields form={form} context={context} errors={errors} />
          </Panel>
        )}
        {notBestPriceRate !== undefined && <Aggression side={form.side} rate={notBestPriceRate} />}
        <ReceiptLines form={form} receipt={receipt} />
        {orders.phase !== 'unanswered' && mayOrder && <SubmitButton side={form.side} draft={draft} busy={orders.phase === 'sending'} />}
      </fieldset>
      <TicketEnd once={orders} words={draftWords} mayOrder={mayOrder} kind={orders.open?.side === 'sell' ? 'down' : 'up'} />
    </form>
  );
}

export function Ticket(): ReactElement {
  const text = useText();
  const { form, set } = useTicket();
  const tabs = TICKET_TABS.map((id) => ({ id, label: text(id === 'stop' ? 'trade.ticket.waiting' : `trade.ticket.${id}`) }));
  // Spending an amount of the quote coin is a thing of market orders.
  const change = (next: TicketTab): void => set({ tab: next, ...(next !== 'market' && { unit: 'base', size: '' }) });
  return (
    <Tabs
      className="shrink-0"
      panel={text('trade.panel.ticket')}
      tabs={tabs}
      value={form.tab}
      label={text('trade.ticket.type')}
      onChange={change}
    >
      <TabPanel id={form.tab}>
        <TicketBody />
      </TabPanel>
    </Tabs>
  );
}
