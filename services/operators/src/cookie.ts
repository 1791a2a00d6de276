/** The cookie of an operator's session: apart from those of traders, not to be read by pages, never sent from elsewhere. */
import { OPERATOR_SESSION_MS, type Caller } from '@orrery/api';
import { isTrustworthy } from '@orrery/foundation';

/** The prefix binds a cookie to this very host. */
const nameOf = (origin: string): string => (isTrustworthy(origin) ? '__Host-orrery-operator' : 'orrery-operator');

export const readCookie = ({ cookies, origin }: Caller): string | undefined => cookies[nameOf(origin)];

export const giveCookie = (caller: Caller, token: string): void => set(caller, token, OPERATOR_SESSION_MS / 1_000);

export const takeCookie = (caller: Caller): void => set(caller, '', 0);

function set(caller: Caller, value: string, maxAgeSeconds: number): void {
  const { origin } = caller;
  caller.setCookie(nameOf(origin), value, { path: '/', httpOnly: true, secure: isTrustworthy(origin), sameSite: 'strict', maxAgeSeconds });
}
