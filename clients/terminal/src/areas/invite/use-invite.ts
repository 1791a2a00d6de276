/** The person's own invitation: what they give to friends, and what came of it. */
import type { CallData } from '@orrery/api';
import { useData } from '../../platform/data/use-data.ts';

export type Invite = CallData['inviteInfo'];

export interface InviteAnswer {
  readonly invite: Invite | undefined;
  /** Whether it is known that there is one, or that there is none to be had now. */
  readonly isSettled: boolean;
}

export function useInvite(): InviteAnswer {
  const { value: invite, phase } = useData({ name: 'inviteInfo', of: 'account' });
  return { invite, isSettled: phase !== 'loading' };
}
