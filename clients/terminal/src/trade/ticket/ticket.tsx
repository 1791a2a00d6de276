/** The order ticket: says what would be sent and what it would do, and sends it. */
import { CirclePlus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { FormEvent, ReactElement } from 'react';
import { printDecimal } from '@orrery/units';
import { useText } from '../../i18n/text.tsx';
import type { MessageId } from '../../i18n/catalog.ts';
import { openFundWallet } from '../../onboarding/actions.ts';
import { useFormat } from '../../settings/use-format.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Slider } from '../../ui/slider.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useMarket } from '../market-context.tsx';
import { readTicket, shareOfSize, sizeOfShare } from './order-draft.ts';
import type { Issue, Reading, TicketContext } from './order-draft.ts';
import { PriceFields } from './price-fields.tsx';
import { ReceiptLines } from './receipt-lines.tsx';
import { SideSwitch } from './side-switch.tsx';
import { SizeField } from './size-field.tsx';
import { orderKind, takesPrice, TICKET_TABS } from './ticket-form.ts';
import type { TicketField, TicketForm } from './ticket-form.ts';
import { TicketGate, useMayOrder } from './ticket-gate.tsx';
import { TicketOptions } from './ticket-options.tsx';
import { useTicket } from './ticket-store.ts';
import { useSubmission } from './use-submission.ts';
import { useTicketContext } from './use-ticket-context.ts';

const SHARES = [10, 25, 50, 100] as const;

function Available({ form, context }: { readonly form: TicketForm; readonly context: TicketContext }): ReactElement {
  const text = useText();
  const format = useFormat();
  const { market } = context;
  const isBuy = form.side === 'buy';
  const free = format.number(isBuy ? context.freeQuote : context.freeBase, { decimals: isBuy ? 2 : market.sizePrecision });
  return (
    <div className="flex items-baseline justify-between gap-2 text-sm">
      <span className="text-fg2">{text('trade.ticket.available')}</span>
      <span className="flex items-center gap-1.5">
        {free} {isBuy ? market.quoteName : market.baseName}
        <IconButton label={text('trade.ticket.addFunds')} className="-my-1 -mr-1.5 size-6" onClick={() => void openFundWallet()}><CirclePlus size={14} /></IconButton>
      </span>
    </div>
  );
}

