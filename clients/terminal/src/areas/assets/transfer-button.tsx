import { ArrowLeftRight } from 'lucide-react';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { openTransfer } from '../onboarding/actions.ts';
import { Button } from '../../kit/ui/button.tsx';

/** The one thing about money that is a dialog: deposits, withdrawals and bills are pages beside these. */
export function TransferButton(): ReactElement {
  const text = useText();
  return (
    <Button onClick={() => void openTransfer()}>
      <ArrowLeftRight size={14} aria-hidden="true" />
      {text('assets.transfer')}
    </Button>
  );
}
