/**
 * Who produces blocks can try until a hash is lucky. What can be seen of it is a share that chance does not explain: such a
 * sender, such a chain, and a block that was paid and then taken back, are shown to the operator; such a chain pauses the awards.
 */
import { LUCKY_PREFIXES } from '@orrery/api';
import { ApiError } from '@orrery/api';
import type { Address } from '@orrery/units';
import { type Kysely, type Selectable, sql } from 'kysely';
import { binomialTail } from '../binomial.ts';
import type { LuckyFind, LuckyFindsPort } from './finds.ts';
import { daySpan, monthSpan, type Span } from './rule.ts';
import type { CampaignTables } from '../tables/tables.ts';

/** The number of lucky prefixes of a hash, of 65,536. */
const CHANCE = LUCKY_PREFIXES.length / 65_536;
const IMPROBABLE = 1e-6;
const ALARMS_SHOWN = 100;

export interface LuckyAlarm {
  readonly kind: 'SENDER' | 'CHAIN' | 'REORGED';
  /** An address, or the hash of a block. */
  readonly subject: string;
  /** A UTC day or month, such as 2026-11-22 or 2026-11. */
  readonly period: string;
  /** Of the sender; empty when it is about no single one. */
  readonly address: string;
  /** How many were lucky. */
  readonly blocks: number;
  /** Nothing is paid for lucky blocks until an operator has looked at it. */
  readonly pausesAwards: boolean;
  /** How many chance makes lucky, as a decimal. */
  readonly expected: string;
  readonly sentence: string;
  /** Unix milliseconds: when it was raised. */
  readonly at: number;
}

type AlarmRow = Selectable<CampaignTables['campaign_lucky_alarm']>;
type Raised = Pick<AlarmRow, 'kind' | 'subject' | 'period' | 'evidence'>;

export class LuckyAlarms {
  readonly #db: Kysely<CampaignTables>;
  readonly #finds: LuckyFindsPort;
  readonly #now: () => number;
  readonly #onTrouble: (error: unknown) => void;

  constructor(parts: { db: Kysely<CampaignTables>; finds: LuckyFindsPort; now: () => number; onTrouble: (error: unknown) => void }) {
    this.#db = parts.db;
    this.#finds = parts.finds;
    this.#now = parts.now;
    this.#onTrouble = parts.onTrouble;
  }

  /** Newest first. */
  async list(): Promise<readonly LuckyAlarm[]> {
    const rows = await this.#db.selectFrom('campaign_lucky_alarm').selectAll().orderBy('raised_at', 'desc').limit(ALARMS_SHOWN).execute();
    return rows.map(alarmOf);
  }

  /** Whether the luck of the whole chain is such that nothing is paid: more is not explained by chance than an operator has looked at. */
  async arePausing(): Promise<boolean> {
    const pausing = await this.#db
      .selectFrom('campaign_lucky_alarm')
      .select('subject')
      .where('kind', '=', 'CHAIN')
      .where(sql<boolean>`(evidence ->> 'lucky')::int > looked_lucky`)
      .executeTakeFirst();
    return pausing !== undefined;
  }

  /**
   * An operator has looked at this number of lucky blocks of a day: they pause nothing any more, one more does.
   * @throws ApiError when there is no such alarm.
   */
  async resume({ period, blocks }: { period: string; blocks: number }): Promise<void> {
    const row = await this.#db
      .updateTable('campaign_lucky_alarm')
      .set({ looked_lucky: sql<number>`greatest(looked_lucky, least(${blocks}::int, (evidence ->> 'lucky')::int))` })
      .where('kind', '=', 'CHAIN')
      .where('period', '=', period)
      .returning('subject')
      .executeTakeFirst();
    if (row === undefined) throw new ApiError('UnknownThing', { field: 'period' });
  }

