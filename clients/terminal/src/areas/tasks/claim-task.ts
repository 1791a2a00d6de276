/** Claims rewards of tasks. The awards are shown as every other; a refusal is shown with its reason. */
import { awardsChanged } from '../awards/follow-awards.ts';
import { holdAwards } from '../awards/show-awards.ts';
import { answerOf } from '../../platform/data/calls.ts';
import { NO_BODY } from '../../platform/client/failure.ts';
import { lazyDialog, openDialog } from '../../kit/ui/dialogs.tsx';
import { showError } from '../../kit/ui/toast.ts';
import { actor } from '../../kit/storage/account-in-view.ts';

const UnavailableDialog = lazyDialog(async () => (await import('../awards/unavailable-dialog.tsx')).UnavailableDialog);

export interface TaskClaims {
  readonly walletAddress: string;
  readonly taskCodes: readonly string[];
}

const isNotQualified = (data: unknown): boolean =>
  typeof data === 'object' && data !== null && 'reason' in data && data.reason === 'NotQualified';

/** One after another, so that each is decided by itself: what one refusal says does not stop the others. */
export async function claimTasks({ walletAddress, taskCodes }: TaskClaims): Promise<void> {
  const by = actor();
  const celebrate = holdAwards();
  const problems: string[] = [];
  let isQualified = true;
  try {
    for (const taskCode of taskCodes) {
      // As it came: who does not qualify sees a dialog, not a toast.
      const answer = await answerOf('claimTask', { body: { walletAddress, taskCode } }, by).catch(() => undefined);
      if (answer === undefined) problems.push(NO_BODY);
      else if (isNotQualified(answer.data)) isQualified = false;
      else if (answer.code !== 0) problems.push(answer.msg);
    }
  } finally {
    awardsChanged();
    await celebrate(walletAddress);
  }
  if (!isQualified) void openDialog(UnavailableDialog, {});
  const [problem] = problems;
  if (problem !== undefined) showError(problem);
}
