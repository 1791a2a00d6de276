/** Every award is shown to its owner once, wherever on the page they are. */
import type { AwardNews } from '@orrery/api';
import { useEffect } from 'react';
import { ask, refresh } from '../data/calls.ts';
import { useData } from '../data/use-data.ts';
import type { AccountNews } from '../data/streams/streams.ts';
import { useAccountNews } from '../data/streams/use-account-stream.ts';
import { useSession } from '../session/session.ts';
import { lazyDialog, openDialog } from '../ui/dialogs.tsx';
import { AwardQueue } from './award-queue.ts';
import type { Award } from './award-queue.ts';

const CongratulationsDialog = lazyDialog(async () => (await import('./congratulations-dialog.tsx')).CongratulationsDialog);
const ShareDialog = lazyDialog(async () => (await import('../share/share-dialog.tsx')).ShareDialog);

/** The stream brings awards; this is for those it could not bring. */
const POLL_MS = 60_000;

async function present(awards: readonly Award[]): Promise<void> {
  const news = awards.map((award) => award.news);
  const answer = await openDialog(CongratulationsDialog, { news });
  for (const { news: seen, address } of awards) {
    // When this is not heard the award is only shown again on the next visit.
    await ask('awardSeen', { body: { walletAddress: address, awardId: seen.awardId } }).catch(() => undefined);
  }
  const [first] = news;
  if (answer !== 'share' || first === undefined) return;
  // Several rewards are boasted of as one: none of their names stands for all.
  const points = news.reduce((sum, one) => sum + one.points, 0);
  await openDialog(ShareDialog, { news: news.length === 1 ? first : { ...first, points, title: null } });
}

const queue = new AwardQueue(present);

const newsOf = (address: string): Promise<readonly AwardNews[]> => ask('awardNews', { body: { walletAddress: address } });

/**
 * Nothing is celebrated until what it answers is called; what was given meanwhile is then shown together. The news is read once
 * more before that, so that the last award is among them.
 */
export function holdAwards(): (address: string) => Promise<void> {
  const release = queue.hold();
  return async (address) => {
    // When the news cannot be read, its awards are shown by the next reading.
    const news = await newsOf(address).catch(() => []);
    queue.take(news.map((one) => ({ news: one, address })));
    release();
  };
}

/** Points have been given, or are thought to have been: what shows them is read again, and their owner is shown a dialog. */
export function awardsChanged(): void {
  void refresh('awardNews', 'taskCount', 'hasOrdered', 'tasks', 'taskList', 'completedTasks', 'inviteInfo');
}

function hear(news: AccountNews): void {
  // After an absence of the stream there may be awards that it did not tell.
  if (news.kind === 'award' || news.kind === 'ready') awardsChanged();
}

/** Mounted once. */
export function useAwards(): void {
  const address = useSession((state) => (state.signedIn?.termsAccepted === true ? state.address : undefined));
  const { value } = useData({
    name: 'awardNews',
    input: { body: { walletAddress: address ?? '' } },
    of: 'account',
    when: address !== undefined,
    pollMs: POLL_MS,
  });
  useAccountNews(hear);
  useEffect(() => {
    if (address === undefined) queue.clear();
    else if (value !== undefined) queue.take(value.map((news) => ({ news, address })));
  }, [address, value]);
}
