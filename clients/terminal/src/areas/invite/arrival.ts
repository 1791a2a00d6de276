/** Who comes by an invitation is remembered as such until there is an account to tell the exchange about. */
import { useEffect } from 'react';
import { answerOf } from '../../platform/data/calls.ts';
import { showDone } from '../../platform/client/success.ts';
import { say } from '../../kit/i18n/text.tsx';
import { useSession } from '../../platform/session/session.ts';
import { arrivedByInvite } from '../../kit/storage/remembered.ts';
import { showError } from '../../kit/ui/toast.ts';
import { actor } from '../../kit/storage/account-in-view.ts';

/** Remembers the code of the link a visitor came by. */
export function useArrival(inviteCode: string | undefined): void {
  useEffect(() => {
    if (inviteCode !== undefined) arrivedByInvite.write(inviteCode);
  }, [inviteCode]);
}

async function report(inviteCode: string): Promise<void> {
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
    if (isReady && inviteCode !== '') void report(inviteCode).catch(() => undefined);
  }, [isReady]);
}
