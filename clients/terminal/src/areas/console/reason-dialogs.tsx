/** Why an operator wants to see somebody, or writes off a deposit: loaded when it is asked. */
import { IDENTITY_VIEW_REASONS } from '@orrery/api';
import type { IdentityViewReason, LostDeposit } from '@orrery/api';
import type { ReactElement } from 'react';
import { Type } from 'typebox';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { Field } from '../../kit/ui/field.tsx';
import { FormDialog } from '../../kit/ui/form-dialog.tsx';
import { Hash } from '../../kit/ui/hash.tsx';
import { Fact, Facts } from '../../kit/ui/page.tsx';
import { SelectField } from '../../kit/ui/select-field.tsx';
import { useForm } from '../../kit/ui/use-form.ts';
import type { FormState } from '../../kit/ui/use-form.ts';

const REASON_MAX = 200;

/** Three characters at least; spaces around them do not count. */
const reasonSchema = Type.Object({ reason: Type.String({ pattern: '\\S.+\\S', maxLength: REASON_MAX }) });
const codeSchema = Type.Object({ reasonCode: Type.Enum(IDENTITY_VIEW_REASONS) });

const useReasonForm = (resolve: (reason: string) => void): FormState<{ reason: string }> =>
  useForm({
    schema: reasonSchema,
    faults: { reason: 'console.wrong.reason' },
    initial: { reason: '' },
    send: async ({ reason }) => resolve(reason.trim()),
  });

function ReasonField({ form }: { readonly form: FormState<{ reason: string }> }): ReactElement {
  const text = useText();
  return <Field {...form.field('reason')} label={text('console.reason')} maxLength={REASON_MAX} />;
}

export function UnmaskDialog({ resolve, close }: Dialogue<string>): ReactElement {
  const text = useText();
  const form = useReasonForm(resolve);
  return (
    <FormDialog width="narrow" title={text('console.unmask.title')} action={text('console.unmask.show')} form={form} close={close}>
      <p className="text-fg2">{text('console.unmask.lead')}</p>
      <ReasonField form={form} />
    </FormDialog>
  );
}

export function ReasonCodeDialog({ resolve, close }: Dialogue<IdentityViewReason>): ReactElement {
  const text = useText();
  const form = useForm({ schema: codeSchema, initial: { reasonCode: 'REVIEW' }, send: async ({ reasonCode }) => resolve(reasonCode) });
  const choices = IDENTITY_VIEW_REASONS.map((value) => ({ value, label: text(`console.identity.viewReason.${value}`) }));
  return (
    <FormDialog width="narrow" title={text('console.unmask.title')} action={text('console.unmask.show')} form={form} close={close}>
      <p className="text-fg2">{text('console.unmask.lead')}</p>
      <SelectField {...form.field('reasonCode')} label={text('console.reason')} choices={choices} />
    </FormDialog>
  );
}

export function WriteOffDialog({ row, resolve, close }: Dialogue<string> & { readonly row: LostDeposit }): ReactElement {
  const text = useText();
  const format = useFormat();
  const form = useReasonForm(resolve);
  return (
    <FormDialog
      title={text('console.lost.writeOffTitle', { number: row.account })}
      action={text('console.lost.propose')}
      kind="danger"
      form={form}
      close={close}
    >
      <div className="-mx-4">
        <Facts>
          <Fact term={text('console.lost.amount')}>{`${format.number(row.amount)} ${row.coin}`}</Fact>
          <Fact term={text('console.lost.suspended')}>{`${format.number(row.suspended)} ${row.coin}`}</Fact>
          <Fact term={text('console.lost.since')}>{row.since === null ? text('console.lost.sinceUnknown') : format.time(row.since)}</Fact>
          <Fact term={text('console.lost.transaction')}>
            <Hash value={row.txHash} />
          </Fact>
        </Facts>
      </div>
      <p className="text-fg2">{text('console.lost.warning')}</p>
      <ReasonField form={form} />
    </FormDialog>
  );
}
