/** Takes a withdrawal back of which nothing is signed yet. */
import type { Withdrawal } from '@orrery/api';
import { coinName } from '../balances/coin-name.ts';
import { act, refresh } from '../../platform/data/calls.ts';
import { say } from '../../kit/i18n/text.tsx';
import { ConfirmDialog } from '../../kit/ui/confirm-dialog.tsx';
import { openDialog } from '../../kit/ui/dialogs.tsx';
import { showSuccess } from '../../kit/ui/toast.ts';
import { actor } from '../../kit/storage/account-in-view.ts';

export async function cancelWithdrawal({ withdrawalId, amount, coin }: Withdrawal): Promise<void> {
  const by = actor();
  const question = {
    title: say('withdraw.cancelTitle'),
    lead: say('withdraw.cancelLead', { amount, coin: coinName(coin) }),
    action: say('withdraw.cancelTitle'),
    keep: say('withdraw.keep'),
  };
  if ((await openDialog(ConfirmDialog, question)) !== true) return;
  try {
    await act('cancelWithdrawal', { body: { withdrawalId } }, by);
    showSuccess('withdraw.cancelled');
  } catch {
    // The toast says why.
  }
  await refresh('withdrawalReviews', 'withdrawals');
}
