/** The notifications of the account in use: added by what hears of events, shown by the bell. */
import { create } from 'zustand';
import { currentOwner, useOwner } from '../../platform/session/owner.ts';
import { stored } from '../../kit/storage/stored.ts';
import { allSeen, parseByOwner, withNotification, withOwner } from './notification.ts';
import type { ByOwner, Notification, Notifications } from './notification.ts';

const remembered = stored<ByOwner>({ name: 'notifications', version: 1, fallback: {}, parse: parseByOwner });

const useByOwner = create<{ readonly owners: ByOwner }>()(() => ({ owners: remembered.read() }));

const NONE: Notifications = [];

function change(owner: string, next: (list: Notifications) => Notifications): void {
  const { owners } = useByOwner.getState();
  const list = owners[owner] ?? NONE;
  const changed = next(list);
  if (changed === list) return;
  const all = withOwner(owners, owner, changed);
  remembered.write(all);
  useByOwner.setState({ owners: all });
}

/** For the account in use. */
export function notify(notification: Omit<Notification, 'at' | 'isSeen'>): void {
  change(currentOwner(), (list) => withNotification(list, { ...notification, at: Date.now(), isSeen: false }));
}

export const seeAll = (owner: string): void => change(owner, allSeen);
export const clearAll = (owner: string): void => change(owner, (list) => (list.length === 0 ? list : NONE));

/** Newest first. */
export function useNotifications(): Notifications {
  const owner = useOwner();
  return useByOwner(({ owners }) => owners[owner] ?? NONE);
}
