/**
 * A deposit that the chain takes back without end, on the whole program and in a real browser: its account cannot withdraw, two operators write it
 * off, and the program is killed with kill -9 while the approved write-off waits for its time.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { CoinSolvency } from '@orrery/api';
import { createClient, type Client } from '@orrery/sdk';
import type { Page } from 'playwright-core';
import { formatEther, parseEther, type Hex } from 'viem';
import { generatePrivateKey } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { barriers, COLOURS, cutWords, overflow, setTheme } from './accessibility.ts';
import { browser, visit, VIEWPORTS, withBrowser } from './browser.ts';
import { openArea, openDesk, register, says, signedInAs, table, type Desk } from './console-desk.ts';
import { InjectedWallet, WALLET_NAME } from './injected-wallet.ts';
import { chooseWallet } from './newcomer.ts';
import { claimTokens, keyClient, mayClaim, signIn, tradeKey, withdraw } from './person.ts';
import { BEHIND_A_PROXY } from './program.ts';
import { TestChain } from './test-chain.ts';
import { until } from './until.ts';
import { program, startAgain, withProgram } from './with-program.ts';

const FIRST_CODE = 'first-code-of-the-test';
const COIN = 'WSOSO';
const CONFIRMATIONS = 4;
/** Deeper than a deposit has to be, and not too deep to be reconciled automatically. */
const DEPTH = 12;
const MINE_EVERY_MS = 50;
/** Long enough for a kill between the approval and the moment of effect. */
const TIMELOCK_SECONDS = 10;
const DEPOSIT = parseEther('3');
/** Of it: still there when the chain takes the deposit back. */
const KEPT = parseEther('1');
/** What a friend gives back meanwhile: the account pays with it. The exchange pays the rest. */
const RETURNED = parseEther('0.5');
const PAID = formatEther(DEPOSIT - KEPT - RETURNED);

let chain: TestChain;
beforeAll(async () => {
  chain = await TestChain.open({ mineEveryMs: MINE_EVERY_MS });
});
afterAll(() => chain?.close());
withProgram({
  env: () => ({
    ...chain.settings,
    ...BEHIND_A_PROXY,
    ORRERY_CONFIRMATIONS: String(CONFIRMATIONS),
    ORRERY_CONSOLE_CODE: FIRST_CODE,
    ORRERY_TIMELOCK_SECONDS: String(TIMELOCK_SECONDS),
    ORRERY_ADDRESS_WAIT_SECONDS: '0',
    ORRERY_MARKET_MAKER: 'off',
  }),
});
withBrowser();

async function fundingOf(client: Client): Promise<bigint> {
  const [balance] = await client.balances({ account: 'funding', coin: COIN });
  return parseEther(balance?.availableBalance ?? '0');
}

/** Undefined until it was looked at. */
async function solvencyOf(client: Client): Promise<CoinSolvency | undefined> {
  return (await client.solvency()).find(({ coin }) => coin === COIN);
}

const isReady = async (client: Client): Promise<boolean> => (await client.status()).parts.every(({ ready }) => ready);

/** Of a page at the width of a desk and of a phone, in both themes. */
async function faultsOf(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const screen of ['phone', 'desktop'] as const) {
    await page.setViewportSize(VIEWPORTS[screen]);
    await setTheme(page, 'dark');
    found.push(...(await barriers(page)), ...(await cutWords(page)));
    if ((await overflow(page)) > 0) found.push('wider than the screen');
    await setTheme(page, 'light');
    found.push(...(await barriers(page, COLOURS)));
  }
  await setTheme(page, 'dark');
  return found;
}

/** Two operators, the second one by an invitation of the first. */
async function openDesks(url: string): Promise<{ readonly alice: Desk; readonly bob: Desk }> {
  const alice = await openDesk(browser, { url });
  await register(alice, { code: FIRST_CODE, name: 'alice' });
  await signedInAs(alice, 'alice · Admin');
  await openArea(alice, 'Operators');
  await alice.page.getByRole('textbox', { name: 'Name' }).fill('bob');
  await alice.page.getByRole('combobox', { name: 'Role', exact: true }).selectOption({ label: 'Operator' });
  await alice.page.getByRole('button', { name: 'Make a one-time code' }).click();
  const code = await alice.page.getByText('Good for bob').locator('code').innerText();
  await openArea(alice, 'Proposals');
  await table(alice, 'Proposals').getByText('Done (alone)').waitFor();
  const bob = await openDesk(browser, { url });
  await register(bob, { code, name: 'bob' });
  await signedInAs(bob, 'bob · Operator');
  return { alice, bob };
}

