/** The operators' API: passkeys, sessions separate from those of traders, the list of operators, proposals that need two of them, and the audit log. */
import { Type, type Static } from 'typebox';
import { OPERATOR_RIGHTS, OPERATOR_ROLES } from './access.ts';
import { Count, HashText, listed, Millis, nullable, Page, PageSize, strict } from './fields.ts';
import { Attestation, ClientData, CredentialId, PasskeyAnswer, PasskeyCreation, PasskeyRequest } from './passkey-text.ts';
import { routes } from './route.ts';

/** How long a proposal waits for a second operator. */
export const PROPOSAL_MS = 15 * 60_000;
/** How long after its time an approved change may still take effect, when the program was off at that time. */
export const APPROVAL_MS = 24 * 3_600_000;
/** A session ends after this time without a call, */
export const OPERATOR_IDLE_MS = 15 * 60_000;
/** and after so long in any case. */
export const OPERATOR_SESSION_MS = 8 * 3_600_000;

/** Every call of operators, and of nobody else, has a path that begins so. */
export const isOperatorPath = (path: string): boolean => path.startsWith('/pro/o/');

const OneTimeCode = Type.String({ minLength: 12, maxLength: 64, pattern: '^[0-9A-Za-z_-]{12,64}$' });
/** The name that identifies an operator to the others; the audit log keeps it permanently. */
const OperatorName = Type.String({ minLength: 2, maxLength: 32, pattern: '^[0-9A-Za-z][0-9A-Za-z ._-]{0,30}[0-9A-Za-z]$' });
const Role = Type.Enum([...OPERATOR_ROLES]);
const Right = Type.Enum([...OPERATOR_RIGHTS]);
const Rights = Type.Array(Right, { description: 'beside the role; `reviewer`: sees identities and their images' });
const Id = Type.String({ minLength: 22, maxLength: 22, pattern: '^[0-9A-Za-z_-]{22}$' });

export const OperatorSession = Type.Object({
  operatorId: Type.String(),
  name: Type.String(),
  role: Role,
  rights: Rights,
  endsAt: Millis,
});
export type OperatorSession = Static<typeof OperatorSession>;

export const operatorDoorRoutes = routes({
  passkeyCreation: {
    method: 'POST',
    path: '/pro/o/auth/register/options',
    access: 'cookie',
    rate: 'nonce',
    summary: 'What a passkey is made with, for the holder of a one-time code.',
    body: strict({ code: OneTimeCode, name: OperatorName }),
    response: PasskeyCreation,
  },
  registerOperator: {
    method: 'POST',
    path: '/pro/o/auth/register',
    access: 'cookie',
    rate: 'auth',
    summary: 'Use up a one-time code: its holder becomes an operator with this passkey, and is signed in.',
    body: strict({ code: OneTimeCode, credentialId: CredentialId, clientData: ClientData, attestation: Attestation }),
    response: OperatorSession,
  },
  passkeyRequest: {
    method: 'POST',
    path: '/pro/o/auth/login/options',
    access: 'cookie',
    rate: 'nonce',
    summary: 'What a passkey proves itself with.',
    body: strict({}),
    response: PasskeyRequest,
  },
  signInOperator: {
    method: 'POST',
    path: '/pro/o/auth/login',
    access: 'cookie',
    rate: 'auth',
    summary: 'Sign in as an operator by a passkey.',
    body: PasskeyAnswer,
    response: OperatorSession,
  },
  signOutOperator: {
    method: 'POST',
    path: '/pro/o/auth/logout',
    access: 'cookie',
    rate: 'auth',
    summary: "End the operator's session of the cookie, if there is one.",
    body: strict({}),
    response: Type.Null(),
  },
});

export const OperatorEntry = Type.Object({
  operatorId: Type.String(),
  name: Type.String(),
  role: Role,
  rights: Rights,
  createdAt: Millis,
  endedAt: nullable(Millis),
});
export type OperatorEntry = Static<typeof OperatorEntry>;

export const ProposalKind = Type.Enum([
  'ROLE',
  'RIGHT',
  'INVITE',
  'BUDGET',
  'AWARD',
  'BUG_REPORT',
  'REVERSAL',
  'TASK',
  'CAMPAIGN',
  'APPEAL',
  'LUCKY_RESUME',
  'FUND_RESUME',
  'ERASURE',
  'WRITE_OFF',
  'OTC_DECISION',
  'OTC_PAYMENT',
]);
export type ProposalKind = Static<typeof ProposalKind>;

