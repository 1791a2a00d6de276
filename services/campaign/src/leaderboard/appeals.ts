/**
 * Appeals: a member of a cluster, or an account whose prize was taken back, may object once for each campaign. An accepted
 * one marks the cluster as separate people, and what they were not given for it is paid: under keys of its own, so that no crash between two
 * steps pays twice or forgets.
 */
import { ApiError } from '@orrery/api';
import { type AccountDirectory, countUpTo } from '@orrery/foundation';
import { type AccountId, accountId, type Address } from '@orrery/units';
import type { Kysely, Selectable } from 'kysely';
import type { Awards } from '../awards/awards.ts';
import type { Evidence } from '../clusters/clusters.ts';
import type { Board } from '../tables/leaderboard.ts';
import type { PersonKeysPort } from '../ports.ts';
import type { CampaignTables } from '../tables/tables.ts';
import type { Period, Periods } from './periods.ts';
import type { Ranks } from './ranks.ts';

export type AppealState = 'WAITING' | 'ACCEPTED' | 'DECLINED';

export interface Appeal {
  readonly appealId: number;
  readonly campaignId: string;
  readonly account: AccountId;
  readonly text: string;
  /** Unix milliseconds. */
  readonly filedAt: number;
  readonly state: AppealState;
  /** What the operators said to it; empty while it waits. */
  readonly answer: string;
  readonly decidedAt: number | null;
  /** The cluster as it was then, and what joined it. */
  readonly members: readonly AccountId[];
  readonly evidence: readonly Evidence[];
}

/** The part of an account's trades that does not count in a campaign, and why. */
export interface Withheld {
  /** The members of the cluster, the appellant included; empty without a cluster. */
  readonly members: readonly AccountId[];
  readonly evidence: readonly Evidence[];
  /** Points of prizes that were taken back. */
  readonly takenBack: number;
  readonly appeal: Appeal | undefined;
}

export interface AppealDecision {
  readonly appealId: number;
  readonly decision: Exclude<AppealState, 'WAITING'>;
  readonly answer: string;
}

interface Person {
  readonly account: AccountId;
  readonly address: Address;
}

export class Appeals {
  readonly #db: Kysely<CampaignTables>;
  readonly #reads: Kysely<CampaignTables>;
  readonly #keys: PersonKeysPort;
  readonly #members: AccountDirectory;
  readonly #awards: Pick<Awards, 'give'>;
  readonly #periods: Periods;
  readonly #ranks: Ranks;
  readonly #now: () => number;
  readonly #onTrouble: (error: unknown) => void;

  constructor(parts: {
    db: Kysely<CampaignTables>;
    /** For lists that are paged through. */
    reads: Kysely<CampaignTables>;
    keys: PersonKeysPort;
    members: AccountDirectory;
    awards: Pick<Awards, 'give'>;
    periods: Periods;
    ranks: Ranks;
    now: () => number;
    onTrouble: (error: unknown) => void;
  }) {
    this.#db = parts.db;
    this.#reads = parts.reads;
    this.#keys = parts.keys;
    this.#members = parts.members;
    this.#awards = parts.awards;
    this.#periods = parts.periods;
    this.#ranks = parts.ranks;
    this.#now = parts.now;
    this.#onTrouble = parts.onTrouble;
  }

  /** Texts of before there was a key per person lie open: once, before the first call, they are encrypted. */
  async load(): Promise<void> {
    const old = await this.#db.selectFrom('campaign_appeal').select(['appeal_id', 'account', 'text']).where('text', '!=', '').execute();
    for (const { appeal_id: appealId, account, text } of old) {
      const sealed = await this.#keys.encrypt(accountId(account), Buffer.from(text), boundTo(accountId(account)));
      await this.#db.updateTable('campaign_appeal').set({ text: '', sealed_text: sealed }).where('appeal_id', '=', appealId).execute();
    }
  }

  /** The words of the person and those to the person; that there was an appeal, and what became of it, stays. */
  async erase(account: AccountId): Promise<void> {
    await this.#db.updateTable('campaign_appeal').set({ text: '', sealed_text: null, answer: '' }).where('account', '=', account).execute();
  }

