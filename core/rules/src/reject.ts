import type { CommandRejected, RejectReason } from '@orrery/protocol';

/** @param field the command's field that is refused; empty when no single one is. */
export function reject(reason: RejectReason, field = ''): CommandRejected {
  return { type: 'CommandRejected', reason, field };
}
