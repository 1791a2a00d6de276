/**
 * The board of profit on the whole program: one who has traded with one other reads why their profit is not ranked, and operators see the pair of
 * which one won what the other lost, with what the two traded, on a desk and on a telephone.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { generatePrivateKey } from 'viem/accounts';
import { expect, test } from 'vitest';
import { barriers, installAxe } from './accessibility.ts';
import { browser, visit, withBrowser } from './browser.ts';
import { openArea, openDesk, register, signedInAs, table } from './console-desk.ts';
import { InjectedWallet, WALLET_NAME } from './injected-wallet.ts';
import { chooseWallet } from './newcomer.ts';
import { join as joinOffice } from './operator.ts';
import { prepareToTrade, signIn } from './person.ts';
import { BEHIND_A_PROXY } from './program.ts';
import { program, withProgram } from './with-program.ts';

const FIRST_CODE = 'first-code-of-the-test';
const SYMBOL = 'BTC_USDC';
/** Flows are gathered for a second, and the pairs found in them are cached for minutes: the test must not read them earlier. */
const GATHERED_MS = 5_000;
const ROUND_MS = 150;
const PHONE = { width: 390, height: 844 };

withProgram({ env: { ...BEHIND_A_PROXY, ORRERY_CONSOLE_CODE: FIRST_CODE, ORRERY_MARKET_MAKER: 'off', ORRERY_TIMELOCK_SECONDS: '0' } });
withBrowser();

/** Keeps a picture where one is asked for. */
const picture = async (page: { screenshot(options: { path: string; fullPage: boolean }): Promise<unknown> }, name: string) => {
  const folder = process.env['ORRERY_PICTURES'];
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
};

test('[T12] F4: profit from one other is not ranked, its owner reads why, and operators see who won what the other lost', async () => {
  const { url } = program;
  const privateKey = generatePrivateKey();
  const alice = await signIn(url, { privateKey, from: '203.0.113.1' });
  await prepareToTrade(url, alice);
  const bob = await signIn(url, { from: '203.0.113.2' });
  await prepareToTrade(url, bob);
  const outside = Number((await alice.client.indexPrice({ symbol: SYMBOL })).p);
  const [cheap, fair] = [String(Math.floor(outside * 0.97)), String(Math.floor(outside))];
  const size = (1_000 / outside).toFixed(4);
  // Bob sells cheap and buys back at the outside price, until a good part of what he had is hers.
  for (let round = 0; round < 40; round += 1) {
    await alice.client.createOrder({ symbol: SYMBOL, direction: 'BUY', tradeType: 'LIMIT', price: cheap, totalAmount: size });
    await bob.client.createOrder({ symbol: SYMBOL, direction: 'SELL', tradeType: 'LIMIT', price: cheap, totalAmount: size });
    await alice.client.createOrder({ symbol: SYMBOL, direction: 'SELL', tradeType: 'LIMIT', price: fair, totalAmount: size });
    await bob.client.createOrder({ symbol: SYMBOL, direction: 'BUY', tradeType: 'LIMIT', price: fair, totalAmount: size });
    // Two orders of each: a person may place fifty at once, and ten a second.
    await pause(ROUND_MS);
  }
  await pause(GATHERED_MS);

  const wallet = new InjectedWallet(url, privateKey);
  const { page, complaints } = await visit(browser, {
    url,
    prepare: async (context) => {
      await wallet.install(context);
      await installAxe(context);
    },
  });
  await page.goto('/leaderboard');
  await chooseWallet(page, new RegExp(`^${WALLET_NAME}`));
  await page.getByRole('tab', { name: 'PnL' }).click();
  await page.getByText('Your profit is not ranked yet: it needs trades with 5 others; 1 so far.').waitFor();
  await page.getByText('Nobody is ranked yet.').waitFor();
  expect(await barriers(page)).toEqual([]);
  await picture(page, 'profit-1440');
  await page.setViewportSize(PHONE);
  await page.getByText('Your profit is not ranked yet').waitFor();
  await picture(page, 'profit-390');
  expect(complaints).toEqual([]);

  const named = url.replace('127.0.0.1', 'localhost');
  const { client: pete } = await joinOffice(named, { code: FIRST_CODE, name: 'pete', from: '203.0.113.3' });
  const { code } = await pete.inviteOperator({ name: 'olga', role: 'operator' });
  const operator = await openDesk(browser, { url: named });
  await register(operator, { code, name: 'olga' });
  await signedInAs(operator, 'olga · Operator');
  await openArea(operator, 'Clusters');
  const row = table(operator, 'One wins what one other loses').getByRole('row').filter({ hasText: 'from the loser, in 80 trades' });
  await row.waitFor();
  expect(await barriers(operator.page)).toEqual([]);
  await picture(operator.page, 'pairs-1440');
  await row.getByRole('button', { name: 'Trades' }).click();
  const trades = operator.page.getByRole('dialog').getByRole('row').filter({ hasText: SYMBOL });
  await trades.first().waitFor();
  expect(await barriers(operator.page)).toEqual([]);
  await picture(operator.page, 'pair-trades-1440');
  await operator.page.setViewportSize(PHONE);
  await picture(operator.page, 'pair-trades-390');
  await operator.page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await row.getByRole('button', { name: 'Trades' }).waitFor();
  const width = await operator.page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(PHONE.width);
  await picture(operator.page, 'pairs-390');
});
