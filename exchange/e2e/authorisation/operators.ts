/** For the matrix of calls and callers: an operator of each role, by the cookie of their session. */
import type { OperatorRole } from '@orrery/api';
import type { Client } from '@orrery/sdk';
import { join as joinAt, type Joined, type Joining } from '../operator.ts';
import { anyProcess } from './ground.ts';
import { FIRST_CODE } from './installation.ts';

const join = (joining: Joining): Promise<Joined> => joinAt(anyProcess().url, joining);

/** The admin is the first; the operator is invited by the admin alone, the viewer and the reviewer by both of them. */
export async function cookiesOfOperators(): Promise<Readonly<Record<OperatorRole | 'reviewer', string>>> {
  const admin = await join({ code: FIRST_CODE, name: 'ann', from: '10.2.0.1' });
  const invited = await admin.client.inviteOperator({ name: 'otto', role: 'operator' });
  const operator = await join({ code: invited.code, name: 'otto', from: '10.2.0.2' });
  const viewer = await join({ ...(await codeOf({ name: 'vera', role: 'viewer' }, admin.client, operator.client)), from: '10.2.0.3' });
  const reviewer = await join({
    ...(await codeOf({ name: 'rita', role: 'operator' }, admin.client, operator.client)),
    from: '10.2.0.4',
  });
  const { operatorId } = await reviewer.client.operatorMe();
  const { proposalId, hash } = await admin.client.proposeRight({ operatorId, right: 'reviewer' });
  await operator.client.approveProposal({ proposalId, hash });
  return { admin: admin.cookie(), operator: operator.cookie(), viewer: viewer.cookie(), reviewer: reviewer.cookie() };
}

async function codeOf(
  invited: { name: string; role: OperatorRole },
  admin: Client,
  operator: Client,
): Promise<{ code: string; name: string }> {
  const { code, proposal } = await admin.inviteOperator(invited);
  await operator.approveProposal({ proposalId: proposal.proposalId, hash: proposal.hash });
  return { code, name: invited.name };
}
