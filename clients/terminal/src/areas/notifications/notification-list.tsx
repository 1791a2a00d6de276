/** Notifications by category, newest first; what the exchange says to everybody is among those of the system. */
import { Award, CandlestickChart, Coins, Megaphone } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { useNotices } from '../notices/use-notices.ts';
import { useOwner } from '../../platform/session/owner.ts';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Button } from '../../kit/ui/button.tsx';
import { classes } from '../../kit/ui/classes.ts';
import { Segmented } from '../../kit/ui/radio-group.tsx';
import { CATEGORIES } from './notification.ts';
import type { Category, Notification } from './notification.ts';
import { clearAll, useNotifications } from './notify.ts';

type Shown = Omit<Notification, 'link'> & { readonly link?: string | null };

const icons: Readonly<Record<Category, LucideIcon>> = { orders: CandlestickChart, money: Coins, rewards: Award, system: Megaphone };

function Entry({ entry }: { readonly entry: Shown }): ReactElement {
  const text = useText();
  const format = useFormat();
  const Icon = icons[entry.category];
  return (
    <li className={classes('flex gap-2.5 border-b border-line px-3 py-2.5 last:border-0', !entry.isSeen && 'bg-hover')}>
      <Icon size={15} aria-label={text(`notifications.${entry.category}`)} className="mt-0.5 shrink-0 text-fg3" />
      <div className="min-w-0 grow">
        <p className="text-md font-medium break-words">
          {entry.title}
          {!entry.isSeen && <span className="sr-only"> {text('notifications.new')}</span>}
        </p>
        {entry.detail !== '' && <p className="text-md break-words whitespace-pre-line text-fg2">{entry.detail}</p>}
        <p className="mt-0.5 flex justify-between gap-3 text-sm text-fg3">
          {format.time(entry.at)}
          {entry.link !== undefined && entry.link !== null && (
            <a href={entry.link} className="underline hover:text-fg">
              {text('notices.more')}
            </a>
          )}
        </p>
      </div>
    </li>
  );
}

function useEntries(): readonly Shown[] {
  const own = useNotifications();
  const notices = useNotices('NOTICE').map((notice): Shown => ({
    id: `notice ${notice.noticeId}`,
    category: 'system',
    at: notice.startsAt,
    title: notice.title,
    detail: notice.text,
    link: notice.link,
    isSeen: notice.isPutAway,
  }));
  return [...own, ...notices].toSorted((left, right) => right.at - left.at);
}

export function NotificationList(): ReactElement {
  const text = useText();
  const owner = useOwner();
  const entries = useEntries();
  const hasOwn = useNotifications().length > 0;
  const [shelf, setShelf] = useState<Category | 'all'>('all');
  const shown = entries.filter(({ category }) => shelf === 'all' || category === shelf);
  const choices = (['all', ...CATEGORIES] as const).map((value) => ({ value, label: text(`notifications.${value}`) }));
  return (
    <div className="flex max-h-[70dvh] flex-col">
      <div className="flex items-center justify-between gap-2 border-b border-line p-2">
        <Segmented label={text('notifications.category')} value={shelf} choices={choices} onChange={setShelf} size="small" />
        {hasOwn && (
          <Button size="small" kind="quiet" onClick={() => clearAll(owner)}>
            {text('notifications.clear')}
          </Button>
        )}
      </div>
      <div tabIndex={0} role="region" aria-label={text('notices.title')} className="min-h-0 overflow-y-auto outline-offset-[-2px]">
        {shown.length === 0 && <p className="p-4 text-md text-fg2">{text('notifications.empty')}</p>}
        <ul>
          {shown.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ul>
      </div>
    </div>
  );
}
