/** What happens to the account's orders is shown on every page. The words for it are loaded with the first order that ends. */
import { useCallback } from 'react';
import type { AccountNews } from '../../platform/data/streams/streams.ts';
import { isOver } from '../../platform/data/streams/use-running.ts';
import { useAccountNews } from '../../platform/data/streams/use-account-stream.ts';

export function useOrderToasts(): void {
  useAccountNews(
    useCallback((news: AccountNews) => {
      if (news.kind === 'order' && isOver(news.order)) void import('./order-toasts.ts').then(({ toastOrder }) => toastOrder(news.order));
    }, []),
  );
}
