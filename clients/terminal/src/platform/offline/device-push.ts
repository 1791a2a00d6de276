/** Push messages as this device has them: whether the browser can, whether it may, and its subscription. */
import { appWorker } from './app-worker.ts';
import { canKeepApp, wishForApp } from './app-wish.ts';

/** `denied`: the person has refused it in the browser, and only there it is allowed again. */
export type PushAbility = 'unsupported' | 'denied' | 'open';

export function pushAbility(): PushAbility {
  if (!canKeepApp || !('PushManager' in globalThis) || !('Notification' in globalThis)) return 'unsupported';
  return Notification.permission === 'denied' ? 'denied' : 'open';
}

/** Where messages to this browser go, and the keys for them, as the exchange takes them. */
export interface DeviceSubscription {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

/** The browser's subscription where it may show what comes by it; `null` where there is none. */
export async function deviceSubscription(): Promise<DeviceSubscription | null> {
  if (pushAbility() !== 'open' || Notification.permission !== 'granted') return null;
  const registration = await navigator.serviceWorker.getRegistration('/');
  const subscription = await registration?.pushManager.getSubscription();
  return subscription == null ? null : described(subscription);
}

/**
 * Asks the person where the browser has not asked yet: only after a click.
 * @param publicKey of the exchange
 * @returns `undefined` where the person refuses
 * @throws what the browser says where its push service does not answer
 */
export async function subscribeDevice(publicKey: string): Promise<DeviceSubscription | undefined> {
  if ((await Notification.requestPermission()) !== 'granted') return undefined;
  wishForApp();
  await appWorker();
  const { pushManager } = await navigator.serviceWorker.ready;
  const before = await pushManager.getSubscription();
  // Of an exchange with other keys, at the same address: a browser keeps one subscription.
  if (before !== null && keyOf(before) !== publicKey) await before.unsubscribe();
  return described(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey }));
}

export async function unsubscribeDevice(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration('/');
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

function described(subscription: PushSubscription): DeviceSubscription {
  const { endpoint, keys } = subscription.toJSON();
  return { endpoint: endpoint ?? '', p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' };
}

function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer());
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
