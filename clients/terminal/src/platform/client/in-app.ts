/** `?from=app` marks the browser inside the mobile app: it brings its own navigation, and has no tabs to open. */
const MARK = 'orrery.fromApp';

/** Reads the flag of the page's address and remembers it for the visit. */
export function readInApp(search: string, visit: Pick<Storage, 'getItem' | 'setItem'>): boolean {
  if (new URLSearchParams(search).get('from') === 'app') visit.setItem(MARK, '1');
  return visit.getItem(MARK) === '1';
}

function readFromBrowser(): boolean {
  const search = globalThis.location?.search ?? '';
  try {
    return readInApp(search, sessionStorage);
  } catch {
    // Without storage the flag lasts as long as the address carries it.
    return new URLSearchParams(search).get('from') === 'app';
  }
}

/** Fixed for the visit: an app does not turn into a browser. */
export const isInApp = readFromBrowser();

/** For links that leave the page open behind them: `<a href={url} {...newTab}>`. The app has no tabs, so there it is an ordinary link. */
export const newTab: { readonly target?: '_blank'; readonly rel?: 'noreferrer' } = isInApp ? {} : { target: '_blank', rel: 'noreferrer' };
