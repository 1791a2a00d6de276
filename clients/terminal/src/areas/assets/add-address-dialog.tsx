/** A new entry of the address book: an address, its label, and a second factor where one is bound. */
import { CallError } from '@orrery/sdk';
import { Type } from 'typebox';
import type { ReactElement } from 'react';
import { addressProblem } from '../balances/address-problem.ts';
import { pastCaptcha } from '../../platform/captcha/captcha.ts';
import { ask } from '../../platform/data/calls.ts';
import { useData } from '../../platform/data/use-data.ts';
import { FactorField } from '../../platform/factors/factor-field.tsx';
import { give, useFactor, waysOf } from '../../platform/factors/factor.ts';
import { formatSpan } from '../../kit/format/time.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { walletMessage } from '../../platform/session/sign.ts';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { FailedState } from '../../kit/ui/empty-state.tsx';
import { Field } from '../../kit/ui/field.tsx';
import { FormDialog } from '../../kit/ui/form-dialog.tsx';
import { FormFault, useForm } from '../../kit/ui/use-form.ts';
import { useActor } from '../../kit/storage/account-in-view.ts';

const LABEL_MAX = 64;

const schema = Type.Object({
  address: Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' }),
  label: Type.String({ pattern: '\\S', maxLength: LABEL_MAX }),
});

interface AddAddressProps {
  readonly address: string;
  /** Milliseconds from the entry to the first withdrawal. */
  readonly waitMs: number;
}

export function AddAddressDialog({ address: typed, waitMs, resolve, close }: Dialogue<true> & AddAddressProps): ReactElement {
  const text = useText();
  const by = useActor();
  const reading = useData({ name: 'accountInfo', of: 'account' });
  const { value: account } = reading;
  const factor = useFactor(waysOf(account));
  const form = useForm({
    schema,
    initial: { address: typed, label: '' },
    faults: { address: 'withdraw.invalidAddress' },
    async send({ address, label }) {
      const wrong = addressProblem(address);
      if (wrong !== undefined) throw new FormFault(text(wrong));
      try {
        const body = { address, label: label.trim(), ...(await give(factor)) };
        await pastCaptcha((captcha) => ask('addWithdrawAddress', { body: { ...body, ...captcha } }, by));
      } catch (error) {
        throw error instanceof CallError ? error : new FormFault(walletMessage(error));
      }
      resolve(true);
    },
  });
  const address = form.field('address');
  return (
    <FormDialog
      title={text('addressBook.addTitle')}
      description={text('addressBook.addLead', { wait: formatSpan(waitMs) })}
      action={text('addressBook.add')}
      disabled={account === undefined}
      form={form}
      close={close}
    >
      <Field
        {...address}
        label={text('addressBook.address')}
        placeholder="0x"
        onChange={(typed) => address.onChange(typed.replaceAll(/\s/g, ''))}
      />
      <Field {...form.field('label')} label={text('addressBook.label')} maxLength={LABEL_MAX} />
      <FactorField factor={factor} disabled={form.busy} />
      {reading.phase === 'failed' && <FailedState onRetry={reading.retry} />}
    </FormDialog>
  );
}
