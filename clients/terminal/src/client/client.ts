/** The one HTTP client of the page, and the tokens it calls with. */
import { routed } from './hosts.ts';
import type { Environment, HostTable } from './hosts.ts';
import { createHttp } from './http.ts';
import type { Http } from './http.ts';
import { refreshToken } from './refresh.ts';
import { createAccessTokens } from './access-tokens.ts';
import type { AccessTokens } from './access-tokens.ts';
import { useSettings } from '../settings/settings.ts';
import { walletAddress } from '../storage/remembered.ts';
import { showError } from '../ui/toast.ts';

/** Written into the build: see vite.config.ts. */
declare const __ORRERY_HOSTS__: HostTable;
declare const __ORRERY_ENVIRONMENT__: Environment;

/** Dispatched on the window when the exchange no longer takes the token. */
export const AUTH_EXPIRED = 'orrery:auth-expired';

export const accessTokens: AccessTokens = createAccessTokens({
  now: Date.now,
  refresh: () => refreshToken(() => http.raw('refresh', { body: {}, ignoreToken: true })),
  cookieOwner: walletAddress.read,
});

export const http: Http = createHttp({
  baseUrl: location.origin,
  fetch: (input, init) =>
    fetch(routed(new Request(input, init), { table: __ORRERY_HOSTS__, environment: __ORRERY_ENVIRONMENT__, origin: location.origin })),
  token: () => accessTokens.current(),
  language: () => useSettings.getState().language,
  onAuthExpired: () => window.dispatchEvent(new Event(AUTH_EXPIRED)),
  onError: showError,
});
