/** The tasks: with one's own progress when signed in, else as everybody may see them. */
import type { TaskItem, TaskOffer } from '@orrery/api';
import { ask } from '../../platform/data/calls.ts';
import { useReading } from '../../platform/data/use-data.ts';
import { useSession } from '../../platform/session/session.ts';

/** A visitor's has no status and no progress. */
export type Task = TaskOffer & Partial<Pick<TaskItem, 'status' | 'progress'>>;

export interface Tasks {
  /** `undefined` while loading. */
  readonly tasks: readonly Task[] | undefined;
  readonly failed: boolean;
  readonly retry: () => void;
}

/** Orders and trades move them on: they are looked at again while they are on screen. */
const POLL_MS = 10_000;

export function useTasks(): Tasks {
  const address = useSession((state) => (state.signedIn === undefined ? undefined : state.address));
  const {
    value: tasks,
    phase,
    retry,
  } = useReading<readonly Task[]>({
    key: ['tasks', address],
    load: () =>
      address === undefined ? ask('taskCatalogue', { ignoreToken: true }) : ask('taskList', { body: { walletAddress: address } }),
    of: 'everybody',
    pollMs: POLL_MS,
  });
  return { tasks, failed: phase === 'failed', retry };
}
