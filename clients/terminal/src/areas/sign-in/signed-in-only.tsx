import type { ReactElement, ReactNode } from 'react';
import type { MessageId } from '../../kit/i18n/catalog.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { openConnect } from './connect.tsx';
import { useSession } from '../../platform/session/session.ts';

export interface SignedInOnlyProps {
  /** What a visitor would see here. */
  readonly invitation: MessageId;
  readonly children: ReactNode;
}

/** Shows its content to who is signed in, and to everyone else what it would be and the way in. */
export function SignedInOnly({ invitation, children }: SignedInOnlyProps): ReactElement {
  const text = useText();
  const phase = useSession((state) => state.phase);
  if (phase === 'signedIn') return <>{children}</>;
  if (phase === 'validating') {
    return (
      <div className="flex flex-col gap-3 rounded-md border border-line bg-panel p-6" aria-busy="true">
        <Skeleton className="w-48" />
        <Skeleton className="w-72" />
      </div>
    );
  }
  return (
    <div className="flex flex-col items-start gap-4 rounded-md border border-line bg-panel p-6">
      <p className="text-lg text-fg2">{text(invitation)}</p>
      <Button kind="primary" size="large" onClick={() => void openConnect()}>
        {text(phase === 'disconnected' ? 'wallet.connect' : 'wallet.signIn')}
      </Button>
    </div>
  );
}
