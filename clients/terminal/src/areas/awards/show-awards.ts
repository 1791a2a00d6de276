/** Shows awards to their owner, one dialog after another. */
import type { AwardNews } from '@orrery/api';
import { ask } from '../../platform/data/calls.ts';
import { lazyDialog, openDialog } from '../../kit/ui/dialogs.tsx';
import { AwardQueue } from './award-queue.ts';
import type { Award } from './award-queue.ts';
import { actor } from '../../kit/storage/account-in-view.ts';

const CongratulationsDialog = lazyDialog(async () => (await import('./congratulations-dialog.tsx')).CongratulationsDialog);
const ShareDialog = lazyDialog(async () => (await import('../share/share-dialog.tsx')).ShareDialog);

async function present(awards: readonly Award[]): Promise<void> {
  const by = actor();
  const news = awards.map((award) => award.news);
  const answer = await openDialog(CongratulationsDialog, { news });
  for (const { news: seen, address } of awards) {
    // When this is not heard the award is only shown again on the next visit.
    await ask('awardSeen', { body: { walletAddress: address, awardId: seen.awardId } }, by).catch(() => undefined);
  }
  const [first] = news;
  if (answer !== 'share' || first === undefined) return;
  // Several rewards are boasted of as one: none of their names stands for all.
  const points = news.reduce((sum, one) => sum + one.points, 0);
  await openDialog(ShareDialog, { news: news.length === 1 ? first : { ...first, points, title: null } });
}

const queue = new AwardQueue(present);

/** Awards that were shown or wait already are left out. */
export const showAwards = (news: readonly AwardNews[], address: string): void => queue.take(news.map((one) => ({ news: one, address })));

/** Another person is at the page: what was not shown yet is shown when its owner is back. */
export const forgetWaiting = (): void => queue.clear();

/**
 * Nothing is celebrated until what it answers is called; what was given meanwhile is then shown together. The news is read once
 * more before that, so that the last award is among them.
 */
export function holdAwards(): (address: string) => Promise<void> {
  const release = queue.hold();
  return async (address) => {
    // When the news cannot be read, its awards are shown by the next reading.
    const news = await ask('awardNews', { body: { walletAddress: address } }).catch((): readonly AwardNews[] => []);
    showAwards(news, address);
    release();
  };
}
