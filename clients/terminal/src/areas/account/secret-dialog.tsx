import type { NewApiKey } from '@orrery/api';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { CopyButton } from '../../kit/ui/copy-button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { Notice } from '../../kit/ui/notice.tsx';

function Shown({ label, value }: { readonly label: string; readonly value: string }): ReactElement {
  return (
    <div>
      <p className="mb-1 text-sm text-fg2">{label}</p>
      <div className="flex items-center gap-2 rounded border border-line bg-page py-1.5 pe-1.5 ps-3">
        <code className="min-w-0 grow font-mono text-md break-all">{value}</code>
        <CopyButton value={value} />
      </div>
    </div>
  );
}

/** Shows the secret of a new key, this once. */
export function SecretDialog({ made, close }: Dialogue<never> & { readonly made: NewApiKey }): ReactElement {
  const text = useText();
  const footer = (
    <Button kind="primary" size="large" onClick={close}>
      {text('ui.done')}
    </Button>
  );
  return (
    <Dialog open onClose={close} title={text('apiKeys.secretTitle')} footer={footer}>
      <div className="flex flex-col gap-4">
        {made.publicKey === null && <Notice tone="warn">{text('apiKeys.secretLead')}</Notice>}
        <Shown label={text('apiKeys.accessKey')} value={made.accessKey} />
        {made.publicKey === null && <Shown label={text('apiKeys.secret')} value={made.secret} />}
        {made.publicKey !== null && <Notice tone="info">{text('apiKeys.publicKeyLead')}</Notice>}
      </div>
    </Dialog>
  );
}
