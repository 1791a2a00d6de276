/** The addresses of the terminal's pages: the page is served at these, and nothing else is one. A test compares them with its table of routes. */

/** `$` begins the name of one step that may be anything. */
export const TERMINAL_PATHS = [
  '/',
  '/trade/spot',
  '/trade/spot/$pair',
  '/trade/futures',
  '/trade/futures/$pair',
  '/portfolio',
  '/assets/funding',
  '/assets/spot',
  '/assets/futures',
  '/assets/deposit',
  '/assets/withdraw',
  '/assets/bills',
  '/insurance',
  '/faucet',
  '/login',
  '/register',
  '/auth/login',
  '/auth/register',
  '/auth/reset',
  '/account',
  '/account/api',
  '/account/security',
  '/account/verification',
  '/account/login-record',
  '/explorer',
  '/explorer/tx/$hash',
  '/explorer/block/$number',
  '/explorer/address/$address',
  '/points',
  '/leaderboard',
  '/rewards/lucky-block',
  '/lucky-block',
  '/status',
  '/maintenance',
  '/terms',
  '/privacy',
  '/cookies',
  '/gallery',
  '/mailbox',
  '/console',
  '/console/$area',
] as const;

const PAGES = TERMINAL_PATHS.map((path) => new RegExp(`^${path.replaceAll(/\$\w+/g, '[^/]+')}$`, 'i'));

/** A slash at the end changes nothing. */
export function isTerminalPath(path: string): boolean {
  const plain = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  return PAGES.some((page) => page.test(plain));
}
