/** Signing in: one signature, asked for as soon as it is known that one is needed. It can be given up, and the wallet changed. */
import { useEffect, useRef } from 'react';
import type { ReactElement } from 'react';
import { shortHash } from '../../kit/format/hash.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { disconnectWallet, giveUpSigning, signIn, useSession } from '../../platform/session/session.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { Spinner } from '../../kit/ui/spinner.tsx';
import { walletPrompt } from '../../platform/wallet/prompts.ts';
import { useWallet } from '../../platform/wallet/wallet-store.ts';

/** The person came here to sign in, so the first request needs no further click. */
function useFirstRequest(): void {
  const phase = useSession((state) => state.phase);
  const asked = useRef(false);
  useEffect(() => {
    if (phase !== 'needsSignature' || asked.current) return;
    asked.current = true;
    void signIn();
  }, [phase]);
}

export function SignInStep(): ReactElement {
  const text = useText();
  const { phase, signing, signingError, address } = useSession();
  const connector = useWallet((state) => state.wallet?.type);
  useFirstRequest();
  const isWaiting = phase === 'signing' || phase === 'validating';
  return (
    <div className="flex flex-col gap-4">
      <p className="text-md text-fg2">{text('wallet.signInLead')}</p>
      <div className="flex items-center gap-3 rounded border border-line bg-page px-3 py-2.5">
        {isWaiting && <Spinner className="size-4 text-fg2" />}
        <span className="font-mono text-sm text-fg2">{address === undefined ? '' : shortHash(address)}</span>
        <span className="ms-auto text-md font-medium" role="status">
          {phase === 'signing' && text(walletPrompt('sign', connector))}
          {phase === 'validating' && text('wallet.checking')}
        </span>
      </div>
      {phase === 'needsSignature' && signing === 'cancel' && <Notice tone="warn">{text('wallet.cancelled')}</Notice>}
      {phase === 'needsSignature' && signing === 'failed' && (
        <Notice tone="error">{text('wallet.failed', { reason: signingError ?? '' })}</Notice>
      )}
      <div className="flex flex-wrap gap-2">
        {phase === 'signing' ? (
          <Button size="large" className="grow" onClick={giveUpSigning}>
            {text('wallet.giveUp')}
          </Button>
        ) : (
          <Button size="large" className="grow" disabled={address === undefined} onClick={() => void disconnectWallet()}>
            {text('wallet.useAnother')}
          </Button>
        )}
        <Button
          kind="primary"
          size="large"
          className="grow"
          busy={isWaiting}
          disabled={!isWaiting && phase !== 'needsSignature'}
          onClick={() => void signIn()}
        >
          {text('wallet.signIn')}
        </Button>
      </div>
    </div>
  );
}
