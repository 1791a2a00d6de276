/** Who is signed in, as the trading page needs to know it, and the private stream that follows the session. */
import { useEffect } from 'react';
import { http } from '../client/client.ts';
import { browserFeed } from '../feed/browser-feed.ts';
import { useSession } from '../session/session.ts';

export const useSignedIn = (): boolean => useSession((session) => session.phase === 'signedIn');

/** Keeps the private stream open for the account that is signed in. */
export function useAccountStream(): void {
  const accountId = useSession((session) => (session.phase === 'signedIn' ? session.signedIn?.accountId : undefined));
  useEffect(() => {
    if (accountId === undefined) return undefined;
    const feed = browserFeed();
    feed.signIn(() => http.load('streamTicket'));
    return () => feed.signOut();
  }, [accountId]);
}
