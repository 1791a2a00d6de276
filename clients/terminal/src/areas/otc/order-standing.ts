/** Where an order stands for the side that looks at it: what it may do, and what comes next. */
import type { OtcOrderDetail, OtcOrderStatus } from '@orrery/api';
import type { MessageId } from '../../kit/i18n/catalog.ts';

const OPEN: ReadonlySet<OtcOrderStatus> = new Set(['CREATED', 'PAID', 'DISPUTED']);

export const isOpen = ({ status }: Pick<OtcOrderDetail, 'status'>): boolean => OPEN.has(status);

/** Whether a step can be taken: now, not yet and why, or never where it has no place. */
export type Standing = 'now' | 'never' | { readonly reason: MessageId; readonly at?: number };

export interface OrderStandings {
  readonly paid: Standing;
  readonly release: Standing;
  readonly cancel: Standing;
  readonly dispute: Standing;
  readonly evidence: Standing;
  readonly appeal: Standing;
}

type Ground = Pick<OtcOrderDetail, 'status' | 'side' | 'canDisputeAt' | 'canAppeal' | 'decision'>;

/** @param now of the exchange, unix milliseconds */
export function standingsOf({ status, side, canDisputeAt, canAppeal, decision }: Ground, now: number): OrderStandings {
  const isBuyer = side === 'BUY';
  const dispute = (): Standing => {
    if (status === 'CREATED') return { reason: 'otc.act.disputeLater' };
    if (status !== 'PAID' || canDisputeAt === null) return 'never';
    return canDisputeAt <= now ? 'now' : { reason: 'otc.act.disputeIn', at: canDisputeAt };
  };
  const release = (): Standing => {
    if (isBuyer) return 'never';
    return status === 'PAID' ? 'now' : status === 'CREATED' ? { reason: 'otc.act.releaseLater' } : 'never';
  };
  return {
    paid: isBuyer && status === 'CREATED' ? 'now' : 'never',
    release: release(),
    cancel: isBuyer && (status === 'CREATED' || status === 'PAID') ? 'now' : 'never',
    dispute: dispute(),
    // A decision that may still be appealed takes evidence by the appeal alone.
    evidence: status === 'DISPUTED' && (decision === null || decision.appealedBy !== null) ? 'now' : 'never',
    appeal: status === 'DISPUTED' && canAppeal ? 'now' : 'never',
  };
}

/** One sentence of what happens next, for this side. `time` is when a decision is carried out. */
export function nextOf({ status, side, decision }: Pick<OtcOrderDetail, 'status' | 'side' | 'decision'>): {
  readonly message: MessageId;
  readonly at?: number;
} {
  if (status !== 'DISPUTED') return { message: `otc.next.${side}.${status}` };
  if (decision === null) return { message: 'otc.next.DISPUTED' };
  if (decision.appealedBy !== null) return { message: 'otc.next.APPEALED' };
  return { message: `otc.next.DECIDED.${decision.outcome}`, ...(decision.executesAt !== null && { at: decision.executesAt }) };
}