export const Proposal = Type.Object({
  proposalId: Count,
  kind: ProposalKind,
  /** Canonical JSON of exactly what will be done. */
  change: Type.String(),
  /** SHA-256 of the proposal's number, kind, change and what it was proposed on: approving names it. */
  hash: HashText,
  proposedBy: Type.String(),
  proposedAt: Millis,
  expiresAt: Millis,
  /**
   * WAITING for a second operator, then REJECTED or EXPIRED; or APPROVED and waiting for its time, then DONE, CANCELLED by an operator, OUTDATED
   * because the value it was proposed on has changed, EXPIRED because the program was off for too long, or REFUSED by the service that executes it.
   */
  state: Type.Enum(['WAITING', 'APPROVED', 'DONE', 'REFUSED', 'REJECTED', 'CANCELLED', 'OUTDATED', 'EXPIRED']),
  decidedBy: nullable(Type.String()),
  decidedAt: nullable(Millis),
  /** When an approved change takes effect, or did. */
  effectiveAt: nullable(Millis),
  cancelledBy: nullable(Type.String()),
  /** Why it was refused. */
  refusal: nullable(Type.String()),
});
export type Proposal = Static<typeof Proposal>;

export const AuditRow = Type.Object({
  seq: Count,
  at: Millis,
  operator: Type.String(),
  action: Type.String(),
  /** Canonical JSON of what was done. */
  detail: Type.String(),
  previousHash: HashText,
  hash: HashText,
});
export type AuditRow = Static<typeof AuditRow>;

const ProposalId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

export const operatorRoutes = routes({
  operatorMe: {
    method: 'GET',
    path: '/pro/o/operator/me',
    access: 'operator',
    role: 'viewer',
    rate: 'read',
    summary: 'Who is signed in here.',
    response: OperatorSession,
  },
  operators: {
    method: 'GET',
    path: '/pro/o/operator/list',
    access: 'operator',
    role: 'viewer',
    rate: 'read',
    summary: 'Everybody who is or was an operator, oldest first.',
    response: listed(OperatorEntry),
  },
  inviteOperator: {
    method: 'POST',
    path: '/pro/o/operator/invite',
    access: 'operator',
    role: 'admin',
    rate: 'manage',
    summary:
      'Make a one-time code for a new operator, good for a day from when it opens: once another operator has approved it and the timelock is over. The second operator of all needs no approval.',
    body: strict({ name: OperatorName, role: Role }),
    response: Type.Object({ code: Type.String(), proposal: Proposal }),
  },
  proposeRole: {
    method: 'POST',
    path: '/pro/o/operator/role',
    access: 'operator',
    role: 'admin',
    rate: 'manage',
    summary: 'Propose another role for an operator.',
    body: strict({ operatorId: Id, role: Role }),
    response: Proposal,
  },
  proposeRight: {
    method: 'POST',
    path: '/pro/o/operator/right',
    access: 'operator',
    role: 'admin',
    rate: 'manage',
    summary: 'Propose a right beside the role for an operator.',
    body: strict({ operatorId: Id, right: Right }),
    response: Proposal,
  },
  endRight: {
    method: 'POST',
    path: '/pro/o/operator/right/end',
    access: 'operator',
    role: 'admin',
    rate: 'manage',
    summary: 'Take a right from an operator, at once: what is stricter needs no second person.',
    body: strict({ operatorId: Id, right: Right }),
    response: Type.Null(),
  },
  endOperator: {
    method: 'POST',
    path: '/pro/o/operator/end',
    access: 'operator',
    role: 'admin',
    rate: 'manage',
    summary: 'Take everything from an operator, at once: what is stricter needs no second person.',
    body: strict({ operatorId: Id }),
    response: Type.Null(),
  },
  proposals: {
    method: 'GET',
    path: '/pro/o/proposal/list',
    access: 'operator',
    role: 'viewer',
    rate: 'read',
    summary: 'Changes that need two persons, newest first; of state OPEN: those that wait for somebody or for their time.',
    query: strict({ page: Type.Optional(Page), pageSize: Type.Optional(PageSize), state: Type.Optional(Type.Enum(['OPEN'])) }),
    response: listed(Proposal),
  },
  approveProposal: {
    method: 'POST',
    path: '/pro/o/proposal/approve',
    access: 'operator',
    role: 'operator',
    rate: 'manage',
    summary:
      'Approve exactly this change of another operator, within 15 minutes. What gives more is done when the timelock is over, the rest at once.',
    body: strict({ proposalId: ProposalId, hash: HashText }),
    response: Proposal,
  },
  rejectProposal: {
    method: 'POST',
    path: '/pro/o/proposal/reject',
    access: 'operator',
    role: 'operator',
    rate: 'manage',
    summary: 'Reject a change, or take back your own.',
    body: strict({ proposalId: ProposalId }),
    response: Proposal,
  },
  cancelProposal: {
    method: 'POST',
    path: '/pro/o/proposal/cancel',
    access: 'operator',
    role: 'operator',
    rate: 'manage',
    summary: 'Cancel an approved change before it takes effect.',
    body: strict({ proposalId: ProposalId }),
    response: Proposal,
  },
  auditLog: {
    method: 'GET',
    path: '/pro/o/audit/list',
    access: 'operator',
    role: 'viewer',
    rate: 'read',
    summary: 'What operators did, newest first, and whether the chain of its hashes holds.',
    query: strict({ page: Type.Optional(Page), pageSize: Type.Optional(PageSize) }),
    response: Type.Object({
      list: Type.Array(AuditRow),
      total: Count,
      /** The first row that differs from what was written; null when none does. */
      brokenAt: nullable(Count),
    }),
  },
});
