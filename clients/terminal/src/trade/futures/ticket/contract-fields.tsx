/** The fields of the ticket of a contract: prices, size with its unit, terms, and what protects. */
import { NO_LOTS, NO_TICKS, parseTicks, printTicks, stepTicks } from '@orrery/units';
import type { ReactElement } from 'react';
import type { MessageId } from '../../../kit/i18n/catalog.ts';
import { useText } from '../../../kit/i18n/text.tsx';
import { useSettings } from '../../../kit/settings/settings.ts';
import { useFormat } from '../../../kit/settings/use-format.ts';
import { Checkbox } from '../../../kit/ui/checkbox.tsx';
import { Segmented } from '../../../kit/ui/radio-group.tsx';
import { Select } from '../../../kit/ui/select.tsx';
import { Explained } from '../../../kit/ui/tooltip.tsx';
import { NumberField } from '../../shared/number-field.tsx';
import type { SizeUnit } from '../../../market/size-units.ts';
import { useNumbers } from '../../../market/use-numbers.ts';
import { QueuePrices } from '../../shared/ticket/queue-prices.tsx';
import { canonical } from '../../shared/ticket/ticket-text.ts';
import { isProtectable } from './contract-draft.ts';
import type { ContractContext, ContractReading } from './contract-draft.ts';
import { CONTRACT_SIZE_FIELD, PROTECTION_MODES, takesPrice, TIMES_IN_FORCE, TRIGGERED_BY } from './contract-form.ts';
import type { ContractField, ContractForm } from './contract-form.ts';

export interface PartProps {
  readonly form: ContractForm;
  readonly set: (part: Partial<ContractForm>) => void;
  readonly context: ContractContext;
  readonly reading: ContractReading;
  readonly errors: Readonly<Partial<Record<ContractField, string | undefined>>>;
}

function stepped(typed: string, steps: number, { market, mark }: ContractContext): string {
  const from = typed === '' ? mark : parseTicks(canonical(typed), market.pricePrecision);
  return from === undefined ? typed : printTicks(stepTicks(from, steps), market.pricePrecision);
}

type PriceName = 'price' | 'trigger' | 'takeProfit' | 'stopLoss';
const PRICE_NAMES = {
  price: 'trade.ticket.price',
  trigger: 'trade.ticket.trigger',
  takeProfit: 'futures.ticket.takeProfit',
  stopLoss: 'futures.ticket.stopLoss',
} as const satisfies Record<PriceName, MessageId>;

function PriceField({ name, form, set, context, errors }: PartProps & { readonly name: PriceName }): ReactElement {
  const text = useText();
  return (
    <NumberField
      label={text(PRICE_NAMES[name])}
      value={form[name]}
      onChange={(value) => set({ [name]: value })}
      onStep={(steps) => set({ [name]: stepped(form[name], steps, context) })}
      unit={context.market.quoteName}
      error={errors[name]}
    />
  );
}

/** What one of a unit is, at the price of the order. */
function useMeaning({ context: { market, mark }, reading }: PartProps): (unit: SizeUnit) => string {
  const text = useText();
  const format = useFormat();
  const numbers = useNumbers(market);
  const price = numbers.price(reading.price === NO_TICKS ? mark : reading.price);
  const { baseName: coin, quoteName: quote, info } = market;
  return ({ name: unit, means }) => text(means, { unit, coin, quote, price, size: format.number(info.contractSize) });
}

/** What a value buys in the unit that orders and positions are written in; else what one is. */
function useSizeHint(props: PartProps): string {
  const { context, reading } = props;
  const { market, unit } = context;
  const text = useText();
  const numbers = useNumbers(market);
  const meaning = useMeaning(props);
  if (unit.counts === 'lots' || reading.size === NO_LOTS) return meaning(unit);
  return text('futures.unit.buys', { size: numbers.size(reading.size), unit: market.sizeName });
}

/** In which unit sizes are typed; it is remembered for the kind of account. */
function UnitChoice(props: PartProps): ReactElement {
  const {
    set,
    context: { market, unit },
  } = props;
  const text = useText();
  const meaning = useMeaning(props);
  const remember = useSettings((settings) => settings.setUnit);
  return (
    <Select
      label={text('trade.ticket.unit')}
      size="small"
      value={unit.id}
      shown={unit.name}
      choices={market.units.map((each) => ({ value: each.id, label: meaning(each) }))}
      onChange={(next) => {
        // The digits meant the other unit: keeping them would be another order.
        set({ size: '' });
        remember(next, market.accountKind);
      }}
      className="min-h-6"
    />
  );
}

function Options({ form, set, context }: PartProps): ReactElement {
  const text = useText();
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      {form.tab === 'limit' && (
        <Checkbox value={form.postOnly === 'on'} onChange={(isOn) => set({ postOnly: isOn ? 'on' : 'off' })}>
          <Explained content={text('trade.ticket.postOnlyExplained')}>{text('trade.ticket.postOnly')}</Explained>
        </Checkbox>
      )}
      {context.mode === 'ONE_WAY' && (
        <Checkbox value={form.reduceOnly === 'on'} onChange={(isOn) => set({ reduceOnly: isOn ? 'on' : 'off' })}>
          <Explained content={text('futures.ticket.reduceOnlyExplained')}>{text('futures.ticket.reduceOnly')}</Explained>
        </Checkbox>
      )}
      {form.tab === 'limit' && form.postOnly === 'off' && (
        <Select
          label={text('trade.ticket.timeInForce')}
          size="small"
          value={form.timeInForce}
          choices={TIMES_IN_FORCE.map((value) => ({ value, label: text(`trade.ticket.${value}`) }))}
          onChange={(timeInForce) => set({ timeInForce })}
        />
      )}
    </div>
  );
}

