import type { ReactElement } from 'react';
import { Type } from 'typebox';
import { useText } from '../../kit/i18n/text.tsx';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { Field } from '../../kit/ui/field.tsx';
import { FormDialog } from '../../kit/ui/form-dialog.tsx';
import { useForm } from '../../kit/ui/use-form.ts';

const REASON_MAX = 200;
const schema = Type.Object({ reason: Type.String({ pattern: '\\S.+\\S', maxLength: REASON_MAX }) });

/** Asks for the reason that the person reads. */
export function RefuseDialog({ name, resolve, close }: Dialogue<string> & { readonly name: string }): ReactElement {
  const text = useText();
  const form = useForm({
    schema,
    faults: { reason: 'console.wrong.reason' },
    initial: { reason: '' },
    send: async ({ reason }) => resolve(reason.trim()),
  });
  return (
    <FormDialog
      form={form}
      close={close}
      width="narrow"
      kind="danger"
      title={text('console.otc.refuseTitle', { name })}
      description={text('console.otc.refuseLead')}
      action={text('console.otc.refuse')}
    >
      <Field {...form.field('reason')} label={text('console.reason')} hint={text('console.otc.refuseHint')} maxLength={REASON_MAX} />
    </FormDialog>
  );
}
