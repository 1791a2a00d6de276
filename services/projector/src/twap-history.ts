/** TWAP orders that are over, read from SQL, newest first. */
import type { EndedTwap } from '@orrery/api';
import { countUpTo } from '@orrery/foundation';
import type { AccountId, MarketId, Millis } from '@orrery/units';
import type { Kysely } from 'kysely';
import { printTwap, type ContractTexts } from './contract-print.ts';
import { cursorOf, NOTHING, pageOf, type PageOf, type Slot } from './page.ts';
import type { ProjectorTables } from './tables.ts';

interface Wanted extends Slot {
  readonly account: AccountId;
  readonly market?: MarketId;
  readonly startTime?: Millis;
  readonly endTime?: Millis;
}

export async function endedTwaps(
  db: Kysely<ProjectorTables>,
  query: Wanted,
  termsOf: (market: number) => ContractTexts,
): Promise<PageOf<EndedTwap>> {
  const after = cursorOf(query.id);
  if (after === 'unknown') return NOTHING;
  let select = db.selectFrom('projector_twap').where('account', '=', query.account).where('closed_at', 'is not', null);
  if (query.market !== undefined) select = select.where('market', '=', query.market);
  if (query.startTime !== undefined) select = select.where('closed_at', '>=', query.startTime);
  if (query.endTime !== undefined) select = select.where('closed_at', '<=', query.endTime);
  const total = await countUpTo(db, select.select('twap_id'));
  if (after !== undefined) select = select.where('twap_id', '<', after);
  return pageOf(select.selectAll().orderBy('twap_id', 'desc'), {
    slot: query,
    total,
    print: (row) => printTwap(row, termsOf(row.market)),
    nameOf: (row) => String(row.twap_id),
  });
}
