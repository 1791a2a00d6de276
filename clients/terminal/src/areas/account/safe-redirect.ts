/** Where to go after logging in: a path of this site, or the start. Nothing else is followed, however it is written. */
const HOME = '/';

export function safeRedirect(redirect: string | undefined, origin: string): string {
  // A second slash or a backslash would make a host of what looks like a path; control characters are dropped by parsers.
  if (redirect === undefined || !/^\/(?![/\\])/.test(redirect) || /[\p{Cc}\\]/u.test(redirect)) return HOME;
  let url: URL;
  try {
    url = new URL(redirect, origin);
  } catch {
    return HOME;
  }
  return url.origin === origin ? url.pathname + url.search + url.hash : HOME;
}
