/** The one HTTP client of the page, and the tokens it calls with. */
import { reach } from './exchange-reach.ts';
import { createHttp } from './http.ts';
import type { Http } from './http.ts';
import { refreshToken } from './refresh.ts';
import { routedFetch } from './routed-fetch.ts';
import { dated, serverClock } from './server-clock.ts';
import { createAccessTokens } from './access-tokens.ts';
import type { AccessTokens } from './access-tokens.ts';
import { useSettings } from '../../kit/settings/settings.ts';
import { accountInView } from '../../kit/storage/account-in-view.ts';
import { walletAddress } from '../../kit/storage/remembered.ts';
import { showError } from '../../kit/ui/toast.ts';

/** Dispatched on the window when the exchange no longer takes the token. */
export const AUTH_EXPIRED = 'orrery:auth-expired';

export const accessTokens: AccessTokens = createAccessTokens({
  now: Date.now,
  refresh: () => refreshToken(() => http.raw('refresh', { body: {}, ignoreToken: true })),
  cookieOwner: walletAddress.read,
});

export const http: Http = createHttp({
  baseUrl: location.origin,
  fetch: dated(routedFetch, serverClock, Date.now),
  token: () => accessTokens.current(),
  accountInView,
  language: () => useSettings.getState().language,
  onAuthExpired: () => window.dispatchEvent(new Event(AUTH_EXPIRED)),
  onError: showError,
  onEnd: (end) => reach.ended(end),
});
