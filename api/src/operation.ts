/** What operators do to the campaign and its people. Each change is one row of the audit log. */
import { Type, type Static } from 'typebox';
import { AddressText, Count, listed, Millis, nullable, Page, PageSize, strict } from './fields.ts';
import { BoardName, CampaignId, LeaderboardCampaign } from './leaderboard.ts';
import { LuckyBlock } from './lucky-block.ts';
import { Proposal } from './operator.ts';
import { routes } from './route.ts';

/** The reason, written to the audit log. */
export const Reason = Type.String({ minLength: 3, maxLength: 200 });

const Masked = Type.String({ description: 'with its middle left out: see `unmask`', examples: ['0x1a…9f', 'a***@b***'] });

export const Waiting = Type.Object({ waitingId: Count, address: Masked, email: nullable(Masked), joinedAt: Millis });
export type Waiting = Static<typeof Waiting>;

const Id = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

export const whitelistDeskRoutes = routes({
  waitingList: {
    method: 'GET',
    path: '/pro/o/whitelist/list',
    access: 'operator',
    role: 'viewer',
    rate: 'read',
    summary: 'Who waits for the whitelist, in the order in which they are let in.',
    query: strict({ page: Type.Optional(Page), pageSize: Type.Optional(PageSize) }),
    response: listed(Waiting),
  },
  admit: {
    method: 'POST',
    path: '/pro/o/whitelist/admit',
    access: 'operator',
    role: 'operator',
    rate: 'manage',
    summary: 'Let addresses in now, whether they wait or not.',
    body: strict({ addresses: Type.Array(AddressText, { minItems: 1, maxItems: 20 }) }),
    response: Type.Null(),
  },
  admitWaiting: {
    method: 'POST',
    path: '/pro/o/whitelist/admit-waiting',
    access: 'operator',
    role: 'operator',
    rate: 'manage',
    summary: 'Let those in who wait under these numbers.',
    body: strict({ waitingIds: Type.Array(Id, { minItems: 1, maxItems: 20 }) }),
    response: Type.Null(),
  },
});

export const BlockedAddress = Type.Object({
  address: AddressText,
  /** Listed by the installation: no operator can remove it. */
  listed: Type.Boolean(),
  blockedBy: nullable(Type.String()),
  reason: Type.String(),
  at: nullable(Millis),
});
export type BlockedAddress = Static<typeof BlockedAddress>;

export const blockDeskRoutes = routes({
  blockedAddresses: {
    method: 'GET',
    path: '/pro/o/blocked/list',
    access: 'operator',
    role: 'viewer',
    rate: 'read',
    summary: 'Addresses that may not take part, newest first.',
    query: strict({ page: Type.Optional(Page), pageSize: Type.Optional(PageSize) }),
    response: listed(BlockedAddress),
  },
  blockAddress: {
    method: 'POST',
    path: '/pro/o/blocked/add',
    access: 'operator',
    role: 'operator',
    rate: 'manage',
    summary: 'Block an address: its orders are cancelled, its sessions and keys end.',
    body: strict({ address: AddressText, reason: Reason }),
    response: Type.Null(),
  },
  unblockAddress: {
    method: 'POST',
    path: '/pro/o/blocked/remove',
    access: 'operator',
    role: 'operator',
    rate: 'manage',
    summary: 'Let an address take part again.',
    body: strict({ address: AddressText, reason: Reason }),
    response: Type.Null(),
  },
});

const PointsPerDay = Type.Integer({ minimum: 0, maximum: 900_000_000 });
/** One award is no larger. */
const AwardPoints = Type.Integer({ minimum: 1, maximum: 77_777 });
const ClaimsPerDay = Type.Integer({ minimum: 0, maximum: 1_000_000 });

export const Budgets = strict({ pointsPerDay: PointsPerDay, faucetClaimsPerDay: ClaimsPerDay });
export type Budgets = Static<typeof Budgets>;

/** A link, or the number of a report. */
const BugReference = Type.String({ minLength: 2, maxLength: 200, pattern: '^[!-~]{2,200}$', examples: ['https://bugs.example/17'] });

export const GivenAward = Type.Object({
  key: Type.String(),
  kind: Type.String(),
  name: Type.String(),
  points: Type.Integer({ description: 'below 0 in what was taken back' }),
  at: Millis,
});
export type GivenAward = Static<typeof GivenAward>;

export const rewardDeskRoutes = routes({
  budgets: {
    method: 'GET',
    path: '/pro/o/budget/get',
    access: 'operator',
    role: 'viewer',
    rate: 'read',
    summary: 'To how much each UTC day fills the budgets up.',
    response: Budgets,
  },
  changeBudgets: {
    method: 'POST',
    path: '/pro/o/budget/change',
    access: 'operator',
    role: 'operator',
    rate: 'manage',
    summary: 'Change the budgets. If one of them grows, this is only proposed: the answer then names the proposal.',
    body: Budgets,
    response: Type.Object({ proposalId: nullable(Count) }),
  },
  proposeAward: {
    method: 'POST',
    path: '/pro/o/award/propose',
    access: 'operator',
    role: 'operator',
    rate: 'manage',
    summary: 'Propose points for somebody, from the budget of rewards. The reason is what the person reads.',
    body: strict({ address: AddressText, points: AwardPoints, reason: Reason }),
    response: Proposal,
  },
  proposeBugReport: {
    method: 'POST',
    path: '/pro/o/award/bug-report',
    access: 'operator',
    role: 'operator',
    rate: 'manage',
    summary: 'Propose points for a bug report that was accepted. There is one award for each report, named by its reference.',
    body: strict({ address: AddressText, points: AwardPoints, reference: BugReference }),
    response: Proposal,
  },
  awardsOf: {
    method: 'GET',
    path: '/pro/o/award/list',
    access: 'operator',
    role: 'operator',
    rate: 'read',
    summary: 'What an address got and gave back, newest first, with the keys by which awards are taken back.',
    query: strict({ address: AddressText, page: Type.Optional(Page), pageSize: Type.Optional(PageSize) }),
    response: listed(GivenAward),
  },
  proposeReversal: {
    method: 'POST',
    path: '/pro/o/award/reverse',
    access: 'operator',
    role: 'operator',
    rate: 'manage',
    summary: 'Propose to take an award back by a counter-entry.',
    body: strict({ key: Type.String({ minLength: 3, maxLength: 200, pattern: '^[!-~]{3,200}$' }), reason: Reason }),
    response: Proposal,
  },
});

