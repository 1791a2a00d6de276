/** Trigger and limit price, with the arrow keys moving by ticks. */
import { parseTicks, printTicks, stepTicks } from '@orrery/units';
import type { ReactElement } from 'react';
import { useText } from '../../../kit/i18n/text.tsx';
import { NumberField } from '../../shared/number-field.tsx';
import { QueuePrices } from '../../shared/ticket/queue-prices.tsx';
import type { TicketContext } from './ticket-context.ts';
import { orderKind, takesPrice, takesTrigger } from './ticket-form.ts';
import { canonical } from '../../shared/ticket/ticket-text.ts';
import type { TicketField, TicketForm } from './ticket-form.ts';
import { useTicket } from './ticket-store.ts';

/** What is wrong with each field, in words. */
export type Errors = Readonly<Record<TicketField, string | undefined>>;

export interface PriceFieldsProps {
  readonly form: TicketForm;
  readonly context: TicketContext;
  readonly errors: Errors;
}

/** Ticks up or down from what stands in the field, or from the last price when nothing does; what is no price stays. */
function stepped(text: string, steps: number, { market, lastPrice }: TicketContext): string {
  const typed = text === '' ? lastPrice : parseTicks(canonical(text), market.pricePrecision);
  return typed === undefined ? text : printTicks(stepTicks(typed, steps), market.pricePrecision);
}

export function PriceFields({ form, context, errors }: PriceFieldsProps): ReactElement {
  const text = useText();
  const { set } = useTicket();
  const { quoteName } = context.market;
  const isPair = orderKind(form) === 'pair';
  return (
    <>
      {takesTrigger(form) && (
        <NumberField
          label={text(isPair ? 'trade.ticket.pairStop' : 'trade.ticket.trigger')}
          value={form.trigger}
          onChange={(trigger) => set({ trigger })}
          onStep={(steps) => set({ trigger: stepped(form.trigger, steps, context) })}
          unit={quoteName}
          error={errors.trigger}
        />
      )}
      {takesPrice(form) && (
        <NumberField
          label={text(isPair ? 'trade.ticket.pairPrice' : 'trade.ticket.price')}
          value={form.price}
          onChange={(price) => set({ price })}
          onStep={(steps) => set({ price: stepped(form.price, steps, context) })}
          unit={quoteName}
          error={errors.price}
        />
      )}
      {takesPrice(form) && !isPair && <QueuePrices book={context} side={form.side} onPrice={(price) => set({ price })} />}
    </>
  );
}
