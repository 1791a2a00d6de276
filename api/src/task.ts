/** Tasks and points of an address. The address of the body must be the caller's own. */
import { Type, type Static } from 'typebox';
import { AddressText, Page, PageSize, listed, strict } from './fields.ts';
import { routes } from './route.ts';

export const TASK_CODES = ['ACTIVITY_LUCKY_BLOCK', 'ACTIVITY_LEADERBOARD_CAMPAIGN'] as const;

export const TaskStatus = Type.Object({ taskCode: Type.String(), status: Type.Integer({ description: '0 not done' }) });
export type TaskStatus = Static<typeof TaskStatus>;

export const CompletedTask = Type.Object({
  completedAt: Type.Integer({ description: 'unix seconds' }),
  taskName: Type.String({ description: 'JSON text with an `en` field' }),
  reward: Type.Integer({ description: 'points' }),
});
export type CompletedTask = Static<typeof CompletedTask>;

const ownAddress = strict({ walletAddress: AddressText });

export const taskRoutes = routes({
  taskStatus: {
    method: 'POST',
    path: '/biz/task/status',
    access: 'session',
    rate: 'read',
    summary: 'Which tasks are done.',
    body: ownAddress,
    response: Type.Array(TaskStatus),
  },
  taskCount: {
    method: 'POST',
    path: '/biz/task/count',
    access: 'session',
    rate: 'read',
    summary: 'Points in all, orders placed and volume traded.',
    body: ownAddress,
    response: Type.Object({
      points: Type.Integer(),
      completed: Type.Integer(),
      orders: Type.Integer(),
      volume: Type.String({ description: 'quote traded, in USDC' }),
    }),
  },
  completedTasks: {
    method: 'POST',
    path: '/biz/task/user/completed/list',
    access: 'session',
    rate: 'read',
    summary: 'The history of points, newest first.',
    body: strict({ walletAddress: AddressText, page: Type.Optional(Page), pageSize: Type.Optional(PageSize) }),
    response: listed(CompletedTask),
  },
});
