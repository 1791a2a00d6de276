import { Paperclip } from 'lucide-react';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { lazyDialog, openDialog } from '../../kit/ui/dialogs.tsx';

const ReceiptDialog = lazyDialog(async () => (await import('./receipt-dialog.tsx')).ReceiptDialog);

/** Opens a receipt or picture of an order. */
export function ReceiptButton({ receiptId }: { readonly receiptId: string }): ReactElement {
  const text = useText();
  return (
    <Button size="small" className="self-start" onClick={() => void openDialog(ReceiptDialog, { receiptId })}>
      <Paperclip size={14} aria-hidden="true" />
      {text('otc.chat.picture')}
    </Button>
  );
}
