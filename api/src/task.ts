/** Tasks and points of an address. The address of the body must be the caller's own. */
import { Type, type Static } from 'typebox';
import { AddressText, Decimal, Millis, Page, PageSize, listed, nullable, strict } from './fields.ts';
import { routes } from './route.ts';

export const TaskState = Type.Enum([0, 1, 2], { description: '0 not done, 1 done and the reward waiting, 2 reward given' });
export type TaskState = Static<typeof TaskState>;
export const TaskPeriod = Type.Enum(['ONCE', 'DAILY', 'WEEKLY'], { description: 'UTC days; UTC weeks from Monday' });
export type TaskPeriod = Static<typeof TaskPeriod>;
export const TaskUnit = Type.Enum(['ORDERS', 'USDC', 'TIMES']);
export type TaskUnit = Static<typeof TaskUnit>;

const LocalisedJson = Type.String({ description: 'JSON text with an `en` field' });
const TaskCode = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Z0-9_]{1,64}$', examples: ['NEWCOMER_ORDER'] });

export const TaskStatus = Type.Object({ taskCode: Type.String(), status: TaskState });
export type TaskStatus = Static<typeof TaskStatus>;

/** A task as everybody sees it. */
export const TaskOffer = Type.Object({
  taskCode: Type.String(),
  taskName: LocalisedJson,
  description: LocalisedJson,
  reward: Type.Integer({ description: 'points' }),
  goal: Decimal,
  dayCap: nullable({
    ...Decimal,
    description: 'what counts on one UTC day, of all accounts of one person together; null where everything does',
  }),
  unit: TaskUnit,
  startsAt: nullable(Millis),
  endsAt: nullable(Millis),
  period: TaskPeriod,
});
export type TaskOffer = Static<typeof TaskOffer>;

/** A task and how far one has come with it. */
export const TaskItem = Type.Object({ ...TaskOffer.properties, status: TaskState, progress: Decimal });
export type TaskItem = Static<typeof TaskItem>;

export const AwardNews = Type.Object({
  awardId: Type.String(),
  kind: Type.Enum(['TASK', 'LUCKY_BLOCK', 'LEADERBOARD', 'MANUAL']),
  points: Type.Integer(),
  title: nullable(LocalisedJson),
  at: Millis,
});
export type AwardNews = Static<typeof AwardNews>;

export const CompletedTask = Type.Object({
  completedAt: Type.Integer({ description: 'unix seconds' }),
  taskName: LocalisedJson,
  reward: Type.Integer({ description: 'points; below 0 where an award was taken back' }),
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
  taskList: {
    method: 'POST',
    path: '/biz/task/list',
    access: 'session',
    rate: 'read',
    summary: 'The tasks, and how far you have come with each.',
    body: ownAddress,
    response: Type.Array(TaskItem),
  },
  taskCatalogue: {
    method: 'GET',
    path: '/biz/task/catalogue',
    access: 'public',
    rate: 'public',
    summary: 'The tasks, as everybody sees them.',
    response: Type.Array(TaskOffer),
  },
  claimTask: {
    method: 'POST',
    path: '/biz/task/claim',
    access: 'session',
    rate: 'read',
    summary: 'The reward of a task that is done, once; `NotQualified` when it is not done.',
    body: strict({ walletAddress: AddressText, taskCode: TaskCode }),
    response: Type.Object({ taskCode: Type.String(), reward: Type.Integer({ description: 'points' }) }),
  },
  awardNews: {
    method: 'POST',
    path: '/biz/task/award/news',
    access: 'session',
    rate: 'read',
    summary: 'Awards you have not seen yet, oldest first, at most 20.',
    body: ownAddress,
    response: Type.Array(AwardNews),
  },
  awardSeen: {
    method: 'POST',
    path: '/biz/task/award/seen',
    access: 'session',
    rate: 'read',
    summary: 'You have seen an award: it is no news any more.',
    body: strict({ walletAddress: AddressText, awardId: Type.String({ minLength: 1, maxLength: 200, pattern: '^[!-~]{1,200}$' }) }),
    response: Type.Boolean(),
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