test('D2, M2: a deposit that never returns is written off by two operators, once, whatever kill -9 cuts off, and its account withdraws again', async () => {
  const { url } = program;
  const anyone = createClient({ baseUrl: url });
  const { exchange } = await anyone.contracts();
  const privateKey = generatePrivateKey();
  const person = await signIn(url, { privateKey, from: '203.0.113.7' });
  const friend = await signIn(url, { from: '203.0.113.8' });
  await claimTokens(url, person);
  await chain.makeRich(person.wallet.address);
  await mayClaim(url, friend);
  await friend.client.addWithdrawAddress({ address: person.address.toLowerCase(), label: 'a friend' });
  const reader = keyClient(url, await tradeKey(person));
  const { alice, bob } = await openDesks(url.replace('127.0.0.1', 'localhost'));

  await until('no transaction waits', async () => (await chain.pending()) === 0);
  chain.mineEvery(0);
  await chain.mine();
  const claimed = await fundingOf(reader);
  await chain.deposit({ from: person.wallet, vault: exchange as Hex, amount: DEPOSIT });
  await until('the deposit waits to be mined', async () => (await chain.pending()) === 1);
  await chain.mine(DEPTH);
  await until('the deposit is credited', async () => (await fundingOf(reader)) === claimed + DEPOSIT);
  await person.refresh();
  await person.client.addWithdrawAddress({ address: friend.address.toLowerCase(), label: 'a friend' });
  await withdraw(url, person, { coin: COIN, amount: formatEther(claimed + DEPOSIT - KEPT), to: friend.wallet.address });
  const wallet = new InjectedWallet(url, privateKey);
  const { page } = await visit(browser, { url, prepare: (context) => wallet.install(context) });
  await page.goto(`/assets/deposit?coin=${COIN}`);
  await chooseWallet(page, new RegExp(`^${WALLET_NAME}`));
  const deposits = page.getByRole('table', { name: 'Deposits' }).getByRole('row').filter({ hasText: '3.00' });
  await deposits.getByText('Credited').waitFor();

  await chain.reorganise(DEPTH);
  await until('the deposit is in suspense', async () => (await fundingOf(reader)) === 0n);
  chain.mineEvery(MINE_EVERY_MS);
  await deposits.getByText('Left the chain').waitFor();
  const locked = (to?: Hex) => withdraw(url, person, { coin: 'USDC', amount: '1', ...(to !== undefined && { to }) });
  await expect(locked()).rejects.toMatchObject({ reason: 'DepositInSuspense' });
  await expect(locked(friend.wallet.address)).rejects.toMatchObject({ reason: 'DepositInSuspense' });
  await until('what is missing is shown', async () => (await solvencyOf(anyone))?.difference === '-2');
  expect(await solvencyOf(anyone)).toMatchObject({ orphaned: '1', writtenOff: '0' });
  await withdraw(url, friend, { coin: COIN, amount: formatEther(RETURNED), to: person.wallet.address });
  await until('the friend has given something back', async () => (await fundingOf(reader)) === RETURNED);

  await openArea(alice, 'Withdrawals');
  const lost = table(alice, 'Deposits that left the chain');
  await lost.getByText('Not on the chain').waitFor();
  expect(await faultsOf(alice.page)).toEqual([]);
  await lost.getByRole('button', { name: 'Write off' }).click();
  const dialog = alice.page.getByRole('dialog', { name: /^Write off a deposit of account \d+$/ });
  await dialog.getByText(`3 ${COIN}`).waitFor();
  await dialog.getByText(`1 ${COIN}`).waitFor();
  await dialog.getByRole('button', { name: 'Propose' }).click();
  await dialog.getByText('Say why in three letters at least.').waitFor();
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('the branch is dead');
  expect(await faultsOf(alice.page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Propose' }).click();
  await says(alice, 'Proposed: another operator approves it');
  await openArea(bob, 'Withdrawals');
  await table(bob, 'Deposits that left the chain').getByRole('button', { name: 'Write off' }).click();
  await bob.page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('it is gone');
  await bob.page.getByRole('dialog').getByRole('button', { name: 'Propose' }).click();
  await says(bob, 'proposal 2 is about this deposit already');
  await openArea(bob, 'Proposals');
  const proposal = table(bob, 'Proposals').getByRole('row').filter({ hasText: 'the branch is dead' });
  await proposal.getByRole('button', { name: 'Approve' }).click();
  await bob.page.getByRole('dialog', { name: 'Approve proposal 2' }).getByRole('button', { name: 'Approve' }).click();
  await proposal.getByText('Approved (bob)').waitFor();
  await program.kill();
  await startAgain();

  await proposal.getByText('Done (bob)').waitFor({ timeout: 60_000 });
  // With the head and the invitation.
  expect(await table(bob, 'Proposals').getByRole('row').count()).toBe(3);
  await until('money moves again', () => isReady(anyone));
  await program.kill();
  await startAgain();
  // What would be done a second time has had its time.
  await pause(2_000);
  await deposits.getByText('Written off').waitFor();
  expect(await fundingOf(reader)).toBe(0n);
  const { list: bills } = await reader.bills({ coin: COIN, pageSize: 50 });
  expect(bills.map(({ type, amount }) => `${type} ${amount}`)).toEqual([
    `DEPOSIT_WRITTEN_OFF -${formatEther(RETURNED)}`,
    `INTERNAL ${formatEther(RETURNED)}`,
    `DEPOSIT_SUSPENDED -${formatEther(KEPT)}`,
    `INTERNAL -${formatEther(claimed + DEPOSIT - KEPT)}`,
    `DEPOSIT ${formatEther(DEPOSIT)}`,
    `DEPOSIT ${formatEther(claimed)}`,
  ]);
  await until('nothing is missing', async () => (await solvencyOf(anyone))?.difference === '0');
  expect(await solvencyOf(anyone)).toMatchObject({ orphaned: '0', writtenOff: PAID, difference: '0' });
  await person.refresh();
  const withdrawalId = await withdraw(url, person, { coin: 'USDC', amount: '1' });
  await until('the withdrawal is posted', async () => {
    const { list } = await reader.withdrawals({ pageSize: 50 });
    return list.some((one) => one.withdrawalId === withdrawalId && one.state === 'POSTED');
  });

  await openArea(alice, 'Audit log');
  const actions = table(alice, 'Audit log').getByRole('row').filter({ hasText: 'WRITE_OFF' });
  await alice.page.getByText('Verified: every row is as it was written').waitFor();
  await expect.poll(() => actions.getByText('WRITE_OFF', { exact: true }).count()).toBe(1);
  await openArea(alice, 'Withdrawals');
  await lost.getByText('Written off', { exact: true }).waitFor();
  await lost.getByText(`The exchange paid ${PAID} ${COIN}`).waitFor();
  expect(await lost.getByRole('button', { name: 'Write off' }).count()).toBe(0);
  expect(await faultsOf(alice.page)).toEqual([]);
});
