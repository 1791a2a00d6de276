/** Bug reports that were accepted: an award by hand for each, and no second one for the same report. */
import { createHash } from 'node:crypto';
import { ApiError } from '@orrery/api';
import type { Address } from '@orrery/units';
import { sql } from 'kysely';
import type { ProposedChange } from './proposed-change.ts';
import type { OperatorsTx } from './tables.ts';

export type BugReport = Extract<ProposedChange, { kind: 'BUG_REPORT' }>;

/** What the person reads. */
export const BUG_REPORT_REASON = 'Bug report accepted';

/** The same report, however its link is written, has one id: it names the award. */
export function bugReport({ address, points, reference }: { address: Address; points: number; reference: string }): BugReport {
  const one = reference.toLowerCase().replace(/\/+$/, '');
  return { kind: 'BUG_REPORT', address, points, reference, id: `bug-${createHash('sha256').update(one).digest('base64url')}` };
}

/** The caller holds the end of the audit log: no two are proposed at the same moment. @throws AlreadyThere */
export async function refuseSecond(tx: OperatorsTx, { id }: BugReport, { now, but }: { now: number; but: number }): Promise<void> {
  const other = await tx
    .selectFrom('operators_proposal')
    .leftJoin('operators_action', 'operators_action.proposal_id', 'operators_proposal.proposal_id')
    .select('operators_proposal.proposal_id')
    .where('operators_proposal.kind', '=', 'BUG_REPORT')
    .where(sql<string>`operators_proposal.change::jsonb ->> 'id'`, '=', id)
    .where('operators_proposal.proposal_id', '!=', but)
    .where('operators_action.refusal', 'is', null)
    .where((of) =>
      of.or([
        of('state', 'in', ['APPROVED', 'DONE']),
        of.and([of('state', '=', 'WAITING'), of('operators_proposal.expires_at', '>', now)]),
      ]),
    )
    .executeTakeFirst();
  if (other !== undefined)
    throw new ApiError('AlreadyThere', { field: 'reference', message: `proposal ${other.proposal_id} is about this report already` });
}
