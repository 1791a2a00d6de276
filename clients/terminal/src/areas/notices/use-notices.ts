/** The notices of the exchange to everybody, and which of them this browser has dismissed. */
import type { Notice, NoticeKind } from '@orrery/api';
import { create } from 'zustand';
import { useData } from '../../platform/data/use-data.ts';
import { stored } from '../../kit/storage/stored.ts';

const REFRESH_MS = 60_000;
/** The oldest that were put away are forgotten: they are long over. */
const REMEMBERED_MAX = 100;

const parseNumbers = (json: unknown): readonly number[] | undefined =>
  Array.isArray(json) && json.every((each): each is number => Number.isSafeInteger(each)) ? json : undefined;

const remembered = stored<readonly number[]>({ name: 'noticesPutAway', version: 1, fallback: [], parse: parseNumbers });

const usePutAway = create<{ readonly ids: readonly number[] }>()(() => ({ ids: remembered.read() }));

/** Remembered on this device. */
export function putAway(notices: readonly Notice[]): void {
  const { ids } = usePutAway.getState();
  const fresh = notices.map(({ noticeId }) => noticeId).filter((id) => !ids.includes(id));
  if (fresh.length === 0) return;
  const next = [...ids, ...fresh].slice(-REMEMBERED_MAX);
  remembered.write(next);
  usePutAway.setState({ ids: next });
}

export interface KnownNotice extends Notice {
  readonly isPutAway: boolean;
}

/** Newest first; nothing while they are not known. */
export function useNotices(kind: NoticeKind): readonly KnownNotice[] {
  const ids = usePutAway((state) => state.ids);
  const { value = [] } = useData({ name: 'notices', of: 'everybody', staleMs: REFRESH_MS, pollMs: REFRESH_MS });
  return value.filter((notice) => notice.kind === kind).map((notice) => ({ ...notice, isPutAway: ids.includes(notice.noticeId) }));
}
