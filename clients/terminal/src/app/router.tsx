/** Every address the terminal answers to. Each page is its own chunk, loaded when it is first visited. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { previousSpotSymbol } from '../storage/remembered.ts';
import { ErrorPage } from './error-page.tsx';
import { NotFoundPage } from './not-found.tsx';
import { Root } from './root.tsx';

const root = createRootRoute({ component: Root, notFoundComponent: NotFoundPage });
const at = { getParentRoute: () => root };

function toPreviousPair(): never {
  throw redirect({ to: '/trade/spot/$pair', params: { pair: previousSpotSymbol.read() }, replace: true });
}

interface LoginSearch {
  readonly redirect?: string;
  readonly inviteCode?: string;
}

const readLoginSearch = ({ redirect: target, inviteCode }: Record<string, unknown>): LoginSearch => ({
  ...(typeof target === 'string' && { redirect: target }),
  ...(typeof inviteCode === 'string' && { inviteCode }),
});

const trade = [
  createRoute({ ...at, path: '/', beforeLoad: toPreviousPair }),
  createRoute({ ...at, path: '/trade/spot', beforeLoad: toPreviousPair }),
  createRoute({
    ...at,
    path: '/trade/spot/$pair',
    component: lazyRouteComponent(() => import('../trade/spot/trade-page.tsx'), 'TradePage'),
  }),
] as const;

const money = [
  createRoute({
    ...at,
    path: '/portfolio',
    component: lazyRouteComponent(() => import('../portfolio/portfolio-page.tsx'), 'PortfolioPage'),
  }),
  createRoute({ ...at, path: '/assets/funding', component: lazyRouteComponent(() => import('../assets/wallet-pages.tsx'), 'FundingPage') }),
  createRoute({ ...at, path: '/assets/spot', component: lazyRouteComponent(() => import('../assets/wallet-pages.tsx'), 'SpotPage') }),
  createRoute({ ...at, path: '/assets/futures', component: lazyRouteComponent(() => import('../assets/wallet-pages.tsx'), 'FuturesPage') }),
  createRoute({ ...at, path: '/assets/deposit', component: lazyRouteComponent(() => import('../assets/deposit-page.tsx'), 'DepositPage') }),
  createRoute({
    ...at,
    path: '/assets/withdraw',
    component: lazyRouteComponent(() => import('../assets/withdraw-page.tsx'), 'WithdrawPage'),
  }),
  createRoute({ ...at, path: '/assets/bills', component: lazyRouteComponent(() => import('../assets/bills-page.tsx'), 'BillsPage') }),
  createRoute({ ...at, path: '/faucet', component: lazyRouteComponent(() => import('../onboarding/faucet-page.tsx'), 'FaucetPage') }),
] as const;

const LoginPage = lazyRouteComponent(() => import('../account/login-page.tsx'), 'LoginPage');
const RegisterPage = lazyRouteComponent(() => import('../account/login-page.tsx'), 'RegisterPage');

const account = [
  createRoute({ ...at, path: '/login', validateSearch: readLoginSearch, component: LoginPage }),
  createRoute({ ...at, path: '/register', validateSearch: readLoginSearch, component: RegisterPage }),
  createRoute({ ...at, path: '/auth/login', validateSearch: readLoginSearch, component: LoginPage }),
  createRoute({ ...at, path: '/auth/register', validateSearch: readLoginSearch, component: RegisterPage }),
  createRoute({ ...at, path: '/account', component: lazyRouteComponent(() => import('../account/account-page.tsx'), 'AccountPage') }),
  createRoute({ ...at, path: '/account/api', component: lazyRouteComponent(() => import('../account/api-keys-page.tsx'), 'ApiKeysPage') }),
  createRoute({
    ...at,
    path: '/account/login-record',
    component: lazyRouteComponent(() => import('../account/sessions-page.tsx'), 'SessionsPage'),
  }),
] as const;

const explorer = [
  createRoute({ ...at, path: '/explorer', component: lazyRouteComponent(() => import('../explorer/explorer-page.tsx'), 'ExplorerPage') }),
  createRoute({
    ...at,
    path: '/explorer/tx/$hash',
    component: lazyRouteComponent(() => import('../explorer/transaction-page.tsx'), 'TransactionPage'),
  }),
  createRoute({
    ...at,
    path: '/explorer/block/$number',
    component: lazyRouteComponent(() => import('../explorer/block-page.tsx'), 'BlockPage'),
  }),
  createRoute({
    ...at,
    path: '/explorer/address/$address',
    component: lazyRouteComponent(() => import('../explorer/address-page.tsx'), 'AddressPage'),
  }),
] as const;

const rewards = [
  createRoute({ ...at, path: '/points', component: lazyRouteComponent(() => import('../points/points-page.tsx'), 'PointsPage') }),
  createRoute({
    ...at,
    path: '/leaderboard',
    component: lazyRouteComponent(() => import('../leaderboard/leaderboard-page.tsx'), 'LeaderboardPage'),
  }),
  createRoute({ ...at, path: '/lucky-block', component: lazyRouteComponent(() => import('../lucky/lucky-page.tsx'), 'LuckyPage') }),
] as const;

const about = [
  createRoute({ ...at, path: '/status', component: lazyRouteComponent(() => import('../status/status-page.tsx'), 'StatusPage') }),
  createRoute({
    ...at,
    path: '/maintenance',
    component: lazyRouteComponent(() => import('../status/maintenance-page.tsx'), 'MaintenancePage'),
  }),
  createRoute({ ...at, path: '/terms', component: lazyRouteComponent(() => import('../legal/legal-pages.tsx'), 'TermsPage') }),
  createRoute({ ...at, path: '/privacy', component: lazyRouteComponent(() => import('../legal/legal-pages.tsx'), 'PrivacyPage') }),
  createRoute({ ...at, path: '/cookies', component: lazyRouteComponent(() => import('../legal/legal-pages.tsx'), 'CookiesPage') }),
] as const;

const ConsolePage = lazyRouteComponent(() => import('../console/console-page.tsx'), 'ConsolePage');

/** An award to be taken back, by its key. */
const readConsoleSearch = ({ award }: Record<string, unknown>): { award?: string } => (typeof award === 'string' ? { award } : {});

/** Without the frame of the trading pages: see `Root`. */
const operators = [
  createRoute({ ...at, path: '/console', component: ConsolePage }),
  createRoute({ ...at, path: '/console/$area', validateSearch: readConsoleSearch, component: ConsolePage }),
] as const;

const routeTree = root.addChildren([...trade, ...money, ...account, ...explorer, ...rewards, ...about, ...operators]);

export const router = createRouter({ routeTree, defaultErrorComponent: ErrorPage, defaultPreload: 'intent', trailingSlash: 'never' });

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
