/**
 * The terminal as an app: installable and open without a connection by Chromium's own checks, never older than the exchange for somebody who is connected, a newer version only
 * once a person agrees.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { browser, LAUNCH, visit, VIEWPORTS, withBrowser } from './browser.ts';
import { NextBuild } from './next-build.ts';
import { program, startAgain, withProgram } from './with-program.ts';

let next: NextBuild;
beforeAll(async () => {
  next = await NextBuild.open();
});
withProgram({
  env: () => ({
    ORRERY_MARKET_MAKER: 'off',
    ORRERY_PROXY_HOPS: '1',
    ORRERY_PUBLIC_ORIGINS: `${next.url},http://127.0.0.1:0`,
    ORRERY_GOOGLE_PLAY_LINK: 'https://play.example/orrery',
  }),
});
beforeAll(() => next.leadTo(program.url));
afterAll(() => next?.close());
withBrowser();

const kept = (page: Page) => page.getByText('It opens, and shows what it read last.');

/** The worker has the files, and serves the next page. */
async function keepApp(page: Page): Promise<void> {
  await page.goto('/app');
  await page.getByRole('heading', { name: 'Orrery on your phone' }).waitFor();
  await kept(page).waitFor();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

test.each(['desktop', 'phone'] as const)(
  '[A13] the terminal is installable by the checks of Chromium, at the size of a %s',
  async (viewport) => {
    // A profile of its own: nothing is installed from a private one.
    const profile = await mkdtemp(join(tmpdir(), 'orrery-profile-'));
    const context = await chromium.launchPersistentContext(profile, {
      ...LAUNCH,
      baseURL: program.url,
      viewport: VIEWPORTS[viewport],
    });
    onTestFinished(async () => {
      await context.close();
      await rm(profile, { recursive: true, force: true });
    });
    const page = await context.newPage();
    await keepApp(page);
    const chrome = await context.newCDPSession(page);
    const { errors, data, url } = await chrome.send('Page.getAppManifest');
    expect(errors).toEqual([]);
    expect(url).toBe(`${program.url}/app.webmanifest`);
    expect(JSON.parse(data ?? '')).toMatchObject({ name: 'Orrery', display: 'standalone', start_url: '/' });
    const { installabilityErrors } = await chrome.send('Page.getInstallabilityErrors');
    expect(installabilityErrors).toEqual([]);
  },
);

test.each(['desktop', 'phone'] as const)(
  '[A13] without a connection the app opens at its pages, says so, and goes on by itself, at the size of a %s',
  async (viewport) => {
    const { page, context } = await visit(browser, { url: program.url, viewport });
    await keepApp(page);
    await page.goto('/trade/spot/BTC_USDC');
    await page.locator('canvas').first().waitFor();
    const answers = await page.evaluate(async () => {
      const names = await caches.keys();
      const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
      return requests.flat().map(({ url }) => new URL(url).pathname);
    });
    expect(answers).toContain('/');
    expect(
      answers.filter((path) => path !== '/' && !path.startsWith('/assets/') && !/^\/[\w-]+\.(svg|png|webmanifest)$/.test(path)),
    ).toEqual([]);
    await context.setOffline(true);
    for (const path of ['/app', '/trade/spot/BTC_USDC', '/']) {
      await page.goto(path);
      await page.getByText('This device is offline since').waitFor();
    }
    await page.goto('/app');
    await page.getByRole('heading', { name: 'Orrery on your phone' }).waitFor();
    // What serves the page is there.
    expect(await kept(page).count()).toBe(1);
    await page.evaluate(() => document.body.setAttribute('data-first', 'yes'));
    await context.setOffline(false);
    await page.getByText('This device is offline since').waitFor({ state: 'hidden' });
    expect(await page.evaluate(() => document.body.getAttribute('data-first'))).toBe('yes');
  },
);

test('a page that is opened while the exchange is killed comes from the device, and is whole when the exchange is back', async () => {
  const { page } = await visit(browser, { url: program.url });
  await keepApp(page);
  await program.kill();
  await page.goto('/trade/spot/BTC_USDC');
  await page.getByText('The exchange cannot be reached since').waitFor();
  // Code that is not on the device waits for the exchange.
  await page.getByRole('link', { name: 'Explorer' }).first().click();
  await startAgain();
  await page.getByRole('heading', { name: 'Explorer' }).waitFor();
  await page.getByText('The exchange cannot be reached since').waitFor({ state: 'hidden' });
  await page.goBack();
  await page.getByRole('form', { name: 'Order ticket' }).first().waitFor();
});

const newer = (page: Page) => page.getByRole('region', { name: 'Newer version' });
const entryOf = (page: Page): Promise<string> =>
  page.evaluate(() => document.querySelector<HTMLScriptElement>('head script[type="module"]')?.src ?? '');
const look = (page: Page): Promise<unknown> => page.evaluate(async () => (await navigator.serviceWorker.ready).update().then(() => null));

test('a newer version waits until the person agrees; a page that is opened again has it at once, and none stays old', async () => {
  const { page, context } = await visit(browser, { url: next.url });
  await keepApp(page);
  const first = await entryOf(page);
  const other = await context.newPage();
  await other.goto('/app');
  await kept(other).waitFor();
  next.install();
  await look(page);
  await newer(page).waitFor();
  await newer(other).waitFor();
  await newer(page).getByRole('button', { name: 'Later' }).click();
  expect(await newer(page).count()).toBe(0);
  expect(await entryOf(page)).toBe(first);
  await newer(other).getByRole('button', { name: 'Use it now' }).click();
  await expect.poll(() => entryOf(other)).not.toBe(first);
  await kept(other).waitFor();
  expect(await newer(other).count()).toBe(0);
  // Nobody has agreed in this tab: it stays as it is until it is opened again.
  expect(await entryOf(page)).toBe(first);
  await page.reload();
  expect(await entryOf(page)).not.toBe(first);
  await context.setOffline(true);
  await page.reload();
  await page.getByRole('heading', { name: 'Orrery on your phone' }).waitFor();
  expect(await entryOf(page)).not.toBe(first);
});

test('browsers look at the worker each time, and it has the policies of a page', async () => {
  const { headers } = await fetch(`${program.url}/app-worker.js`);
  expect(headers.get('cache-control')).toBe('no-cache');
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
});

test('a visitor who only looks at a market gets no worker', async () => {
  const { page } = await visit(browser, { url: program.url });
  await page.goto('/trade/spot/BTC_USDC');
  await page.getByRole('form', { name: 'Order ticket' }).first().waitFor();
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
});

test('the page of the app says how it comes onto this device and another, by the offer of the browser where it makes one', async () => {
  const { page } = await visit(browser, { url: program.url.replace('127.0.0.1', 'localhost') });
  await page.goto('/app');
  await page.getByText('Open the menu of this browser').waitFor();
  await page.getByRole('heading', { name: 'On an iPhone or iPad' }).waitFor();
  await page.getByText('an address that only this computer can open').waitFor();
  expect(await page.getByRole('link', { name: 'Google Play' }).getAttribute('href')).toBe('https://play.example/orrery');
  expect(await page.getByRole('link', { name: 'App Store' }).count()).toBe(0);
  await page.evaluate(() => {
    const offer = new Event('beforeinstallprompt', { cancelable: true });
    Object.assign(offer, { prompt: () => Promise.resolve(document.body.setAttribute('data-prompted', String(offer.defaultPrevented))) });
    globalThis.dispatchEvent(offer);
  });
  await page.getByRole('button', { name: 'Install', exact: true }).click();
  expect(await page.evaluate(() => document.body.getAttribute('data-prompted'))).toBe('true');
  await page.getByText('Open the menu of this browser').waitFor();
  await page.goto('/app?from=app');
  await page.getByText('You are in the app.').waitFor();
  expect(await page.getByText('Open it on another device').count()).toBe(0);
  expect(await page.getByText('From a store').count()).toBe(0);
});
