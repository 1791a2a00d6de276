/** A page of a list, kept on screen while the next one loads. */
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../session/session.ts';
import { usePageInUrl } from '../../kit/ui/in-url.ts';
import type { PageOf } from '../../kit/ui/paged-table.tsx';
import type { Page } from '../../kit/ui/pager.tsx';

export interface Listed<Row> {
  readonly list: readonly Row[];
  readonly total: number;
}

export interface PageQueryOptions<Row> {
  /** Begins with a name of its own: the address says by it which page is shown. */
  readonly key: readonly [string, ...unknown[]];
  readonly load: (page: Page) => Promise<Listed<Row>>;
  readonly pollMs?: number;
  /** Whose list it is; what is everybody's is read by visitors too. */
  readonly of?: 'account' | 'everybody';
  /** Starts from nothing whenever it is shown, instead of from what was read the last time. */
  readonly memory?: 'none';
}

export function usePageQuery<Row>({ key, load, pollMs, of = 'account', memory }: PageQueryOptions<Row>): PageOf<Row> {
  const accountId = useSession((state) => state.signedIn?.accountId);
  const [page, setPage] = usePageInUrl(key[0]);
  const { data, isError, isPlaceholderData, refetch } = useQuery({
    queryKey: [...key, accountId, page],
    queryFn: async () => ({ ...(await load(page)), shown: page }),
    enabled: of === 'everybody' || accountId !== undefined,
    // What another account was shown is nobody else's.
    placeholderData: (previous, query) => (query?.queryKey.at(-2) === accountId ? previous : undefined),
    ...(memory === 'none' && { gcTime: 0 }),
    ...(pollMs !== undefined && { refetchInterval: pollMs }),
  });
  return {
    rows: data?.list,
    updating: isPlaceholderData,
    failed: isError,
    retry: () => void refetch(),
    pager: { ...page, shown: data?.shown, total: data?.total, onChange: setPage },
  };
}
