/** The campaign as clients of futures call it: the same activities, lucky blocks and points under other paths. */
import type { Activity, futuresCampaignRoutes, Handlers, LeaderboardCampaign, LuckyBlock } from '@orrery/api';
import { LUCKY_BLOCK_POINTS } from '@orrery/api';
import type { Address } from '@orrery/units';
import type { Awards } from './awards/awards.ts';
import { completedTask } from './handlers.ts';
import type { Task, TaskCatalogue } from './tasks/catalogue.ts';

interface Parts {
  readonly catalogue: TaskCatalogue;
  readonly awards: Awards;
  readonly lucky: {
    page(query: { page?: number; pageSize?: number; sender: Address }): Promise<{ list: LuckyBlock[]; total: number }>;
  };
  readonly leaderboard: { campaigns(): readonly LeaderboardCampaign[] };
}

/** What trading contracts counts for. */
const OF_CONTRACTS: ReadonlySet<Task['rule']> = new Set(['CONTRACT_ORDERS', 'CONTRACT_TRADES', 'CONTRACT_VOLUME', 'LUCKY_BLOCKS']);
const OPEN_STATES: ReadonlySet<LeaderboardCampaign['state']> = new Set(['UPCOMING', 'RUNNING'] as const);

export const futuresCampaignHandlers = ({ catalogue, awards, lucky, leaderboard }: Parts): Handlers<typeof futuresCampaignRoutes> => ({
  async futuresActivities() {
    const tasks = (await catalogue.offered()).filter(({ rule }) => OF_CONTRACTS.has(rule));
    return [
      ...tasks.map(activityOf),
      ...leaderboard
        .campaigns()
        .filter(({ state }) => OPEN_STATES.has(state))
        .map(boardActivity),
    ];
  },
  futuresLottery: ({ principal, query }) => lucky.page({ ...query, sender: principal.address }),
  async futuresRewards({ principal, query }) {
    const { list, total } = await awards.history({ account: principal.account, page: query.page ?? 1, size: query.pageSize ?? 10 });
    return { list: list.map(completedTask), total };
  },
});

const activityOf = ({ code, name, rule, reward, startsAt, endsAt }: Task): Activity => ({
  activityCode: code,
  activityType: rule === 'LUCKY_BLOCKS' ? 'LOTTERY' : 'TASK',
  name: JSON.stringify(name),
  reward: rule === 'LUCKY_BLOCKS' ? LUCKY_BLOCK_POINTS : reward,
  startsAt,
  endsAt,
});

const boardActivity = ({ campaignId, name, startsAt, endsAt }: LeaderboardCampaign): Activity => ({
  activityCode: campaignId,
  activityType: 'LEADERBOARD',
  name,
  reward: null,
  startsAt,
  endsAt,
});