  async withheld(period: Period, { account, address }: Person): Promise<Withheld> {
    const { campaignId } = period;
    const row = await this.#db
      .selectFrom('campaign_appeal')
      .selectAll()
      .where('campaign_id', '=', campaignId)
      .where('account', '=', account)
      .executeTakeFirst();
    const keys = period.boards.map((board) => `reverse:${prizeKey({ campaignId, board, address })}`);
    const takenBack = await this.#given(keys);
    return { ...(await this.#ranks.withheld(period, account)), takenBack: Math.abs(takenBack), appeal: row && (await this.#appealOf(row)) };
  }

  /** The same words again are the same appeal. @throws ApiError when nothing was withheld, or another appeal was filed. */
  async file(period: Period, person: Person, text: string): Promise<void> {
    const words = text.trim();
    if (words === '') throw new ApiError('MalformedField', { field: 'text' });
    const { members, evidence, takenBack, appeal } = await this.withheld(period, person);
    if (appeal === undefined && members.length === 0 && takenBack === 0)
      throw new ApiError('NotQualified', { message: 'nothing was withheld from you in this campaign' });
    await this.#db
      .insertInto('campaign_appeal')
      .values({
        campaign_id: period.campaignId,
        account: person.account,
        text: '',
        sealed_text: await this.#keys.encrypt(person.account, Buffer.from(words), boundTo(person.account)),
        filed_at: this.#now(),
        state: 'WAITING',
        answer: '',
        decided_at: null,
        settled_at: null,
        members: JSON.stringify(members.length === 0 ? [person.account] : members),
        evidence: JSON.stringify(evidence),
      })
      .onConflict((conflict) => conflict.columns(['campaign_id', 'account']).doNothing())
      .execute();
    const kept = (await this.withheld(period, person)).appeal;
    if (kept?.text !== words)
      throw new ApiError('KeyConflict', { field: 'text', message: 'you have appealed already: one appeal for each campaign' });
  }

  /** Those that wait first, each kind newest first. `page` counts from 1. */
  async list({ page, size }: { page: number; size: number }): Promise<{ list: readonly Appeal[]; total: number }> {
    const total = await countUpTo(this.#reads, this.#reads.selectFrom('campaign_appeal').select('appeal_id'));
    const rows = await this.#reads
      .selectFrom('campaign_appeal')
      .selectAll()
      .orderBy((of) => of('state', '=', 'WAITING'), 'desc')
      .orderBy('appeal_id', 'desc')
      .limit(size)
      .offset((page - 1) * size)
      .execute();
    return { list: await Promise.all(rows.map((row) => this.#appealOf(row))), total };
  }

  /** @throws ApiError when there is none. */
  async stateOf(appealId: number): Promise<AppealState> {
    const row = await this.#db.selectFrom('campaign_appeal').select('state').where('appeal_id', '=', appealId).executeTakeFirst();
    if (row === undefined) throw new ApiError('UnknownThing', { field: 'appealId' });
    return row.state;
  }

  /** Decided the same way again nothing happens. @throws ApiError when there is none, or it was decided otherwise. */
  async decide({ appealId, decision, answer }: AppealDecision): Promise<void> {
    await this.#db.transaction().execute(async (tx) => {
      const row = await tx.selectFrom('campaign_appeal').selectAll().where('appeal_id', '=', appealId).forUpdate().executeTakeFirst();
      if (row === undefined) throw new ApiError('UnknownThing', { field: 'appealId' });
      if (row.state === decision) return;
      if (row.state !== 'WAITING') throw new ApiError('UnknownThing', { field: 'appealId', message: 'this appeal is decided' });
      const now = this.#now();
      await tx
        .updateTable('campaign_appeal')
        .set({ state: decision, answer, decided_at: now, settled_at: decision === 'DECLINED' ? now : null })
        .where('appeal_id', '=', appealId)
        .execute();
      if (decision === 'ACCEPTED')
        await tx
          .insertInto('campaign_apart')
          .values(row.members.map((account) => ({ appeal_id: appealId, account })))
          .execute();
    });
    this.#ranks.forget();
    await this.settleDue();
  }

  /** Pays what accepted appeals bring, once everybody else of the campaign is paid. */
  async settleDue(): Promise<void> {
    const due = await this.#db
      .selectFrom('campaign_appeal')
      .selectAll()
      .where('state', '=', 'ACCEPTED')
      .where('settled_at', 'is', null)
      .orderBy('appeal_id')
      .execute();
    for (const row of due) {
      const period = this.#periods.all().find(({ campaignId }) => campaignId === row.campaign_id);
      if (period?.isPaid !== true) continue;
      try {
        await this.#settle(period, await this.#appealOf(row));
      } catch (error) {
        // An empty budget is filled again the next day.
        this.#onTrouble(error);
      }
    }
  }

  async #settle(period: Period, { appealId, members }: Appeal): Promise<void> {
    const { campaignId, name } = period;
    for (const { board, ranks } of await this.#ranks.again(period)) {
      for (const { rank, account, points } of ranks) {
        const address = this.#members.get(account)?.address;
        if (address === undefined || !members.includes(account)) continue;
        const [prize, appealed] = [prizeKey({ campaignId, board, address }), `appeal:${campaignId}:${board}:${address}`];
        const owed = points - (await this.#given([prize, `reverse:${prize}`, appealed]));
        if (owed > 0) await this.#give({ key: appealed, account, name: `${name.en}: rank ${rank}`, points: owed });
      }
    }
    await this.#db.updateTable('campaign_appeal').set({ settled_at: this.#now() }).where('appeal_id', '=', appealId).execute();
  }

  async #give({ key, account, name, points }: { key: string; account: AccountId; name: string; points: number }): Promise<void> {
    try {
      await this.#awards.give({ key, account, kind: 'LEADERBOARD', name: { en: name }, points, at: this.#now() });
    } catch (error) {
      if (!(error instanceof ApiError) || error.data.reason !== 'AccountBlocked') throw error;
    }
  }

  /** Without words where the key of the person is erased. */
  async #appealOf(row: Selectable<CampaignTables['campaign_appeal']>): Promise<Appeal> {
    const account = accountId(row.account);
    const text = row.sealed_text === null ? undefined : await this.#keys.decrypt(account, row.sealed_text, boundTo(account));
    return {
      appealId: row.appeal_id,
      campaignId: row.campaign_id,
      account,
      text: text?.toString('utf8') ?? '',
      filedAt: row.filed_at,
      state: row.state,
      answer: row.answer,
      decidedAt: row.decided_at,
      members: row.members.map((member) => accountId(member)),
      evidence: row.evidence,
    };
  }

  /** Points in all, of awards and reversals under these keys. */
  async #given(keys: readonly string[]): Promise<number> {
    const rows = await this.#db
      .selectFrom('campaign_award')
      .select('points')
      .where('key', 'in', keys)
      .where('command_seq', 'is not', null)
      .execute();
    return rows.reduce((sum, { points }) => sum + points, 0);
  }
}

/** Under which a prize is given. */
export const prizeKey = ({ campaignId, board, address }: { campaignId: string; board: Board; address: Address }): string =>
  `board:${campaignId}:${board}:${address}`;

const boundTo = (account: AccountId): string => `appeal of ${account}`;
