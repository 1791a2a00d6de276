/** A picture of the chat, or of a dispute, in small: its link is read when it comes into view, and pressed it opens in full. What is no picture, or cannot be read, has a paper clip. */
import { Paperclip } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ReactElement, RefObject } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { lazyDialog, openDialog } from '../../kit/ui/dialogs.tsx';
import { ask } from '../../platform/data/calls.ts';
import { useReading } from '../../platform/data/use-data.ts';

const ReceiptDialog = lazyDialog(async () => (await import('./receipt-dialog.tsx')).ReceiptDialog);

/** Once seen it stays so: what was read is shown when it is scrolled back. */
function useSeen(place: RefObject<Element | null>): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (element === null || isSeen) return;
    const observer = new IntersectionObserver((entries) => setSeen(entries.some(({ isIntersecting }) => isIntersecting)));
    observer.observe(element);
    return () => observer.disconnect();
  }, [place, isSeen]);
  return isSeen;
}

export function ReceiptPreview({ receiptId }: { readonly receiptId: string }): ReactElement {
  const text = useText();
  const place = useRef<HTMLButtonElement>(null);
  const [broken, setBroken] = useState<string>();
  // By a key of its own: the link of the dialog is read each time that it opens, and nothing is drawn again here.
  const read = useReading({
    key: ['otcReceiptPreview', receiptId],
    of: 'account',
    load: () => ask('otcReceipt', { query: { receiptId } }),
    staleMs: Number.POSITIVE_INFINITY,
    when: useSeen(place),
  });
  const url = read.phase !== 'failed' && read.value?.type.startsWith('image/') === true ? read.value.url : undefined;
  const fail = (): void => {
    setBroken(url);
    // A link is good for a minute: one that was kept for longer is read again, once.
    if (broken === undefined) read.retry();
  };
  return (
    <button
      ref={place}
      type="button"
      aria-label={text('otc.chat.picture')}
      className="flex h-24 w-32 max-w-full items-center justify-center overflow-hidden rounded border border-line text-fg3 hover:border-fg3"
      onClick={() => void openDialog(ReceiptDialog, { receiptId })}
    >
      {url === undefined || url === broken ? (
        <Paperclip size={20} aria-hidden="true" />
      ) : (
        <img src={url} alt={text('otc.receipt.alt')} loading="lazy" decoding="async" className="size-full object-cover" onError={fail} />
      )}
    </button>
  );
}
