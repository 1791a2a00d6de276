/** Who stands where: computed from the flows while a campaign can still change, read from what was decided after. */
import { type AccountId, accountId, type Address } from '@orrery/units';
import type { Kysely } from 'kysely';
import { type Clusters, findClusters } from '../clusters/clusters.ts';
import type { Relations } from '../clusters/links.ts';
import { dayOfBlock } from './flows.ts';
import type { FlowFollower } from './follower.ts';
import type { MoneyPort, TracePort } from './leaderboard.ts';
import { type Period, prizeOf } from './periods.ts';
import { type Board, standings } from './scores.ts';
import type { Members } from '../members/members.ts';
import type { CampaignTables } from '../tables.ts';

/** Looking for clusters is work: it is done this seldom while nobody pays by it; milliseconds. */
const CLUSTERS_KEPT_MS = 10 * 60_000;
const RANKS_KEPT_MS = 5_000;

export interface Rank {
  readonly rank: number;
  readonly account: AccountId;
  readonly value: bigint;
  readonly points: number;
}

interface Kept<Value> {
  readonly at: number;
  readonly value: Promise<Value>;
}

export class Ranks {
  readonly #db: Kysely<CampaignTables>;
  readonly #members: Members;
  readonly #follower: FlowFollower;
  readonly #money: MoneyPort;
  readonly #traces: TracePort;
  readonly #isHouse: (account: AccountId) => boolean;
  readonly #houseAddresses: ReadonlySet<Address>;
  readonly #now: () => number;
  readonly #clusters = new Map<string, Kept<Clusters>>();
  readonly #ranks = new Map<string, Kept<readonly Rank[]>>();

  constructor(parts: {
    db: Kysely<CampaignTables>;
    members: Members;
    follower: FlowFollower;
    money: MoneyPort;
    traces: TracePort;
    isHouse: (account: AccountId) => boolean;
    houseAddresses: readonly Address[];
    now: () => number;
  }) {
    this.#db = parts.db;
    this.#members = parts.members;
    this.#follower = parts.follower;
    this.#money = parts.money;
    this.#traces = parts.traces;
    this.#isHouse = parts.isHouse;
    this.#houseAddresses = new Set(parts.houseAddresses);
    this.#now = parts.now;
  }

  /** Best first. A few seconds old at most, and by clusters of the last minutes. */
  of(period: Period, board: Board): Promise<readonly Rank[]> {
    if (period.isDecided) return this.#decided(period, board);
    return this.#kept(this.#ranks, `${period.campaignId} ${board}`, RANKS_KEPT_MS, async () =>
      this.#rank(period, board, await this.clusters(period.campaignId)),
    );
  }

  /** As they are at this moment, by clusters looked for anew. */
  async final(period: Period, board: Board): Promise<readonly Rank[]> {
    return this.#rank(period, board, await this.findClusters(period.campaignId));
  }

  /** As they were found a few minutes ago at most. */
  clusters(campaignId: string | undefined): Promise<Clusters> {
    return this.#kept(this.#clusters, campaignId ?? '', CLUSTERS_KEPT_MS, () => this.findClusters(campaignId));
  }

  /** Looked for anew: what pays goes by these. Outside of any campaign by money and invitations alone. */
  async findClusters(campaignId: string | undefined): Promise<Clusters> {
    const relations = await this.#relations();
    const flows = campaignId === undefined ? [] : this.#follower.course(campaignId).flows.all();
    return findClusters({ flows, relations, isHouse: this.#isHouse });
  }

  #rank(period: Period, board: Board, clusters: Clusters): readonly Rank[] {
    const { flows, marks } = this.#follower.course(period.campaignId);
    const found = standings(board, {
      flows: flows.all(),
      marks,
      marketOf: (market) => this.#members.market(market),
      clusterOf: (account) => clusters.rootOf(account),
      dayOf: (block) => dayOfBlock(block, period.startsAt),
      volumeCapPerDay: period.volumeCapPerDay,
      isRanked: (account) => !this.#isHouse(account) && this.#members.get(account)?.flags.blocked === false,
    });
    return found.map(({ account, value }, index) => {
      const rank = index + 1;
      return { rank, account, value, points: prizeOf(period, { rank, value }) };
    });
  }

  async #decided({ campaignId }: Period, board: Board): Promise<readonly Rank[]> {
    const rows = await this.#db
      .selectFrom('campaign_result')
      .selectAll()
      .where('campaign_id', '=', campaignId)
      .where('board', '=', board)
      .orderBy('rank')
      .execute();
    return rows.map(({ rank, account, value, points }) => ({ rank, account: accountId(account), value: BigInt(value), points }));
  }

  async #relations(): Promise<Relations> {
    const funding: { account: AccountId; address: string }[] = [];
    for (const { address, counterparty } of await this.#money.counterparties()) {
      // Whom the exchange pays or pays in for, the faucet's guests among them, has nothing to do with the next one.
      if (this.#houseAddresses.has(counterparty)) continue;
      for (const one of [address, counterparty]) {
        const account = this.#members.find(one)?.account;
        if (account !== undefined) funding.push({ account, address: counterparty });
      }
    }
    const invites = await this.#db.selectFrom('campaign_invite').select(['invited', 'inviter']).orderBy('invited').execute();
    return {
      funding,
      invites: invites.map(({ invited, inviter }) => ({ account: accountId(invited), inviter: accountId(inviter) })),
      traces: await this.#traces.all(),
    };
  }

  /** Who asks while it is computed waits for the same; what failed is tried anew by the next. */
  #kept<Value>(all: Map<string, Kept<Value>>, key: string, keepMs: number, make: () => Promise<Value>): Promise<Value> {
    const found = all.get(key);
    const now = this.#now();
    if (found !== undefined && now - found.at < keepMs) return found.value;
    const value = make();
    all.set(key, { at: now, value });
    value.catch(() => all.delete(key));
    return value;
  }
}