export const LuckyAlarmEntry = Type.Object({
  kind: Type.String(),
  subject: Type.String({ description: 'an address, or the hash of a block' }),
  period: Type.String(),
  blocks: Type.Integer({ minimum: 0, description: 'how many were lucky' }),
  pausesAwards: Type.Boolean({ description: 'nothing is paid for lucky blocks until an operator has looked at it' }),
  sentence: Type.String(),
  at: Millis,
});
export type LuckyAlarmEntry = Static<typeof LuckyAlarmEntry>;

export const luckyDeskRoutes = routes({
  luckyDecisions: {
    method: 'GET',
    path: '/pro/o/lucky/list',
    access: 'operator',
    role: 'viewer',
    rate: 'read',
    summary: 'Every lucky block with its decision, newest first.',
    query: strict({ page: Type.Optional(Page), pageSize: Type.Optional(PageSize) }),
    response: listed(LuckyBlock),
  },
  luckyAlarms: {
    method: 'GET',
    path: '/pro/o/lucky/alarms',
    access: 'operator',
    role: 'viewer',
    rate: 'read',
    summary: 'What chance does not explain, newest first.',
    response: Type.Object({ list: Type.Array(LuckyAlarmEntry), total: Count }),
  },
  proposeLuckyResume: {
    method: 'POST',
    path: '/pro/o/lucky/resume',
    access: 'operator',
    role: 'operator',
    rate: 'manage',
    summary: 'Propose to pay for lucky blocks again: this number of lucky blocks of a day was looked at. One more pauses the awards again.',
    body: strict({
      period: Type.String({
        minLength: 10,
        maxLength: 10,
        pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
        description: 'of the alarm: a UTC day',
      }),
      blocks: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'of the alarm' }),
    }),
    response: Proposal,
  },
});

export const TaskChange = strict({
  taskCode: Type.String({ minLength: 1, maxLength: 60, pattern: '^[A-Z0-9_]{1,60}$' }),
  active: Type.Boolean(),
  reward: Type.Integer({ minimum: 0, maximum: 77_777, description: 'points' }),
  startsAt: nullable(Millis),
  endsAt: nullable(Millis),
});
export type TaskChange = Static<typeof TaskChange>;

export const DeskTask = Type.Object({ ...TaskChange.properties, name: Type.String() });
export type DeskTask = Static<typeof DeskTask>;

export const taskDeskRoutes = routes({
  deskTasks: {
    method: 'GET',
    path: '/pro/o/task/list',
    access: 'operator',
    role: 'viewer',
    rate: 'read',
    summary: 'The whole catalogue of tasks, also what is switched off or over.',
    response: listed(DeskTask),
  },
  changeTask: {
    method: 'POST',
    path: '/pro/o/task/change',
    access: 'operator',
    role: 'operator',
    rate: 'manage',
    summary: 'Change a task. A higher reward, a longer time and activation are only proposed: the answer then names the proposal.',
    body: TaskChange,
    response: Type.Object({ proposalId: nullable(Count) }),
  },
});

const Rank = Type.Integer({ minimum: 1, maximum: 1_000_000 });

export const NewCampaign = strict({
  campaignId: CampaignId,
  name: strict({ en: Type.String({ minLength: 1, maxLength: 100 }) }),
  startsAt: Millis,
  endsAt: Millis,
  boards: Type.Array(BoardName, { minItems: 1, maxItems: 2 }),
  prizes: Type.Array(strict({ fromRank: Rank, toRank: Rank, points: AwardPoints }), { maxItems: 20 }),
});
export type NewCampaign = Static<typeof NewCampaign>;

export const campaignDeskRoutes = routes({
  deskCampaigns: {
    method: 'GET',
    path: '/pro/o/campaign/list',
    access: 'operator',
    role: 'viewer',
    rate: 'read',
    summary: 'The leaderboard campaigns, latest first.',
    query: strict({ page: Type.Optional(Page), pageSize: Type.Optional(PageSize) }),
    response: listed(LeaderboardCampaign),
  },
  proposeCampaign: {
    method: 'POST',
    path: '/pro/o/campaign/propose',
    access: 'operator',
    role: 'operator',
    rate: 'manage',
    summary: 'Propose a leaderboard campaign: its prizes are points.',
    body: NewCampaign,
    response: Proposal,
  },
  stopCampaign: {
    method: 'POST',
    path: '/pro/o/campaign/stop',
    access: 'operator',
    role: 'operator',
    rate: 'manage',
    summary: 'End a running campaign now, or keep one from beginning.',
    body: strict({ campaignId: CampaignId }),
    response: Type.Null(),
  },
});