  /** Looks at every find since the last time, and at what was paid and is gone. */
  async examine(): Promise<void> {
    const { examined_id: examinedId } = await this.#db.selectFrom('campaign_lucky_cursor').select('examined_id').executeTakeFirstOrThrow();
    for (const find of await this.#finds.after(examinedId)) {
      if (!find.isTakenBack) await this.#examineFind(find);
      await this.#db.updateTable('campaign_lucky_cursor').set({ examined_id: find.id }).execute();
    }
    await this.#examinePaid();
  }

  async #examineFind({ blockTime, transaction }: LuckyFind): Promise<void> {
    const date = new Date(blockTime).toISOString();
    const [day, month] = [date.slice(0, 10), date.slice(0, 7)];
    await this.#test({ kind: 'CHAIN', subject: 'every block', period: day, span: daySpan(blockTime) });
    if (transaction === undefined) return;
    const { sender } = transaction;
    await this.#test({ kind: 'SENDER', subject: sender, period: day, span: daySpan(blockTime), sender });
    await this.#test({ kind: 'SENDER', subject: sender, period: month, span: monthSpan(blockTime), sender });
  }

  async #test(asked: { kind: 'SENDER' | 'CHAIN'; subject: string; period: string; span: Span; sender?: Address }): Promise<void> {
    const { kind, subject, period, span, sender } = asked;
    const { draws, lucky } = await this.#finds.draws({ ...span, ...(sender !== undefined && { sender }) });
    const probability = binomialTail({ draws, successes: lucky, chance: CHANCE });
    if (probability < IMPROBABLE) await this.#raise({ kind, subject, period, evidence: { draws, lucky, probability } });
  }

  async #examinePaid(): Promise<void> {
    const takenBack = await this.#finds.takenBack();
    if (takenBack.length === 0) return;
    const paid = await this.#db
      .selectFrom('campaign_lucky_decision')
      .select(['block_hash', 'day'])
      .where('paid_at', 'is not', null)
      .where('block_hash', 'in', takenBack)
      .execute();
    for (const { block_hash: subject, day: period } of paid) {
      await this.#raise({ kind: 'REORGED', subject, period, evidence: { draws: 1, lucky: 1, probability: CHANCE } });
    }
  }

  /** New evidence about the same subject replaces the old; the alarm is sent once. */
  async #raise(alarm: Raised): Promise<void> {
    const { kind, subject, period } = alarm;
    const evidence = JSON.stringify(alarm.evidence);
    const inserted = await this.#db
      .insertInto('campaign_lucky_alarm')
      .values({ kind, subject, period, evidence, raised_at: this.#now() })
      .onConflict((conflict) => conflict.doNothing())
      .returning('subject')
      .executeTakeFirst();
    if (inserted !== undefined) {
      this.#onTrouble(new Error(sentenceOf(alarm)));
      return;
    }
    await this.#db
      .updateTable('campaign_lucky_alarm')
      .set({ evidence })
      .where('kind', '=', kind)
      .where('subject', '=', subject)
      .where('period', '=', period)
      .execute();
  }
}

function alarmOf(row: AlarmRow): LuckyAlarm {
  const { kind, subject, period, evidence, raised_at: at } = row;
  return {
    kind,
    subject,
    period,
    address: kind === 'SENDER' ? subject : '',
    blocks: evidence.lucky,
    pausesAwards: kind === 'CHAIN' && evidence.lucky > row.looked_lucky,
    expected: (evidence.draws * CHANCE).toFixed(4),
    sentence: sentenceOf(row),
    at,
  };
}

function sentenceOf({ kind, subject, period, evidence }: Raised): string {
  if (kind === 'REORGED') return `the chain took back the lucky block ${subject} of ${period} after it was paid`;
  const who = kind === 'SENDER' ? `the blocks that began with a chain transaction of ${subject}` : 'all blocks';
  const { lucky, draws, probability } = evidence;
  return `of ${who} in ${period} ${lucky} of ${draws} were lucky: chance does so with a probability of ${probability.toExponential(1)}`;
}
