import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { FailedState } from '../../kit/ui/empty-state.tsx';
import { useProgress } from './use-progress.ts';

function Figure({ label, value }: { readonly label: string; readonly value: string | undefined }): ReactElement {
  return (
    <div className="min-w-0 grow">
      <p className="text-sm text-fg3">{label}</p>
      <p className="truncate text-xl font-semibold">{value ?? <Skeleton />}</p>
    </div>
  );
}

/** Current Progress: how many orders, how much volume, and the way to more. */
export function ProgressDialog({ close }: Dialogue<never>): ReactElement {
  const text = useText();
  const format = useFormat();
  const navigate = useNavigate();
  const { value: progress, phase, retry } = useProgress();
  const footer = (
    <Button kind="primary" size="large" className="grow" onClick={() => void navigate({ to: '/trade/spot' })}>
      {text('progress.more')}
    </Button>
  );
  return (
    <Dialog open onClose={close} width="narrow" title={text('progress.title')} footer={footer}>
      {phase === 'failed' && <FailedState onRetry={retry} />}
      <div className="flex gap-6">
        <Figure label={text('progress.orders')} value={progress && format.number(String(progress.orders))} />
        <Figure label={text('progress.volume')} value={progress && format.fiat(progress.volume)} />
      </div>
    </Dialog>
  );
}
