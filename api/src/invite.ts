/** Invitations: who invited whom, recorded once and before the first trade. */
import { Type, type Static } from 'typebox';
import { Count, strict } from './fields.ts';
import { routes } from './route.ts';

export const InviteCode = Type.String({ minLength: 8, maxLength: 8, pattern: '^[A-Z2-7]{8}$', examples: ['QX4TN2WA'] });

export const InviteInfo = Type.Object({
  inviteCode: InviteCode,
  inviteUrl: Type.String({ description: 'a link to our own pages with the code in it' }),
  invited: Count,
  reward: Type.Integer({ description: 'points given for invitations' }),
});
export type InviteInfo = Static<typeof InviteInfo>;

export const inviteRoutes = routes({
  inviteInfo: {
    method: 'GET',
    path: '/pro/u/invite/info',
    access: 'session',
    rate: 'read',
    summary: 'Your invite code, and what came of it.',
    response: InviteInfo,
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
