/** Tasks in the order in which they matter: what can be claimed now, what recurs, what is reached once, what is over. */
import { compareDecimals, divideDecimals } from '../../kit/format/decimal.ts';
import { NOT_DONE, taskFlag } from './task-flag.ts';
import type { Task } from './use-tasks.ts';

export type TaskGroupName = 'ready' | 'recurring' | 'milestones' | 'done';

export interface TaskGroup {
  readonly name: TaskGroupName;
  readonly tasks: readonly Task[];
}

const ORDER: readonly TaskGroupName[] = ['ready', 'recurring', 'milestones', 'done'];

const flagOf = (task: Task): ReturnType<typeof taskFlag> => taskFlag(task.status ?? 0);

function groupOf(task: Task): TaskGroupName {
  const flag = flagOf(task);
  if (flag === 1) return 'ready';
  if (flag === 2) return 'done';
  return task.period === 'ONCE' ? 'milestones' : 'recurring';
}

/** How much of the goal is reached, from 0 to 1 with four decimals. A visitor has reached nothing. */
export function shareOf({ progress = '0', goal }: Pick<Task, 'progress' | 'goal'>): string {
  if (compareDecimals(goal, '0') <= 0 || compareDecimals(progress, goal) >= 0) return '1';
  return divideDecimals({ dividend: progress, divisor: goal, decimals: 4 });
}

/** The nearest to its goal first; the catalogue's order where that is equal. */
const byNearness = (left: Task, right: Task): number => compareDecimals(shareOf(right), shareOf(left));

/** Groups without a task are left out. */
export function taskGroups(tasks: readonly Task[]): readonly TaskGroup[] {
  return ORDER.map((name): TaskGroup => ({ name, tasks: tasks.filter((task) => groupOf(task) === name).toSorted(byNearness) })).filter(
    (group) => group.tasks.length > 0,
  );
}

/** Tasks whose reward waits. */
export const readyTasks = (tasks: readonly Task[]): readonly Task[] => tasks.filter((task) => flagOf(task) === 1);

export const pointsOf = (tasks: readonly Task[]): number => tasks.reduce((sum, { reward }) => sum + reward, 0);

/** An activity is won by luck or by rank: nobody can set out for it. */
const isActivity = ({ taskCode }: Task): boolean => taskCode.startsWith('ACTIVITY_');

/** The task that is nearest to its goal of those that can be set out for now and have a fixed reward. */
export function nearestTask(tasks: readonly Task[], now: number): Task | undefined {
  const open = tasks.filter(
    (task) =>
      flagOf(task) === NOT_DONE &&
      !isActivity(task) &&
      task.reward > 0 &&
      (task.startsAt ?? now) <= now &&
      (task.endsAt ?? Number.POSITIVE_INFINITY) > now,
  );
  return open.toSorted(byNearness)[0];
}
