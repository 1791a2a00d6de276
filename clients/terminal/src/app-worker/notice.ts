/** What a push of the exchange says, read without trust: whatever cannot be read is still shown as news, since browsers demand a notification for each push. */
export interface PushNotice {
  readonly title: string;
  readonly body: string;
  /** Of the page to open; begins with one slash. */
  readonly path: string;
  /** A newer notice of the same tag takes the place of the one before. */
  readonly tag: string;
}

const NEWS: PushNotice = { title: 'Orrery', body: 'There is news of your account.', path: '/', tag: 'news' };

export function noticeOf(data: string | undefined): PushNotice {
  const given = parsed(data);
  const text = (name: keyof PushNotice): string => {
    const value: unknown = Reflect.get(given, name);
    return typeof value === 'string' && value !== '' ? value : NEWS[name];
  };
  const path = text('path');
  return { title: text('title'), body: text('body'), path: isOwn(path) ? path : NEWS.path, tag: text('tag') };
}

const SITE = 'https://this.invalid';

/** An address of this site and of no other, as a browser reads it: `//host` is one of another, also with a tab or the end of a line between. */
const isOwn = (path: string): boolean => path.startsWith('/') && URL.canParse(path, SITE) && new URL(path, SITE).origin === SITE;

function parsed(data: string | undefined): object {
  try {
    const value: unknown = JSON.parse(data ?? '');
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** The one that shows the page already, else the one that was used last. */
export function windowFor<Window extends Pick<WindowClient, 'url' | 'frameType'>>(
  path: string,
  lastUsedFirst: readonly Window[],
  isPage: (path: string) => boolean,
): Window | undefined {
  const terminals = lastUsedFirst.filter(({ url, frameType }) => frameType !== 'nested' && isPage(new URL(url).pathname));
  return terminals.find(({ url }) => new URL(url).pathname === path) ?? terminals[0];
}
