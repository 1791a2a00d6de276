/** Identities at the operators' console: a queue with masked data, one shown in full for a reason that is counted, approved or sent back. */
import { Type, type Static } from 'typebox';
import { FILE_TYPES } from './file.ts';
import { Count, listed, Millis, Page, PageSize, strict } from './fields.ts';
import { DOCUMENT_TYPES } from './identity.ts';
import { Reason } from './operation.ts';
import { routes } from './route.ts';

/** Why an operator looks at an identity. */
export const IDENTITY_VIEW_REASONS = ['REVIEW', 'COMPLAINT', 'LEGAL_REQUEST'] as const;
export type IdentityViewReason = (typeof IDENTITY_VIEW_REASONS)[number];

const Account = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

export const HandedInIdentity = Type.Object({
  account: Count,
  realName: Type.String({ description: 'masked: the first letter of each part' }),
  documentType: Type.Enum([...DOCUMENT_TYPES]),
  documentNumber: Type.String({ description: 'masked: the last two characters' }),
  country: Type.String(),
  files: Count,
  handedInTime: Millis,
});
export type HandedInIdentity = Static<typeof HandedInIdentity>;

export const ShownIdentity = Type.Object({
  account: Count,
  realName: Type.String(),
  documentType: Type.Enum([...DOCUMENT_TYPES]),
  documentNumber: Type.String(),
  country: Type.String(),
  handedInTime: Millis,
  files: Type.Array(
    Type.Object({ type: Type.Enum([...FILE_TYPES]), url: Type.String({ description: 'path and query, good for 60 seconds' }) }),
  ),
  left: Type.Integer({ minimum: 0, description: 'views of personal data that are left of the quota of 24 hours' }),
});
export type ShownIdentity = Static<typeof ShownIdentity>;

export const IdentityDecision = strict({
  account: Account,
  handedInTime: Type.Integer({
    minimum: 0,
    maximum: 8_640_000_000_000_000,
    description: 'of what was looked at: what was handed in after it is not decided',
  }),
  decision: Type.Enum(['APPROVED', 'SENT_BACK']),
  reason: Type.Optional(Reason),
});
export type IdentityDecision = Static<typeof IdentityDecision>;

export const identityDeskRoutes = routes({
  identities: {
    method: 'GET',
    path: '/pro/o/identity/list',
    access: 'operator',
    role: 'viewer',
    rate: 'read',
    summary: 'Identities that wait for a decision, masked, those that wait longest first.',
    query: strict({ page: Type.Optional(Page), pageSize: Type.Optional(PageSize) }),
    response: listed(HandedInIdentity),
  },
  viewIdentity: {
    method: 'POST',
    path: '/pro/o/identity/view',
    access: 'operator',
    role: 'operator',
    right: 'reviewer',
    rate: 'manage',
    summary:
      'See an identity in full, with links of 60 seconds to its files, for a reason: it counts as a view of personal data, of which an operator has ' +
      '5 a minute and 50 in 24 hours; each is a row of the audit log, and the 51st raises an alarm. Its images are handed out with the number of ' +
      'the reviewer and the time across them.',
    body: strict({ account: Account, reasonCode: Type.Enum([...IDENTITY_VIEW_REASONS]) }),
    response: ShownIdentity,
  },
  decideIdentity: {
    method: 'POST',
    path: '/pro/o/identity/decide',
    access: 'operator',
    role: 'operator',
    right: 'reviewer',
    rate: 'manage',
    summary: 'Approve an identity, or send it back with the reason that the person reads.',
    body: IdentityDecision,
    response: Type.Null(),
  },
});
