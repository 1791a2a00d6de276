/** How people get in: what was tried on an account, and with what result. */
import { Type, type Static } from 'typebox';
import { Millis, Page, PageSize, paged, strict } from './fields.ts';
import { routes } from './route.ts';

/** What proves who one is at the first step. */
export const LOGIN_WAYS = ['wallet', 'password', 'email'] as const;
export type LoginWay = (typeof LOGIN_WAYS)[number];

export const LOGIN_RESULTS = ['SUCCESS', 'FAILED'] as const;
export type LoginResult = (typeof LOGIN_RESULTS)[number];

export const LoginRecord = Type.Object({
  createTime: Millis,
  way: Type.Enum([...LOGIN_WAYS]),
  result: Type.Enum([...LOGIN_RESULTS]),
  device: Type.String({ description: 'the User-Agent header of the browser or program' }),
  ip: Type.String({ description: 'the first half of the address, such as 203.0.*.*' }),
  newDevice: Type.Boolean({ description: 'true when the account had been used, and never on this device' }),
});
export type LoginRecord = Static<typeof LoginRecord>;

export const loginRoutes = routes({
  loginRecord: {
    method: 'GET',
    path: '/pro/u/account/login-record',
    access: 'session',
    rate: 'read',
    summary: 'The logins to this account and the failed tries, newest first; those of the last 180 days.',
    query: strict({ page: Type.Optional(Page), pageSize: Type.Optional(PageSize) }),
    response: paged(LoginRecord),
  },
});
