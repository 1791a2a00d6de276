/**
 * Pays the prizes of a campaign when its review is over: the ranks are computed once more, with clusters computed again, and stored
 * for good; then each prize is given under a key of its own, again and again until all are. No crash between two steps pays twice or forgets.
 */
import { ApiError } from '@orrery/api';
import type { AccountDirectory } from '@orrery/foundation';
import type { Heart } from '@orrery/protocol';
import { accountId } from '@orrery/units';
import type { Kysely } from 'kysely';
import type { Awards } from '../awards/awards.ts';
import { prizeKey } from './appeals.ts';
import type { FlowFollower } from './follower.ts';
import type { Period, Periods } from './periods.ts';
import { type Ranks, withholds } from './ranks.ts';
import type { Board } from '../tables/leaderboard.ts';
import type { CampaignTables } from '../tables/tables.ts';

const ROWS_PER_STATEMENT = 1_000;

export class Payout {
  readonly #heart: Heart;
  readonly #db: Kysely<CampaignTables>;
  readonly #members: AccountDirectory;
  readonly #awards: Pick<Awards, 'give'>;
  readonly #periods: Periods;
  readonly #follower: FlowFollower;
  readonly #ranks: Ranks;
  readonly #now: () => number;
  readonly #onTrouble: (error: unknown) => void;

  constructor(parts: {
    heart: Heart;
    db: Kysely<CampaignTables>;
    members: AccountDirectory;
    awards: Pick<Awards, 'give'>;
    periods: Periods;
    follower: FlowFollower;
    ranks: Ranks;
    now: () => number;
    onTrouble: (error: unknown) => void;
  }) {
    this.#heart = parts.heart;
    this.#db = parts.db;
    this.#members = parts.members;
    this.#awards = parts.awards;
    this.#periods = parts.periods;
    this.#follower = parts.follower;
    this.#ranks = parts.ranks;
    this.#now = parts.now;
    this.#onTrouble = parts.onTrouble;
  }

  /** Also what an earlier run could not finish: an empty budget fills up the next day. */
  async payDue(): Promise<void> {
    const due = this.#periods.all().filter(({ paysAt, endsAt, isPaid }) => !isPaid && paysAt <= this.#now() && endsAt <= this.#now());
    for (const period of due.toReversed()) {
      if (!period.isDecided) await this.#decide(period);
      try {
        await this.#pay(period);
      } catch (error) {
        this.#onTrouble(error);
      }
    }
    if (due.length > 0) await this.#periods.load();
  }

  async #decide(period: Period): Promise<void> {
    const { campaignId } = period;
    await this.#follower.reached(await this.#heart.end());
    const clusters = await this.#ranks.findClusters(campaignId);
    const rows: CampaignTables['campaign_result'][] = [];
    for (const board of period.boards) {
      for (const { rank, account, value, points } of this.#ranks.final(period, board, clusters))
        rows.push({
          campaign_id: campaignId,
          board,
          rank,
          account,
          value: String(value),
          points,
          settled_at: points > 0 ? null : this.#now(),
        });
    }
    await this.#db.transaction().execute(async (tx) => {
      const decided = await tx
        .updateTable('campaign_period')
        .set({ decided_at: this.#now() })
        .where('campaign_id', '=', campaignId)
        .where('decided_at', 'is', null)
        .executeTakeFirst();
      // A concurrent call was earlier: its ranks count.
      if (decided.numUpdatedRows === 0n) return;
      for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT)
        await tx
          .insertInto('campaign_result')
          .values(rows.slice(start, start + ROWS_PER_STATEMENT))
          .execute();
      const withheld = clusters.all.filter(withholds).flatMap(({ members, evidence }) =>
        members.map((account) => ({
          campaign_id: campaignId,
          account,
          root: clusters.rootOf(account),
          evidence: JSON.stringify(evidence),
        })),
      );
      for (let start = 0; start < withheld.length; start += ROWS_PER_STATEMENT)
        await tx
          .insertInto('campaign_withheld')
          .values(withheld.slice(start, start + ROWS_PER_STATEMENT))
          .execute();
    });
    this.#follower.forget(campaignId);
  }

  async #pay({ campaignId, name }: Period): Promise<void> {
    const due = await this.#db
      .selectFrom('campaign_result')
      .selectAll()
      .where('campaign_id', '=', campaignId)
      .where('settled_at', 'is', null)
      .orderBy('rank')
      .orderBy('board')
      .execute();
    for (const row of due) {
      await this.#give({ campaignId, board: row.board, account: row.account, points: row.points, name: `${name.en}: rank ${row.rank}` });
      await this.#db
        .updateTable('campaign_result')
        .set({ settled_at: this.#now() })
        .where('campaign_id', '=', campaignId)
        .where('board', '=', row.board)
        .where('account', '=', row.account)
        .execute();
    }
    await this.#db.updateTable('campaign_period').set({ paid_at: this.#now() }).where('campaign_id', '=', campaignId).execute();
  }

  /** An account blocked meanwhile gets nothing; every other failure is retried. */
  async #give(prize: { campaignId: string; board: Board; account: number; points: number; name: string }): Promise<void> {
    const { campaignId, board, points } = prize;
    const account = accountId(prize.account);
    const address = this.#members.get(account)?.address;
    if (address === undefined) throw new Error(`account ${account} has a rank and is not known`);
    const key = prizeKey({ campaignId, board, address });
    try {
      await this.#awards.give({ key, account, kind: 'LEADERBOARD', name: { en: prize.name }, points, at: this.#now() });
    } catch (error) {
      if (!(error instanceof ApiError) || error.data.reason !== 'AccountBlocked') throw error;
    }
  }
}
