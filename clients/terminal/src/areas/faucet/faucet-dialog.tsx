import { useCallback } from 'react';
import type { ReactElement } from 'react';
import type { ClaimStatus } from '@orrery/api';
import { useText } from '../../kit/i18n/text.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { ClaimButton } from './claim-button.tsx';
import { useClaimChanged } from './claim.ts';
import { FaucetAmounts } from './faucet-amounts.tsx';

/** Closes by itself when the claim is paid. */
export function FaucetDialog({ resolve, close }: Dialogue<'claimed'>): ReactElement {
  const text = useText();
  const onChange = useCallback((status: ClaimStatus) => (status === 2 ? resolve('claimed') : undefined), [resolve]);
  useClaimChanged(onChange);
  return (
    <Dialog open onClose={close} title={text('faucet.dialog')} footer={<ClaimButton size="large" className="grow" />}>
      <p className="mb-3 text-md text-fg2">{text('faucet.dialogLead')}</p>
      <FaucetAmounts />
    </Dialog>
  );
}
