/** The private stream follows the session, on every page: a claim that is paid or points that are given are shown at once. */
import { useEffect } from 'react';
import { ask } from '../data/calls.ts';
import { useSession } from '../session/session.ts';
import type { AccountNews } from './account-store.ts';
import { browserFeed } from './browser-feed.ts';

const useAccountId = (): string | undefined =>
  useSession((session) => (session.phase === 'signedIn' ? session.signedIn?.accountId : undefined));

/** Keeps the private stream open for the account that is signed in. Mounted once. */
export function useAccountStream(): void {
  const accountId = useAccountId();
  useEffect(() => {
    if (accountId === undefined) return undefined;
    const feed = browserFeed();
    feed.signIn(() => ask('streamTicket'));
    return () => feed.signOut();
  }, [accountId]);
}

/** Hears what happens to the account that is signed in. */
export function useAccountNews(listener: (news: AccountNews) => void): void {
  const accountId = useAccountId();
  useEffect(() => (accountId === undefined ? undefined : browserFeed().account.onNews(listener)), [accountId, listener]);
}
