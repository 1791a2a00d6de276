import type { ReactElement } from 'react';
import { useText } from '../i18n/text.tsx';
import { useFormat } from '../settings/use-format.ts';
import { Button } from '../ui/button.tsx';
import { lazyDialog, openDialog } from '../ui/dialogs.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useProgress } from './use-progress.ts';

const ProgressDialog = lazyDialog(async () => (await import('./progress-dialog.tsx')).ProgressDialog);

/** Points in all, and the way to what they came of. */
export function PointsTotal(): ReactElement {
  const text = useText();
  const format = useFormat();
  const progress = useProgress();
  return (
    <div className="mb-5 flex flex-wrap items-end justify-between gap-x-8 gap-y-3 rounded-md border border-line bg-panel p-4">
      <dl>
        <dt className="text-sm text-fg3">{text('points.total')}</dt>
        <dd className="text-2xl font-semibold tracking-[-0.02em] text-warn">
          {progress === undefined ? <Skeleton className="h-6 w-32" /> : format.number(String(progress.points))}
        </dd>
      </dl>
      <Button onClick={() => void openDialog(ProgressDialog, {})}>{text('progress.title')}</Button>
    </div>
  );
}
