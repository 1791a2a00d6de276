/** The strip that says this is a test, the way around, and the wallet. */
import { Link, useLocation, useRouter } from '@tanstack/react-router';
import { Search, Settings as SettingsIcon } from 'lucide-react';
import type { ReactElement } from 'react';
import { openPalette } from '../platform/actions/general-actions.ts';
import { Text, useText } from '../kit/i18n/text.tsx';
import { Bell } from '../areas/notifications/bell.tsx';
import { useSession } from '../platform/session/session.ts';
import { IconButton } from '../kit/ui/icon-button.tsx';
import { lazyPart } from '../kit/ui/lazy-part.ts';
import { LinkButton } from '../kit/ui/link-button.tsx';
import { Panel } from '../kit/ui/panel.tsx';
import { useIsWide } from '../kit/ui/use-is-wide.ts';
import { WalletMenu } from '../areas/sign-in/wallet-menu.tsx';
import { destinationsOf } from './destinations.ts';
import { Logo } from './logo.tsx';
import { openSettings } from './open-settings.ts';

const NarrowNavigation = lazyPart(async () => (await import('./narrow-navigation.tsx')).NarrowNavigation);

function TestnetTag(): ReactElement {
  return (
    <span className="min-w-0 truncate rounded-sm border border-warn px-1.5 py-0.5 text-sm text-warn">
      <span className="max-desktop:hidden">
        <Text id="app.testnet" />
      </span>
      <span className="desktop:hidden" aria-hidden="true">
        <Text id="app.testnetShort" />
      </span>
      <span className="sr-only desktop:hidden">
        <Text id="app.testnet" />
      </span>
    </span>
  );
}

function WideNavigation(): ReactElement {
  const text = useText();
  const path = useLocation({ select: (location) => location.pathname });
  return (
    <nav aria-label={text('app.navigation')} className="flex items-stretch self-stretch max-tablet:hidden">
      {destinationsOf(useRouter()).map(({ to, label, also }) => (
        <Link
          key={to}
          to={to}
          {...(also?.includes(path) === true && { 'data-status': 'active' })}
          className="relative flex items-center px-1.5 text-md font-medium text-fg2 hover:text-fg focus-visible:outline-offset-[-3px] data-[status=active]:text-fg data-[status=active]:after:absolute data-[status=active]:after:inset-x-1 data-[status=active]:after:bottom-0 data-[status=active]:after:h-0.5 data-[status=active]:after:bg-bone desktop:px-3"
        >
          <Text id={label} />
        </Link>
      ))}
      <a
        href="/docs"
        className="flex items-center px-1.5 text-md font-medium text-fg2 hover:text-fg focus-visible:outline-offset-[-3px] desktop:px-3"
      >
        <Text id="nav.api" />
      </a>
    </nav>
  );
}

function DepositLink(): ReactElement | null {
  const text = useText();
  const isSignedIn = useSession((state) => state.signedIn !== undefined);
  if (!isSignedIn) return null;
  return (
    <LinkButton to="/assets/deposit" size="small" className="h-8 px-3 max-tablet:hidden">
      {text('nav.deposit')}
    </LinkButton>
  );
}

export function Header(): ReactElement {
  const text = useText();
  const isWide = useIsWide();
  return (
    <header className="shrink-0 border-b border-line bg-page">
      <div className="hazard-strip" />
      <div className="flex h-11 items-center gap-2 px-2 max-[360px]:gap-1 max-[360px]:px-1 tablet:gap-3 tablet:px-3">
        {!isWide && (
          <Panel room="line" loading={<span className="size-8" />}>
            <NarrowNavigation />
          </Panel>
        )}
        <Link to="/" aria-label={text('app.home')} className="flex items-center gap-2 rounded-sm text-lg font-semibold tracking-[-0.01em]">
          <Logo />
          <span className="max-[480px]:hidden">Orrery</span>
        </Link>
        <TestnetTag />
        <WideNavigation />
        <div className="ms-auto flex items-center gap-1.5 max-[360px]:gap-0.5 tablet:gap-2">
          {/* What differs with the person stands before what is always there: nothing moves under the pointer when the session is known. */}
          <DepositLink />
          <Panel room="line">
            <WalletMenu />
          </Panel>
          <IconButton label={text('actions.openPalette')} onClick={openPalette} className="max-tablet:hidden">
            <Search size={16} />
          </IconButton>
          <Panel room="line">
            <Bell />
          </Panel>
          <IconButton label={text('nav.settings')} onClick={openSettings}>
            <SettingsIcon size={16} />
          </IconButton>
        </div>
      </div>
    </header>
  );
}
