/** The leaderboard campaigns put together: periods, flows, clusters, ranks, payout. */
import type { Handlers, LeaderboardCampaign, leaderboardRoutes } from '@orrery/api';
import { type AccountDirectory, type LeasePort, repeat, whileHeld } from '@orrery/foundation';
import type { Heart } from '@orrery/protocol';
import type { AccountId, Address, Seq } from '@orrery/units';
import type { Kysely } from 'kysely';
import type { Awards } from '../awards/awards.ts';
import type { Clusters } from '../clusters/clusters.ts';
import type { FundPort, MoneyPort, PersonKeysPort, TracePort } from '../ports.ts';
import { Appeals } from './appeals.ts';
import { ClusterMembers } from './cluster-members.ts';
import { campaignText, leaderboardHandlers } from './handlers.ts';
import { FlowFollower } from './follower.ts';
import {
  appealOperations,
  type AppealsOperations,
  boardOperations,
  type BoardOperations,
  campaignOperations,
  type CampaignsOperations,
} from './operations.ts';
import { Payout } from './payout.ts';
import { type LeaderboardTerms, Periods } from './periods.ts';
import { type FundingMinimum, Ranks } from './ranks.ts';
import type { CampaignTables } from '../tables/tables.ts';

const MINUTE_CRON = '* * * * *';

export interface LeaderboardGround {
  readonly terms: LeaderboardTerms;
  readonly money: MoneyPort;
  /** Of each coin that can join a payer and an account. */
  readonly fundingMinimums: readonly FundingMinimum[];
  readonly traces: TracePort;
  /** The exchange's own: they trade with everybody, pay everybody, and stand on no board. */
  readonly houseAddresses: readonly Address[];
  readonly funds: FundPort;
}

export interface LeaderboardOptions extends LeaderboardGround {
  readonly heart: Heart;
  readonly db: Kysely<CampaignTables>;
  readonly reads: Kysely<CampaignTables>;
  readonly members: AccountDirectory;
  readonly awards: Pick<Awards, 'give'>;
  readonly keys: PersonKeysPort;
  readonly leases: LeasePort;
  readonly now: () => number;
  readonly onTrouble: (error: unknown) => void;
}

export interface Leaderboard {
  readonly handlers: Handlers<typeof leaderboardRoutes>;
  readonly operations: { readonly board: BoardOperations; readonly campaigns: CampaignsOperations; readonly appeals: AppealsOperations };
  /** What a person wrote in appeals is gone when it resolves. */
  erase(account: AccountId): Promise<void>;
  /** All of them, latest first. */
  campaigns(): readonly LeaderboardCampaign[];
  readonly clusters: {
    /** As `reached` of the leaderboard. */
    reached(wanted: Seq): Promise<void>;
    /** As they are found at this moment, by what was traded in the campaigns that ran at `at`, unix milliseconds. */
    find(at: number): Promise<Pick<Clusters, 'isOneCluster'>>;
    /** The accounts of one's cluster, oneself among them; as they were found a few minutes ago at most. */
    membersOf(account: AccountId): Promise<readonly AccountId[]>;
    /** As they are found by everything that has happened until now. */
    membersNow(account: AccountId): Promise<readonly AccountId[]>;
  };
  /** Resolves when every trade up to there is counted. */
  reached(wanted: Seq): Promise<void>;
  runDue(): Promise<void>;
  stop(): Promise<void>;
}

/** The members must be started. */
export async function openLeaderboard(options: LeaderboardOptions): Promise<Leaderboard> {
  const { heart, db, members, awards, terms, now, onTrouble } = options;
  const periods = new Periods({ db, terms, now });
  await periods.load();
  // Before history is followed: no trade of a new week is taken for one of no campaign.
  await periods.makeWeekly();
  const follower = new FlowFollower({ heart, db, members, periods, onTrouble });
  await follower.start();
  const { money, fundingMinimums, traces, houseAddresses, funds } = options;
  // A fund that the house leads is the house too: one hand on both sides.
  const isHouse = (account: AccountId): boolean => {
    const address = members.get(funds.leaderOf(account) ?? account)?.address;
    return address !== undefined && houseAddresses.includes(address);
  };
  const ranks = new Ranks({ db, members, follower, money, fundingMinimums, traces, isHouse, houseAddresses, funds, now });
  const appeals = new Appeals({ db, reads: options.reads, keys: options.keys, members, awards, periods, ranks, now, onTrouble });
  await appeals.load();
  const clusterMembers = new ClusterMembers({ heart, periods, ranks, follower, now });
  const payout = new Payout({ heart, db, members, awards, periods, follower, ranks, now, onTrouble });
  /** Without a campaign there are clusters all the same, by money and invitations. */
  const runningAt = (at: number): readonly (string | undefined)[] => {
    const running = periods.runningAt(at).map(({ campaignId }) => campaignId);
    return running.length === 0 ? [undefined] : running;
  };
  const lease = await options.leases.open('leaderboard');
  const work = async (): Promise<void> => {
    await periods.makeWeekly();
    await payout.payDue();
    await appeals.settleDue();
  };
  const timers = [
    repeat({ every: MINUTE_CRON, lease, work, onTrouble }),
    // What another process made or paid.
    repeat({ every: MINUTE_CRON, lease: undefined, work: () => periods.load(), onTrouble }),
  ];
  return {
    handlers: leaderboardHandlers({ periods, ranks, appeals, members, now }),
    operations: {
      board: boardOperations({ periods, ranks, members, now }),
      campaigns: campaignOperations({ periods, members, now }),
      appeals: appealOperations({ appeals, members }),
    },
    erase: (account) => appeals.erase(account),
    campaigns: () => periods.all().map((period) => campaignText(period, { members, now: now() })),
    clusters: {
      reached: (wanted) => follower.reached(wanted),
      async find(at) {
        const found = await Promise.all(runningAt(at).map((campaignId) => ranks.findClusters(campaignId)));
        return { isOneCluster: (one, other) => found.some((clusters) => clusters.isOneCluster(one, other)) };
      },
      membersOf: (account) => clusterMembers.membersOf(account),
      membersNow: (account) => clusterMembers.membersNow(account),
    },
    reached: (wanted) => follower.reached(wanted),
    runDue: () => whileHeld(lease, work),
    async stop() {
      for (const timer of timers) await timer.stop();
      await follower.stop();
      await ranks.close();
    },
  };
}
