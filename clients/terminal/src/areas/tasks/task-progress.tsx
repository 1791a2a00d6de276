import type { ReactElement } from 'react';
import { compareDecimals, divideDecimals, multiplyDecimals } from '../../kit/format/decimal.ts';
import type { MessageId } from '../../kit/i18n/catalog.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import type { Task } from './use-tasks.ts';

/** How so much of a unit is said. */
export const amounts: Readonly<Record<Task['unit'], MessageId>> = {
  ORDERS: 'task.orders',
  USDC: 'task.volume',
  TIMES: 'task.times',
};

/** Whole percent, at most 100. */
function percentOf(progress: string, goal: string): string {
  if (compareDecimals(progress, goal) >= 0) return '100';
  return divideDecimals({ dividend: multiplyDecimals(progress, '100'), divisor: goal, decimals: 0 });
}

interface TaskProgressProps {
  readonly task: Pick<Task, 'goal' | 'unit'>;
  /** In the task's unit, as decimal text. */
  readonly progress: string;
  readonly name: string;
}

/** How far a task has come. */
export function TaskProgress({ task, progress, name }: TaskProgressProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const percent = percentOf(progress, task.goal);
  // What is beyond the goal counts for nothing here.
  const counted = percent === '100' ? task.goal : progress;
  // Volume is read to the cent; what is counted has no fraction.
  const shown = format.number(counted, counted.includes('.') ? { decimals: 2 } : {});
  const amount = `${shown} / ${format.number(task.goal)}`;
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <span className="text-sm text-fg2">{text(amounts[task.unit], { amount, goal: task.goal })}</span>
      <div
        role="progressbar"
        aria-label={name}
        aria-valuenow={Number(percent)}
        aria-valuemin={0}
        aria-valuemax={100}
        className="h-1 overflow-hidden rounded-sm bg-hover"
      >
        <div className={percent === '100' ? 'h-full bg-ok' : 'h-full bg-fg3'} style={{ width: `${percent}%` }} />
      </div>
    </div>
  );
}
