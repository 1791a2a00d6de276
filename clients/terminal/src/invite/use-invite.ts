/** The person's own invitation: what they give to friends, and what came of it. */
import type { contract, DataOf } from '@orrery/api';
import { useQuery } from '@tanstack/react-query';
import { http } from '../client/client.ts';
import { useSession } from '../session/session.ts';

export type Invite = DataOf<(typeof contract)['inviteInfo']>;

export interface InviteAnswer {
  readonly invite: Invite | undefined;
  /** Whether it is known that there is one, or that there is none to be had now. */
  readonly isSettled: boolean;
}

export function useInvite(): InviteAnswer {
  const accountId = useSession((state) => state.signedIn?.accountId);
  const { data, isPending } = useQuery({
    queryKey: ['invite', accountId],
    queryFn: () => http.load('inviteInfo'),
    enabled: accountId !== undefined,
  });
  return { invite: data, isSettled: accountId === undefined || !isPending };
}
