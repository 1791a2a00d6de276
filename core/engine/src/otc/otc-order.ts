/** An order of the OTC desk, and the facts about it. */
import { millis, type AccountId, type Millis } from '@orrery/units';
import type { DisputeOutcome, OtcOrderCreated, OtcOrderStepped, OtcStatus } from '@orrery/protocol';

/** What an order is from its creation on. */
export type OtcOrderTerms = Omit<OtcOrderCreated, 'type' | 'deadline'>;

export interface OtcOrder {
  readonly terms: OtcOrderTerms;
  status: OtcStatus;
  /** Who took the last step, and when; 0 for a timer or an arbiter. */
  by: AccountId | 0;
  steppedAt: Millis;
  /** From when on a dispute may be opened; 0 when none can be. */
  disputableAt: Millis;
  /** When a timer does something about it: the next step, or that it is forgotten. 0 while nothing is due. */
  dueAt: Millis;
  /** The decision of its dispute, executed or not. */
  decision: DisputeOutcome | undefined;
  /** Who appealed the first decision; 0 when nobody has. */
  appealedBy: AccountId | 0;
  /** Whether a merchant's deposit has paid for it. */
  isCompensated: boolean;
}

export const NEVER: Millis = millis(0);

const ENDS: ReadonlySet<OtcStatus> = new Set<OtcStatus>(['RELEASED', 'RETURNED', 'CANCELLED', 'EXPIRED']);

export const isEnded = ({ status }: Pick<OtcOrder, 'status'>): boolean => ENDS.has(status);

export const newOtcOrder = (terms: OtcOrderTerms, deadline: Millis): OtcOrder => ({
  terms,
  status: 'CREATED',
  by: terms.taker,
  steppedAt: terms.createdAt,
  disputableAt: NEVER,
  dueAt: deadline,
  decision: undefined,
  appealedBy: 0,
  isCompensated: false,
});

/** The side against which a dispute went, or goes unless it is appealed; undefined while nothing is decided. */
export function loserOf({ terms: { buyer, seller }, decision }: OtcOrder): AccountId | undefined {
  if (decision === undefined) return undefined;
  return decision === 'RELEASED' ? seller : buyer;
}

export function createdOf({ terms }: OtcOrder, deadline: Millis): OtcOrderCreated {
  return { type: 'OtcOrderCreated', ...terms, deadline };
}

/** @param heldUntil until when the coins that it brought its buyer stay on the exchange */
export function steppedOf(order: OtcOrder, heldUntil: Millis = NEVER): OtcOrderStepped {
  const { status, by, steppedAt, disputableAt, dueAt, terms } = order;
  return {
    type: 'OtcOrderStepped',
    order: terms.order,
    advertisement: terms.advertisement,
    buyer: terms.buyer,
    seller: terms.seller,
    asset: terms.asset,
    amount: terms.amount,
    status,
    by,
    at: steppedAt,
    disputableAt,
    deadline: isEnded(order) ? NEVER : dueAt,
    heldUntil,
  };
}
