/** The service worker of the installed terminal: opens it without the exchange, waits with a new version until a person agrees, shows what is pushed. */
import { noticeOf, type PushNotice, windowFor } from './notice.ts';
import { Shell, type ShellBuild } from './shell.ts';

declare const self: ServiceWorkerGlobalScope;
/** By the build: see `app-worker.ts` of the terminal. */
declare const __ORRERY_SHELL__: ShellBuild;

const build = __ORRERY_SHELL__;

const shell = new Shell({
  build,
  caches,
  fetch: (request, options) => fetch(request, options),
  sleep: (millis) => new Promise((resolve) => setTimeout(resolve, millis)),
});

self.addEventListener('install', (event) => event.waitUntil(shell.install()));

// No navigation preload: Chromium sometimes holds its answer for work that never ends, and the next worker waits for that.
async function activate(): Promise<void> {
  await shell.activate();
  await self.clients.claim();
}

self.addEventListener('activate', (event) => event.waitUntil(activate()));

self.addEventListener('message', (event) => {
  if (event.data === 'activate') event.waitUntil(self.skipWaiting());
  if (event.data === 'entry') event.ports[0]?.postMessage(build.entry);
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (request.mode === 'navigate') {
    if (!shell.isPage(pathname)) return;
    event.respondWith(shell.page(request));
  } else if (shell.isFile(pathname)) event.respondWith(shell.file(request));
  else if (shell.isKeptChanging(pathname)) event.respondWith(shell.changing(request));
});

const ICON = '/icon-192.png';

/** With the picture itself: Chromium shows a notification no sooner than its pictures are read, and waits 90 seconds for an exchange that does not answer. */
async function show({ title, body, path, tag }: PushNotice): Promise<void> {
  const icon = await shell.picture(ICON).catch(() => undefined);
  await self.registration.showNotification(title, { body, tag, data: path, ...(icon === undefined ? {} : { icon, badge: icon }) });
}

self.addEventListener('push', (event) => event.waitUntil(show(noticeOf(event.data?.text()))));

/** A page that has only begun to load hears nothing yet. */
const HEARD_WITHIN_MS = 500;
const TRIES = 20;

/** @returns whether the page has heard it. */
function isHeardBy(client: Client, notice: Omit<PushNotice, 'tag'>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => resolve(true);
  setTimeout(() => resolve(false), HEARD_WITHIN_MS);
  client.postMessage(notice, [port2]);
  return promise.finally(() => port1.close());
}

async function post(client: Client, notice: Omit<PushNotice, 'tag'>): Promise<void> {
  for (let count = 0; count < TRIES; count += 1) if (await isHeardBy(client, notice)) return;
}

/** An open terminal is brought to the front and leads to the page itself, because it knows what is written in it; only where none is, the page opens. */
async function open(notice: Omit<PushNotice, 'tag'>): Promise<void> {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const chosen = windowFor(notice.path, windows, (path) => shell.isPage(path));
  if (chosen === undefined) {
    await self.clients.openWindow(notice.path);
    return;
  }
  await Promise.all([chosen.focus(), post(chosen, notice)]);
}

self.addEventListener('notificationclick', (event) => {
  const { title, body, data } = event.notification;
  event.notification.close();
  event.waitUntil(open({ title, body, path: String(data) }));
});
