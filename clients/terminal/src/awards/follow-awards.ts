/** Every award is shown to its owner once, wherever on the page they are. */
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { http } from '../client/client.ts';
import { queryClient } from '../client/query-client.ts';
import type { AccountNews } from '../feed/account-store.ts';
import { useAccountNews } from '../feed/use-account-stream.ts';
import { useSession } from '../session/session.ts';
import { lazyDialog, openDialog } from '../ui/dialogs.tsx';
import { AwardQueue } from './award-queue.ts';
import type { Award } from './award-queue.ts';

const CongratulationsDialog = lazyDialog(async () => (await import('./congratulations-dialog.tsx')).CongratulationsDialog);
const ShareDialog = lazyDialog(async () => (await import('../share/share-dialog.tsx')).ShareDialog);

/** The stream brings awards; this is for those it could not bring. */
const POLL_MS = 60_000;
const NEWS = 'awardNews';

async function present({ news, address }: Award): Promise<void> {
  const answer = await openDialog(CongratulationsDialog, { news });
  // When this is not heard the award is only shown again on the next visit.
  await http.load('awardSeen', { body: { walletAddress: address, awardId: news.awardId } }).catch(() => undefined);
  if (answer === 'share') await openDialog(ShareDialog, { news });
}

const queue = new AwardQueue(present);

/** Points have been given, or are thought to have been: what shows them is read again, and their owner is shown a dialog. */
export function awardsChanged(): void {
  for (const key of [NEWS, 'taskCount', 'tasks', 'completedTasks', 'invite']) void queryClient.invalidateQueries({ queryKey: [key] });
}

function hear(news: AccountNews): void {
  // After an absence of the stream there may be awards that it did not tell.
  if (news.kind === 'award' || news.kind === 'ready') awardsChanged();
}

/** Mounted once. */
export function useAwards(): void {
  const address = useSession((state) => (state.signedIn?.termsAccepted === true ? state.address : undefined));
  const { data } = useQuery({
    queryKey: [NEWS, address],
    queryFn: () => http.load('awardNews', { body: { walletAddress: address ?? '' } }),
    enabled: address !== undefined,
    refetchInterval: POLL_MS,
  });
  useAccountNews(hear);
  useEffect(() => {
    if (address === undefined) queue.clear();
    else if (data !== undefined) queue.take(data.map((news) => ({ news, address })));
  }, [address, data]);
}
