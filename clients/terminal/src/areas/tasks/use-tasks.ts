/** The tasks: with one's own progress when signed in, else as everybody may see them. */
import type { TaskItem, TaskOffer } from '@orrery/api';
import { ask } from '../../platform/data/calls.ts';
import { useReading } from '../../platform/data/use-data.ts';
import { useSession } from '../../platform/session/session.ts';
import { type Loaded } from '../../kit/ui/loaded.ts';

/** A visitor's has no status and no progress. */
export type Task = TaskOffer & Partial<Pick<TaskItem, 'status' | 'progress'>>;

/** Orders and trades move them on: they are looked at again while they are on screen. */
const POLL_MS = 20_000;

export function useTasks(): Loaded<readonly Task[]> {
  const address = useSession((state) => (state.signedIn === undefined ? undefined : state.address));
  return useReading<readonly Task[]>({
    key: ['tasks', address],
    load: () =>
      address === undefined ? ask('taskCatalogue', { ignoreToken: true }) : ask('taskList', { body: { walletAddress: address } }),
    of: 'everybody',
    pollMs: POLL_MS,
  });
}
