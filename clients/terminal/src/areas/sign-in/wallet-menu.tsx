/** The wallet in the header: connect, sign in, or who is signed in and what may be done. */
import { Wallet as WalletIcon } from 'lucide-react';
import type { ReactElement } from 'react';
import { useConfig } from '../../platform/client/config.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useSession } from '../../platform/session/session.ts';
import { Button } from '../../kit/ui/button.tsx';
import { lazyPart } from '../../kit/ui/lazy-part.ts';
import { Panel } from '../../kit/ui/panel.tsx';
import { openConnect } from './connect.tsx';

const AccountMenu = lazyPart(async () => (await import('./connected-menu.tsx')).AccountMenu);
const UnsignedMenu = lazyPart(async () => (await import('./connected-menu.tsx')).UnsignedMenu);

export function WalletMenu(): ReactElement {
  const text = useText();
  const phase = useSession((state) => state.phase);
  const isReady = useConfig() !== undefined;
  if (phase === 'disconnected') {
    return (
      <Button size="small" className="h-8 px-3" disabled={!isReady} onClick={() => void openConnect()}>
        <WalletIcon size={14} aria-hidden="true" className="max-[360px]:hidden" />
        {text('wallet.connect')}
      </Button>
    );
  }
  const connected = phase === 'signedIn' ? <AccountMenu /> : <UnsignedMenu />;
  return (
    <Panel room="line" loading={<span className="h-8 w-24 rounded border border-line" />}>
      {connected}
    </Panel>
  );
}
