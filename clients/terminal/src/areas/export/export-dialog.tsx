/** What an export shall hold. */
import { EXPORT_KINDS, EXPORT_LAYOUTS } from '@orrery/api';
import type { CallBody } from '@orrery/api';
import type { ReactElement } from 'react';
import { Type, type Static } from 'typebox';
import { ask } from '../../platform/data/calls.ts';
import { serverClock } from '../../platform/client/server-clock.ts';
import type { MessageId } from '../../kit/i18n/catalog.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useActor } from '../../kit/storage/account-in-view.ts';
import { Checkbox } from '../../kit/ui/checkbox.tsx';
import type { FormControl } from '../../kit/ui/control.ts';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { Field } from '../../kit/ui/field.tsx';
import { FormDialog } from '../../kit/ui/form-dialog.tsx';
import { SelectField } from '../../kit/ui/select-field.tsx';
import { FormFault, useForm } from '../../kit/ui/use-form.ts';
import { WALLETS, wallets } from '../balances/wallets.ts';

const PERIODS = ['all', 'thisYear', 'lastYear', 'days30', 'custom'] as const;
const DAY_MS = 86_400_000;
/** What a date field holds; empty where it was left so. */
const Day = Type.String({ pattern: '^(\\d{4}-\\d{2}-\\d{2})?$' });

const schema = Type.Object({
  layout: Type.Enum([...EXPORT_LAYOUTS]),
  period: Type.Enum([...PERIODS]),
  startTime: Day,
  endTime: Day,
  accounts: Type.Array(Type.Enum([...WALLETS]), { minItems: 1 }),
  kinds: Type.Array(Type.Enum([...EXPORT_KINDS]), { minItems: 1 }),
});
type Values = Static<typeof schema>;

const INITIAL: Values = { layout: 'ORRERY', period: 'all', startTime: '', endTime: '', accounts: [...WALLETS], kinds: [...EXPORT_KINDS] };

/** UTC; both ends are in it. */
function periodOf({ period, startTime, endTime }: Values, now: number): { startTime?: number; endTime?: number } {
  const year = new Date(now).getUTCFullYear();
  switch (period) {
    case 'all':
      return {};
    case 'thisYear':
      return { startTime: Date.UTC(year, 0) };
    case 'lastYear':
      return { startTime: Date.UTC(year - 1, 0), endTime: Date.UTC(year, 0) - 1 };
    case 'days30':
      return { startTime: now - 30 * DAY_MS };
    case 'custom':
      return {
        ...(startTime !== '' && { startTime: Date.parse(startTime) }),
        ...(endTime !== '' && { endTime: Date.parse(endTime) + DAY_MS - 1 }),
      };
  }
}

const wishOf = (values: Values): CallBody['createExport'] => ({
  layout: values.layout,
  ...periodOf(values, serverClock.now()),
  accounts: [...values.accounts],
  ...(values.layout === 'ORRERY' && { kinds: [...values.kinds] }),
});

interface ChecksProps<Value extends string> extends FormControl<Value[]> {
  readonly label: string;
  readonly choices: readonly Value[];
  readonly nameOf: (choice: Value) => MessageId;
}

/** Several of a few. */
function Checks<Value extends string>({ label, choices, nameOf, value, onChange, error }: ChecksProps<Value>): ReactElement {
  const text = useText();
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1 text-sm text-fg2">{label}</legend>
      <div className="grid grid-cols-2 gap-x-4 gap-y-2">
        {choices.map((choice) => (
          <Checkbox
            key={choice}
            value={value.includes(choice)}
            onChange={(checked) => onChange(choices.filter((each) => (each === choice ? checked : value.includes(each))))}
          >
            {text(nameOf(choice))}
          </Checkbox>
        ))}
      </div>
      {error !== undefined && (
        <p role="alert" className="text-sm text-error">
          {error}
        </p>
      )}
    </fieldset>
  );
}

export function ExportDialog({ resolve, close }: Dialogue<boolean>): ReactElement {
  const text = useText();
  const by = useActor();
  const form = useForm({
    schema,
    initial: INITIAL,
    faults: { accounts: 'exports.chooseOne', kinds: 'exports.chooseOne', endTime: 'exports.noDay', startTime: 'exports.noDay' },
    async send(values) {
      const wish = wishOf(values);
      if ((wish.endTime ?? Infinity) < (wish.startTime ?? 0)) throw new FormFault(text('exports.backwards'));
      await ask('createExport', { body: wish }, by);
      resolve(true);
    },
  });
  const [layout, period] = [form.field('layout'), form.field('period')];
  return (
    <FormDialog title={text('exports.create')} action={text('exports.make')} form={form} close={close}>
      <SelectField
        {...layout}
        label={text('exports.layout')}
        hint={text(`exports.layoutHint.${layout.value}`)}
        choices={EXPORT_LAYOUTS.map((value) => ({ value, label: text(`exports.layout.${value}`) }))}
      />
      <SelectField
        {...period}
        label={text('exports.period')}
        choices={PERIODS.map((value) => ({ value, label: text(`exports.period.${value}`) }))}
      />
      {period.value === 'custom' && (
        <div className="grid grid-cols-2 gap-3">
          <Field {...form.field('startTime')} type="date" label={text('exports.from')} />
          <Field {...form.field('endTime')} type="date" label={text('exports.to')} />
        </div>
      )}
      <Checks {...form.field('accounts')} label={text('exports.accounts')} choices={WALLETS} nameOf={(wallet) => wallets[wallet].label} />
      {layout.value === 'ORRERY' && (
        <Checks
          {...form.field('kinds')}
          label={text('exports.kinds')}
          choices={EXPORT_KINDS}
          nameOf={(kind) => `exports.kind.${kind}` as const}
        />
      )}
    </FormDialog>
  );
}
