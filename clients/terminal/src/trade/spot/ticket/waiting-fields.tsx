/** What an order has beyond a trigger and a limit: the fields of trailing stops and pairs, what protects a purchase, and what will happen, in a sentence. */
import { printTicks } from '@orrery/units';
import type { ReactElement } from 'react';
import { useText } from '../../../kit/i18n/text.tsx';
import type { MessageId } from '../../../kit/i18n/catalog.ts';
import { useFormat } from '../../../kit/settings/use-format.ts';
import { NumberField } from '../../shared/number-field.tsx';
import { canonical } from '../../shared/ticket/ticket-text.ts';
import type { Errors } from './price-fields.tsx';
import type { TicketContext } from './ticket-context.ts';
import { readPrices } from './ticket-fields.ts';
import { orderKind, takesLegPrice } from './ticket-form.ts';
import type { TicketField, TicketForm } from './ticket-form.ts';
import { useTicket } from './ticket-store.ts';

export interface WaitingFieldsProps {
  readonly form: TicketForm;
  readonly context: TicketContext;
  readonly errors: Errors;
}

type Further = Extract<TicketField, 'legPrice' | 'callback' | 'activation' | 'takeProfit' | 'stopLoss'>;

const NAMES = {
  legPrice: 'spotForm.legPrice',
  callback: 'spotForm.callback',
  activation: 'spotForm.activation',
  takeProfit: 'spotForm.takeProfit',
  stopLoss: 'spotForm.stopLoss',
} as const satisfies Record<Further, MessageId>;

function Field({ name, form, context, errors }: WaitingFieldsProps & { readonly name: Further }): ReactElement {
  const text = useText();
  const { set } = useTicket();
  return (
    <NumberField
      label={text(NAMES[name])}
      value={form[name]}
      onChange={(value) => set({ [name]: value })}
      unit={name === 'callback' ? '%' : context.market.quoteName}
      error={errors[name]}
    />
  );
}

/** What will happen, by the numbers that stand in the fields; a dash where one is missing. */
function useSentence({ form, context }: WaitingFieldsProps): string | undefined {
  const text = useText();
  const format = useFormat();
  if (form.tab !== 'stop') return undefined;
  const shown = (value: string): string => format.number(value === '' ? undefined : canonical(value));
  const { follows } = readPrices(form, context, {});
  const values = {
    coin: context.market.baseName,
    price: shown(form.price),
    trigger: shown(form.trigger),
    leg: shown(form.legPrice),
    rate: shown(form.callback),
    activation: shown(form.activation),
    now: format.number(follows === undefined ? undefined : printTicks(follows, context.market.pricePrecision)),
  };
  const side = form.side === 'buy' ? 'Buy' : 'Sell';
  const kind = orderKind(form);
  if (kind === 'trailing') return text(`spotForm.trailing${side}${form.activation === '' ? '' : 'From'}`, values);
  if (kind === 'pair') return text(form.stopKind === 'limit' ? `spotForm.pair${side}Limit` : `spotForm.pair${side}`, values);
  return text(`spotForm.${form.waits === 'takeProfit' ? 'profit' : 'stop'}${side}${form.stopKind === 'limit' ? 'Limit' : ''}`, values);
}

export function WaitingFields(props: WaitingFieldsProps): ReactElement {
  const { form } = props;
  const sentence = useSentence(props);
  return (
    <>
      {orderKind(form) === 'trailing' && (
        <>
          <Field {...props} name="callback" />
          <Field {...props} name="activation" />
        </>
      )}
      {takesLegPrice(form) && <Field {...props} name="legPrice" />}
      {sentence !== undefined && <p className="text-sm text-fg2">{sentence}</p>}
    </>
  );
}

/** What sells again what is bought. */
export function ProtectionFields(props: WaitingFieldsProps): ReactElement {
  const text = useText();
  return (
    <>
      <Field {...props} name="takeProfit" />
      <Field {...props} name="stopLoss" />
      <p className="text-sm text-fg2">{text('spotForm.protects', { coin: props.context.market.baseName })}</p>
    </>
  );
}
