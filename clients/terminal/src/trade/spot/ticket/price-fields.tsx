/** Trigger and limit price, with the arrow keys moving by ticks and one press taking the best prices. */
import { midTicks, NO_TICKS, parseTicks, printTicks, stepTicks } from '@orrery/units';
import type { Ticks } from '@orrery/units';
import type { ReactElement } from 'react';
import { useText } from '../../../i18n/text.tsx';
import { levelPrice } from './book-walk.ts';
import { NumberField } from '../../shared/number-field.tsx';
import type { TicketContext } from './ticket-context.ts';
import { canonical, takesPrice } from './ticket-form.ts';
import type { TicketForm } from './ticket-form.ts';
import { useTicket } from './ticket-store.ts';

export interface PriceFieldsProps {
  readonly form: TicketForm;
  readonly context: TicketContext;
  readonly errors: { readonly price: string | undefined; readonly trigger: string | undefined };
}

/** Ticks up or down from what stands in the field, or from the last price when nothing does; what is no price stays. */
function stepped(text: string, steps: number, { market, lastPrice }: TicketContext): string {
  const typed = text === '' ? lastPrice : parseTicks(canonical(text), market.pricePrecision);
  return typed === undefined ? text : printTicks(stepTicks(typed, steps), market.pricePrecision);
}

/** The place in the queue that a press takes, beside the first: its price is of the order's own side. */
const QUEUE_PLACE = 5;

interface QueuePrice {
  readonly label: string;
  readonly name: string;
  readonly ticks: Ticks;
}

/** One press takes a price of the book: the middle, the best bid and ask, or the fifth in the queue of the order's own side. */
function useQueuePrices(context: TicketContext, side: 'buy' | 'sell'): readonly QueuePrice[] {
  const text = useText();
  const { bids, asks, bestBid, bestAsk } = context;
  const own = side === 'buy' ? bids : asks;
  const isKnown = bestBid > NO_TICKS && bestAsk > NO_TICKS;
  const place = QUEUE_PLACE;
  return [
    { label: text('trade.ticket.mid'), name: text('trade.ticket.midName'), ticks: isKnown ? midTicks(bestBid, bestAsk) : NO_TICKS },
    { label: text('trade.ticket.bid'), name: text('trade.ticket.bidName'), ticks: bestBid },
    { label: text('trade.ticket.ask'), name: text('trade.ticket.askName'), ticks: bestAsk },
    { label: text('trade.ticket.queue', { place }), name: text('trade.ticket.queueName', { place }), ticks: levelPrice(own, place - 1) },
  ];
}

function QueuePrices({ context, side }: { readonly context: TicketContext; readonly side: 'buy' | 'sell' }): ReactElement {
  const text = useText();
  const { set } = useTicket();
  return (
    <div role="group" aria-label={text('trade.ticket.queuePrices')} className="-mt-1 grid grid-cols-4 gap-1">
      {useQueuePrices(context, side).map(({ label, name, ticks }) => (
        <button
          key={label}
          type="button"
          aria-label={name}
          disabled={ticks === NO_TICKS}
          onClick={() => set({ price: printTicks(ticks, context.market.pricePrecision) })}
          className="h-6 rounded-sm bg-raised text-sm text-fg2 hover:bg-hover hover:text-fg disabled:opacity-45"
        >
          {label}
        </button>
      ))}
    </div>
  );
}

export function PriceFields({ form, context, errors }: PriceFieldsProps): ReactElement {
  const text = useText();
  const { set } = useTicket();
  const { quoteName } = context.market;
  return (
    <>
      {form.tab === 'stop' && (
        <NumberField
          label={text('trade.ticket.trigger')}
          value={form.trigger}
          onChange={(trigger) => set({ trigger })}
          onStep={(steps) => set({ trigger: stepped(form.trigger, steps, context) })}
          unit={quoteName}
          error={errors.trigger}
        />
      )}
      {takesPrice(form) && (
        <NumberField
          label={text('trade.ticket.price')}
          value={form.price}
          onChange={(price) => set({ price })}
          onStep={(steps) => set({ price: stepped(form.price, steps, context) })}
          unit={quoteName}
          error={errors.price}
        />
      )}
      {takesPrice(form) && <QueuePrices context={context} side={form.side} />}
    </>
  );
}
