/** A receipt in full: a picture is shown, any other file can be downloaded. Its link is good for a minute, and is asked for when it is opened. */
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { LoadedPanel } from '../../kit/ui/loaded-panel.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { useData } from '../../platform/data/use-data.ts';

export function ReceiptDialog({ receiptId, close }: Dialogue<never> & { readonly receiptId: string }): ReactElement {
  const text = useText();
  const read = useData({ name: 'otcReceipt', of: 'account', input: { query: { receiptId } }, staleMs: 0 });
  return (
    <Dialog open onClose={close} onEscape={close} width="wide" title={text('otc.receipt.title')}>
      <LoadedPanel read={read} loading={<Skeleton className="h-64 w-full" />}>
        {({ url, type }) => (
          <div className="flex flex-col items-start gap-3">
            {type.startsWith('image/') && <img src={url} alt={text('otc.receipt.alt')} className="max-h-[60dvh] max-w-full self-center" />}
            <a href={url} download className="underline">
              {text('otc.receipt.download')}
            </a>
          </div>
        )}
      </LoadedPanel>
    </Dialog>
  );
}
