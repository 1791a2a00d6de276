/** Points in all, and what can be claimed now; where nothing can, the task that is nearest to its goal. */
import { useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { localised } from '../../kit/format/localised.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useSession } from '../../platform/session/session.ts';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Button } from '../../kit/ui/button.tsx';
import { lazyDialog, openDialog } from '../../kit/ui/dialogs.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { useServerNow } from '../../platform/client/server-clock.ts';
import { claimTasks } from '../tasks/claim-task.ts';
import { nearestTask, pointsOf, readyTasks } from '../tasks/task-groups.ts';
import { TaskProgress } from '../tasks/task-progress.tsx';
import { useProgress } from './use-progress.ts';
import { useTasks } from '../tasks/use-tasks.ts';
import type { Task } from '../tasks/use-tasks.ts';

const ProgressDialog = lazyDialog(async () => (await import('./progress-dialog.tsx')).ProgressDialog);

function Figure({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactElement {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-fg3">{label}</dt>
      <dd className="mt-0.5 text-2xl font-semibold tracking-[-0.02em]">{children}</dd>
    </div>
  );
}

function ClaimAll({ ready }: { readonly ready: readonly Task[] }): ReactElement {
  const text = useText();
  const format = useFormat();
  const address = useSession((state) => state.address);
  const [isClaiming, setClaiming] = useState(false);
  const claim = (): void => {
    if (address === undefined) return;
    setClaiming(true);
    const taskCodes = ready.map(({ taskCode }) => taskCode);
    void claimTasks({ walletAddress: address, taskCodes }).finally(() => setClaiming(false));
  };
  return (
    <Button kind="primary" size="large" busy={isClaiming} onClick={claim}>
      {text('points.claimAll', { points: format.number(String(pointsOf(ready))), count: ready.length })}
    </Button>
  );
}

function Nearest({ task }: { readonly task: Task }): ReactElement {
  const text = useText();
  const format = useFormat();
  const name = localised(task.taskName);
  return (
    <div className="w-full border-t border-line pt-3 tablet:w-64 tablet:border-0 tablet:pt-0">
      <p className="mb-1 flex items-baseline justify-between gap-4 text-md">
        <span className="min-w-0">
          <span className="text-fg3">{text('points.next')}</span> <span className="font-medium">{name}</span>
        </span>
        <span className="font-semibold text-warn">{format.number(String(task.reward), { sign: 'always' })}</span>
      </p>
      <TaskProgress task={task} progress={task.progress ?? '0'} name={text('points.nextOf', { name })} />
    </div>
  );
}

/** In the place of a number that is not known: it comes, or it could not be read. */
const Missing = ({ hasFailed }: { readonly hasFailed: boolean }): ReactElement => (hasFailed ? <>—</> : <Skeleton className="h-6 w-28" />);

export function PointsTotal(): ReactElement {
  const text = useText();
  const format = useFormat();
  const { value: progress, phase } = useProgress();
  const { value: tasks, phase: tasksPhase } = useTasks();
  const now = useServerNow(30_000);
  const ready = readyTasks(tasks ?? []);
  const nearest = nearestTask(tasks ?? [], now);
  return (
    <div className="mb-5 flex flex-wrap items-end justify-between gap-x-8 gap-y-4 rounded-md border border-line bg-panel p-4">
      <dl className="flex flex-wrap gap-x-10 gap-y-3">
        <Figure label={text('points.total')}>
          <span className="text-warn">
            {progress === undefined ? <Missing hasFailed={phase === 'failed'} /> : format.number(String(progress.points))}
          </span>
        </Figure>
        <Figure label={text('points.ready')}>
          {tasks === undefined ? (
            <Missing hasFailed={tasksPhase === 'failed'} />
          ) : (
            format.number(String(pointsOf(ready)), { sign: 'always' })
          )}
        </Figure>
      </dl>
      {ready.length === 0 && nearest !== undefined && <Nearest task={nearest} />}
      <div className="flex flex-wrap items-center gap-2">
        {ready.length > 0 && <ClaimAll ready={ready} />}
        <Button size={ready.length > 0 ? 'large' : 'medium'} onClick={() => void openDialog(ProgressDialog, {})}>
          {text('progress.title')}
        </Button>
      </div>
    </div>
  );
}
