/** Opens the form of an advertisement: a new one, or one that is there. */
import type { OwnOtcAdvertisement } from '@orrery/api';
import { lazyDialog, openDialog } from '../../kit/ui/dialogs.tsx';
import { showSuccess } from '../../kit/ui/toast.ts';
import { refresh } from '../../platform/data/calls.ts';
import { requireTerms } from '../onboarding/actions.ts';

const AdvertisementDialog = lazyDialog(async () => (await import('./advertisement-dialog.tsx')).AdvertisementDialog);

export async function postAdvertisement(changed?: OwnOtcAdvertisement): Promise<void> {
  if (!(await requireTerms()) || (await openDialog(AdvertisementDialog, { changed })) !== true) return;
  showSuccess(changed === undefined ? 'otc.ad.published' : 'otc.ad.changed');
  await refresh('otcOwnAdvertisements', 'otcAdvertisements', 'balances');
}
