/** Scale order: one size spread over several limit orders, each shown with its price and size before they are sent together. */
import { printAtoms, printLots, printTicks } from '@orrery/units';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { isUnanswered } from '../../../platform/client/failure.ts';
import { wordsOfItem } from '../../../platform/client/refusals.ts';
import type { TradedMarket } from '../../../market/market.ts';
import { useText } from '../../../kit/i18n/text.tsx';
import { useFormat } from '../../../kit/settings/use-format.ts';
import { randomHex } from '../../../kit/storage/random-hex.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { Dialog } from '../../../kit/ui/dialog.tsx';
import { NumberField } from '../../../kit/ui/number-field.tsx';
import { Segmented } from '../../../kit/ui/radio-group.tsx';
import { SelectField } from '../../../kit/ui/select-field.tsx';
import { showError, showSuccess } from '../../../kit/ui/toast.ts';
import { Unanswered } from '../../../kit/ui/unanswered.tsx';
import { DISTRIBUTIONS, SCALE_ORDERS_MAX, SCALE_ORDERS_MIN } from '../ticket/scale.ts';
import type { ScaleForm, ScaleReading } from '../ticket/scale.ts';
import type { ScaleRung } from '../ticket/scale.ts';

const ID_BYTES = 16;
const COUNTS = Array.from({ length: SCALE_ORDERS_MAX - SCALE_ORDERS_MIN + 1 }, (_, index) => String(SCALE_ORDERS_MIN + index));

/** One answer for each order, in their order. */
interface Placed {
  readonly code: number;
  readonly msg: string;
}

interface Sent {
  readonly form: ScaleForm;
  readonly rungs: readonly ScaleRung[];
  readonly ids: readonly string[];
}

export interface ScaleFrameProps {
  readonly market: TradedMarket;
  readonly read: (form: ScaleForm) => ScaleReading;
  /** Each order under an id of its own: the same again places nothing. */
  readonly place: (sent: Sent) => Promise<readonly Placed[]>;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function Preview({ market, reading }: { readonly market: TradedMarket; readonly reading: ScaleReading }): ReactElement {
  const text = useText();
  const format = useFormat();
  return (
    <div>
      <ol aria-label={text('scale.preview')} tabIndex={0} className="max-h-48 overflow-y-auto rounded border border-line text-sm">
        {reading.rungs.map(({ price, size }) => (
          <li key={price} className="flex justify-between border-b border-line px-2.5 py-1 last:border-0">
            <span>{format.number(printTicks(price, market.pricePrecision), { decimals: market.pricePrecision })}</span>
            <span>{format.number(printLots(size, market.sizePrecision), { decimals: market.sizePrecision })}</span>
          </li>
        ))}
      </ol>
      <p className="flex justify-between pt-1.5 text-sm text-fg2">
        <span>{text('trade.ticket.value')}</span>
        <span>
          {format.number(printAtoms(reading.value, market.quoteDecimals), { decimals: market.valueDecimals })} {market.valueName}
        </span>
      </p>
    </div>
  );
}

interface FieldsProps {
  readonly form: ScaleForm;
  readonly market: TradedMarket;
  readonly onChange: (part: Partial<ScaleForm>) => void;
}

function Fields({ form, market, onChange }: FieldsProps): ReactElement {
  const text = useText();
  const sides = (['buy', 'sell'] as const).map((value) => ({ value, label: text(`trade.${value}`) }));
  const distributions = DISTRIBUTIONS.map((value) => ({ value, label: text(`scale.${value}`) }));
  return (
    <>
      <Segmented label={text('trade.ticket.side')} value={form.side} choices={sides} onChange={(side) => onChange({ side })} />
      <div className="grid grid-cols-2 gap-2.5">
        <NumberField label={text('scale.lower')} aside={market.quoteName} value={form.lower} onChange={(lower) => onChange({ lower })} />
        <NumberField label={text('scale.upper')} aside={market.quoteName} value={form.upper} onChange={(upper) => onChange({ upper })} />
        <NumberField label={text('scale.size')} aside={market.sizeName} value={form.size} onChange={(size) => onChange({ size })} />
        <SelectField
          label={text('scale.count')}
          value={String(form.count)}
          choices={COUNTS.map((value) => ({ value, label: value }))}
          onChange={(count) => onChange({ count: Number(count) })}
        />
      </div>
      <Segmented
        label={text('scale.distribution')}
        value={form.distribution}
        choices={distributions}
        onChange={(distribution) => onChange({ distribution })}
      />
    </>
  );
}

export function ScaleFrame({ market, read, place, onDone, onClose: close }: ScaleFrameProps): ReactElement {
  const text = useText();
  const [form, setForm] = useState<ScaleForm>({ side: 'buy', lower: '', upper: '', size: '', count: 5, distribution: 'flat' });
  // Made once, with the ids of its orders: sent again as they are while their answer is open.
  const [sent, setSent] = useState<Sent>();
  const [phase, setPhase] = useState<'editing' | 'sending' | 'unanswered'>('editing');
  const reading = read(form);
  const isReady = reading.rungs.length > 0 && reading.issue === undefined;

  const send = async (orders: Sent): Promise<void> => {
    setSent(orders);
    setPhase('sending');
    try {
      const items = await place(orders);
      const placed = items.filter(({ code }) => code === 0).length;
      const refused = items.find(({ code }) => code !== 0);
      if (refused === undefined) showSuccess('scale.placed', { values: { count: placed } });
      else showError(text('scale.placedOf', { count: placed, all: items.length }), wordsOfItem(refused));
      onDone();
    } catch (error) {
      setPhase(isUnanswered(error) ? 'unanswered' : 'editing');
    }
  };
  const submit = (): void => {
    const ids = reading.rungs.map(() => randomHex(ID_BYTES));
    if (isReady) void send({ form, rungs: reading.rungs, ids });
  };

  if (phase === 'unanswered' && sent !== undefined) {
    return (
      <Dialog open onClose={close} width="narrow" title={text('scale.title')}>
        <Unanswered label={text('trade.ticket.unanswered')} onRepeat={() => void send(sent)} onDrop={close}>
          {text('scale.submit', { count: sent.ids.length })}
        </Unanswered>
      </Dialog>
    );
  }
  const footer = (
    <Button
      kind={form.side === 'buy' ? 'up' : 'down'}
      size="large"
      className="grow"
      busy={phase === 'sending'}
      disabled={!isReady}
      onClick={submit}
    >
      {text('scale.submit', { count: form.count })}
    </Button>
  );
  return (
    <Dialog open onClose={close} title={text('scale.title')} description={text('scale.lead')} footer={footer}>
      <div className="flex flex-col gap-3">
        <Fields form={form} market={market} onChange={(part) => setForm({ ...form, ...part })} />
        {reading.issue !== undefined && (
          <p role="alert" className="text-sm text-error">
            {text(reading.issue.message, reading.issue.values)}
          </p>
        )}
        {reading.rungs.length > 0 && <Preview market={market} reading={reading} />}
      </div>
    </Dialog>
  );
}
