/** Measures the use of the pages at a service of the PostHog kind. Loaded only once cookies are accepted; sends nothing after they are not any more. */
import type { AnalyticsId, AnalyticsSite } from '@orrery/api';
import { loadConfig } from '../client/config.ts';
import { isInApp } from '../client/in-app.ts';
import { ask } from '../data/calls.ts';
import { useSession } from '../session/session.ts';
import { useSettings } from '../../kit/settings/settings.ts';
import { deviceId, isTelegram, walletType } from '../../kit/storage/remembered.ts';
import { type Circumstances, identified, platformOf, type UsageEvent, viewed } from './usage-event.ts';

export interface View {
  readonly path: string;
  /** The query by which the visit began. */
  readonly arrivedBy: string;
}

let current: View = { path: location.pathname, arrivedBy: '' };
let isFollowing = false;
let known: { readonly address: string; readonly id: AnalyticsId } | undefined;
let identifiedAs: string | undefined;
let lastPath: string | undefined;
let turn: Promise<void> = Promise.resolve();

const circumstances = (): Circumstances => ({
  deviceId: deviceId.read(),
  platform: platformOf(navigator.userAgent, { inTelegram: isTelegram.read(), inApp: isInApp }),
  walletType: walletType.read(),
  arrivedBy: current.arrivedBy,
});

/** Of the session; undefined without one. */
function addressNow(): string | undefined {
  const { signedIn, address } = useSession.getState();
  return signedIn === undefined ? undefined : address;
}

async function idOf(address: string | undefined): Promise<AnalyticsId | undefined> {
  if (address === undefined) return undefined;
  if (known?.address !== address) known = { address, id: await ask('analyticsId', {}) };
  return known.id;
}

/** What a view of a page sends. @param address of the session, where there is one */
export async function eventsOf(path: string, address: string | undefined): Promise<readonly UsageEvent[]> {
  const now = circumstances();
  const id = await idOf(address);
  return [...(id === undefined ? [] : [identified(now, id)]), viewed(now, id, { origin: location.origin, path })];
}

async function send({ host, key }: AnalyticsSite, event: UsageEvent): Promise<void> {
  if (!useSettings.getState().analytics) return;
  await fetch(`${host}/capture/`, {
    method: 'POST',
    mode: 'cors',
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    keepalive: true,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api_key: key, ...event }),
  });
}

async function note(path: string): Promise<void> {
  const { analytics: site } = await loadConfig();
  const address = addressNow();
  const isSamePerson = address === identifiedAs;
  if (site === null || (isSamePerson && path === lastPath)) return;
  for (const event of await eventsOf(path, address))
    if (event.event === '$pageview' ? path !== lastPath : !isSamePerson) await send(site, event);
  identifiedAs = address;
  lastPath = path;
}

/** One after the other. What cannot be sent is not sent again: nobody waits for it. */
function next(): void {
  const { path } = current;
  turn = turn.then(() => note(path)).catch(() => undefined);
}

/** Also follows the session from now on. */
export function noteView(view: View): void {
  current = view;
  next();
  if (isFollowing) return;
  isFollowing = true;
  useSession.subscribe((state, before) => {
    if (state.signedIn !== before.signedIn || state.address !== before.address) next();
  });
}
