import { useState } from 'react';
import type { ReactElement } from 'react';
import { localised } from '../../kit/format/localised.ts';
import { formatSpan } from '../../kit/format/time.ts';
import type { MessageId } from '../../kit/i18n/catalog.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useSession } from '../../platform/session/session.ts';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Button } from '../../kit/ui/button.tsx';
import { classes } from '../../kit/ui/classes.ts';
import { StateTag } from '../../kit/ui/state-tag.tsx';
import { useServerNow } from '../../platform/client/server-clock.ts';
import { claimTasks } from '../tasks/claim-task.ts';
import { NOT_DONE, taskFlag } from '../tasks/task-flag.ts';
import { amounts, TaskProgress } from '../tasks/task-progress.tsx';
import type { Task } from '../tasks/use-tasks.ts';

const periods: Readonly<Record<Task['period'], MessageId | undefined>> = { ONCE: undefined, DAILY: 'task.daily', WEEKLY: 'task.weekly' };

/** When it can be done, as far as that is limited. */
function Period({ task }: { readonly task: Task }): ReactElement | null {
  const text = useText();
  const format = useFormat();
  const now = useServerNow(30_000);
  const { dayCap } = task;
  const often = periods[task.period];
  const words = [
    ...(often === undefined ? [] : [text(often)]),
    ...(dayCap === null
      ? []
      : [text('task.dayCap', { amount: text(amounts[task.unit], { amount: format.number(dayCap), goal: dayCap }) })]),
    ...(task.startsAt !== null && task.startsAt > now ? [text('task.starts', { span: formatSpan(task.startsAt - now) })] : []),
    ...(task.endsAt !== null && task.endsAt > now ? [text('task.ends', { span: formatSpan(task.endsAt - now) })] : []),
  ];
  if (words.length === 0) return null;
  return <span className="text-sm text-fg3">{words.join(' · ')}</span>;
}

interface ClaimProps {
  readonly task: Task;
  readonly name: string;
}

/** Claim, for whose reward waits, or Claimed; nothing for what is not done. */
function Claim({ task, name }: ClaimProps): ReactElement | null {
  const text = useText();
  const address = useSession((state) => state.address);
  const [isAsking, setAsking] = useState(false);
  if (task.status === undefined || address === undefined) return null;
  const flag = taskFlag(task.status);
  if (flag === NOT_DONE) return null;
  if (flag === 2) return <StateTag tone="done">{text('task.claimed')}</StateTag>;
  const ask = (): void => {
    setAsking(true);
    void claimTasks({ walletAddress: address, taskCodes: [task.taskCode] }).finally(() => setAsking(false));
  };
  return (
    <Button size="small" busy={isAsking} aria-label={text('task.claimOf', { name })} onClick={ask}>
      {text('task.claim')}
    </Button>
  );
}

/** What a leaderboard pays is known when the ranks are. */
function Reward({ points }: { readonly points: number }): ReactElement {
  const text = useText();
  const format = useFormat();
  if (points === 0) return <>{text('task.byRank')}</>;
  return (
    <>
      {format.number(String(points), { sign: 'always' })}
      <span className="sr-only"> {text('points.points')}</span>
    </>
  );
}

export function TaskRow({ task }: { readonly task: Task }): ReactElement {
  const name = localised(task.taskName);
  return (
    <li
      className={classes(
        'grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-6 gap-y-2 border-b border-line px-4 py-3 last:border-0',
        task.progress !== undefined && 'tablet:grid-cols-[minmax(0,1fr)_11rem_5rem_5.5rem]',
      )}
    >
      <div className="min-w-0">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-medium">{name}</span>
          <Period task={task} />
        </p>
        <p className="mt-0.5 text-sm text-fg2">{localised(task.description)}</p>
      </div>
      <p className="text-end font-semibold whitespace-nowrap text-warn tablet:order-1">
        <Reward points={task.reward} />
      </p>
      {task.progress !== undefined && (
        <>
          <TaskProgress task={task} progress={task.progress} name={name} />
          <div className="flex justify-end text-sm tablet:order-2">
            <Claim task={task} name={name} />
          </div>
        </>
      )}
    </li>
  );
}
