/** From a login by a name to the session of this page. */
import type { SecondStep } from '@orrery/api';
import { accessTokens, http } from '../client/client.ts';
import { lazyDialog, openDialog } from '../../kit/ui/dialogs.tsx';
import { wallets } from '../wallet/open-wallets.ts';
import { EMBEDDED_ID, useWallet } from '../wallet/wallet-store.ts';
import { beginByName, disconnectWallet, useSession } from './session.ts';

const SecondStepDialog = lazyDialog(async () => (await import('./second-step-dialog.tsx')).SecondStepDialog);

/** Holds the token of a login until its account is known. */
const UNKNOWN_OWNER = 'unknown';
/** How long an access token is good for when the exchange did not say. */
const TOKEN_LIFE_MS = 15 * 60_000;

/** Without it the session looks and trades; what can not be loaded now is connected at the next login. */
const connectEmailWallet = async (): Promise<void> => (await wallets()).connect(EMBEDDED_ID);

/** Asks for the second step where there is one. Does nothing when that is given up; rejects when the account can not be read. */
export async function enter(answer: string | SecondStep): Promise<void> {
  const token = typeof answer === 'string' ? answer : await openDialog(SecondStepDialog, answer, { of: 'everybody' });
  if (token === undefined) return;
  const held = { token, expiresAt: Date.now() + TOKEN_LIFE_MS };
  if (useWallet.getState().wallet !== undefined) await disconnectWallet();
  accessTokens.use(UNKNOWN_OWNER);
  accessTokens.hold(UNKNOWN_OWNER, held);
  try {
    const { address, sessionEndsAt, emailLogin, authType } = await http.load('accountInfo');
    accessTokens.hold(address, held);
    beginByName({ address, endsAt: sessionEndsAt ?? Date.now() });
    if (emailLogin && authType === 'WALLET') await connectEmailWallet().catch(() => undefined);
  } finally {
    accessTokens.drop(UNKNOWN_OWNER);
    accessTokens.use(useSession.getState().address);
  }
}
