/** The strip that says this is a test, the way around, and the wallet. */
import { Link } from '@tanstack/react-router';
import { Menu as MenuIcon } from 'lucide-react';
import type { ReactElement } from 'react';
import { Text, useText } from '../i18n/text.tsx';
import type { MessageId } from '../i18n/catalog.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Menu, MenuLink } from '../ui/menu.tsx';
import { Logo } from './logo.tsx';

interface Destination {
  readonly to: '/trade/spot';
  readonly label: MessageId;
}

const destinations: readonly Destination[] = [
  { to: '/trade/spot', label: 'nav.spot' },
];

function TestnetTag(): ReactElement {
  return (
    <span className="rounded-sm border border-warn px-1.5 py-0.5 text-sm whitespace-nowrap text-warn">
      <span className="max-laptop:hidden">
        <Text id="app.testnet" />
      </span>
      <span className="laptop:hidden">
        <Text id="app.testnetShort" />
      </span>
    </span>
  );
}

function WideNavigation(): ReactElement {
  const text = useText();
  return (
    <nav aria-label={text('app.navigation')} className="flex items-stretch self-stretch max-tablet:hidden">
      {destinations.map(({ to, label }) => (
        <Link
          key={to}
          to={to}
          className="relative flex items-center px-3 text-md font-medium text-fg2 hover:text-fg data-[status=active]:text-fg data-[status=active]:after:absolute data-[status=active]:after:inset-x-1.5 data-[status=active]:after:bottom-0 data-[status=active]:after:h-0.5 data-[status=active]:after:bg-bone"
        >
          <Text id={label} />
        </Link>
      ))}
    </nav>
  );
}

function NarrowNavigation(): ReactElement {
  const text = useText();
  const trigger = (
    <IconButton label={text('app.menu')} className="tablet:hidden">
      <MenuIcon size={18} />
    </IconButton>
  );
  return (
    <Menu trigger={trigger} align="start">
      {destinations.map(({ to, label }) => (
        <MenuLink key={to}>
          <Link to={to}>
            <Text id={label} />
          </Link>
        </MenuLink>
      ))}
    </Menu>
  );
}

export function Header(): ReactElement {
  const text = useText();
  return (
    <header className="shrink-0 border-b border-line bg-page">
      <div className="hazard-strip" />
      <div className="flex h-11 items-center gap-2 px-2 tablet:gap-3 tablet:px-3">
        <NarrowNavigation />
        <Link to="/" aria-label={text('app.home')} className="flex items-center gap-2 rounded-sm text-lg font-semibold tracking-[-0.01em]">
          <Logo />
          <span className="max-[420px]:hidden">Orrery</span>
        </Link>
        <TestnetTag />
        <WideNavigation />
      </div>
    </header>
  );
}
