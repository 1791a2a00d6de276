import type { ReactElement } from 'react';
import { Type } from 'typebox';
import { ask } from '../../platform/data/calls.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { Checkbox } from '../../kit/ui/checkbox.tsx';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { FormDialog } from '../../kit/ui/form-dialog.tsx';
import { useForm } from '../../kit/ui/use-form.ts';
import { useActor } from '../../kit/storage/account-in-view.ts';

const schema = Type.Object({ apiKeys: Type.Boolean() });

/** Ends every session of the account, and its API keys when the person says so. */
export function EndAllDialog({ resolve, close }: Dialogue<true>): ReactElement {
  const text = useText();
  const by = useActor();
  const form = useForm({
    schema,
    initial: { apiKeys: false },
    async send(body) {
      await ask('revokeAllSessions', { body }, by);
      resolve(true);
    },
  });
  return (
    <FormDialog
      width="narrow"
      title={text('sessions.endAllTitle')}
      action={text('sessions.endAll')}
      kind="danger"
      form={form}
      close={close}
    >
      <p className="text-fg2">{text('sessions.endAllLead')}</p>
      <Checkbox {...form.field('apiKeys')}>{text('sessions.endKeys')}</Checkbox>
    </FormDialog>
  );
}
