import { useState } from 'react';
import type { ReactElement } from 'react';
import { formatSpan } from '../../kit/format/time.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useSession } from '../../platform/session/session.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Spinner } from '../../kit/ui/spinner.tsx';
import { Tooltip } from '../../kit/ui/tooltip.tsx';
import { useServerNow } from '../../platform/client/server-clock.ts';
import { claim, useFaucet } from './claim.ts';

interface ClaimButtonProps {
  readonly size?: 'medium' | 'large';
  readonly className?: string;
}

/** Claim, Claiming (with what to expect), Claimed. */
export function ClaimButton({ size, className }: ClaimButtonProps): ReactElement {
  const text = useText();
  const now = useServerNow(1_000);
  const address = useSession((state) => state.address);
  const faucet = useFaucet();
  const [sending, setSending] = useState(false);
  const start = (): void => {
    if (address === undefined) return;
    setSending(true);
    // The client has said what went wrong; the button may be pressed again.
    void claim(address)
      .catch(() => undefined)
      .finally(() => setSending(false));
  };
  if (faucet?.status === 1) {
    return (
      <Tooltip content={text('faucet.claimingHint')}>
        <Button kind="primary" size={size} className={className} aria-disabled="true">
          <Spinner />
          {text('faucet.claiming')}
        </Button>
      </Tooltip>
    );
  }
  if (faucet?.status === 2) {
    const wait = faucet.nextClaimTime === null ? undefined : faucet.nextClaimTime - now;
    return (
      <span className="inline-flex items-center gap-3">
        {wait !== undefined && wait > 0 && <span className="text-sm text-fg3">{text('faucet.next', { span: formatSpan(wait) })}</span>}
        <Button size={size} className={className} disabled>
          {text('faucet.claimed')}
        </Button>
      </span>
    );
  }
  return (
    <Button
      kind="primary"
      size={size}
      className={className}
      busy={sending}
      disabled={address === undefined || faucet === undefined}
      onClick={start}
    >
      {text('faucet.claim')}
    </Button>
  );
}
