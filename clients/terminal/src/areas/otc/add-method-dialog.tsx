/** A new payment method: whose account it is, and a second factor where one is bound. */
import { AddOtcPaymentMethod, OTC_PAYMENT_KINDS } from '@orrery/api';
import { CallError } from '@orrery/sdk';
import type { ReactElement } from 'react';
import { Type } from 'typebox';
import { useText } from '../../kit/i18n/text.tsx';
import { useActor } from '../../kit/storage/account-in-view.ts';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { FailedState } from '../../kit/ui/empty-state.tsx';
import { Field } from '../../kit/ui/field.tsx';
import { FormDialog } from '../../kit/ui/form-dialog.tsx';
import { SelectField } from '../../kit/ui/select-field.tsx';
import { FormFault, useForm } from '../../kit/ui/use-form.ts';
import { ask } from '../../platform/data/calls.ts';
import { useData } from '../../platform/data/use-data.ts';
import { FactorField } from '../../platform/factors/factor-field.tsx';
import { give, isWhole, useFactor, waysOf } from '../../platform/factors/factor.ts';
import { walletMessage } from '../../platform/session/sign.ts';

const TEXT_MAX = 100;
const NUMBER_MAX = 64;

const { number, kind } = AddOtcPaymentMethod.properties;
const schema = Type.Object({
  kind,
  name: Type.String({ pattern: '\\S', maxLength: TEXT_MAX }),
  number,
  bank: Type.String({ maxLength: TEXT_MAX }),
});

export function AddMethodDialog({ resolve, close }: Dialogue<true>): ReactElement {
  const text = useText();
  const by = useActor();
  const reading = useData({ name: 'accountInfo', of: 'account' });
  const factor = useFactor(waysOf(reading.value));
  const form = useForm({
    schema,
    initial: { kind: 'BANK', name: '', number: '', bank: '' },
    faults: { number: 'otc.method.wrongNumber' },
    rules: (values) => ({ bank: values.kind === 'BANK' && values.bank.trim() === '' ? { message: 'ui.form.missing' } : undefined }),
    async send(values) {
      try {
        const bank = values.kind === 'BANK' && { bank: values.bank.trim() };
        const body = { kind: values.kind, name: values.name.trim(), number: values.number.trim(), ...bank, ...(await give(factor)) };
        await ask('addOtcPaymentMethod', { body }, by);
      } catch (error) {
        throw error instanceof CallError ? error : new FormFault(walletMessage(error));
      }
      resolve(true);
    },
  });
  const kinds = OTC_PAYMENT_KINDS.map((value) => ({ value, label: text(`otcName.kind.${value}`) }));
  const chosen = form.field('kind');
  return (
    <FormDialog
      title={text('otc.addMethod')}
      description={text('otc.method.lead')}
      action={text('otc.method.add')}
      disabled={reading.value === undefined || !isWhole(factor)}
      form={form}
      close={close}
    >
      <SelectField {...chosen} label={text('otc.kind')} choices={kinds} />
      {chosen.value === 'BANK' && <Field {...form.field('bank')} label={text('otc.method.bank')} maxLength={TEXT_MAX} />}
      <Field {...form.field('name')} label={text('otc.method.name')} hint={text('otc.method.nameHint')} maxLength={TEXT_MAX} />
      <Field {...form.field('number')} label={text('otc.method.number')} maxLength={NUMBER_MAX} />
      <FactorField factor={factor} disabled={form.busy} />
      {reading.phase === 'failed' && <FailedState onRetry={reading.retry} />}
    </FormDialog>
  );
}
