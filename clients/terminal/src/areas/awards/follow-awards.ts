/** Every award is shown to its owner once, wherever on the page they are. */
import { useEffect } from 'react';
import { refresh } from '../../platform/data/calls.ts';
import { useData } from '../../platform/data/use-data.ts';
import type { AccountNews } from '../../platform/data/streams/streams.ts';
import { useAccountNews, useAccountTopic } from '../../platform/data/streams/use-account-stream.ts';
import { useSession } from '../../platform/session/session.ts';
import { loadCode } from '../../kit/ui/load-code.ts';
import type * as Dialogs from './show-awards.ts';

/** The stream brings awards; this is for those it could not bring. */
const POLL_MS = 60_000;

let loaded: typeof Dialogs | undefined;

/** Most visits have no award: what shows one comes with the first. */
async function loadDialogs(): Promise<typeof Dialogs> {
  loaded ??= await loadCode(() => import('./show-awards.ts'));
  return loaded;
}

/** Points have been given, or are thought to have been: what shows them is read again, and their owner is shown a dialog. */
export function awardsChanged(): void {
  void refresh('awardNews', 'taskCount', 'hasOrdered', 'tasks', 'taskList', 'completedTasks', 'inviteInfo');
}

/** After an absence of the stream there may be awards that it did not bring. */
function hear({ kind }: AccountNews): void {
  if (kind === 'ready') awardsChanged();
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
  useAccountTopic('uAward', awardsChanged);
  useAccountNews(hear);
  useEffect(() => {
    if (address === undefined) loaded?.forgetWaiting();
    if (address === undefined || value === undefined || value.length === 0) return undefined;
    let isOver = false;
    void loadDialogs().then(
      ({ showAwards }) => isOver || showAwards(value, address),
      () => undefined,
    );
    return () => {
      isOver = true;
    };
  }, [address, value]);
}
