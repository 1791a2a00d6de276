/** A list whose pages follow each other by a cursor: what was read stays, older rows are read when they are asked for. */
import { useInfiniteQuery } from '@tanstack/react-query';
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
  /** `undefined` while loading. */
  readonly rows: readonly Row[] | undefined;
  readonly failed: boolean;
  readonly retry: () => void;
  /** Reads older rows; `undefined` where there are none. */
  readonly more: (() => void) | undefined;
  readonly loadingMore: boolean;
}

export function useCursorQuery<Row>({ key, load, of = 'account' }: CursorQueryOptions<Row>): CursorList<Row> {
  const accountId = useSession((state) => state.signedIn?.accountId);
  const { data, isError, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: of === 'everybody' ? key : [...key, accountId],
    queryFn: ({ pageParam }) => load(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    enabled: of === 'everybody' || accountId !== undefined,
  });
  return {
    rows: data?.pages.flatMap(({ items }) => items),
    failed: isError && data === undefined,
    retry: () => void refetch(),
    more: hasNextPage ? () => void fetchNextPage() : undefined,
    loadingMore: isFetchingNextPage,
  };
}
