import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { ReactElement } from 'react';
import type { MessageId } from '../i18n/catalog.ts';
import { useText } from '../i18n/text.tsx';

const places = [
  { to: '/portfolio', label: 'portfolio.title' },
  { to: '/assets/funding', label: 'assets.funding' },
  { to: '/assets/spot', label: 'assets.spot' },
  { to: '/assets/futures', label: 'assets.futures' },
  { to: '/assets/deposit', label: 'assets.deposit' },
  { to: '/assets/withdraw', label: 'assets.withdraw' },
  { to: '/assets/bills', label: 'assets.bills' },
] as const satisfies readonly { to: string; label: MessageId }[];

/** The pages about money, beside each other. */
export function AssetNav(): ReactElement {
  const text = useText();
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    // Newer browsers answer a promise, which must not be taken for the effect's clean-up.
    bar.current?.querySelector('[data-status=active]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, []);
  return (
    <nav
      ref={bar}
      aria-label={text('portfolio.title')}
      className="mb-5 flex gap-5 overflow-x-auto border-b border-line [scrollbar-width:none]"
    >
      {places.map(({ to, label }) => (
        <Link
          key={to}
          to={to}
          className="relative shrink-0 pb-2 text-md font-medium text-fg2 hover:text-fg data-[status=active]:text-fg data-[status=active]:after:absolute data-[status=active]:after:inset-x-0 data-[status=active]:after:-bottom-px data-[status=active]:after:h-0.5 data-[status=active]:after:bg-bone"
        >
          {text(label)}
        </Link>
      ))}
    </nav>
  );
}
