import { ChevronRight } from 'lucide-react';
import { useId } from 'react';
import type { ReactElement } from 'react';
import type { MessageId } from '../../kit/i18n/catalog.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { EmptyState } from '../../kit/ui/empty-state.tsx';
import { taskGroups } from '../tasks/task-groups.ts';
import type { TaskGroup, TaskGroupName } from '../tasks/task-groups.ts';
import { TaskRow } from './task-row.tsx';
import { useTasks } from '../tasks/use-tasks.ts';
import { LoadedPanel } from '../../kit/ui/loaded-panel.tsx';

const titles: Readonly<Record<TaskGroupName, MessageId>> = {
  ready: 'task.group.ready',
  recurring: 'task.group.recurring',
  milestones: 'task.group.milestones',
  done: 'task.group.done',
};

const FRAME = 'mb-5 overflow-hidden rounded-md border border-line bg-panel';

function LoadingRows(): ReactElement {
  return (
    <div aria-busy="true" className={FRAME}>
      {[1, 2, 3, 4, 5].map((place) => (
        <div key={place} className="flex flex-col gap-3 border-b border-line px-4 py-4 last:border-0">
          <Skeleton className="w-40" />
          <Skeleton className="w-64 max-w-full" />
        </div>
      ))}
    </div>
  );
}

interface GroupProps {
  readonly group: TaskGroup;
}

function Rows({ group, label }: GroupProps & { readonly label: string }): ReactElement {
  return (
    <ul aria-label={label}>
      {group.tasks.map((task) => (
        <TaskRow key={task.taskCode} task={task} />
      ))}
    </ul>
  );
}

const HEAD = 'flex min-h-10 items-center gap-2 px-4 text-md';

function Count({ group }: GroupProps): ReactElement {
  const format = useFormat();
  return <span className="text-fg3">{format.number(String(group.tasks.length))}</span>;
}

/** What is over stays out of the way, and can be unfolded. */
function FoldedGroup({ group }: GroupProps): ReactElement {
  const text = useText();
  const label = text(titles[group.name]);
  return (
    <details className={`${FRAME} [&[open]>summary]:border-b`}>
      <summary className={`${HEAD} list-none border-line hover:bg-hover [&::-webkit-details-marker]:hidden`}>
        <ChevronRight size={15} aria-hidden="true" className="-ms-1 text-fg3 transition-transform [[open]>summary>&]:rotate-90" />
        <h3 className="font-semibold">{label}</h3>
        <Count group={group} />
      </summary>
      <Rows group={group} label={label} />
    </details>
  );
}

function Group({ group }: GroupProps): ReactElement {
  const text = useText();
  const id = useId();
  const label = text(titles[group.name]);
  return (
    <section aria-labelledby={id} className={FRAME}>
      <div className={`${HEAD} border-b border-line`}>
        <h3 id={id} className="font-semibold">
          {label}
        </h3>
        <Count group={group} />
      </div>
      <Rows group={group} label={label} />
    </section>
  );
}

function Groups(): ReactElement {
  const text = useText();
  return (
    <LoadedPanel read={useTasks()} loading={<LoadingRows />}>
      {(tasks) =>
        tasks.length === 0 ? (
          <EmptyState>{text('task.empty')}</EmptyState>
        ) : (
          taskGroups(tasks).map((group) =>
            group.name === 'done' ? <FoldedGroup key={group.name} group={group} /> : <Group key={group.name} group={group} />,
          )
        )
      }
    </LoadedPanel>
  );
}

export function TaskList(): ReactElement {
  const text = useText();
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="sr-only">
        {text('task.title')}
      </h2>
      <Groups />
    </section>
  );
}
