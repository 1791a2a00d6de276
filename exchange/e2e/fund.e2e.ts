/**
 * A person pays into the fund, waits for its valuation, sees the share, gives it back and has the money, on a desk and on a phone. The program goes on at a
 * later time after each stop, as after a night in which it did not run: a fund is valued every ten minutes, and shares are locked for a day.
 */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { generatePrivateKey } from 'viem/accounts';
import type { Hex } from 'viem';
import { barriers, installAxe, overflow, setTheme } from './accessibility.ts';
import { browser, type Visit, visit, withBrowser } from './browser.ts';
import { nextAddress } from './caller-address.ts';
import { InjectedWallet, WALLET_NAME } from './injected-wallet.ts';
import { chooseWallet } from './newcomer.ts';
import { prepareToTrade, signIn } from './person.ts';
import { BEHIND_A_PROXY } from './program.ts';
import { until } from './until.ts';
import { program, startAgain, withProgram } from './with-program.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

withProgram({ env: { ...BEHIND_A_PROXY, ORRERY_MARKET_MAKER: 'off', ORRERY_FUND_MANAGER: 'off' } });
withBrowser();

/** The program stops, and starts again when this time has passed for it. */
async function passTo(ms: number): Promise<void> {
  await program.stop();
  await startAgain({ ORRERY_TEST_LATER_MS: String(ms) });
}

const picture = async (page: Page, name: string): Promise<void> => {
  const folder = process.env['ORRERY_PICTURES'];
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
};

/** In both themes at three widths; nothing is wider than the page. */
async function pictures(page: Page, name: string): Promise<void> {
  for (const theme of ['dark', 'light'] as const)
    for (const width of [1440, 1024, 390]) {
      await setTheme(page, theme);
      await page.setViewportSize({ width, height: 900 });
      expect(await overflow(page)).toBe(0);
      await picture(page, `${name}-${theme}-${width}`);
    }
}

const share = (page: Page) => page.locator('section').filter({ has: page.getByRole('heading', { name: 'My share' }) });

/** The person at a browser whose clock is that of the program, signed in by a wallet. */
async function arriveAt(privateKey: Hex, ahead: number): Promise<Visit> {
  const wallet = new InjectedWallet(program.url, privateKey);
  const visited = await visit(browser, {
    url: program.url,
    prepare: async (context) => {
      await wallet.install(context);
      await installAxe(context);
      if (ahead > 0) await context.clock.install({ time: Date.now() + ahead });
    },
  });
  await visited.page.goto('/fund/quanto');
  await chooseWallet(visited.page, new RegExp(`^${WALLET_NAME}`));
  return visited;
}

test('[A12] a person subscribes to the fund, sees the share after the valuation, redeems it and has the money', async () => {
  const privateKey = generatePrivateKey();
  const alice = await signIn(program.url, { privateKey, from: nextAddress() });
  await prepareToTrade(program.url, alice);
  await alice.client.transfer({ coin: 'USDC', amount: '500', from: 'spot', to: 'funding' });
  await until('the fund is open', async () => (await alice.client.fundList()).length === 2);
  const first = await arriveAt(privateKey, 0);
  await share(first.page).getByText('You have no share of this fund.').waitFor();
  await pictures(first.page, 'fund-empty');
  await share(first.page).getByRole('button', { name: 'Subscribe' }).click();
  const form = first.page.getByRole('dialog');
  await form.getByLabel('Amount').fill('400');
  await form.getByText('Executed no sooner than').waitFor();
  expect(await barriers(first.page)).toEqual([]);
  await picture(first.page, 'fund-subscribe');
  await form.getByRole('button', { name: 'Subscribe', exact: true }).click();
  await share(first.page).getByText('Waits to be subscribed').waitFor();
  expect(first.complaints).toEqual([]);
  await first.context.close();

  await passTo(15 * MINUTE);
  const second = await arriveAt(privateKey, 15 * MINUTE);
  await share(second.page)
    .getByText(/^400\.00 USDC$/)
    .first()
    .waitFor();
  await share(second.page)
    .getByText(/Your shares are locked until/)
    .waitFor();
  await second.context.close();

  await passTo(DAY + 30 * MINUTE);
  const { page, context } = await arriveAt(privateKey, DAY + 30 * MINUTE);
  await share(page).getByRole('button', { name: 'Redeem' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Shares').fill('150');
  await dialog.getByText(/The performance fee at the last NAV would be/).waitFor();
  await picture(page, 'fund-redeem');
  await dialog.getByRole('button', { name: 'Redeem', exact: true }).click();
  await share(page).getByText('Shares that wait').waitFor();
  await context.close();

  await passTo(DAY + 45 * MINUTE);
  const last = await arriveAt(privateKey, DAY + 45 * MINUTE);
  await share(last.page)
    .getByText(/^250\.00 USDC$/)
    .first()
    .waitFor();
  await last.page
    .getByRole('table', { name: 'My history' })
    .getByRole('row', { name: /Redemption.*150.*Done/ })
    .waitFor();
  await pictures(last.page, 'fund');
  await last.page.goto('/portfolio');
  await last.page.getByRole('link', { name: /QUANTO1.*250/ }).waitFor();
  await pictures(last.page, 'fund-portfolio');
}, 400_000);

test('[A12] a visitor on a phone sees the fund, its risks, and what happens when its manager is silent', async () => {
  const { page } = await visit(browser, { url: program.url, viewport: 'phone', prepare: installAxe });
  await page.goto('/fund/quanto');
  await page.getByText('You can lose money, all of it too').waitFor();
  await page.getByText(/whose manager is silent for an hour sells what it has, pays its holders by share/).waitFor();
  await page.getByRole('button', { name: 'Subscribe' }).waitFor();
  await page.getByRole('radio', { name: 'Drawdown' }).click();
  await page.getByRole('img', { name: /Drawdown of the fund/ }).waitFor();
  expect(await barriers(page)).toEqual([]);
  await picture(page, 'fund-visitor-390');
});
