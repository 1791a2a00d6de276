/** In place of the order button while the account cannot trade: the one step that is next. */
import type { ReactElement } from 'react';
import { useText } from '../../../i18n/text.tsx';
import type { MessageId } from '../../../i18n/catalog.ts';
import { openEstablishConnection, openTerms, openWhitelist } from '../../../onboarding/actions.ts';
import { useCanTrade, useSession } from '../../../session/session.ts';
import type { SessionState } from '../../../session/session-state.ts';
import { Button } from '../../../ui/button.tsx';
import { openConnect } from '../../../sign-in/connect.tsx';

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

const actions: Readonly<Record<Hurdle, () => Promise<unknown>>> = {
  wallet: openConnect,
  terms: openTerms,
  whitelist: openWhitelist,
  connection: openEstablishConnection,
};

/** True when nothing stands between the person and an order. The exchange checks the same again. */
export function useMayOrder(): boolean {
  const canTrade = useCanTrade();
  const hurdle = useSession(hurdleOf);
  return canTrade && hurdle === undefined;
}

export function TicketGate(): ReactElement {
  const text = useText();
  const hurdle = useSession(hurdleOf) ?? 'wallet';
  const isBusy = useSession((session) => session.phase === 'validating' || session.phase === 'signing');
  return (
    <Button kind="primary" size="large" className="w-full" busy={isBusy} onClick={() => void actions[hurdle]()}>
      {text(names[hurdle])}
    </Button>
  );
}
