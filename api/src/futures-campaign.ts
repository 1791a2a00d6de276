/** The campaign as clients of futures call it: activities, the lottery of lucky blocks, rewards. The same data as under `/biz`. */
import { Type, type Static } from 'typebox';
import { Millis, Page, PageSize, listed, nullable, strict } from './fields.ts';
import { FUTURES_USER, marketPaths } from './futures-fields.ts';
import { LuckyBlock } from './lucky-block.ts';
import { routes } from './route.ts';
import { CompletedTask } from './task.ts';

export const Activity = Type.Object({
  activityCode: Type.String({ description: 'of a task its taskCode, of a leaderboard its campaignId' }),
  activityType: Type.Enum(['TASK', 'LOTTERY', 'LEADERBOARD']),
  name: Type.String({ description: 'JSON text with an `en` field' }),
  reward: nullable(Type.Integer({ description: 'points; null where they depend on the rank' })),
  startsAt: nullable(Millis),
  endsAt: nullable(Millis),
});
export type Activity = Static<typeof Activity>;

const pageOf = strict({ page: Type.Optional(Page), pageSize: Type.Optional(PageSize) });

export const futuresCampaignRoutes = routes({
  futuresActivities: {
    method: 'GET',
    ...marketPaths('activity/list'),
    access: 'public',
    rate: 'public',
    summary: 'What trading contracts can earn: tasks, the lucky block, and leaderboards that are not over.',
    response: Type.Array(Activity),
  },
  futuresLottery: {
    method: 'GET',
    path: `${FUTURES_USER}/lottery/list`,
    access: 'session',
    rate: 'read',
    summary: 'The lucky blocks whose first chain transaction is yours, newest first.',
    query: pageOf,
    response: listed(LuckyBlock),
  },
  futuresRewards: {
    method: 'GET',
    path: `${FUTURES_USER}/reward/list`,
    access: 'session',
    rate: 'read',
    summary: 'Your history of points, newest first.',
    query: pageOf,
    response: listed(CompletedTask),
  },
});
