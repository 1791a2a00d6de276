/** A new entry of the address book: an address, its label, and a code of the authenticator app where one is bound. */
import { CallError } from '@orrery/sdk';
import { Type } from 'typebox';
import { useId } from 'react';
import type { ReactElement } from 'react';
import { addressProblem } from '../balances/address-problem.ts';
import { pastCaptcha } from '../captcha/captcha.ts';
import { ask } from '../data/calls.ts';
import { useData } from '../data/use-data.ts';
import { formatSpan } from '../format/time.ts';
import { useText } from '../i18n/text.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import type { Dialogue } from '../ui/dialogs.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { OtpField } from '../ui/otp-field.tsx';
import { FormFault, useForm } from '../ui/use-form.ts';

const LABEL_MAX = 64;

const schema = Type.Object({
  address: Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' }),
  label: Type.String({ pattern: '\\S', maxLength: LABEL_MAX }),
  google: Type.String({ pattern: '^([0-9]{6})?$' }),
});

interface AddAddressProps {
  readonly address: string;
  /** Milliseconds from the entry to the first withdrawal. */
  readonly waitMs: number;
}

export function AddAddressDialog({ address: typed, waitMs, resolve, close }: Dialogue<true> & AddAddressProps): ReactElement {
  const text = useText();
  const id = useId();
  const { value: account } = useData({ name: 'accountInfo', of: 'account' });
  const needsCode = account?.googleSecurityStatus === true;
  const form = useForm({
    schema,
    initial: { address: typed, label: '', google: '' },
    faults: { address: 'withdraw.invalidAddress' },
    async send({ address, label, google }) {
      const wrong = addressProblem(address);
      if (wrong !== undefined) throw new FormFault(text(wrong));
      try {
        const body = { address, label: label.trim(), ...(needsCode && { google }) };
        await pastCaptcha((captcha) => ask('addWithdrawAddress', { body: { ...body, ...captcha } }));
      } catch (error) {
        throw error instanceof CallError ? error : new FormFault(text('ui.loadFailed'));
      }
      resolve(true);
    },
  });
  const [address, label, google] = [form.field('address'), form.field('label'), form.field('google')];
  const footer = (
    <Button type="submit" form={id} kind="primary" size="large" className="grow" busy={form.busy} disabled={account === undefined}>
      {text('addressBook.add')}
    </Button>
  );
  return (
    <Dialog
      open
      onClose={close}
      title={text('addressBook.addTitle')}
      description={text('addressBook.addLead', { wait: formatSpan(waitMs) })}
      footer={footer}
    >
      <form id={id} onSubmit={form.submit} noValidate className="flex flex-col gap-4">
        <Field
          {...address}
          label={text('addressBook.address')}
          placeholder="0x"
          onChange={({ target }) => address.onChange(target.value.replaceAll(/\s/g, ''))}
        />
        <Field {...label} label={text('addressBook.label')} maxLength={LABEL_MAX} onChange={({ target }) => label.onChange(target.value)} />
        {needsCode && <OtpField label={text('security.code')} value={google.value} onChange={google.onChange} error={google.error} />}
        {form.fault !== undefined && <Notice tone="error">{form.fault}</Notice>}
      </form>
    </Dialog>
  );
}
