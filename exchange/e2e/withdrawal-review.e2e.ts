/** Withdrawals that an operator looks at, on the whole program: the owner sees why, cancels one, is refused one, and one that is approved arrives. */
import { generatePrivateKey } from 'viem/accounts';
import { expect, test } from 'vitest';
import { barriers } from './accessibility.ts';
import { browser, visit, withBrowser } from './browser.ts';
import { openArea, openDesk, register, says, signedInAs, table } from './console-desk.ts';
import { InjectedWallet, WALLET_NAME } from './injected-wallet.ts';
import { chooseWallet, toast } from './newcomer.ts';
import { prepareToTrade, signIn, withdraw } from './person.ts';
import { BEHIND_A_PROXY } from './program.ts';
import { program, withProgram } from './with-program.ts';

const FIRST_CODE = 'first-code-of-the-test';

withProgram({
  env: { ...BEHIND_A_PROXY, ORRERY_WITHDRAWAL_REVIEW_ABOVE: '20', ORRERY_CONSOLE_CODE: FIRST_CODE, ORRERY_MARKET_MAKER: 'off' },
});
withBrowser();

test('[A8] a withdrawal above the limit waits for an operator: cancelled or refused it returns, approved it arrives', async () => {
  const { url } = program;
  const privateKey = generatePrivateKey();
  const trader = await signIn(url, { privateKey, from: '203.0.113.7' });
  await prepareToTrade(url, trader);
  await trader.client.transfer({ coin: 'USDC', amount: '100', from: 'spot', to: 'funding' });
  const wallet = new InjectedWallet(url, privateKey);
  const { page, complaints } = await visit(browser, { url, prepare: (context) => wallet.install(context) });
  await page.goto('/assets/withdraw?coin=USDC');
  await chooseWallet(page, new RegExp(`^${WALLET_NAME}`));

  await withdraw(url, trader, { coin: 'USDC', amount: '20.5' });
  const rows = page.getByRole('table', { name: 'Withdrawals' });
  await rows.getByText('In review').waitFor();
  await page
    .getByRole('note')
    .getByText(/^Large withdrawals are reviewed before payment/)
    .waitFor();
  await rows.getByRole('button', { name: 'Cancel' }).click();
  const question = page.getByRole('dialog', { name: 'Cancel withdrawal' });
  await question.getByText('20.5 USDC return to your funding account.').waitFor();
  await Promise.all([
    toast(page).getByText('Withdrawal cancelled').first().waitFor(),
    question.getByRole('button', { name: 'Cancel withdrawal' }).click(),
  ]);
  await rows.getByText('Cancelled', { exact: true }).waitFor();
  await page.getByText(/Available 100/).waitFor();

  const desk = await openDesk(browser, { url: url.replace('127.0.0.1', 'localhost') });
  await register(desk, { code: FIRST_CODE, name: 'alice' });
  await signedInAs(desk, 'alice · Admin');
  await openArea(desk, 'Withdrawals');
  await desk.page.getByText('No withdrawal waits.').waitFor();
  await desk.page.getByText('No deposit has left the chain.').waitFor();
  const waiting = table(desk, 'Waiting withdrawals');
  const decision = desk.page.getByRole('dialog', { name: /^Withdrawal of account \d+$/ });

  await withdraw(url, trader, { coin: 'USDC', amount: '30' });
  await waiting.getByRole('row').filter({ hasText: '30 USDC' }).getByRole('button', { name: 'Decide' }).click();
  expect(await barriers(desk.page)).toEqual([]);
  await decision.getByRole('textbox', { name: 'Reason to refuse it' }).fill('the address is that of a known thief');
  await decision.getByRole('button', { name: 'Refuse' }).click();
  await says(desk, 'Withdrawal refused');
  await rows.getByText('the address is that of a known thief').waitFor();
  await rows.getByText('Refused', { exact: true }).waitFor();

  await withdraw(url, trader, { coin: 'USDC', amount: '40' });
  await waiting.getByRole('row').filter({ hasText: '40 USDC' }).getByRole('button', { name: 'Decide' }).click();
  await decision.getByRole('button', { name: 'Approve' }).click();
  await says(desk, 'Withdrawal approved');
  await rows.getByRole('row').filter({ hasText: '40.00' }).getByText('Arrived').waitFor();
  await page.getByText(/Available 60/).waitFor();
  await openArea(desk, 'Audit log');
  const decisions = table(desk, 'Audit log').getByRole('row').filter({ hasText: 'WITHDRAWAL' });
  await expect.poll(() => decisions.count(), { timeout: 10_000 }).toBe(2);
  expect(complaints).toEqual([]);
});
