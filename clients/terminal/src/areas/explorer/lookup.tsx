import { CallError } from '@orrery/sdk';
import type { ReactElement, ReactNode } from 'react';
import type { Loaded } from '../../kit/ui/loaded.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { FailedState } from '../../kit/ui/empty-state.tsx';

export interface LookupProps<Found> {
  readonly known: Loaded<Found>;
  readonly thing: 'transaction' | 'block' | 'address';
  readonly children: (found: Found) => ReactNode;
}

/** What the chain knows of one thing: found, not there, or not to be asked just now. */
export function Lookup<Found>({ known, thing, children }: LookupProps<Found>): ReactElement {
  const text = useText();
  if (known.value !== undefined) return <>{children(known.value)}</>;
  if (known.phase !== 'failed') return <Skeleton className="h-40 w-full" />;
  const isMissing = known.error instanceof CallError && (known.error.status === 404 || known.error.status === 400);
  if (isMissing) return <Notice tone="warn">{text('explorer.notFound', { thing })}</Notice>;
  return <FailedState onRetry={known.retry} />;
}