function Shares({ form, context, share }: { readonly form: TicketForm; readonly context: TicketContext; readonly share: number }): ReactElement {
  const text = useText();
  const set = useTicket((ticket) => ticket.set);
  const take = (percent: number): void => {
    const size = sizeOfShare(form, context, percent);
    if (size !== undefined) set(size);
  };
  const isUnknown = sizeOfShare(form, context, 100) === undefined;
  return (
    <div className="flex flex-col gap-2">
      <Slider label={text('trade.ticket.share')} value={share} onChange={take} disabled={isUnknown} />
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

/** The button says what it does, in numbers once there are any. */
function useSubmitText(form: TicketForm, reading: Reading): string {
  const text = useText();
  const format = useFormat();
  const market = useMarket();
  const { draft } = reading;
  const coin = market.baseName;
  const isBuy = form.side === 'buy';
  if (draft?.funds !== undefined) return text('trade.ticket.submitBuyFor', { coin, funds: format.number(draft.funds), quote: market.quoteName });
  if (draft?.size === undefined) return text(isBuy ? 'trade.ticket.submitPlainBuy' : 'trade.ticket.submitPlainSell', { coin });
  return text(isBuy ? 'trade.ticket.submitBuy' : 'trade.ticket.submitSell', { size: format.number(draft.size), coin });
}

/** What was left empty is only said once the person tried to send. */
function missing(form: TicketForm): Partial<Record<TicketField, MessageId>> {
  return {
    ...(takesPrice(form) && form.price === '' && { price: 'trade.issue.missingPrice' as const }),
    ...(form.tab === 'stop' && form.trigger === '' && { trigger: 'trade.issue.missingTrigger' as const }),
    ...(form.size === '' && { size: 'trade.issue.missingSize' as const }),
  };
}

/** The price starts at the middle of the market, in a market that was not traded in before. */
function usePrefill(form: TicketForm, context: TicketContext): void {
  const set = useTicket((ticket) => ticket.set);
  const clear = useTicket((ticket) => ticket.clear);
  const filled = useRef('');
  const { symbol, pricePrecision } = context.market;
  const bid = context.bids[0] ?? 0;
  const ask = context.asks[0] ?? 0;
  useEffect(() => {
    if (filled.current === symbol || bid === 0 || ask === 0) return;
    if (filled.current !== '') clear('numbers');
    filled.current = symbol;
    set({ price: printDecimal(BigInt(Math.floor((bid + ask) / 2)), pricePrecision) });
  }, [symbol, pricePrecision, bid, ask, set, clear]);
  useEffect(() => () => void (filled.current = ''), []);
}

function Aggression({ form, rate }: { readonly form: TicketForm; readonly rate: string }): ReactElement {
  const text = useText();
  const side = text(form.side === 'buy' ? 'trade.ticket.sideBid' : 'trade.ticket.sideAsk');
  return <Notice tone="warn">{text('trade.ticket.aggressive', { rate, side })}</Notice>;
}

export function Ticket(): ReactElement {
  const text = useText();
  const market = useMarket();
  const context = useTicketContext(market);
  const { form, set, clear } = useTicket();
  const mayOrder = useMayOrder();
  const [wasTried, setTried] = useState(false);
  const { submission, submit, edited } = useSubmission(() => {
    clear('size');
    setTried(false);
  });
  usePrefill(form, context);
  useEffect(() => edited(), [form]); // eslint-disable-line react-hooks/exhaustive-deps -- only an edit ends an unanswered order
  const reading = readTicket(form, context);
  const submitText = useSubmitText(form, reading);
  const lacking = wasTried ? missing(form) : {};
  const said = (issue: Issue | undefined, empty: MessageId | undefined): string | undefined =>
    issue !== undefined ? text(issue.message, issue.values) : empty && text(empty);
  const errors = {
    price: said(reading.issues.price, lacking.price),
    trigger: said(reading.issues.trigger, lacking.trigger),
    size: said(reading.issues.size, lacking.size),
  };
  const send = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (mayOrder && reading.draft !== undefined) void submit(reading.draft, reading.notBestPriceRate);
  };
  const tabs = TICKET_TABS.map((id) => ({ id, label: text(`trade.ticket.${id}`) }));
  return (
    <Tabs className="shrink-0" tabs={tabs} active={form.tab} label={text('trade.ticket.type')} onChange={(tab) => set({ tab, ...(tab !== 'market' && { unit: 'base' }) })}>
      <form onSubmit={send} aria-label={text('trade.ticket.title')} className="flex flex-col gap-2.5 p-2.5">
        <SideSwitch side={form.side} onChange={(side) => set({ side, ...(orderKind(form) === 'market' && { size: '' }) })} />
        <Available form={form} context={context} />
        <PriceFields form={form} context={context} errors={errors} />
        <SizeField form={form} error={errors.size} />
        <Shares form={form} context={context} share={shareOfSize(reading.receipt, form, context)} />
        <TicketOptions form={form} />
        {reading.notBestPriceRate !== undefined && <Aggression form={form} rate={reading.notBestPriceRate} />}
        <ReceiptLines form={form} receipt={reading.receipt} />
        {submission.phase === 'unanswered' && <Notice tone="warn">{text('trade.ticket.noAnswer')}</Notice>}
        {mayOrder ? (
          <Button
            type="submit"
            kind={form.side === 'buy' ? 'up' : 'down'}
            size="large"
            busy={submission.phase === 'sending'}
            disabled={market.state !== 'TRADING'}
            className="w-full"
          >
            {submission.phase === 'unanswered' ? text('ui.retry') : submitText}
          </Button>
        ) : (
          <TicketGate />
        )}
      </form>
    </Tabs>
  );
}
