import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../i18n/text.tsx';
import { IconButton } from './icon-button.tsx';

const SHOWN_MS = 1_500;

/** Copies a hash, address or key, and says so for a moment. */
export function CopyButton({ value }: { readonly value: string }): ReactElement {
  const text = useText();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async (): Promise<void> => {
    // A page without permission for the clipboard copies nothing, and does not say that it did.
    const isCopied = await navigator.clipboard.writeText(value).then(
      () => true,
      () => false,
    );
    setCopied(isCopied);
  };
  return (
    <IconButton label={text(copied ? 'ui.copied' : 'ui.copy')} className="-my-1 size-6 self-center" onClick={() => void copy()}>
      {copied ? <Check size={13} /> : <Copy size={13} />}
    </IconButton>
  );
}
