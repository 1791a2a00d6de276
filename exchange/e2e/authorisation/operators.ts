/** For the matrix of calls and callers: an operator of each role, by the cookie of their session. */
import type { OperatorRole } from '@orrery/api';
import type { Client } from '@orrery/sdk';
import { join } from '../operator.ts';
import { FIRST_CODE } from './ground.ts';

/** The admin is the first; the operator is invited by the admin alone, the viewer by both of them. */
export async function cookiesOfOperators(url: string): Promise<Readonly<Record<OperatorRole, string>>> {
  const admin = await join(url, { code: FIRST_CODE, name: 'ann', from: '10.2.0.1' });
  const invited = await admin.client.inviteOperator({ name: 'otto', role: 'operator' });
  const operator = await join(url, { code: invited.code, name: 'otto', from: '10.2.0.2' });
  const viewer = await join(url, { ...(await viewerCode(admin.client, operator.client)), from: '10.2.0.3' });
  return { admin: admin.cookie(), operator: operator.cookie(), viewer: viewer.cookie() };
}

async function viewerCode(admin: Client, operator: Client): Promise<{ code: string; name: string }> {
  const name = 'vera';
  const { code, proposal } = await admin.inviteOperator({ name, role: 'viewer' });
  await operator.approveProposal({ proposalId: proposal.proposalId, hash: proposal.hash });
  return { code, name };
}
