/** Below 760 px the navigation is a menu. */
import { Link, useRouter } from '@tanstack/react-router';
import { Menu as MenuIcon } from 'lucide-react';
import type { ReactElement } from 'react';
import { Text, useText } from '../kit/i18n/text.tsx';
import { IconButton } from '../kit/ui/icon-button.tsx';
import { Menu, MenuLink } from '../kit/ui/menu.tsx';
import { destinationsOf } from './destinations.ts';

const MORE = [
  { to: '/app', label: 'nav.app' },
  { to: '/status', label: 'nav.status' },
] as const;

export function NarrowNavigation(): ReactElement {
  const text = useText();
  const trigger = (
    <IconButton label={text('app.menu')}>
      <MenuIcon size={18} />
    </IconButton>
  );
  return (
    <Menu trigger={trigger} align="start">
      {[...destinationsOf(useRouter()), ...MORE].map(({ to, label }) => (
        <MenuLink key={to}>
          <Link to={to}>
            <Text id={label} />
          </Link>
        </MenuLink>
      ))}
      <MenuLink>
        <a href="/docs">
          <Text id="nav.api" />
        </a>
      </MenuLink>
    </Menu>
  );
}
