/** Invitations: who invited whom, recorded once and before the first trade. */
import { Type, type Static } from 'typebox';
import { Count, Millis, Page, PageSize, strict } from './fields.ts';
import { routes } from './route.ts';

export const InviteCode = Type.String({ minLength: 8, maxLength: 8, pattern: '^[A-Z2-7]{8}$', examples: ['QX4TN2WA'] });

export const InviteInfo = Type.Object({
  inviteCode: InviteCode,
  inviteUrl: Type.String({ description: 'a link to our own pages with the code in it' }),
  invited: Count,
  reward: Type.Integer({ description: 'points given for invitations' }),
});
export type InviteInfo = Static<typeof InviteInfo>;

/** Somebody who came by an invitation: enough to recognise a friend, not enough to find a stranger. */
export const Invited = Type.Object({
  address: Type.String({ maxLength: 13, pattern: '^0x[0-9a-fA-F]{4}…[0-9a-fA-F]{4}$', description: 'its first and last digits' }),
  boundTime: Millis,
  hasTraded: Type.Boolean(),
});
export type Invited = Static<typeof Invited>;

/** By whom the caller was invited. */
export const Invitation = Type.Object({ address: Invited.properties.address, boundTime: Millis });
export type Invitation = Static<typeof Invitation>;

export const InviteReward = Type.Object({
  taskName: Type.String({ description: 'JSON with an `en` field' }),
  reward: Type.Integer({ description: 'points' }),
  completedAt: Type.Integer({ description: 'unix seconds' }),
});
export type InviteReward = Static<typeof InviteReward>;

export const inviteRoutes = routes({
  inviteUrl: {
    method: 'GET',
    path: '/pro/u/invite/url',
    access: 'session',
    rate: 'read',
    summary: 'The link by which others come with your invite code.',
    response: Type.Object({ inviteUrl: InviteInfo.properties.inviteUrl }),
  },
  inviteCount: {
    method: 'GET',
    path: '/pro/u/invite/count',
    access: 'session',
    rate: 'read',
    summary: 'How many have come by your invitation.',
    response: Type.Object({ count: Count }),
  },
  inviteRewards: {
    method: 'GET',
    path: '/pro/u/invite/rewards',
    access: 'session',
    rate: 'read',
    summary: 'The awards that your invitations have brought, newest first, and their sum in points.',
    query: strict({ page: Type.Optional(Page), pageSize: Type.Optional(PageSize) }),
    response: Type.Object({ items: Type.Array(InviteReward), total: Count, rewardAmount: Type.Integer({ description: 'points' }) }),
  },
  invitations: {
    method: 'GET',
    path: '/pro/u/invite/invitations',
    access: 'session',
    rate: 'read',
    summary: 'The invitation by which you came: one, or none.',
    response: Type.Object({ items: Type.Array(Invitation), total: Count }),
  },
  inviteInfo: {
    method: 'GET',
    path: '/pro/u/invite/info',
    access: 'session',
    rate: 'read',
    summary: 'Your invite code, and what came of it.',
    response: InviteInfo,
  },
  invitedList: {
    method: 'GET',
    path: '/pro/u/invite/invited-list',
    aliases: ['/pro/u/invite/invited'],
    access: 'session',
    rate: 'read',
    summary: 'Who came by your invitation, newest first.',
    query: strict({ page: Type.Optional(Page), pageSize: Type.Optional(PageSize) }),
    response: Type.Object({ items: Type.Array(Invited), total: Count }),
  },
  bindInvite: {
    method: 'POST',
    path: '/pro/u/invite/bind',
    access: 'session',
    rate: 'manage',
    summary: 'Tell who invited you: once, before your first trade.',
    body: strict({ inviteCode: InviteCode }),
    response: Type.Boolean(),
  },
});
