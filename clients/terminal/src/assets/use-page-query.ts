/** A page of one of the account's lists, kept on screen while the next one loads. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../session/session.ts';
import { firstPage } from '../ui/pager.tsx';
import type { Page } from '../ui/pager.tsx';

export interface Listed<Row> {
  readonly list: readonly Row[];
  readonly total: number;
}

export interface PageQuery<Row> {
  readonly rows: readonly Row[] | undefined;
  readonly total: number | undefined;
  readonly failed: boolean;
  readonly retry: () => void;
  readonly page: Page;
  readonly setPage: (page: Page) => void;
}

export interface PageQueryOptions<Row> {
  readonly key: readonly unknown[];
  readonly load: (page: Page) => Promise<Listed<Row>>;
  readonly pollMs?: number;
}

export function usePageQuery<Row>({ key, load, pollMs }: PageQueryOptions<Row>): PageQuery<Row> {
  const accountId = useSession((state) => state.signedIn?.accountId);
  const [page, setPage] = useState<Page>(firstPage);
  const { data, isError, refetch } = useQuery({
    queryKey: [...key, accountId, page],
    queryFn: () => load(page),
    enabled: accountId !== undefined,
    placeholderData: keepPreviousData,
    ...(pollMs !== undefined && { refetchInterval: pollMs }),
  });
  return { rows: data?.list, total: data?.total, failed: isError, retry: () => void refetch(), page, setPage };
}
