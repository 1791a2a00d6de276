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

export const inviteRoutes = routes({
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
