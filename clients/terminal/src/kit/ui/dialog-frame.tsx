/**
 * Around each dialog that is opened from anywhere: while its code comes it says so, and where it fails, it alone does. What stands in its place is
 * the browser's own dialog: the code of ours may be what is missing.
 */
import { X } from 'lucide-react';
import { Suspense, useEffect, useRef } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useText } from '../i18n/text.tsx';
import { Boundary } from './boundary.tsx';
import { IconButton } from './icon-button.tsx';
import { PartFailed } from './part-failed.tsx';
import { Spinner } from './spinner.tsx';

export interface DialogFrameProps {
  readonly onClose: () => void;
  readonly children: ReactNode;
}

function Place({ onClose, children }: DialogFrameProps): ReactElement {
  const text = useText();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-label={text('ui.partFailed')}
      onClose={onClose}
      className="pointer-events-auto m-auto w-[380px] rounded-md border border-strong bg-panel text-fg shadow-pop backdrop:bg-scrim"
    >
      <IconButton label={text('ui.close')} onClick={onClose} className="absolute inset-e-2 top-2">
        <X size={16} />
      </IconButton>
      {children}
    </dialog>
  );
}

export function DialogFrame({ onClose, children }: DialogFrameProps): ReactElement {
  return (
    <Boundary
      renderFailure={(failure) => (
        <Place onClose={onClose}>
          <PartFailed {...failure} />
        </Place>
      )}
    >
      <Suspense fallback={<Spinner className="late fixed inset-0 z-50 m-auto" />}>{children}</Suspense>
    </Boundary>
  );
}
