/** The bell of the header: a list of notices, with a dot while there are some that nobody looked at here. */
import { Bell as BellIcon } from 'lucide-react';
import type { ReactElement } from 'react';
import { useText } from '../i18n/text.tsx';
import { useFormat } from '../settings/use-format.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Popover } from '../ui/popover.tsx';
import { putAway, useNotices } from './use-notices.ts';

export function Bell(): ReactElement {
  const text = useText();
  const format = useFormat();
  const notices = useNotices('NOTICE');
  const unread = notices.filter(({ isPutAway }) => !isPutAway).length;
  const label = unread === 0 ? text('notices.title') : text('notices.unread', { count: unread });
  const trigger = (
    <IconButton label={label} className="relative">
      <BellIcon size={16} />
      {unread > 0 && <span aria-hidden="true" className="absolute top-1 inset-e-1 size-1.5 rounded-full bg-warn" />}
    </IconButton>
  );
  return (
    <Popover
      trigger={trigger}
      label={text('notices.title')}
      align="end"
      className="max-h-[70dvh] w-80 max-w-[94vw] overflow-y-auto"
      onOpenChange={(open) => !open && putAway(notices)}
    >
      {notices.length === 0 && <p className="p-4 text-md text-fg2">{text('notices.empty')}</p>}
      <ul>
        {notices.map((notice) => (
          <li key={notice.noticeId} className="border-b border-line px-4 py-3 last:border-0">
            <p className="text-md font-semibold break-words">{notice.title}</p>
            {notice.text !== '' && <p className="mt-1 text-md break-words whitespace-pre-line text-fg2">{notice.text}</p>}
            <p className="mt-1 flex justify-between gap-3 text-sm text-fg3">
              {format.time(notice.startsAt)}
              {notice.link !== null && (
                <a href={notice.link} className="underline hover:text-fg">
                  {text('notices.more')}
                </a>
              )}
            </p>
          </li>
        ))}
      </ul>
    </Popover>
  );
}
