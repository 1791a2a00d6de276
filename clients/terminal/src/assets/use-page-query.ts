/** A page of a list, kept on screen while the next one loads. */
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
  /** Whose list it is; what is everybody's is read by visitors too. */
  readonly of?: 'account' | 'everybody';
  /** Starts from nothing whenever it is shown, instead of from what was read the last time. */
  readonly memory?: 'none';
}

export function usePageQuery<Row>({ key, load, pollMs, of = 'account', memory }: PageQueryOptions<Row>): PageQuery<Row> {
  const accountId = useSession((state) => state.signedIn?.accountId);
  const [page, setPage] = useState<Page>(firstPage);
  const { data, isError, refetch } = useQuery({
    queryKey: [...key, accountId, page],
    queryFn: () => load(page),
    enabled: of === 'everybody' || accountId !== undefined,
    placeholderData: keepPreviousData,
    ...(memory === 'none' && { gcTime: 0 }),
    ...(pollMs !== undefined && { refetchInterval: pollMs }),
  });
  return { rows: data?.list, total: data?.total, failed: isError, retry: () => void refetch(), page, setPage };
}
