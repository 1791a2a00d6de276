/** Write-offs of deposits: one open proposal for each, and none for a deposit that is on the chain again. */
import { ApiError } from '@orrery/api';
import { sql } from 'kysely';
import type { Ground, ProposedChange } from './proposed-change.ts';
import type { OperatorsTx } from './tables.ts';

/** The caller holds the end of the audit log: no two are proposed at the same moment. @throws AlreadyThere */
export async function refuseSecondWriteOff(tx: OperatorsTx, key: string, { now, but }: { now: number; but: number }): Promise<void> {
  const other = await tx
    .selectFrom('operators_proposal')
    .select('proposal_id')
    .where('kind', '=', 'WRITE_OFF')
    .where(sql<string>`change::jsonb ->> 'depositKey'`, '=', key)
    .where('proposal_id', '!=', but)
    .where((of) => of.or([of('state', '=', 'APPROVED'), of.and([of('state', '=', 'WAITING'), of('expires_at', '>', now)])]))
    .executeTakeFirst();
  if (other !== undefined)
    throw new ApiError('AlreadyThere', { field: 'key', message: `proposal ${other.proposal_id} is about this deposit already` });
}

/** @throws DepositNotInSuspense, which says more than that the proposal is outdated */
export async function refuseReturned(proposed: ProposedChange, { lostDeposits }: Pick<Ground, 'lostDeposits'>): Promise<void> {
  if (proposed.kind !== 'WRITE_OFF') return;
  const state = (await lostDeposits.find(proposed.depositKey))?.state ?? 'RETURNED';
  if (state === 'RETURNING' || state === 'RETURNED') throw new ApiError('DepositNotInSuspense', { field: '' });
}
