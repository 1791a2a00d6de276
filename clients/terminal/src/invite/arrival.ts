/** Who comes by an invitation is remembered as such until there is an account to tell the exchange about. */
import { useEffect } from 'react';
import { answerOf } from '../data/calls.ts';
import { showDone } from '../client/success.ts';
import { say } from '../i18n/text.tsx';
import { useSession } from '../session/session.ts';
import { arrivedByInvite } from '../storage/remembered.ts';
import { showError } from '../ui/toast.ts';
import { actor } from '../storage/account-in-view.ts';

/** Remembers the code of the link a visitor came by. */
export function useArrival(inviteCode: string | undefined): void {
  useEffect(() => {
    if (inviteCode !== undefined) arrivedByInvite.write(inviteCode);
  }, [inviteCode]);
}

async function tell(inviteCode: string): Promise<void> {
  const { code, msg } = await answerOf('bindInvite', { body: { inviteCode } }, actor());
  // Answered for good, either way; without an answer it is sent on the next visit.
  arrivedByInvite.clear();
  if (code === 0) showDone('bind', say('notices.inviteBound'));
  else showError(msg);
}

/** Sends the code when the person is signed in. Mounted once. */
export function useInviteBinding(): void {
  const isReady = useSession((state) => state.signedIn?.termsAccepted === true);
  useEffect(() => {
    const inviteCode = arrivedByInvite.read();
    if (isReady && inviteCode !== '') void tell(inviteCode).catch(() => undefined);
  }, [isReady]);
}
