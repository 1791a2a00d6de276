import { APPEAL_LENGTH_MAX } from '@orrery/api';
import type { ReactElement } from 'react';
import { Type } from 'typebox';
import { ask } from '../../platform/data/calls.ts';
import { useText } from '../../kit/i18n/text.tsx';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { FormDialog } from '../../kit/ui/form-dialog.tsx';
import { TextArea } from '../../kit/ui/text-area.tsx';
import { showSuccess } from '../../kit/ui/toast.ts';
import { useForm } from '../../kit/ui/use-form.ts';
import { useActor } from '../../kit/storage/account-in-view.ts';

const schema = Type.Object({ text: Type.String({ pattern: '\\S', maxLength: APPEAL_LENGTH_MAX }) });

interface AppealProps {
  readonly walletAddress: string;
  readonly campaignId: string;
}

/** One's own words against being taken for somebody else. Answers `true` once they are sent. */
export function AppealDialog({ walletAddress, campaignId, resolve, close }: Dialogue<true> & AppealProps): ReactElement {
  const text = useText();
  const by = useActor();
  const form = useForm({
    schema,
    initial: { text: '' },
    async send({ text: words }) {
      await ask('fileAppeal', { body: { walletAddress, campaignId, text: words.trim() } }, by);
      showSuccess('withheld.sent');
      resolve(true);
    },
  });
  const words = form.field('text');
  return (
    <FormDialog
      title={text('withheld.appeal')}
      description={text('withheld.appealLead')}
      action={text('withheld.send')}
      disabled={words.value.trim() === ''}
      form={form}
      close={close}
    >
      <TextArea {...words} label={text('withheld.appealText')} maxLength={APPEAL_LENGTH_MAX} />
    </FormDialog>
  );
}
