/**
 * A click on a notification, from the service worker's event on: the worker that runs, the pages that are open and what is written in them are real. No protocol of the browser
 * clicks a notification of the system, and only such a click may open a window or bring one to the front: these two calls are recorded in the worker.
 */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { browser, visit, type Visit, withBrowser } from './browser.ts';
import { toast } from './newcomer.ts';
import { pushDelivery } from './push-delivery.ts';
import { program, withSharedProgram } from './with-shared-program.ts';

withSharedProgram();
withBrowser();

const NOTICE = { title: 'OTC order 12', body: 'The buyer says it is paid.', path: '/otc/order/12', tag: 'OTC' };

interface Clicks {
  /** Paths of windows that the worker wants to open, and pages that it wants in front. */
  readonly wished: readonly string[];
}

/** Runs in the worker. */
function recordWishes(): void {
  const wished: string[] = [];
  const scope = globalThis as unknown as { clients: object; WindowClient: { prototype: object }; wished: string[] };
  scope.wished = wished;
  Object.assign(scope.clients, { openWindow: async (path: string) => void wished.push(`open ${path}`) });
  Object.assign(scope.WindowClient.prototype, {
    async focus(this: { url: string }) {
      wished.push(`focus ${new URL(this.url).pathname}`);
    },
  });
}

/** Runs in the worker: the event of a click on the notification that is shown. @returns what the handler has waited for. */
async function click(): Promise<Clicks> {
  const scope = globalThis as unknown as {
    registration: { getNotifications(): Promise<object[]> };
    NotificationEvent: new (type: string, init: object) => Event;
    wished: string[];
  };
  const [notification] = await scope.registration.getNotifications();
  const event = new scope.NotificationEvent('notificationclick', { notification });
  const waited: Promise<unknown>[] = [];
  Object.assign(event, { waitUntil: (promise: Promise<unknown>) => void waited.push(promise) });
  globalThis.dispatchEvent(event);
  await Promise.all(waited);
  return { wished: scope.wished.splice(0) };
}

interface Device extends Visit {
  /** Delivers the push as the browser does, and clicks on the notification that the worker shows. */
  readonly pushAndClick: () => Promise<Clicks>;
}

async function open(viewport: 'desktop' | 'phone'): Promise<Device> {
  const prepare = (context: Visit['context']): Promise<void> => context.grantPermissions(['notifications'], { origin: program.url });
  const visited = await visit(browser, { url: program.url, viewport, prepare });
  const { page, context } = visited;
  await page.goto('/app');
  await page.getByText('It opens, and shows what it read last.').waitFor();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const { worker, deliver } = await pushDelivery(page, context);
  await worker.evaluate(recordWishes);
  return {
    ...visited,
    async pushAndClick() {
      await deliver(JSON.stringify(NOTICE));
      // A picture that has to be fetched first would keep the notification back for as long as that takes.
      expect(await shown(page)).toEqual([{ title: NOTICE.title, picture: 'data:image/png' }]);
      const clicks = await worker.evaluate(click);
      await expect.poll(() => shown(page)).toEqual([]);
      return clicks;
    },
  };
}

const shown = (page: Page): Promise<{ readonly title: string; readonly picture: string }[]> =>
  page.evaluate(async () => {
    const notifications = await (await navigator.serviceWorker.ready).getNotifications();
    return notifications.map(({ title, icon }) => ({ title, picture: icon.slice(0, 14) }));
  });

const pathOf = (page: Page): string => new URL(page.url()).pathname;

test.each(['desktop', 'phone'] as const)(
  '[A13] a click on a notification leads the open terminal to its page, and another is not opened, at the size of a %s',
  async (viewport) => {
    const { page, pushAndClick } = await open(viewport);
    await page.evaluate(() => document.body.setAttribute('data-first', 'yes'));
    expect(await pushAndClick()).toEqual({ wished: ['focus /app'] });
    await page.waitForURL(`**${NOTICE.path}`);
    // It was led, not loaded again.
    expect(await page.evaluate(() => document.body.getAttribute('data-first'))).toBe('yes');
    await page.goBack();
    await page.getByRole('heading', { name: 'Orrery on your phone' }).waitFor();
  },
);

test.each(['desktop', 'phone'] as const)(
  '[A13] what is written stays: the page of the notification is offered, and opens when it is wanted, at the size of a %s',
  async (viewport) => {
    const { page, pushAndClick } = await open(viewport);
    await page.goto('/otc');
    const written = page.getByRole('textbox', { name: 'I want to spend' });
    await written.fill('500');
    expect(await pushAndClick()).toEqual({ wished: ['focus /otc'] });
    await toast(page).getByText(NOTICE.body).waitFor();
    expect(pathOf(page)).toBe('/otc');
    expect(await written.inputValue()).toBe('500');
    await toast(page).getByRole('button', { name: 'Show it' }).click();
    await page.waitForURL(`**${NOTICE.path}`);
    await toast(page).getByText(NOTICE.body).waitFor({ state: 'detached' });
  },
);

test('[A13] of two terminals the one that shows the page is brought to the front; a dialog stays open', async () => {
  const { page, context, pushAndClick } = await open('desktop');
  await page.goto(NOTICE.path);
  const other = await context.newPage();
  await other.goto('/app');
  await other.getByText('It opens, and shows what it read last.').waitFor();
  expect(await pushAndClick()).toEqual({ wished: [`focus ${NOTICE.path}`] });
  expect(pathOf(other)).toBe('/app');
  await other.close();
  await page.goto('/app');
  await page.getByRole('banner').getByRole('button', { name: 'Settings' }).click();
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.waitFor();
  expect(await pushAndClick()).toEqual({ wished: ['focus /app'] });
  await toast(page).getByText(NOTICE.title).waitFor();
  expect(await settings.isVisible()).toBe(true);
  await toast(page).getByRole('button', { name: 'Show it' }).click();
  await page.waitForURL(`**${NOTICE.path}`);
  expect(await settings.count()).toBe(0);
});

test('[A13] where no terminal is open the click opens one, and leaves the page of an operator as it is', async () => {
  const { page, pushAndClick } = await open('desktop');
  await page.goto('/console');
  expect(await pushAndClick()).toEqual({ wished: [`open ${NOTICE.path}`] });
  expect(pathOf(page)).toBe('/console');
});
