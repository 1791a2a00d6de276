/** The sessions of an account: seen, ended. */
import { Type, type Static } from 'typebox';
import { Count, Millis, listed, strict } from './fields.ts';
import { routes } from './route.ts';

export const SessionId = Type.String({ minLength: 8, maxLength: 64, pattern: '^[0-9a-zA-Z_-]{8,64}$' });

export const Session = Type.Object({
  sessionId: SessionId,
  createdTime: Millis,
  lastSeenTime: Millis,
  endTime: Millis,
  userAgent: Type.String(),
  ip: Type.String(),
  current: Type.Boolean(),
});
export type Session = Static<typeof Session>;

export const sessionRoutes = routes({
  logout: {
    method: 'POST',
    path: '/pro/u/auth/logout',
    access: 'cookie',
    rate: 'auth',
    sameOrigin: true,
    summary: 'End the session of the refresh cookie and of the access token, whichever are given.',
    body: strict({}),
    response: Type.Null(),
  },
  sessions: {
    method: 'GET',
    path: '/pro/u/session/list',
    access: 'session',
    rate: 'read',
    summary: 'The live sessions of this account.',
    response: listed(Session),
  },
  revokeSession: {
    method: 'POST',
    path: '/pro/u/session/revoke',
    access: 'session',
    rate: 'manage',
    summary: 'End one session of this account.',
    body: strict({ sessionId: SessionId }),
    response: Type.Object({ sessionId: SessionId }),
  },
  revokeAllSessions: {
    method: 'POST',
    path: '/pro/u/session/revoke-all',
    access: 'session',
    rate: 'manage',
    summary: "End every session of this account, the caller's own too; with `apiKeys` delete its API keys as well.",
    body: strict({ apiKeys: Type.Optional(Type.Boolean()) }),
    response: Type.Object({ sessions: Count, apiKeys: Count }),
  },
});
