/** The deletion of the account: what it is and when, or that it waits and can be called off. */
import { useState } from 'react';
import type { ReactElement } from 'react';
import { act, refresh } from '../../platform/data/calls.ts';
import { useData } from '../../platform/data/use-data.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Button } from '../../kit/ui/button.tsx';
import { lazyDialog, openDialog } from '../../kit/ui/dialogs.tsx';
import { FailedState } from '../../kit/ui/empty-state.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { Section } from '../../kit/ui/page.tsx';
import { showSuccess } from '../../kit/ui/toast.ts';
import { actor } from '../../kit/storage/account-in-view.ts';

const DeleteAccountDialog = lazyDialog(async () => (await import('./account-dialogs.tsx')).DeleteAccountDialog);

export function DeleteAccount(): ReactElement | null {
  const text = useText();
  const format = useFormat();
  const [keeping, setKeeping] = useState(false);
  const { value: account } = useData({ name: 'accountInfo', of: 'account' });
  const { value: erasure, phase, retry } = useData({ name: 'erasure', of: 'account' });
  if (phase === 'failed')
    return (
      <Section title={text('security.delete')} className="mt-5">
        <FailedState onRetry={retry} />
      </Section>
    );
  if (account === undefined || erasure === undefined) return null;
  const { waiting, waitSeconds } = erasure;
  const keep = async (): Promise<void> => {
    setKeeping(true);
    try {
      await act('keepAccount', { body: {} }, actor());
      showSuccess('security.kept');
    } finally {
      await refresh('erasure');
      setKeeping(false);
    }
  };
  return (
    <Section title={text('security.delete')} className="mt-5">
      <div className="flex flex-col items-start gap-3 p-4">
        {waiting === null ? (
          <>
            <p className="text-fg2">{text('security.deleteLead')}</p>
            <Button kind="danger" onClick={() => void openDialog(DeleteAccountDialog, { account, waitSeconds })}>
              {text('security.delete')}
            </Button>
          </>
        ) : (
          <>
            <Notice tone="warn">
              {text(waiting.askedBy === 'OWNER' ? 'security.deleteWaits' : 'security.deleteByOperators', {
                time: format.time(waiting.dueTime),
              })}
            </Notice>
            <Button kind="primary" busy={keeping} onClick={() => void keep().catch(() => undefined)}>
              {text('security.keep')}
            </Button>
          </>
        )}
      </div>
    </Section>
  );
}
