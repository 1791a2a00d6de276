import type { TaskState } from '@orrery/api';

/** Where a task stands as one number that can be compared: 1 its reward waits, 2 it was given, 999 it is not done. */
export const NOT_DONE = 999;
export type TaskFlag = 1 | 2 | typeof NOT_DONE;

export function taskFlag(status: TaskState): TaskFlag {
  return status === 0 ? NOT_DONE : status;
}
