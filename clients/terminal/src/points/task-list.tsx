import type { ReactElement } from 'react';
import { useText } from '../i18n/text.tsx';
import { Section } from '../ui/page.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { EmptyState, FailedState } from '../ui/empty-state.tsx';
import { NOT_DONE, taskFlag } from './task-flag.ts';
import type { TaskFlag } from './task-flag.ts';
import { TaskRow } from './task-row.tsx';
import { useTasks } from './use-tasks.ts';
import type { Task } from './use-tasks.ts';

/** What can be claimed comes first, what is over last. */
const ORDER: readonly TaskFlag[] = [1, NOT_DONE, 2];

const placeOf = (task: Task): number => ORDER.indexOf(taskFlag(task.status ?? 0));

function LoadingRows(): ReactElement {
  return (
    <div aria-busy="true">
      {[1, 2, 3, 4, 5].map((place) => (
        <div key={place} className="flex flex-col gap-3 border-b border-line px-4 py-4 last:border-0">
          <Skeleton className="w-40" />
          <Skeleton className="w-64 max-w-full" />
        </div>
      ))}
    </div>
  );
}

function Rows(): ReactElement {
  const text = useText();
  const { tasks, failed, retry } = useTasks();
  if (tasks === undefined) return failed ? <FailedState onRetry={retry} /> : <LoadingRows />;
  if (tasks.length === 0) return <EmptyState>{text('task.empty')}</EmptyState>;
  return (
    <ul aria-label={text('task.title')}>
      {tasks
        .toSorted((left, right) => placeOf(left) - placeOf(right))
        .map((task) => (
          <TaskRow key={task.taskCode} task={task} />
        ))}
    </ul>
  );
}

export function TaskList(): ReactElement {
  const text = useText();
  return (
    <Section title={text('task.title')}>
      <Rows />
    </Section>
  );
}