function Trigger(props: PartProps): ReactElement {
  const { form, set } = props;
  const text = useText();
  return (
    <>
      <div className="grid grid-cols-2 gap-1.5">
        <Select
          label={text('futures.ticket.triggeredBy')}
          size="small"
          value={form.triggeredBy}
          choices={TRIGGERED_BY.map((value) => ({ value, label: text(`futures.price.${value}`) }))}
          onChange={(triggeredBy) => set({ triggeredBy })}
        />
        <Select
          label={text('futures.ticket.becomes')}
          size="small"
          value={form.becomes}
          choices={(['limit', 'market'] as const).map((value) => ({ value, label: text(`trade.ticket.${value}`) }))}
          onChange={(becomes) => set({ becomes })}
        />
      </div>
      <PriceField {...props} name="trigger" />
    </>
  );
}

/** How far the price turns back from its best before the order acts, by which price, and what that means now. */
function Trailing({ form, set, context, reading, errors }: PartProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const numbers = useNumbers(context.market);
  const { callback, triggeredBy, side } = form;
  const values = { price: text(`futures.price.${triggeredBy}`), rate: format.number(callback === '' ? undefined : canonical(callback)) };
  return (
    <>
      <Select
        label={text('futures.ticket.triggeredBy')}
        size="small"
        value={triggeredBy}
        choices={TRIGGERED_BY.map((value) => ({ value, label: text(`futures.price.${value}`) }))}
        onChange={(next) => set({ triggeredBy: next })}
      />
      <NumberField
        label={text('orderForm.callback')}
        value={callback}
        onChange={(next) => set({ callback: next })}
        unit="%"
        error={errors.callback}
      />
      <p className="text-sm text-fg2">
        {text(side === 'buy' ? 'orderForm.trailsBuy' : 'orderForm.trailsSell', values)}
        {reading.trails !== NO_TICKS && ` ${text('orderForm.trailsNow', { price: numbers.price(reading.trails) })}`}
      </p>
    </>
  );
}

/** A price, or per cent of the order's price with the price that they make. */
function ProtectionField(props: PartProps & { readonly name: 'takeProfit' | 'stopLoss' }): ReactElement {
  const { name, form, set, errors, reading, context } = props;
  const text = useText();
  const numbers = useNumbers(context.market);
  if (form.protectionMode === 'price') return <PriceField {...props} />;
  const price = name === 'takeProfit' ? reading.profit : reading.stop;
  return (
    <div>
      <NumberField
        label={text(PRICE_NAMES[name])}
        value={form[name]}
        onChange={(value) => set({ [name]: value })}
        unit="%"
        error={errors[name]}
      />
      {price > 0 && (
        <p className="pt-1 text-sm text-fg2">
          {text('futures.ticket.protectedAt', { name: text(PRICE_NAMES[name]), price: numbers.price(price) })}
        </p>
      )}
    </div>
  );
}

function Protection(props: PartProps): ReactElement {
  const { form, set } = props;
  const text = useText();
  return (
    <>
      <div className="flex min-h-8 items-center justify-between gap-2">
        <Checkbox value={form.protection === 'on'} onChange={(isOn) => set({ protection: isOn ? 'on' : 'off' })}>
          <Explained content={text('futures.ticket.protectionExplained')}>{text('futures.ticket.protection')}</Explained>
        </Checkbox>
        {form.protection === 'on' && (
          <Segmented
            label={text('futures.ticket.protectionMode')}
            size="small"
            value={form.protectionMode}
            choices={PROTECTION_MODES.map((value) => ({ value, label: text(`futures.ticket.${value}`) }))}
            // The digits meant the other: keeping them would protect at another price.
            onChange={(protectionMode) => set({ protectionMode, takeProfit: '', stopLoss: '' })}
          />
        )}
      </div>
      {form.protection === 'on' && (
        <>
          <ProtectionField {...props} name="takeProfit" />
          <ProtectionField {...props} name="stopLoss" />
        </>
      )}
    </>
  );
}

export function ContractFields(props: PartProps): ReactElement {
  const { form, set } = props;
  const text = useText();
  const sizeHint = useSizeHint(props);
  return (
    <>
      {form.tab === 'trigger' && <Trigger {...props} />}
      {form.tab === 'trailing' && <Trailing {...props} />}
      {takesPrice(form) && (
        <>
          <PriceField {...props} name="price" />
          <QueuePrices book={props.context} side={form.side} onPrice={(price) => set({ price })} />
        </>
      )}
      <NumberField
        id={CONTRACT_SIZE_FIELD}
        label={text('trade.size')}
        value={form.size}
        onChange={(size) => set({ size })}
        unit={<UnitChoice {...props} />}
        error={props.errors.size}
        hint={sizeHint}
      />
      {form.tab === 'twap' && (
        <NumberField
          label={text('futures.ticket.minutes')}
          value={form.minutes}
          onChange={(minutes) => set({ minutes })}
          unit={text('futures.ticket.minutesUnit')}
          error={props.errors.minutes}
        />
      )}
      <Options {...props} />
      {isProtectable(form, props.context.mode) && <Protection {...props} />}
    </>
  );
}
