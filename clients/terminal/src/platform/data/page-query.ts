/** A page of a list, kept on screen while the next one loads. */
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../session/session.ts';
import { usePageInUrl } from '../../kit/ui/in-url.ts';
import { loadedOf, mapped } from '../../kit/ui/loaded.ts';
import type { Loaded } from '../../kit/ui/loaded.ts';
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

interface Shown<Row> extends Listed<Row> {
  readonly shown: Page;
}

export function usePageQuery<Row>({ key, load, pollMs, of = 'account', memory }: PageQueryOptions<Row>): PageOf<Row> {
  const accountId = useSession((state) => state.signedIn?.accountId);
  const [page, setPage] = usePageInUrl(key[0]);
  const isAsked = of === 'everybody' || accountId !== undefined;
  const query = useQuery<Shown<Row>>({
    queryKey: [...key, accountId, page],
    queryFn: async () => ({ ...(await load(page)), shown: page }),
    enabled: isAsked,
    // What another account was shown is nobody else's.
    placeholderData: (previous, before) => (before?.queryKey.at(-2) === accountId ? previous : undefined),
    ...(memory === 'none' && { gcTime: 0 }),
    ...(pollMs !== undefined && { refetchInterval: pollMs }),
  });
  const read: Loaded<Shown<Row>> = loadedOf<Shown<Row>>(query, { isAsked, retry: () => void query.refetch() });
  return {
    read: mapped(read, ({ list }) => list),
    updating: query.isPlaceholderData,
    pager: { ...page, shown: read.value?.shown, total: read.value?.total, onChange: setPage },
  };
}
