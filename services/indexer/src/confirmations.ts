/** How deep a block must lie before money moves because of it. */

/** Deeper reorganisations than this wait for a person. */
export const DEEPEST_SELF_HEALING = 64;

/**
 * The confirmations, a block's own counted, at which it is final to us. With 32 configured, a reorganisation of 32 blocks
 * must touch no credit, so the 33rd confirmation credits. 1 is for a chain with one producer, which never reorganises.
 */
export function requiredConfirmations(configured: number): number {
  return configured === 1 ? 1 : configured + 1;
}

/** The newest block that is final; below 0 when none is. */
export function finalBlock(head: number, required: number): number {
  return head - required + 1;
}

/**
 * The newest block too deep for an automatically reconciled reorganisation; below 0 when none is that deep. What can not be
 * made good waits for it: a refund, because another branch may hold the payout in a block before its deadline.
 */
export function settledBlock(head: number, required: number): number {
  return finalBlock(head, required === 1 ? 1 : Math.max(required, DEEPEST_SELF_HEALING + 1));
}
