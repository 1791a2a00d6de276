/** Deletions of accounts at the operators' console: two operators decide one, which then waits as one that its owner asks for; one operator calls it off. */
import { Type } from 'typebox';
import { strict } from './fields.ts';
import { Proposal } from './operator.ts';
import { routes } from './route.ts';

/** Why operators delete an account: the audit log keeps this and the number of the account, and nothing of the person. */
export const ERASURE_REASONS = ['REQUEST', 'LEGAL_ORDER', 'UNDER_AGE'] as const;
export type ErasureReason = (typeof ERASURE_REASONS)[number];

const Account = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

export const erasureDeskRoutes = routes({
  proposeErasure: {
    method: 'POST',
    path: '/pro/o/erasure/propose',
    access: 'operator',
    role: 'operator',
    rate: 'manage',
    summary:
      'Propose to delete an account. Once another operator has approved it, its waiting time begins, and its owner is mailed; refused while the account has ' +
      'money or positions, unless `abandon` is true.',
    body: strict({ account: Account, reasonCode: Type.Enum([...ERASURE_REASONS]), abandon: Type.Optional(Type.Boolean()) }),
    response: Proposal,
  },
  callOffErasure: {
    method: 'POST',
    path: '/pro/o/erasure/keep',
    access: 'operator',
    role: 'operator',
    rate: 'manage',
    summary: 'Call off the deletion of an account that waits, whoever asked for it.',
    body: strict({ account: Account }),
    response: Type.Null(),
  },
});
