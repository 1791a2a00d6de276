/** Trigger and limit price, with the arrow keys moving by ticks and one press taking the best prices. */
import { printDecimal } from '@orrery/units';
import type { ReactElement } from 'react';
import { useText } from '../../../i18n/text.tsx';
import { NumberField } from './number-field.tsx';
import { parseCut } from './ticket-context.ts';
import type { TicketContext } from './ticket-context.ts';
import { canonical, takesPrice } from './ticket-form.ts';
import type { TicketForm } from './ticket-form.ts';
import { useTicket } from './ticket-store.ts';

export interface PriceFieldsProps {
  readonly form: TicketForm;
  readonly context: TicketContext;
  readonly errors: { readonly price: string | undefined; readonly trigger: string | undefined };
}

/** Ticks up or down from what stands in the field, or from the last price when nothing does; never below one tick. */
function stepped(text: string, steps: number, { market, lastPrice }: TicketContext): string {
  const from = text === '' ? BigInt(lastPrice) : parseCut(canonical(text), market.pricePrecision);
  const next = from + BigInt(steps);
  return printDecimal(next < 1n ? 1n : next, market.pricePrecision);
}

function BestPrice({ context, side }: { readonly context: TicketContext; readonly side: 'buy' | 'sell' }): ReactElement {
  const text = useText();
  const set = useTicket((ticket) => ticket.set);
  const bid = context.bids[0] ?? 0;
  const ask = context.asks[0] ?? 0;
  const isKnown = bid > 0 && ask > 0;
  const take = (ticks: number): void => set({ price: printDecimal(BigInt(ticks), context.market.pricePrecision) });
  const own = side === 'buy' ? bid : ask;
  return (
    <span className="flex shrink-0 gap-1">
      {[
        { label: text('trade.ticket.mid'), ticks: Math.floor((bid + ask) / 2) },
        { label: text(side === 'buy' ? 'trade.ticket.bid' : 'trade.ticket.ask'), ticks: own },
      ].map(({ label, ticks }) => (
        <button
          key={label}
          type="button"
          disabled={!isKnown}
          onClick={() => take(ticks)}
          className="h-5 rounded-sm bg-raised px-1.5 text-xs text-fg2 hover:bg-hover hover:text-fg disabled:opacity-45"
        >
          {label}
        </button>
      ))}
    </span>
  );
}

export function PriceFields({ form, context, errors }: PriceFieldsProps): ReactElement {
  const text = useText();
  const set = useTicket((ticket) => ticket.set);
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
          {...(form.tab === 'limit' && { aside: <BestPrice context={context} side={form.side} /> })}
        />
      )}
    </>
  );
}
