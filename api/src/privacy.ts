/** Personal data, which operators see masked: unmasked for one person at a time, with a reason, within a daily quota, and with alarms above it. */
import { Type, type Static } from 'typebox';
import { AddressText, Count, listed, nullable, Page, PageSize, strict } from './fields.ts';
import { Reason } from './operation.ts';
import { AuditRow } from './operator.ts';
import { routes } from './route.ts';

/** Views of personal data that an operator has in 24 hours, and in a minute. */
export const UNMASKINGS_PER_DAY = 50;
export const UNMASKINGS_PER_MINUTE = 5;

/** `WAITING`: by its number in the waiting list; `CLUSTER`: by its account in a suspicious cluster. */
export const PersonKind = Type.Enum(['WAITING', 'CLUSTER']);
export type PersonKind = Static<typeof PersonKind>;

export const Person = Type.Object({
  address: AddressText,
  email: nullable(Type.String()),
  /** Views that are left of the last 24 hours' quota. */
  left: Count,
});
export type Person = Static<typeof Person>;

export const privacyDeskRoutes = routes({
  unmask: {
    method: 'POST',
    path: '/pro/o/person/unmask',
    access: 'operator',
    role: 'operator',
    rate: 'manage',
    summary:
      'See the personal data of somebody, for a reason: at most 50 times in 24 hours, each a row of the audit log; the 51st raises an alarm.',
    body: strict({ kind: PersonKind, id: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), reason: Reason }),
    response: Person,
  },
  alarms: {
    method: 'GET',
    path: '/pro/o/alarm/list',
    access: 'operator',
    role: 'viewer',
    rate: 'read',
    summary: 'Rows of the audit log that somebody should look at, newest first.',
    query: strict({ page: Type.Optional(Page), pageSize: Type.Optional(PageSize) }),
    response: listed(AuditRow),
  },
});
