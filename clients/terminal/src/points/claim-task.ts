/** Claims the reward of a task. The award is shown as every other; a refusal is shown with its reason. */
import { awardsChanged } from '../awards/follow-awards.ts';
import { http } from '../client/client.ts';
import { NO_BODY } from '../client/failure.ts';
import { lazyDialog, openDialog } from '../ui/dialogs.tsx';
import { showError } from '../ui/toast.ts';

const UnavailableDialog = lazyDialog(async () => (await import('../awards/unavailable-dialog.tsx')).UnavailableDialog);

export interface TaskClaim {
  readonly walletAddress: string;
  readonly taskCode: string;
}

const isNotQualified = (data: unknown): boolean =>
  typeof data === 'object' && data !== null && 'reason' in data && data.reason === 'NotQualified';

export async function claimTask(claim: TaskClaim): Promise<void> {
  // As it came: who does not qualify sees a dialog, not a toast.
  const answer = await http.raw('claimTask', { body: claim }).catch(() => undefined);
  awardsChanged();
  if (answer === undefined) return showError(NO_BODY);
  const { code, msg, data } = answer;
  if (isNotQualified(data)) void openDialog(UnavailableDialog, {});
  else if (code !== 0) showError(msg);
}
