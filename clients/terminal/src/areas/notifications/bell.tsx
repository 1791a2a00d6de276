/** The bell of the header, with a dot while there is something that nobody looked at here. */
import { Bell as BellIcon } from 'lucide-react';
import type { ReactElement } from 'react';
import { create } from 'zustand';
import { useText } from '../../kit/i18n/text.tsx';
import { putAway, useNotices } from '../notices/use-notices.ts';
import { useOwner } from '../../platform/session/owner.ts';
import { IconButton } from '../../kit/ui/icon-button.tsx';
import { Popover } from '../../kit/ui/popover.tsx';
import { unseenOf } from './notification.ts';
import { seeAll, useNotifications } from './notify.ts';
import { lazyPart } from '../../kit/ui/lazy-part.ts';

const NotificationList = lazyPart(async () => (await import('./notification-list.tsx')).NotificationList);

const useIsOpen = create<{ readonly isOpen: boolean }>()(() => ({ isOpen: false }));

export const openNotifications = (): void => useIsOpen.setState({ isOpen: true });

export function Bell(): ReactElement {
  const text = useText();
  const owner = useOwner();
  const notices = useNotices('NOTICE');
  const isOpen = useIsOpen((state) => state.isOpen);
  const unseen = unseenOf(useNotifications()) + notices.filter(({ isPutAway }) => !isPutAway).length;
  const label = unseen === 0 ? text('notices.title') : text('notices.unread', { count: unseen });
  const trigger = (
    <IconButton label={label} className="relative">
      <BellIcon size={16} />
      {unseen > 0 && <span aria-hidden="true" className="absolute top-1 inset-e-1 size-1.5 rounded-full bg-warn" />}
    </IconButton>
  );
  // What was in view when it closes has been seen; while it is open what is new stands out.
  const change = (open: boolean): void => {
    useIsOpen.setState({ isOpen: open });
    if (open) return;
    putAway(notices);
    seeAll(owner);
  };
  return (
    <Popover
      trigger={trigger}
      label={text('notices.title')}
      align="end"
      className="w-[min(380px,94vw)]"
      open={isOpen}
      onOpenChange={change}
    >
      <NotificationList />
    </Popover>
  );
}
