/** Hears what happens in contracts to the account that is signed in. */
import { useEffect } from 'react';
import { browserFeed } from './browser-feed.ts';
import type { ContractNews } from './messages.ts';

export function useContractNews(listener: (news: ContractNews) => void): void {
  useEffect(() => browserFeed().onContractNews(listener), [listener]);
}
