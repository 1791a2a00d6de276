/** The newest banner that was not put away, on top of every page. */
import { X } from 'lucide-react';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { IconButton } from '../../kit/ui/icon-button.tsx';
import { putAway, useNotices } from './use-notices.ts';

export function Banner(): ReactElement | null {
  const text = useText();
  const banner = useNotices('BANNER').find(({ isPutAway }) => !isPutAway);
  if (banner === undefined) return null;
  return (
    <section aria-label={text('notices.banner')} className="flex shrink-0 items-center gap-3 border-b border-line bg-raised px-3 py-1">
      <p className="min-w-0 grow text-md break-words text-fg2">
        <strong className="font-semibold text-fg">{banner.title}</strong> {banner.text}{' '}
        {banner.link !== null && (
          <a href={banner.link} className="underline hover:text-fg">
            {text('notices.more')}
          </a>
        )}
      </p>
      <IconButton label={text('ui.dismiss')} onClick={() => putAway([banner])}>
        <X size={16} />
      </IconButton>
    </section>
  );
}
