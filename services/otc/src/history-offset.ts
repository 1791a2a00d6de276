/** How far this service has folded history. A missing row is mended when the service opens. */
import type { HistoryOffset } from '@orrery/foundation';
import type { OtcDb } from './tables.ts';

const REMEDY = 'restore a backup of the database that is not newer than the journal, or a newer journal';

export async function historyOffset(db: OtcDb): Promise<HistoryOffset> {
  const row = await db.selectFrom('otc_offset').select('seq').executeTakeFirst();
  return { name: 'The record of OTC orders', seq: row?.seq ?? 0, remedy: REMEDY };
}
