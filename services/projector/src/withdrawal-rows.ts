/** Withdrawals as rows, and the steps on their way. */
import type { Event, WithdrawalHeld, WithdrawnInternally } from '@orrery/protocol';
import type { Moment } from '@orrery/views';
import type { Batch, Row } from './batch.ts';

export function recordWithdrawal(event: Event, moment: Moment, batch: Batch): void {
  const { at } = moment;
  switch (event.type) {
    case 'WithdrawalHeld':
      batch.withdrawals.push(rowOf(event, 'HELD', moment));
      break;
    case 'WithdrawnInternally':
      batch.withdrawals.push(rowOf(event, 'POSTED', moment));
      break;
    case 'WithdrawalSent':
      batch.withdrawalSteps.push({ withdrawalId: event.withdrawalId, state: 'SENT', txHash: event.txHash, at });
      break;
    case 'WithdrawalPosted':
      batch.withdrawalSteps.push({ withdrawalId: event.withdrawalId, state: 'POSTED', txHash: event.txHash, at });
      break;
    case 'WithdrawalRefunded':
      batch.withdrawalSteps.push({ withdrawalId: event.withdrawalId, state: 'REFUNDED', txHash: undefined, at });
      break;
    default:
      break;
  }
}

const rowOf = (event: WithdrawalHeld | WithdrawnInternally, state: string, { seq, at }: Moment): Row<'projector_withdrawal'> => ({
  withdrawal_id: event.withdrawalId,
  account: event.account,
  asset: event.asset,
  amount: String(event.amount),
  to_address: event.to,
  state,
  tx_hash: null,
  created_at: at,
  updated_at: at,
  seq,
});
