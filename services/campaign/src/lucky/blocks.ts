/**
 * Decides about lucky blocks and pays the winners: at each announcement about every final one whose time lies before it.
 * A decision is on disk before it is paid, an award is given once under its key, so that this may stop anywhere.
 */
import { ApiError, LUCKY_BLOCK_POINTS } from '@orrery/api';
import type { AccountDirectory } from '@orrery/foundation';
import type { Heart } from '@orrery/protocol';
import { type AccountId, type Address, addressOf, assert, type Seq } from '@orrery/units';
import { StopSignal } from '@orrery/views';
import type { Kysely, Selectable } from 'kysely';
import type { Awards } from '../awards/awards.ts';
import type { FundPort } from '../ports.ts';
import type { Clusters } from '../clusters/clusters.ts';
import type { Announcements } from './announcements.ts';
import { LuckyAlarms } from './alarms.ts';
import type { LuckyFindsPort, LuckyFind } from './finds.ts';
import { dayOf, daySpan, refusalOf, type Span } from './rule.ts';
import type { CampaignTables } from '../tables/tables.ts';

/** What history knows of trades. */
export interface TradesPort {
  reached(seq: Seq): Promise<void>;
  /** Whether the account was in a trade for which it paid a fee. */
  hasPaidFee(query: { account: AccountId } & Span): Promise<boolean>;
}

/** Who belongs to one hand. */
export interface ClustersPort {
  reached(seq: Seq): Promise<void>;
  /** As they are found now, by what was traded in the campaigns that ran at `at`, unix milliseconds. */
  find(at: number): Promise<Pick<Clusters, 'isOneCluster'>>;
}

export interface LuckyBlocksParts {
  readonly heart: Heart;
  readonly db: Kysely<CampaignTables>;
  readonly members: AccountDirectory;
  readonly awards: Pick<Awards, 'give'>;
  readonly finds: LuckyFindsPort;
  readonly trades: TradesPort;
  readonly clusters: ClustersPort;
  readonly funds: Pick<FundPort, 'leaderOf'>;
  readonly announcements: Announcements;
  /** Addresses of the exchange itself. */
  readonly excluded: ReadonlySet<Address>;
  readonly now: () => number;
  readonly onTrouble: (error: unknown) => void;
}

export type LuckyDecision = Selectable<CampaignTables['campaign_lucky_decision']>;
type Sent = LuckyFind & { readonly transaction: NonNullable<LuckyFind['transaction']> };

export class LuckyBlocks {
  readonly alarms: LuckyAlarms;
  readonly #parts: LuckyBlocksParts;
  readonly #signal = new StopSignal();
  #running: Promise<void> | undefined;

  constructor(parts: LuckyBlocksParts) {
    const { db, finds, now, onTrouble } = parts;
    this.#parts = parts;
    this.alarms = new LuckyAlarms({ db, finds, now, onTrouble });
  }

  /** Announces what is due, looks at what is new, and pays what is owed; asked again meanwhile it is the same run. */
  runDue(): Promise<void> {
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
    return this.#running;
  }

  async stop(): Promise<void> {
    this.#signal.stop();
    await this.#running?.catch(() => undefined);
  }

  async decisions(hashes: readonly string[]): Promise<ReadonlyMap<string, LuckyDecision>> {
    if (hashes.length === 0) return new Map();
    const rows = await this.#parts.db.selectFrom('campaign_lucky_decision').selectAll().where('block_hash', 'in', hashes).execute();
    return new Map(rows.map((row) => [row.block_hash, row]));
  }

