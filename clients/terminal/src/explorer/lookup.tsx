import type { UseQueryResult } from '@tanstack/react-query';
import { CallError } from '@orrery/sdk';
import type { ReactElement, ReactNode } from 'react';
import { useText } from '../i18n/text.tsx';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { FailedState } from '../ui/empty-state.tsx';

export interface LookupProps<Found> {
  readonly query: UseQueryResult<Found>;
  readonly thing: 'transaction' | 'block' | 'address';
  readonly children: (found: Found) => ReactNode;
}

/** What the chain knows of one thing: found, not there, or not to be asked just now. */
export function Lookup<Found>({ query, thing, children }: LookupProps<Found>): ReactElement {
  const text = useText();
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.isPending) return <Skeleton className="h-40 w-full" />;
  const isMissing = query.error instanceof CallError && (query.error.status === 404 || query.error.status === 400);
  if (isMissing) return <Notice tone="warn">{text('explorer.notFound', { thing })}</Notice>;
  return <FailedState onRetry={() => void query.refetch()} />;
}
