/** Every address the terminal answers to. Each page is its own chunk, loaded when it is first visited. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, notFound, redirect } from '@tanstack/react-router';
import { loadConfig } from '../platform/client/config.ts';
import { lastView } from '../kit/storage/last-view.ts';
import { previousSpotSymbol } from '../kit/storage/remembered.ts';
import { lazyPart } from '../kit/ui/lazy-part.ts';
import { loadCode } from '../kit/ui/load-code.ts';
import { ErrorPage } from './error-page.tsx';
import { Root } from './root.tsx';

/**
 * A page whose code cannot be loaded because the exchange is away is loaded once it is back. Where the exchange answers and the code is
 * missing, a newer terminal was installed: the router reloads, once.
 */
const page: typeof lazyRouteComponent = (load, name) => lazyRouteComponent(() => loadCode(load), name);

const NotFoundPage = lazyPart(async () => (await import('./not-found.tsx')).NotFoundPage);
const root = createRootRoute({ component: Root, notFoundComponent: NotFoundPage });
const at = { getParentRoute: () => root };

function toPreviousPair(): never {
  throw redirect({ to: '/trade/spot/$pair', params: { pair: previousSpotSymbol.read() }, replace: true });
}

/** What was in view last, of whatever kind of market; a newcomer sees the default pair of spot. */
function toLastView(): never {
  const last = lastView.read();
  if (last === undefined) toPreviousPair();
  throw redirect({ to: `/trade/${last.kind}/$pair`, params: { pair: last.pair }, replace: true });
}

interface LoginSearch {
  readonly redirect?: string;
  readonly inviteCode?: string;
}

const readLoginSearch = ({ redirect: target, inviteCode }: Record<string, unknown>): LoginSearch => ({
  ...(typeof target === 'string' && { redirect: target }),
  ...(typeof inviteCode === 'string' && { inviteCode }),
});

/** The coin that a form begins with. */
const readCoinSearch = ({ coin }: Record<string, unknown>): { coin?: string } => (typeof coin === 'string' ? { coin } : {});

const trade = [
  createRoute({ ...at, path: '/', beforeLoad: toLastView }),
  createRoute({ ...at, path: '/trade/spot', staticData: { navigation: { label: 'nav.spot' } }, beforeLoad: toPreviousPair }),
  createRoute({ ...at, path: '/trade/spot/$pair', component: page(() => import('../trade/spot/trade-page.tsx'), 'TradePage') }),
  createRoute({
    ...at,
    path: '/trade/futures',
    staticData: { navigation: { label: 'nav.futures' } },
    beforeLoad: () => {
      throw redirect({ to: '/trade/futures/$pair', params: { pair: 'BTC_USDC' }, replace: true });
    },
  }),
  createRoute({ ...at, path: '/trade/futures/$pair', component: page(() => import('../trade/futures/futures-page.tsx'), 'FuturesPage') }),
] as const;

const money = [
  createRoute({
    ...at,
    path: '/portfolio',
    staticData: { navigation: { label: 'nav.portfolio' } },
    component: page(() => import('../areas/portfolio/portfolio-page.tsx'), 'PortfolioPage'),
  }),
  createRoute({ ...at, path: '/assets/funding', component: page(() => import('../areas/assets/wallet-pages.tsx'), 'FundingPage') }),
  createRoute({ ...at, path: '/assets/spot', component: page(() => import('../areas/assets/wallet-pages.tsx'), 'SpotPage') }),
  createRoute({ ...at, path: '/assets/futures', component: page(() => import('../areas/assets/wallet-pages.tsx'), 'FuturesPage') }),
  createRoute({
    ...at,
    path: '/assets/coin-futures',
    component: page(() => import('../areas/assets/wallet-pages.tsx'), 'CoinFuturesPage'),
  }),
  createRoute({ ...at, path: '/assets/deposit', component: page(() => import('../areas/assets/deposit-page.tsx'), 'DepositPage') }),
  createRoute({
    ...at,
    path: '/assets/withdraw',
    validateSearch: readCoinSearch,
    component: page(() => import('../areas/assets/withdraw-page.tsx'), 'WithdrawPage'),
  }),
  createRoute({ ...at, path: '/assets/bills', component: page(() => import('../areas/assets/bills-page.tsx'), 'BillsPage') }),
  createRoute({
    ...at,
    path: '/fund/quanto',
    staticData: { navigation: { label: 'nav.fund' } },
    component: page(() => import('../areas/fund/quanto-page.tsx'), 'QuantoPage'),
  }),
  createRoute({ ...at, path: '/insurance', component: page(() => import('../areas/insurance/insurance-page.tsx'), 'InsurancePage') }),
  createRoute({
    ...at,
    path: '/faucet',
    staticData: { navigation: { label: 'nav.faucet' } },
    component: page(() => import('../areas/onboarding/faucet-page.tsx'), 'FaucetPage'),
  }),
] as const;

