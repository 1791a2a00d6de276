/** Cookies as headers: RFC 6265, with names and values of ours, which need no escaping. */
import type { CookieOptions } from '@orrery/api';

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[!#-+.-:<-[\]-~-]*$/;

/** The first cookie of each name; what does not look like a cookie is left out. */
export function parseCookie(header: string): Readonly<Record<string, string | undefined>> {
  const cookies: Record<string, string | undefined> = Object.create(null);
  for (const part of header.split(';')) {
    const equals = part.indexOf('=');
    if (equals === -1) continue;
    const name = part.slice(0, equals).trim();
    const value = part.slice(equals + 1).trim();
    if (TOKEN.test(name) && VALUE.test(value)) cookies[name] ??= value;
  }
  return cookies;
}

export function stringifySetCookie(name: string, value: string, options: CookieOptions): string {
  if (!TOKEN.test(name) || !VALUE.test(value)) throw new TypeError(`not a cookie: ${name}`);
  const flags = [
    options.httpOnly ? 'HttpOnly' : '',
    options.secure ? 'Secure' : '',
    options.sameSite === 'strict' ? 'SameSite=Strict' : 'SameSite=Lax',
  ];
  return [`${name}=${value}`, `Path=${options.path}`, `Max-Age=${options.maxAgeSeconds}`, ...flags.filter((flag) => flag !== '')].join(
    '; ',
  );
}
