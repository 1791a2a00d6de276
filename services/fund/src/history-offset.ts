/** How far this service has folded history. A missing row is written when the service opens. */
import type { HistoryOffset } from '@orrery/foundation';
import type { FundDb } from './tables.ts';

const REMEDY = 'restore a backup of the database that is not newer than the journal, or a newer journal';

export async function historyOffset(db: FundDb): Promise<HistoryOffset> {
  const row = await db.selectFrom('fund_offset').select('seq').executeTakeFirst();
  return { name: 'The record of funds', seq: row?.seq ?? 0, remedy: REMEDY };
}
