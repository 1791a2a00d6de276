/** A list whose pages follow each other by a cursor: what was read stays, older rows are read when they are asked for. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { loadedOf, mapped } from '../../kit/ui/loaded.ts';
import type { Loaded } from '../../kit/ui/loaded.ts';
import { useSession } from '../session/session.ts';

export interface CursorPage<Row> {
  readonly items: readonly Row[];
  /** Of the page after it; null on the last one. */
  readonly next: string | null;
}

export interface CursorQueryOptions<Row> {
  readonly key: readonly unknown[];
  /** @param id of the page; `undefined` for the newest */
  readonly load: (id: string | undefined) => Promise<CursorPage<Row>>;
  /** Whose list it is; what is everybody's is read by visitors too. */
  readonly of?: 'account' | 'everybody';
}

export interface CursorList<Row> {
  /** Stale also where older rows could not be read: then they are what is read again. */
  readonly read: Loaded<readonly Row[]>;
  /** Reads older rows; `undefined` where there are none. */
  readonly more: (() => void) | undefined;
  readonly loadingMore: boolean;
}

export function useCursorQuery<Row>({ key, load, of = 'account' }: CursorQueryOptions<Row>): CursorList<Row> {
  const accountId = useSession((state) => state.signedIn?.accountId);
  const isAsked = of === 'everybody' || accountId !== undefined;
  const query = useInfiniteQuery({
    queryKey: of === 'everybody' ? key : [...key, accountId],
    queryFn: ({ pageParam }) => load(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    enabled: isAsked,
  });
  const retry = (): void => void (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch());
  return {
    read: mapped(loadedOf<{ readonly pages: readonly CursorPage<Row>[] }>(query, { isAsked, retry }), ({ pages }) =>
      pages.flatMap(({ items }) => items),
    ),
    more: query.hasNextPage ? () => void query.fetchNextPage() : undefined,
    loadingMore: query.isFetchingNextPage,
  };
}
