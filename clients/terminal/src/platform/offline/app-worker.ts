/** The service worker as this page sees it: registered once, looked for in a newer version, which waits until a person agrees. */
import { create } from 'zustand';
import { reach } from '../client/exchange-reach.ts';
import { trustedScript } from '../feed/trusted-script.ts';
import { isServedByWorker } from './app-wish.ts';

const WORKER = '/app-worker.js';
/** An installed terminal stays open for days: a newer version is looked for as often, and when it comes back into view. */
const LOOK_EVERY_MS = 3_600_000;
/** Not more often, however often it comes into view. */
const LOOK_PAUSE_MS = 60_000;
const ANSWER_MS = 5_000;
/** A browser may let the earlier worker end its work first, for minutes; the exchange sends the newer page meanwhile. */
const ACTIVATION_MS = 3_000;

export interface AppWorkerState {
  /** `kept`: the terminal opens without the exchange. `failed`: the browser refuses, as in some private windows. */
  readonly phase: 'starting' | 'kept' | 'failed';
  /** A newer version that waits. */
  readonly newer: ServiceWorker | undefined;
}

export const useAppWorker = create<AppWorkerState>()(() => ({
  // The browser may look for another worker before it answers who is registered.
  phase: isServedByWorker() ? 'kept' : 'starting',
  newer: undefined,
}));

let registering: Promise<ServiceWorkerRegistration> | undefined;

/** @throws what the browser says where it keeps no worker. */
export function appWorker(): Promise<ServiceWorkerRegistration> {
  registering ??= register();
  return registering;
}

async function register(): Promise<ServiceWorkerRegistration> {
  try {
    const registration = await navigator.serviceWorker.register(trustedScript(WORKER), { scope: '/' });
    registration.addEventListener('updatefound', () => followInstall(registration));
    followInstall(registration);
    void considerWaiting(registration);
    void navigator.serviceWorker.ready.then(() => useAppWorker.setState({ phase: 'kept' }));
    // Another tab may have agreed.
    navigator.serviceWorker.addEventListener('controllerchange', () => useAppWorker.setState({ newer: undefined }));
    lookForNewer(registration);
    return registration;
  } catch (error) {
    registering = undefined;
    useAppWorker.setState({ phase: 'failed' });
    throw error;
  }
}

function followInstall(registration: ServiceWorkerRegistration): void {
  const { installing } = registration;
  installing?.addEventListener('statechange', () => {
    if (installing.state === 'installed') void considerWaiting(registration);
  });
}

/** A page that the exchange has sent in the newer version already needs no agreement: only its worker is behind. */
async function considerWaiting({ waiting, active }: ServiceWorkerRegistration): Promise<void> {
  if (waiting === null || active === null) return;
  if ((await entryOf(waiting)) === ownEntry()) waiting.postMessage('activate');
  else useAppWorker.setState({ newer: waiting });
}

const ownEntry = (): string => {
  const script = document.querySelector<HTMLScriptElement>('head script[type="module"]');
  return script === null ? '' : new URL(script.src).pathname;
};

/** Which build a worker is of; nothing when it does not answer. */
function entryOf(worker: ServiceWorker): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }: MessageEvent<string>) => resolve(data);
  setTimeout(() => resolve(undefined), ANSWER_MS);
  worker.postMessage('entry', [port2]);
  return promise;
}

/** What is open in this page goes: only a person decides that. Other tabs stay as they are. */
export function takeNewer(newer: ServiceWorker): void {
  const reload = (): void => location.reload();
  navigator.serviceWorker.addEventListener('controllerchange', reload, { once: true });
  setTimeout(reload, ACTIVATION_MS);
  newer.postMessage('activate');
}

function lookForNewer(registration: ServiceWorkerRegistration): void {
  let lookedAt = Date.now();
  let wasReached = true;
  const look = (): void => {
    if (Date.now() - lookedAt < LOOK_PAUSE_MS) return;
    lookedAt = Date.now();
    void registration.update().catch(() => undefined);
  };
  setInterval(look, LOOK_EVERY_MS);
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && look());
  // An exchange that was away may be back with another terminal.
  reach.subscribe(() => {
    const isReached = reach.get().phase === 'reached';
    if (isReached && !wasReached) void registration.update().catch(() => undefined);
    wasReached = isReached;
  });
}