const otherOtcPages = () => import('../areas/otc/other-pages.ts');

const otc = [
  createRoute({
    ...at,
    path: '/otc',
    staticData: { navigation: { label: 'nav.otc' } },
    component: page(() => import('../areas/otc/otc-page.tsx'), 'OtcPage'),
  }),
  createRoute({ ...at, path: '/otc/orders', component: page(otherOtcPages, 'OrdersPage') }),
  createRoute({ ...at, path: '/otc/order/$orderId', component: page(() => import('../areas/otc/order-page.tsx'), 'OrderPage') }),
  createRoute({
    ...at,
    path: '/otc/advertisements',
    component: page(otherOtcPages, 'OwnAdvertisementsPage'),
  }),
  createRoute({ ...at, path: '/otc/payment-methods', component: page(otherOtcPages, 'MethodsPage') }),
  createRoute({ ...at, path: '/otc/merchants', component: page(otherOtcPages, 'MerchantsPage') }),
  createRoute({ ...at, path: '/otc/trader/$traderId', component: page(otherOtcPages, 'TraderPage') }),
] as const;

const LoginPage = page(() => import('../areas/account/login-page.tsx'), 'LoginPage');
const RegisterPage = page(() => import('../areas/account/login-page.tsx'), 'RegisterPage');

const ResetPage = page(() => import('../areas/account/login-page.tsx'), 'ResetPage');

const account = [
  createRoute({ ...at, path: '/login', validateSearch: readLoginSearch, component: LoginPage }),
  createRoute({ ...at, path: '/register', validateSearch: readLoginSearch, component: RegisterPage }),
  createRoute({ ...at, path: '/auth/login', validateSearch: readLoginSearch, component: LoginPage }),
  createRoute({ ...at, path: '/auth/register', validateSearch: readLoginSearch, component: RegisterPage }),
  createRoute({ ...at, path: '/auth/reset', validateSearch: readLoginSearch, component: ResetPage }),
  createRoute({ ...at, path: '/account', component: page(() => import('../areas/account/account-page.tsx'), 'AccountPage') }),
  createRoute({ ...at, path: '/account/api', component: page(() => import('../areas/account/api-keys-page.tsx'), 'ApiKeysPage') }),
  createRoute({ ...at, path: '/account/export', component: page(() => import('../areas/export/export-page.tsx'), 'ExportPage') }),
  createRoute({ ...at, path: '/account/security', component: page(() => import('../areas/account/security-page.tsx'), 'SecurityPage') }),
  createRoute({
    ...at,
    path: '/account/verification',
    component: page(() => import('../areas/account/verification-page.tsx'), 'VerificationPage'),
  }),
  createRoute({
    ...at,
    path: '/account/login-record',
    component: page(() => import('../areas/account/sessions-page.tsx'), 'SessionsPage'),
  }),
] as const;

