/** Withdrawals that a person looks at before they are paid: what their owners see and cancel, and what operators decide. */
import { Type, type Static } from 'typebox';
import { AddressText, Coin, Count, Decimal, HashText, Millis, Page, PageSize, listed, nullable, strict } from './fields.ts';
import { Reason } from './operation.ts';
import { routes } from './route.ts';

/**
 * - `FREE`: it needs no review, or none began yet.
 * - `WAITING`: an operator decides.
 * - `APPROVED`, `REFUSED`: an operator has decided; what is refused is refunded.
 * - `CANCELLED`: by its owner; it is refunded.
 * - `SIGNED`: the vault may pay it at any moment.
 */
export const REVIEW_STATES = ['FREE', 'WAITING', 'APPROVED', 'REFUSED', 'CANCELLED', 'SIGNED'] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

/** Why a withdrawal waits for a review. */
export const REVIEW_CAUSES = ['ABOVE_LIMIT', 'FIRST_EVER'] as const;
export type ReviewCause = (typeof REVIEW_CAUSES)[number];

export const WithdrawalReview = Type.Object({
  withdrawalId: HashText,
  state: Type.Enum([...REVIEW_STATES]),
  cause: nullable(Type.Enum([...REVIEW_CAUSES])),
  answer: nullable(Type.String({ description: 'of the operator who refused it' })),
  cancellable: Type.Boolean({ description: 'nothing of it is signed yet' }),
});
export type WithdrawalReview = Static<typeof WithdrawalReview>;

export const withdrawalReviewRoutes = routes({
  withdrawalReviews: {
    method: 'GET',
    path: '/pro/u/asset/withdrawal-reviews',
    access: 'read',
    rate: 'read',
    summary:
      'How the review of your withdrawals stands, newest first, up to 50: those that nothing was signed of yet, and those that were reviewed.',
    response: Type.Array(WithdrawalReview),
  },
  cancelWithdrawal: {
    method: 'POST',
    path: '/pro/u/asset/withdraw/cancel',
    access: 'session',
    rate: 'cancel',
    sameOrigin: true,
    summary:
      'Cancel a withdrawal of which nothing is signed yet: its amount returns to the funding wallet. Cancelled again nothing more happens; what is ' +
      'signed can not be cancelled, because the vault may pay it at any moment.',
    body: strict({ withdrawalId: HashText }),
    response: Type.Object({ withdrawalId: HashText }),
  },
});

export const WaitingWithdrawal = Type.Object({
  withdrawalId: HashText,
  account: Count,
  coin: Coin,
  amount: Decimal,
  worth: nullable(Type.String({ description: 'in USDC at the outside price; null without one' })),
  to: AddressText,
  cause: Type.Enum([...REVIEW_CAUSES]),
  waitsSince: Millis,
});
export type WaitingWithdrawal = Static<typeof WaitingWithdrawal>;

export const WithdrawalDecision = strict({
  withdrawalId: HashText,
  decision: Type.Enum(['APPROVED', 'REFUSED']),
  reason: Type.Optional(Reason),
});
export type WithdrawalDecision = Static<typeof WithdrawalDecision>;

export const withdrawalDeskRoutes = routes({
  waitingWithdrawals: {
    method: 'GET',
    path: '/pro/o/withdrawal/list',
    access: 'operator',
    role: 'viewer',
    rate: 'read',
    summary: 'Withdrawals that wait for a decision, those that wait longest first.',
    query: strict({ page: Type.Optional(Page), pageSize: Type.Optional(PageSize) }),
    response: listed(WaitingWithdrawal),
  },
  decideWithdrawal: {
    method: 'POST',
    path: '/pro/o/withdrawal/decide',
    access: 'operator',
    role: 'operator',
    rate: 'manage',
    summary: 'Let a withdrawal be paid, or refuse it with the reason that the person reads: then it is refunded.',
    body: WithdrawalDecision,
    response: Type.Null(),
  },
});