  async #run(): Promise<void> {
    const { announcements, now } = this.#parts;
    const due = announcements.latest(now());
    const { announced_at: announcedAt } = await this.#cursor();
    if (due > announcedAt) {
      const reached = await this.#signal.race(this.#reached(due));
      if (reached === 'stopped') return;
      await this.#announce(due);
    }
    // First: what chance does not explain is not paid before an operator has looked.
    await this.alarms.examine();
    if (!(await this.alarms.arePausing())) await this.#pay();
  }

  /** Resolves when everything is known that the announcement goes by. */
  async #reached(due: number): Promise<void> {
    const { heart, finds, trades, clusters } = this.#parts;
    await finds.reached(due);
    const { seq } = heart.status();
    await Promise.all([trades.reached(seq), clusters.reached(seq)]);
  }

  async #announce(due: number): Promise<void> {
    const { finds, db } = this.#parts;
    const { decided_id: decidedId } = await this.#cursor();
    for (const find of await finds.after(decidedId)) {
      if (find.isTakenBack) continue;
      if (find.blockTime >= due) break;
      await this.#decide(find);
    }
    await db.updateTable('campaign_lucky_cursor').set({ announced_at: due }).where('announced_at', '<', due).execute();
  }

  async #decide(find: LuckyFind): Promise<void> {
    const { db, now } = this.#parts;
    const refusal = isSent(find) ? await this.#refusal(find) : undefined;
    await db.transaction().execute(async (tx) => {
      if (isSent(find)) {
        const row = {
          block_hash: find.blockHash,
          block_number: find.blockNumber,
          day: dayOf(find.blockTime),
          sender: find.transaction.sender,
          decision: refusal === undefined ? ('won' as const) : ('refused' as const),
          reason: refusal ?? '',
          decided_at: now(),
          paid_at: null,
        };
        // One that came back after it was taken back, and was decided before, stays decided.
        await tx
          .insertInto('campaign_lucky_decision')
          .values(row)
          .onConflict((conflict) => conflict.column('block_hash').doNothing())
          .execute();
      }
      await tx.updateTable('campaign_lucky_cursor').set({ decided_id: find.id }).execute();
    });
  }

  /** Decided by the block's time, so that a late decision equals one in time; only the clusters are those known at the decision. */
  async #refusal({ blockTime, transaction }: Sent): Promise<string | undefined> {
    const { members, funds, excluded, trades, announcements } = this.#parts;
    const { sender } = transaction;
    const member = members.find(sender);
    const span = daySpan(blockTime);
    const day = dayOf(blockTime);
    const winners = await this.#winners(day);
    const until = Math.min(span.until, announcements.firstAfter(blockTime));
    return refusalOf({
      ...transaction,
      // A fund is no person either.
      isOfTheExchange: excluded.has(sender) || (member !== undefined && funds.leaderOf(member.account) !== undefined),
      account: member && { isBlocked: member.flags.blocked },
      hasTraded: member !== undefined && (await trades.hasPaidFee({ account: member.account, from: span.from, until })),
      hasWon: winners.includes(sender),
      clusterHasWon: member !== undefined && (await this.#isOfCluster(member.account, { winners, blockTime })),
      winnersOfDay: winners.length,
    });
  }

  async #isOfCluster(account: AccountId, { winners, blockTime }: { winners: readonly Address[]; blockTime: number }): Promise<boolean> {
    const { members, clusters } = this.#parts;
    // Looking for clusters is work, and most days have no winner before.
    if (winners.length === 0) return false;
    const { isOneCluster } = await clusters.find(blockTime);
    return winners.some((winner) => {
      const other = members.find(winner)?.account;
      return other !== undefined && isOneCluster(account, other);
    });
  }

  /** Who won on a UTC day, by blocks that stand or were paid. */
  async #winners(day: string): Promise<readonly Address[]> {
    const { db, finds } = this.#parts;
    const won = await db
      .selectFrom('campaign_lucky_decision')
      .select(['block_hash', 'sender', 'paid_at'])
      .where('day', '=', day)
      .where('decision', '=', 'won')
      .execute();
    const winners: Address[] = [];
    for (const { block_hash: blockHash, sender, paid_at: paidAt } of won) {
      if (paidAt !== null || (await isIntact(finds, blockHash))) winners.push(addressOf(sender));
      else await this.#forget(blockHash);
    }
    return winners;
  }

  /** A block that the chain took back before it was paid has won nothing; if it comes back, it is decided again. */
  async #forget(blockHash: string): Promise<void> {
    await this.#parts.db.deleteFrom('campaign_lucky_decision').where('block_hash', '=', blockHash).where('paid_at', 'is', null).execute();
  }

  async #pay(): Promise<void> {
    const { db, finds } = this.#parts;
    const owed = await db
      .selectFrom('campaign_lucky_decision')
      .select(['block_hash', 'day', 'sender'])
      .where('decision', '=', 'won')
      .where('paid_at', 'is', null)
      .orderBy('block_number')
      .execute();
    for (const { block_hash: blockHash, day, sender } of owed) {
      if (await isIntact(finds, blockHash)) await this.#payOne({ blockHash, day, sender });
      else await this.#forget(blockHash);
    }
  }

  async #payOne({ blockHash, day, sender }: { blockHash: string; day: string; sender: string }): Promise<void> {
    const { awards, members, db, now, onTrouble } = this.#parts;
    const address = addressOf(sender);
    const account = members.find(address)?.account;
    assert(account !== undefined, `a lucky block was won by ${sender}, who has no account`);
    const row = db.updateTable('campaign_lucky_decision').where('block_hash', '=', blockHash);
    try {
      await awards.give({
        key: `lucky:${day}:${address}`,
        account,
        kind: 'LUCKY_BLOCK',
        name: { en: 'Lucky Block' },
        points: LUCKY_BLOCK_POINTS,
        at: now(),
      });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.data.reason === 'AccountBlocked') await row.set({ decision: 'refused', reason: 'the account is blocked' }).execute();
      // An empty budget is filled again the next day: the winner waits.
      else onTrouble(error);
      return;
    }
    await row.set({ paid_at: now() }).execute();
  }

  #cursor() {
    return this.#parts.db.selectFrom('campaign_lucky_cursor').selectAll().executeTakeFirstOrThrow();
  }
}

const isSent = (find: LuckyFind): find is Sent => find.transaction !== undefined;

async function isIntact(finds: LuckyFindsPort, blockHash: string): Promise<boolean> {
  return (await finds.find(blockHash))?.isTakenBack === false;
}
