/** The private stream follows the session, on every page: a claim that is paid or points that are given are shown at once. */
import type { AccountTopic, AccountTopicData } from '@orrery/api';
import { useCallback, useEffect } from 'react';
import type { AccountNews } from '../../feed/account-store.ts';
import type { ContractNews } from '../../feed/messages.ts';
import { running } from '../../feed/running.ts';
import { useSession } from '../../session/session.ts';
import { loadCode } from '../../../kit/ui/load-code.ts';
import { ask } from '../calls.ts';

const useAccountId = (): string | undefined =>
  useSession((session) => (session.phase === 'signedIn' ? session.signedIn?.accountId : undefined));

const silent = (): void => undefined;

/**
 * Keeps the private streams open for the account that is signed in, and says what happens to it in contracts. Mounted once. Its code is loaded
 * with the first account.
 */
export function useAccountStream(onContracts: (news: ContractNews) => void): void {
  const accountId = useAccountId();
  useEffect(() => {
    if (accountId === undefined) return undefined;
    let isLeft = false;
    let leave = silent;
    void loadCode(() => import('../../feed/browser-feed.ts')).then(({ browserFeed }) => {
      if (isLeft) return;
      const feed = browserFeed();
      feed.signIn({ ticket: () => ask('streamTicket'), listenKey: () => ask('listenKey', { query: { type: 'futures' } }) });
      const stop = feed.onContractNews(onContracts);
      leave = () => {
        stop();
        feed.signOut();
      };
    });
    return () => {
      isLeft = true;
      leave();
    };
  }, [accountId, onContracts]);
}

/** Hears what happens to the account that is signed in, from the moment its stream is there. */
export function useAccountNews(listener: (news: AccountNews) => void): void {
  const accountId = useAccountId();
  useEffect(() => {
    if (accountId === undefined) return undefined;
    let stop = silent;
    const listen = (): void => {
      stop();
      stop = running.get()?.account.onNews(listener) ?? silent;
    };
    const forget = running.subscribe(listen);
    listen();
    return () => {
      forget();
      stop();
    };
  }, [accountId, listener]);
}

/** Hears the news of one topic. */
export function useAccountTopic<Topic extends AccountTopic>(topic: Topic, listener: (data: AccountTopicData<Topic>) => void): void {
  useAccountNews(
    useCallback(
      (news) => {
        if (news.kind === 'topic' && news.news.resType === topic) listener(news.news.data as AccountTopicData<Topic>);
      },
      [topic, listener],
    ),
  );
}
