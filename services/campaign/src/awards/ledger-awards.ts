/** Awards as the heart emits them: every award of the ledger is in the history of points, even when SQL had lost it. */
import type { Event } from '@orrery/protocol';
import { negateAtoms } from '@orrery/units';
import type { Moment } from '@orrery/views';
import type { Transaction } from 'kysely';
import type { PointsEntry } from './awards.ts';
import type { CampaignTables } from '../tables/tables.ts';

/** What people read as the name of a task; undefined for one that is planned no more. */
export type TaskNames = (code: string) => string | undefined;

export type LedgerAward = Extract<Event, { type: 'Awarded' | 'AwardReversed' }>;

/** A row that was decided keeps its words; one that was lost gets those of its key, and counts as seen. */
export async function recordAward(
  tx: Transaction<CampaignTables>,
  event: LedgerAward,
  { at, seq, taskNameOf }: Moment & { readonly taskNameOf: TaskNames },
): Promise<void> {
  const given = event.type === 'Awarded';
  const awardKey = given ? event.key : event.awardKey;
  const name = nameOf(awardKey, taskNameOf);
  await tx
    .insertInto('campaign_award')
    .values({
      key: event.key,
      account: event.account,
      kind: given ? kindOf(awardKey) : 'REVERSAL',
      name: JSON.stringify({ en: given ? name : `Taken back: ${name}` }),
      points: Number(given ? event.amount : negateAtoms(event.amount)),
      at,
      seen_at: at,
      command_seq: seq,
    })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ command_seq: seq }))
    .execute();
}

function kindOf(key: string): PointsEntry['kind'] {
  if (key.startsWith('task:')) return 'TASK';
  if (key.startsWith('lucky:')) return 'LUCKY_BLOCK';
  return key.startsWith('board:') || key.startsWith('appeal:') ? 'LEADERBOARD' : 'MANUAL';
}

function nameOf(key: string, taskNameOf: TaskNames): string {
  switch (kindOf(key)) {
    case 'LUCKY_BLOCK':
      return 'Lucky Block';
    case 'LEADERBOARD':
      return 'Leaderboard campaign';
    case 'TASK':
      return taskNameOf(key.split(':', 2)[1] ?? '') ?? 'A task';
    default:
      return 'Given by the operators';
  }
}
