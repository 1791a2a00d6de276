/** Pushes to the service worker of the terminal, as the browser delivers what its push service brings. */
import type { BrowserContext, CDPSession, Page, Worker } from 'playwright-core';
import { expect } from 'vitest';

export interface PushDelivery {
  readonly worker: Worker;
  /** Resolves when the worker has shown a notification for it, which can be read from then on. */
  readonly deliver: (text: string) => Promise<void>;
}

interface WorkerScope {
  readonly registration: { showNotification(title: string, options: object): Promise<void> };
  notificationsShown: number;
}

/** Runs in the worker. */
function countShown(): void {
  const scope = globalThis as unknown as WorkerScope;
  const show = scope.registration.showNotification.bind(scope.registration);
  scope.notificationsShown = 0;
  const counted = async (title: string, options: object): Promise<void> => {
    await show(title, options);
    scope.notificationsShown += 1;
  };
  Object.assign(scope.registration, { showNotification: counted });
}

const shownBy = (worker: Worker): Promise<number> => worker.evaluate(() => (globalThis as unknown as WorkerScope).notificationsShown);

/**
 * Chromium writes a notification down before it shows it, and `getNotifications` removes what is written and not shown: one that is asked for in
 * between is lost. So nobody asks before the worker has shown it.
 * @param page open at the terminal
 */
export async function pushDelivery(page: Page, context: BrowserContext): Promise<PushDelivery> {
  // Only an active worker gets messages.
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  const [worker] = context.serviceWorkers();
  if (worker === undefined) throw new Error('no service worker runs');
  await worker.evaluate(countShown);
  const { origin } = new URL(page.url());
  const chrome = await context.newCDPSession(page);
  const registrationId = await registrationOf(chrome);
  return {
    worker,
    async deliver(text) {
      const before = await shownBy(worker);
      await chrome.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: text });
      await expect.poll(() => shownBy(worker)).toBe(before + 1);
    },
  };
}

/** The id by which the browser knows the service worker of the terminal. */
async function registrationOf(chrome: CDPSession): Promise<string> {
  const found = new Promise<string>((resolve) =>
    chrome.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations;
      if (first !== undefined) resolve(first.registrationId);
    }),
  );
  await chrome.send('ServiceWorker.enable');
  return found;
}
