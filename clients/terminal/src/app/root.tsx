/** The frame every page stands in. Inside the mobile app, which has its own, only the page remains. */
import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { ReactElement, RefObject } from 'react';
import { useUsage } from '../platform/analytics/use-usage.ts';
import { useAwards } from '../areas/awards/follow-awards.ts';
import { useClaimEvents } from '../areas/faucet/claim.ts';
import { useAccountStream } from '../platform/data/streams/use-account-stream.ts';
import { useInviteBinding } from '../areas/invite/arrival.ts';
import { Banner } from '../areas/notices/banner.tsx';
import { useFollowedNotifications } from '../areas/notifications/follow-notifications.ts';
import { useTermsGate } from '../areas/onboarding/terms.tsx';
import { useSessionNotices } from '../platform/session/session-notices.ts';
import { hearContracts } from '../trade/futures/contract-news.ts';
import { useOrderToasts } from '../trade/spot/use-order-toasts.ts';
import { DialogHost } from '../kit/ui/dialogs.tsx';
import { Panel } from '../kit/ui/panel.tsx';
import { Toaster } from '../kit/ui/toaster.tsx';
import { AppActions } from './app-actions.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { SkipLinks } from './skip-links.tsx';
import { useFirstPagesOfAccount, useLogoutPage, useMaintenance } from './leading.ts';
import { ReachBanner } from './reach-banner.tsx';
import { isInApp } from '../platform/client/in-app.ts';
import { canKeepApp, useAppWish } from '../platform/offline/app-wish.ts';
import { lazyPart } from '../kit/ui/lazy-part.ts';

const KeptApp = lazyPart(async () => (await import('../areas/app/kept-app.tsx')).KeptApp);

/** Another page starts at its top. */
function useScrollToTop(content: RefObject<HTMLElement | null>, path: string): void {
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    content.current?.scrollTo(0, 0);
  }, [content, path]);
}

/** Operators are no traders: their console has nothing of the trading pages around it. */
const isConsole = (path: string): boolean => path === '/console' || path.startsWith('/console/');

function ConsoleFrame(): ReactElement {
  return (
    <div className="flex min-h-dvh flex-col">
      <ReachBanner />
      <Outlet />
      <DialogHost />
      <Toaster />
    </div>
  );
}

type Follower = (path: string) => void;

const useContractNews: Follower = () => useAccountStream(hearContracts);

/** What goes on behind every page. Each is a component of its own, which shows nothing: where one fails, the others go on. */
const Followers = (
  [
    useTermsGate,
    useSessionNotices,
    useLogoutPage,
    useFirstPagesOfAccount,
    useMaintenance,
    useUsage,
    useContractNews,
    useClaimEvents,
    useOrderToasts,
    useAwards,
    useInviteBinding,
    useFollowedNotifications,
  ] satisfies Follower[]
).map((useIt: Follower) => ({ path }: Framed): null => {
  useIt(path);
  return null;
});

interface Framed {
  readonly path: string;
}

export function Root(): ReactElement {
  const path = useLocation({ select: (location) => location.pathname });
  return isConsole(path) ? <ConsoleFrame /> : <Frame path={path} />;
}

function Frame({ path }: Framed): ReactElement {
  const content = useRef<HTMLDivElement>(null);
  useScrollToTop(content, path);
  const isKept = useAppWish((wish) => wish.isWished) && canKeepApp;
  return (
    <div className="flex min-h-dvh flex-col tablet:h-dvh">
      {[AppActions, ...Followers].map((Part, at) => (
        <Panel key={at} room="none">
          <Part path={path} />
        </Panel>
      ))}
      <SkipLinks />
      <ReachBanner />
      <Panel room="line">
        <Banner />
      </Panel>
      {isKept && (
        <Panel room="line">
          <KeptApp />
        </Panel>
      )}
      {!isInApp && (
        <Panel room="line">
          <Header />
        </Panel>
      )}
      <div id="content" ref={content} tabIndex={-1} className="flex min-h-0 min-w-0 grow flex-col outline-none tablet:overflow-y-auto">
        <Outlet />
      </div>
      {!isInApp && (
        <Panel room="line">
          <Footer />
        </Panel>
      )}
      <DialogHost />
      <Toaster />
    </div>
  );
}
