/** What an address has done and earned so far. */
import type { CallData } from '@orrery/api';
import type { Loaded } from '../../kit/ui/loaded.ts';
import { useData } from '../../platform/data/use-data.ts';
import { useSession } from '../../platform/session/session.ts';

export type Progress = CallData['taskCount'];

export function useProgress(): Loaded<Progress> {
  const address = useSession((state) => (state.signedIn === undefined ? undefined : state.address));
  return useData({
    name: 'taskCount',
    input: { body: { walletAddress: address ?? '' } },
    of: 'account',
    when: address !== undefined,
    pollMs: 20_000,
  });
}
