import type { CDPSession } from 'playwright-core';

/** The id by which a browser knows the service worker of the terminal. */
export async function registrationOf(chrome: CDPSession): Promise<string> {
  const found = new Promise<string>((resolve) =>
    chrome.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations;
      if (first !== undefined) resolve(first.registrationId);
    }),
  );
  await chrome.send('ServiceWorker.enable');
  return found;
}
