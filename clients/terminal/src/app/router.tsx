/** Every address the terminal answers to. Each page is its own chunk, loaded when it is first visited. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { previousSpotSymbol } from '../storage/remembered.ts';
import { ErrorPage } from './error-page.tsx';
import { NotFoundPage } from './not-found.tsx';
import { Root } from './root.tsx';

const root = createRootRoute({ component: Root, notFoundComponent: NotFoundPage });

function toPreviousPair(): never {
  throw redirect({ to: '/trade/spot/$pair', params: { pair: previousSpotSymbol.read() }, replace: true });
}

const home = createRoute({ getParentRoute: () => root, path: '/', beforeLoad: toPreviousPair });
const spot = createRoute({ getParentRoute: () => root, path: '/trade/spot', beforeLoad: toPreviousPair });
const spotPair = createRoute({
  getParentRoute: () => root,
  path: '/trade/spot/$pair',
  component: lazyRouteComponent(() => import('../trade/trade-page.tsx'), 'TradePage'),
});

const routeTree = root.addChildren([home, spot, spotPair]);

export const router = createRouter({ routeTree, defaultErrorComponent: ErrorPage, defaultPreload: 'intent' });

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
