/** For people whom motion makes ill: where the browser says that less of it is wanted, nothing on a page moves by itself. */
import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { generatePrivateKey } from 'viem/accounts';
import { expect, test } from 'vitest';
import { browser, visit, withBrowser } from './browser.ts';
import { nextAddress } from './caller-address.ts';
import { InjectedWallet, WALLET_NAME } from './injected-wallet.ts';
import { chooseWallet, walletMenu } from './newcomer.ts';
import { prepareToTrade, signIn } from './person.ts';
import { until } from './until.ts';
import { program, withSharedProgram } from './with-shared-program.ts';

const VISITED = ['/auth/login', '/auth/register', '/auth/reset'];
const SIGNED_IN = [
  '/account/security',
  '/account/verification',
  '/account/login-record',
  '/assets/withdraw',
  '/trade/futures/BTC_USDC',
  '/trade/spot/BTC_USDC',
  '/portfolio',
];
/** Answers come late enough that what stands in their place is seen. */
const LATE_MS = 400;

withSharedProgram();
withBrowser();

/** Runs in the page before its scripts: notes what moves in any frame, but for what only follows the scrolling of a person. */
function watchMotion(): void {
  const seen = new Set<string>();
  Object.assign(window, { motion: seen });
  const look = (): void => {
    for (const animation of document.getAnimations()) {
      const { effect, timeline } = animation;
      const end = Number(effect?.getComputedTiming().endTime);
      if (!(timeline instanceof DocumentTimeline) || !(effect instanceof KeyframeEffect) || end <= 1) continue;
      const name = animation instanceof CSSAnimation ? animation.animationName : 'transition';
      seen.add(`${location.pathname}: ${name} of ${effect.target?.tagName} "${effect.target?.getAttribute('class')}" for ${end} ms`);
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

async function prepare(context: BrowserContext): Promise<void> {
  await context.addInitScript(watchMotion);
  await context.route(/\/(pro|spot|futures)\//, async (route) => {
    await pause(LATE_MS);
    await route.continue().catch(() => undefined);
  });
}

const motionOf = (page: Page): Promise<readonly string[]> => page.evaluate(() => [...(Reflect.get(window, 'motion') as Set<string>)]);

/** Data has come, and what stood in its place is gone. */
const settled = (page: Page): Promise<boolean> =>
  until('the page has its data', () => page.evaluate(() => document.querySelector('main [aria-busy="true"]:not(button)') === null));

async function motionAt(page: Page, paths: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of paths) {
    await page.goto(path);
    await page.getByRole('main').waitFor();
    await page.getByRole('banner').getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('dialog', { name: 'Settings' }).getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await settled(page);
    found.push(...(await motionOf(page)));
  }
  return found;
}

test('[R5] with less motion wanted nothing moves: pages while they load, dialogs, a form that is sent', async () => {
  const { url } = program;
  const privateKey = generatePrivateKey();
  await prepareToTrade(url, await signIn(url, { privateKey, from: nextAddress() }));
  const wallet = new InjectedWallet(url, privateKey);
  const { page } = await visit(browser, {
    url,
    prepare: async (context) => {
      await wallet.install(context);
      await prepare(context);
    },
  });
  // First as the others see it: the watch does see what moves.
  await page.goto('/assets/withdraw');
  await chooseWallet(page, new RegExp(`^${WALLET_NAME}`));
  await walletMenu(page).waitFor();
  expect(await motionAt(page, ['/trade/spot/BTC_USDC'])).not.toEqual([]);

  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await motionAt(page, SIGNED_IN)).toEqual([]);
  await walletMenu(page).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.waitForURL('**/login');
  expect(await motionAt(page, VISITED)).toEqual([]);
  await page.goto('/auth/login');
  await page.getByRole('main').getByRole('textbox', { name: 'E-mail address or telephone number' }).fill('nobody@example.org');
  await page.getByRole('main').getByRole('textbox', { name: 'Password', exact: true }).fill('not a password of anybody');
  await page.getByRole('main').getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByText('the name or the password is wrong').waitFor();
  expect(await motionOf(page)).toEqual([]);
});
