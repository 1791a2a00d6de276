/** Looks for the answers of orders that have none: when the page is loaded, when the stream is back, and now and then until each is found. */
import { useEffect } from 'react';
import { accountStream } from '../../../platform/data/streams/streams.ts';
import { openOrderIntents } from './open-orders.ts';
import { findOrders, restoreOrders } from './submit-order.ts';
import { useAccountInView } from '../../../platform/session/session.ts';

const EVERY_MS = 3_000;

export function useAnswers(): void {
  const account = useAccountInView();
  useEffect(() => {
    if (account === undefined) return undefined;
    restoreOrders(account);
    let isAsking = false;
    const look = (): void => {
      if (isAsking || openOrderIntents.of(account).length === 0) return;
      isAsking = true;
      findOrders(account)
        // Asked again at the next beat.
        .catch(() => undefined)
        .finally(() => {
          isAsking = false;
        });
    };
    look();
    const timer = setInterval(look, EVERY_MS);
    const stop = accountStream.onNews(look);
    return () => {
      clearInterval(timer);
      stop();
    };
  }, [account]);
}
