/** In place of the order button while the account cannot trade: the one step that is next. */
import type { ReactElement } from 'react';
import { useText } from '../../i18n/text.tsx';
import type { MessageId } from '../../i18n/catalog.ts';
import { ConnectionDialog } from '../../onboarding/connection-dialog.tsx';
import { WhitelistDialog } from '../../onboarding/whitelist-dialog.tsx';
import { askForTerms } from '../../onboarding/terms.tsx';
import { useCanTrade, useSession } from '../../session/session.ts';
import type { SessionState } from '../../session/session-state.ts';
import { Button } from '../../ui/button.tsx';
import { openDialog } from '../../ui/dialogs.tsx';
import { openConnect } from '../../wallet/connect.tsx';

/** What stands between the person and an order, in the order in which it must be done. */
export type Hurdle = 'wallet' | 'terms' | 'whitelist' | 'connection';

export function hurdleOf({ phase, signedIn, inWhitelist }: Pick<SessionState, 'phase' | 'signedIn' | 'inWhitelist'>): Hurdle | undefined {
  if (phase !== 'signedIn' || signedIn === undefined) return 'wallet';
  if (!signedIn.termsAccepted) return 'terms';
  if (!inWhitelist) return 'whitelist';
  return signedIn.connected ? undefined : 'connection';
}

const names: Readonly<Record<Hurdle, MessageId>> = {
  wallet: 'trade.ticket.connect',
  terms: 'trade.ticket.acceptTerms',
  whitelist: 'trade.ticket.joinWhitelist',
  connection: 'trade.ticket.establish',
};

function overcome(hurdle: Hurdle, address: string | undefined): Promise<unknown> {
  switch (hurdle) {
    case 'wallet': return openConnect();
    case 'terms': return address === undefined ? openConnect() : askForTerms(address);
    case 'whitelist': return openDialog(WhitelistDialog, {});
    case 'connection': return openDialog(ConnectionDialog, {});
  }
}

/** True when nothing stands between the person and an order. The exchange checks the same again. */
export function useMayOrder(): boolean {
  const canTrade = useCanTrade();
  const hurdle = useSession(hurdleOf);
  return canTrade && hurdle === undefined;
}

export function TicketGate(): ReactElement {
  const text = useText();
  const hurdle = useSession(hurdleOf) ?? 'wallet';
  const address = useSession((session) => session.address);
  const isBusy = useSession((session) => session.phase === 'validating' || session.phase === 'signing');
  return (
    <Button kind="primary" size="large" className="w-full" busy={isBusy} onClick={() => void overcome(hurdle, address)}>
      {text(names[hurdle])}
    </Button>
  );
}