const rewards = [
  createRoute({
    ...at,
    path: '/points',
    staticData: { navigation: { label: 'nav.rewards', also: ['/leaderboard', '/rewards/lucky-block'] } },
    component: page(() => import('../areas/points/points-page.tsx'), 'PointsPage'),
  }),
  createRoute({
    ...at,
    path: '/leaderboard',
    component: page(() => import('../areas/leaderboard/leaderboard-page.tsx'), 'LeaderboardPage'),
  }),
  createRoute({ ...at, path: '/rewards/lucky-block', component: page(() => import('../areas/lucky/lucky-page.tsx'), 'LuckyPage') }),
  createRoute({
    ...at,
    path: '/lucky-block',
    beforeLoad: ({ location }) => {
      throw redirect({ to: '/rewards/lucky-block', hash: location.hash, replace: true });
    },
  }),
] as const;

const explorer = [
  createRoute({
    ...at,
    path: '/explorer',
    staticData: { navigation: { label: 'nav.explorer' } },
    component: page(() => import('../areas/explorer/explorer-page.tsx'), 'ExplorerPage'),
  }),
  createRoute({
    ...at,
    path: '/explorer/tx/$hash',
    component: page(() => import('../areas/explorer/transaction-page.tsx'), 'TransactionPage'),
  }),
  createRoute({
    ...at,
    path: '/explorer/block/$number',
    component: page(() => import('../areas/explorer/block-page.tsx'), 'BlockPage'),
  }),
  createRoute({
    ...at,
    path: '/explorer/address/$address',
    component: page(() => import('../areas/explorer/address-page.tsx'), 'AddressPage'),
  }),
] as const;

/** Where the person was when the exchange went out of service. */
const readMaintenanceSearch = ({ from }: Record<string, unknown>): { from?: string } => (typeof from === 'string' ? { from } : {});

const about = [
  createRoute({ ...at, path: '/app', component: page(() => import('../areas/app/app-page.tsx'), 'AppPage') }),
  createRoute({ ...at, path: '/status', component: page(() => import('../areas/status/status-page.tsx'), 'StatusPage') }),
  createRoute({
    ...at,
    path: '/maintenance',
    validateSearch: readMaintenanceSearch,
    component: page(() => import('../areas/status/maintenance-page.tsx'), 'MaintenancePage'),
  }),
  createRoute({ ...at, path: '/terms', component: page(() => import('../areas/legal/legal-pages.tsx'), 'TermsPage') }),
  createRoute({ ...at, path: '/privacy', component: page(() => import('../areas/legal/legal-pages.tsx'), 'PrivacyPage') }),
  createRoute({ ...at, path: '/cookies', component: page(() => import('../areas/legal/legal-pages.tsx'), 'CookiesPage') }),
] as const;

/** Not part of the product: in production it is an unknown address. */
async function outsideProduction(): Promise<void> {
  const { environment } = await loadConfig();
  if (environment === 'prod') throw notFound();
}

/** Nobody reads what is sent to others, but on a machine for trying things out. */
async function inTestOnly(): Promise<void> {
  const { environment } = await loadConfig();
  if (environment !== 'test') throw notFound();
}

const workshop = [
  createRoute({
    ...at,
    path: '/gallery',
    beforeLoad: outsideProduction,
    component: page(() => import('../kit/gallery/gallery-page.tsx'), 'GalleryPage'),
  }),
  createRoute({
    ...at,
    path: '/mailbox',
    beforeLoad: inTestOnly,
    component: page(() => import('../areas/account/mailbox-page.tsx'), 'MailboxPage'),
  }),
] as const;

const ConsolePage = page(() => import('../areas/console/console-page.tsx'), 'ConsolePage');

/** An award to be taken back, by its key. */
const readConsoleSearch = ({ award }: Record<string, unknown>): { award?: string } => (typeof award === 'string' ? { award } : {});

/** Without the frame of the trading pages: see `Root`. */
const operators = [
  createRoute({ ...at, path: '/console', component: ConsolePage }),
  createRoute({ ...at, path: '/console/$area', validateSearch: readConsoleSearch, component: ConsolePage }),
] as const;

const routeTree = root.addChildren([...trade, ...otc, ...money, ...account, ...rewards, ...explorer, ...about, ...workshop, ...operators]);

export const router = createRouter({ routeTree, defaultErrorComponent: ErrorPage, defaultPreload: 'intent', trailingSlash: 'never' });

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
