/** After the first factor was bound, or another app: what changes, and the backup codes, this once. */
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { CopyButton } from '../../kit/ui/copy-button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';

export interface AddedFactor {
  readonly kind: 'app' | 'passkey';
  readonly codes: readonly string[];
}

export function FactorAddedDialog({ kind, codes, close }: Dialogue<never> & AddedFactor): ReactElement {
  const text = useText();
  const footer = (
    <Button kind="primary" size="large" onClick={close}>
      {text('ui.done')}
    </Button>
  );
  return (
    <Dialog open onClose={close} title={text(kind === 'app' ? 'security.addedTitle' : 'security.passkeyAddedTitle')} footer={footer}>
      <div className="flex flex-col gap-4">
        <p>{text(kind === 'app' ? 'security.added' : 'security.passkeyAdded')}</p>
        <p className="text-fg2">{text(kind === 'app' ? 'security.backupLead' : 'security.passkeyBackupLead')}</p>
        <ul className="grid grid-cols-2 gap-x-6 gap-y-1 rounded border border-line bg-page px-3 py-2.5 font-mono">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <p className="flex items-center gap-2 text-sm text-fg2">
          {text('security.copyCodes')} <CopyButton value={codes.join('\n')} />
        </p>
      </div>
    </Dialog>
  );
}
