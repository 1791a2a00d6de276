import { expect, test } from 'vitest';
import { nearestTask, pointsOf, readyTasks, shareOf, taskGroups } from './task-groups.ts';
import type { Task } from './use-tasks.ts';

const NOW = 1_000;

function task(taskCode: string, more: Partial<Task> = {}): Task {
  return {
    taskCode,
    taskName: `{"en":"${taskCode}"}`,
    description: '{"en":""}',
    reward: 100,
    goal: '10',
    dayCap: null,
    unit: 'ORDERS',
    startsAt: null,
    endsAt: null,
    period: 'ONCE',
    status: 0,
    progress: '0',
    ...more,
  };
}

const TASKS = [
  task('far', { progress: '1' }),
  task('over', { status: 2, progress: '10' }),
  task('daily', { period: 'DAILY' }),
  task('near', { progress: '9.5' }),
  task('waiting', { status: 1, progress: '10', reward: 500 }),
  task('weekly', { period: 'WEEKLY', status: 1, reward: 250 }),
];

const shown = (tasks: readonly Task[]): readonly string[] =>
  taskGroups(tasks).map(({ name, tasks: members }) => `${name}: ${members.map(({ taskCode }) => taskCode).join(' ')}`);

test('[T4] what can be claimed comes first, then what recurs, then milestones with the nearest first, then what is over', () => {
  expect(shown(TASKS)).toEqual(['ready: waiting weekly', 'recurring: daily', 'milestones: near far', 'done: over']);
});

test('[T4] a visitor sees no group of what is claimed or done', () => {
  const offers = TASKS.map(({ status: _status, progress: _progress, ...offer }) => offer);
  expect(shown(offers)).toEqual(['recurring: daily weekly', 'milestones: far over near waiting']);
});

test('[T4] what can be claimed now is summed over the tasks whose reward waits', () => {
  expect(pointsOf(readyTasks(TASKS))).toBe(750);
  expect(pointsOf([])).toBe(0);
});

test('[T4] the share of a goal is rounded down and never beyond the whole', () => {
  expect(shareOf({ progress: '2', goal: '3' })).toBe('0.6666');
  expect(shareOf({ progress: '12', goal: '3' })).toBe('1');
  expect(shareOf({ goal: '3' })).toBe('0');
});

test('[T4] what is won by luck or by rank is never the next task', () => {
  const first = task('NEWCOMER_FAUCET', { goal: '1' });
  expect(nearestTask([task('ACTIVITY_LUCKY_BLOCK', { goal: '1', reward: 77_777 }), first], NOW)).toBe(first);
});

test('[T4] the next task is the nearest that runs now and pays a fixed reward', () => {
  expect(nearestTask(TASKS, NOW)?.taskCode).toBe('near');
  const later = TASKS.map((one) => (one.taskCode === 'near' ? { ...one, startsAt: NOW + 1 } : one));
  expect(nearestTask(later, NOW)?.taskCode).toBe('far');
  const byRank = later.map((one) => (one.taskCode === 'far' ? { ...one, reward: 0 } : one));
  expect(nearestTask(byRank, NOW)?.taskCode).toBe('daily');
  expect(nearestTask([task('over', { status: 2 }), task('gone', { endsAt: NOW })], NOW)).toBeUndefined();
});
