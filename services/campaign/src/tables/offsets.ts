/** How far this service has folded history. A missing row is mended when the service opens. */
import type { HistoryOffset } from '@orrery/foundation';
import type { Kysely } from 'kysely';
import type { CampaignTables } from './tables.ts';

const REMEDY = 'restore a backup of the database that is not newer than the journal, or a newer journal';

export async function historyOffsets(db: Kysely<CampaignTables>): Promise<readonly HistoryOffset[]> {
  const claims = await db.selectFrom('campaign_offset').select('seq').executeTakeFirst();
  const flows = await db.selectFrom('campaign_flow_offset').select('seq').executeTakeFirst();
  return [
    { name: "The campaign's record of claims and points", seq: claims?.seq ?? 0, remedy: REMEDY },
    { name: "The leaderboard's record of trades", seq: flows?.seq ?? 0, remedy: REMEDY },
  ];
}
