/** Records an alarm: from then on money is halted. */
import type { Kysely } from 'kysely';
import type { IndexerTables } from './tables.ts';

export interface Alarm {
  /** Of the fact: an alarm is raised once for it, also after a person has ended it. */
  readonly key: string;
  readonly reason: string;
  readonly block: number;
  /** Unix milliseconds. */
  readonly at: number;
}

export async function raiseAlarm(sql: Kysely<IndexerTables>, { key, reason, block, at }: Alarm): Promise<void> {
  await sql
    .insertInto('indexer_halt')
    .values({ kind: 'alarm', key, reason, block_number: block, since: at, ended_at: null })
    .onConflict((row) => row.column('key').doNothing())
    .execute();
}
