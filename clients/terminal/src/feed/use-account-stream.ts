/** The private stream follows the session, on every page: a claim that is paid or points that are given are shown at once. */
import { useEffect } from 'react';
import { ask } from '../data/calls.ts';
import { useSession } from '../session/session.ts';
import type { AccountNews } from './account-store.ts';
import type { ContractNews } from './messages.ts';
import { browserFeed } from './browser-feed.ts';

const useAccountId = (): string | undefined =>
  useSession((session) => (session.phase === 'signedIn' ? session.signedIn?.accountId : undefined));

/** Keeps the private streams open for the account that is signed in, and says what happens to it in contracts. Mounted once. */
export function useAccountStream(onContracts: (news: ContractNews) => void): void {
  const accountId = useAccountId();
  useEffect(() => {
    if (accountId === undefined) return undefined;
    const feed = browserFeed();
    feed.signIn({ ticket: () => ask('streamTicket'), listenKey: () => ask('listenKey', { query: { type: 'futures' } }) });
    const stop = feed.onContractNews(onContracts);
    return () => {
      stop();
      feed.signOut();
    };
  }, [accountId, onContracts]);
}

/** Hears what happens to the account that is signed in. */
export function useAccountNews(listener: (news: AccountNews) => void): void {
  const accountId = useAccountId();
  useEffect(() => (accountId === undefined ? undefined : browserFeed().account.onNews(listener)), [accountId, listener]);
}
