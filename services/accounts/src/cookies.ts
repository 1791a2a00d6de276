/** The cookies of a browser: one ties nonces to it, one refreshes its session, one identifies the device. Pages can read none of them. */
import type { Caller, CookieOptions } from '@orrery/api';
import { isTrustworthy } from '@orrery/foundation';

const REFRESH_COOKIE_SECONDS = 30 * 86_400;
const BROWSER_COOKIE_SECONDS = 600;
/** Browsers keep none for longer. */
const DEVICE_COOKIE_SECONDS = 400 * 86_400;

type Cookie = 'refresh' | 'browser' | 'device';

/** The prefix binds a cookie to this very host. */
const nameOf = (cookie: Cookie, origin: string): string => (isTrustworthy(origin) ? `__Host-orrery-${cookie}` : `orrery-${cookie}`);

const options = (caller: Caller, maxAgeSeconds: number): CookieOptions => ({
  path: '/',
  httpOnly: true,
  secure: isTrustworthy(caller.origin),
  sameSite: 'lax',
  maxAgeSeconds,
});

export const readCookie = (cookie: Cookie, caller: Caller): string | undefined => caller.cookies[nameOf(cookie, caller.origin)];

export function setRefreshCookie(caller: Caller, token: string): void {
  caller.setCookie(nameOf('refresh', caller.origin), token, options(caller, REFRESH_COOKIE_SECONDS));
}

export function clearRefreshCookie(caller: Caller): void {
  caller.setCookie(nameOf('refresh', caller.origin), '', options(caller, 0));
}

export function setBrowserCookie(caller: Caller, secret: string): void {
  caller.setCookie(nameOf('browser', caller.origin), secret, options(caller, BROWSER_COOKIE_SECONDS));
}

/** Set again with each sign-in, so that it lives as long as the device is used. */
export function setDeviceCookie(caller: Caller, device: string): void {
  caller.setCookie(nameOf('device', caller.origin), device, options(caller, DEVICE_COOKIE_SECONDS));
}
