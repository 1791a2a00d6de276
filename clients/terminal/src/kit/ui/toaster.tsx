/** Shows the current toast, above every dialog. The live region is always there, so that a screen reader hears what appears in it. */
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import type { ReactElement } from 'react';
import { useText } from '../i18n/text.tsx';
import { classes } from './classes.ts';
import { IconButton } from './icon-button.tsx';
import { dismissToast, TOAST_MS, useToasts } from './toast.ts';
import type { Toast, ToastTone } from './toast.ts';

const icons: Readonly<Record<ToastTone, ReactElement>> = {
  success: <CircleCheck size={16} className="mt-px shrink-0 text-ok" aria-hidden="true" />,
  error: <CircleAlert size={16} className="mt-px shrink-0 text-error" aria-hidden="true" />,
  info: <Info size={16} className="mt-px shrink-0 text-focus" aria-hidden="true" />,
};

const edges: Readonly<Record<ToastTone, string>> = {
  success: 'border-s-ok',
  error: 'border-s-error',
  info: 'border-s-focus',
};

function ToastCard({ toast }: { readonly toast: Toast }): ReactElement {
  const text = useText();
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return undefined;
    const timer = setTimeout(() => dismissToast(toast.key), TOAST_MS);
    return () => clearTimeout(timer);
  }, [toast.key, held]);
  return (
    <div
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      className={classes(
        'pointer-events-auto flex w-full items-start gap-2.5 rounded-md border border-s-2 border-strong bg-raised py-2.5 pe-1.5 ps-3 shadow-pop tablet:w-80',
        edges[toast.tone],
      )}
    >
      {icons[toast.tone]}
      <div className="min-w-0 grow">
        <p className="font-medium break-words text-fg">{toast.message}</p>
        {toast.detail !== undefined && <p className="mt-0.5 text-sm break-words text-fg2">{toast.detail}</p>}
        {toast.action}
      </div>
      <IconButton label={text('ui.dismiss')} className="-my-1 size-7" onClick={() => dismissToast(toast.key)}>
        <X size={14} />
      </IconButton>
    </div>
  );
}

export function Toaster(): ReactElement {
  const toast = useToasts((state) => state.current);
  // Dialogs are drawn outside of the page's root: so is what lies above them.
  return createPortal(
    <div
      role="status"
      aria-live={toast?.tone === 'error' ? 'assertive' : 'polite'}
      className="pointer-events-none fixed inset-x-3 top-14 z-[70] flex justify-end tablet:top-auto tablet:inset-e-auto tablet:bottom-10 tablet:inset-s-4"
    >
      {toast !== undefined && <ToastCard key={toast.key} toast={toast} />}
    </div>,
    document.body,
  );
}
