/** The task that is nearest to its goal. What can be claimed is said by the checklist above. */
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { localised } from '../../kit/format/localised.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { nearestTask } from '../tasks/task-groups.ts';
import { TaskProgress } from '../tasks/task-progress.tsx';
import { useTasks } from '../tasks/use-tasks.ts';
import { useServerNow } from '../../platform/client/server-clock.ts';
import { SummarySection } from './summary-section.tsx';

export function NextTask(): ReactElement | null {
  const text = useText();
  const format = useFormat();
  const { value: tasks } = useTasks();
  const now = useServerNow(30_000);
  if (tasks === undefined) return null;
  const task = nearestTask(tasks, now);
  if (task === undefined) return null;
  const name = localised(task.taskName);
  const reward = <span className="text-sm font-semibold text-warn">{format.number(String(task.reward), { sign: 'always' })}</span>;
  return (
    <SummarySection title={text('summary.task')} aside={reward}>
      <p className="mb-1 text-sm">
        <Link to="/points" className="hover:underline">
          {name}
        </Link>
      </p>
      <TaskProgress task={task} progress={task.progress ?? '0'} name={name} />
    </SummarySection>
  );
}
