/**
 * An appeal on the whole program: two who share a device and trade with one another see that it does not count and why, one of them
 * appeals on the page, two operators accept it at the console, and both are people of their own from then on.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { generatePrivateKey } from 'viem/accounts';
import { expect, test } from 'vitest';
import { barriers, installAxe } from './accessibility.ts';
import { browser, visit, withBrowser } from './browser.ts';
import { openArea, openDesk, register, says, signedInAs, table } from './console-desk.ts';
import { InjectedWallet, WALLET_NAME } from './injected-wallet.ts';
import { chooseWallet, toast } from './newcomer.ts';
import { join as joinOffice } from './operator.ts';
import { prepareToTrade, signIn } from './person.ts';
import { BEHIND_A_PROXY } from './program.ts';
import { program, withProgram } from './with-program.ts';

const FIRST_CODE = 'first-code-of-the-test';
const SYMBOL = 'BTC_USDC';
/** Flows are gathered for a second, and the clusters found in them are cached for minutes: the test must not read them earlier. */
const GATHERED_MS = 5_000;

withProgram({ env: { ...BEHIND_A_PROXY, ORRERY_CONSOLE_CODE: FIRST_CODE, ORRERY_MARKET_MAKER: 'off', ORRERY_TIMELOCK_SECONDS: '0' } });
withBrowser();

test('[A10] F4: two of one device read why their trades do not count, appeal, and are separate people once two operators agree', async () => {
  const { url } = program;
  const privateKey = generatePrivateKey();
  const jar = new Map<string, string>();
  const alice = await signIn(url, { privateKey, jar, from: '203.0.113.1' });
  await prepareToTrade(url, alice);
  const bob = await signIn(url, { jar, from: '203.0.113.2' });
  await prepareToTrade(url, bob);
  const price = String(Math.floor(Number((await alice.client.indexPrice({ symbol: SYMBOL })).p)));
  await alice.client.createOrder({ symbol: SYMBOL, direction: 'SELL', tradeType: 'LIMIT', price, totalAmount: '0.01' });
  await bob.client.createOrder({ symbol: SYMBOL, direction: 'BUY', tradeType: 'LIMIT', price, totalAmount: '0.01' });
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
  await page.getByText('One other account is taken for yours (the same device). Trades with it do not count.').waitFor();
  await page.getByText('Volume: at most 250,000 USDC a UTC day, of all accounts of one person together.').waitFor();
  await page.getByRole('button', { name: 'Appeal', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Appeal' });
  const send = dialog.getByRole('button', { name: 'Send' });
  expect(await send.isDisabled()).toBe(true);
  await dialog.getByRole('textbox', { name: 'Your appeal' }).fill('Bob is my brother.\nWe share a laptop.');
  await dialog.getByText('963 characters left').waitFor();
  expect(await barriers(page)).toEqual([]);
  await Promise.all([toast(page).getByText('Appeal sent').waitFor(), send.click()]);
  await page.getByText('Your appeal is being looked at.').waitFor();
  expect(await page.getByRole('button', { name: 'Appeal', exact: true }).count()).toBe(0);

  const named = url.replace('127.0.0.1', 'localhost');
  const { client: pete } = await joinOffice(named, { code: FIRST_CODE, name: 'pete', from: '203.0.113.3' });
  const { code } = await pete.inviteOperator({ name: 'olga', role: 'operator' });
  const operator = await openDesk(browser, { url: named });
  await register(operator, { code, name: 'olga' });
  await signedInAs(operator, 'olga · Operator');
  await openArea(operator, 'Clusters');
  const row = table(operator, 'Appeals').getByRole('row').filter({ hasText: 'Bob is my brother.' });
  await row.getByText('shared device').waitFor();
  await row.getByRole('button', { name: 'Decide' }).click();
  const decision = operator.page.getByRole('dialog', { name: 'Decide appeal 1' });
  await decision.getByRole('textbox', { name: 'Answer' }).fill('You are two people.');
  expect(await barriers(operator.page)).toEqual([]);
  await decision.getByRole('button', { name: 'Propose to accept' }).click();
  await says(operator, 'Proposed: another operator approves it');
  await row.getByText('Waiting').waitFor();
  const [proposal] = (await pete.proposals({ state: 'OPEN' })).list;
  expect(proposal).toMatchObject({ kind: 'APPEAL', proposedBy: 'olga' });
  await pete.approveProposal({ proposalId: proposal?.proposalId ?? 0, hash: proposal?.hash ?? '' });
  await openArea(operator, 'Overview');
  await openArea(operator, 'Clusters');
  await row.getByText('Accepted').waitFor();
  await openArea(operator, 'Audit log');
  await table(operator, 'Audit log').getByText('APPEAL', { exact: true }).waitFor();

  await page.getByText('Your appeal was accepted: You are two people.').waitFor();
  await page.getByRole('region', { name: 'Ranking' }).getByRole('row').filter({ hasText: 'You' }).waitFor();
  expect(complaints).toEqual([]);
});
