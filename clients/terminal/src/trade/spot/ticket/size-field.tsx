/** How much: in the base coin, or in what is paid. */
import type { ReactElement } from 'react';
import { useText } from '../../../kit/i18n/text.tsx';
import { useSettings } from '../../../kit/settings/settings.ts';
import { useMarket } from '../../../market/market-context.tsx';
import { NumberField } from '../../shared/number-field.tsx';
import type { SizeUnit, TicketForm } from './ticket-form.ts';
import { useTicket } from './ticket-store.ts';

const SIZE_FIELD = 'ticket-size';

/** The size is the first thing a person decides. */
export const focusTicket = (): void => document.getElementById(SIZE_FIELD)?.focus();

/** As if its button was pressed: what is missing is said, and what is asked before an order is asked. */
export function sendTicket(): void {
  const form = document.getElementById(SIZE_FIELD)?.closest('form');
  form?.requestSubmit();
}

function UnitSwitch({ form }: { readonly form: TicketForm }): ReactElement {
  const text = useText();
  const market = useMarket();
  const { set } = useTicket();
  const rememberUnit = useSettings((settings) => settings.setUnit);
  const names: Readonly<Record<SizeUnit, string>> = { base: market.baseName, quote: market.quoteName };
  const other: SizeUnit = form.unit === 'base' ? 'quote' : 'base';
  return (
    <button
      type="button"
      aria-label={`${text('trade.ticket.unit')} ${names[form.unit]} → ${names[other]}`}
      title={`${names[form.unit]} → ${names[other]}`}
      onClick={() => {
        // The digits meant the other unit: keeping them would be another order.
        set({ unit: other, size: '' });
        rememberUnit(other === 'base' ? 'COIN' : 'VALUE');
      }}
      className="-me-1 rounded-sm px-1 py-0.5 text-fg2 underline decoration-strong decoration-dotted underline-offset-3 hover:bg-hover hover:text-fg"
    >
      {names[form.unit]}
    </button>
  );
}

export function SizeField({ form, error }: { readonly form: TicketForm; readonly error: string | undefined }): ReactElement {
  const text = useText();
  const { set } = useTicket();
  return (
    <NumberField
      id={SIZE_FIELD}
      label={text(form.unit === 'quote' && form.side === 'buy' ? 'trade.ticket.spend' : 'trade.ticket.size')}
      value={form.size}
      onChange={(size) => set({ size })}
      unit={<UnitSwitch form={form} />}
      error={error}
    />
  );
}
