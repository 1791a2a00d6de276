/**
 * The newcomer's way in a real browser on the whole program: from a page without a wallet to a filled order, a cancelled
 * one and a withdrawal on the chain. No step may log an error or a violation of the content security policy.
 */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { browser, visit, withBrowser } from './browser.ts';
import { InjectedWallet, WALLET_NAME } from './injected-wallet.ts';
import {
  acceptTerms,
  buyAtMarket,
  checklist,
  chooseWallet,
  claimTokens,
  connectButton,
  establishConnection,
  fundSpot,
  placeAndCancelLimit,
  termsDialog,
  toast,
  walletMenu,
  withdraw,
} from './newcomer.ts';
import { tokenBalance } from './token-balance.ts';
import { program, withSharedProgram } from './with-shared-program.ts';

const NAMED = new RegExp(`^${WALLET_NAME}`);

withSharedProgram();
withBrowser();

const openWithdrawals = async (page: Page): Promise<void> => {
  await page.getByRole('banner').getByRole('link', { name: 'Portfolio' }).click();
  await openMovement(page, 'Withdraw');
};
/** Resolves when the page itself is there: the one before it has fields of the same names. */
const openMovement = async (page: Page, name: 'Deposit' | 'Withdraw'): Promise<void> => {
  await page.getByRole('navigation').getByRole('link', { name }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
};

test('[R1, L2, L4, L5, L6, L11, L13, L15, T1, T2, T9, T13, S1, S3, C9] a newcomer without a wallet extension achieves a filled market order, a cancelled limit order and a withdrawal that arrives on the chain', async () => {
  const { url } = program;
  const { context, page, complaints } = await visit(browser, { url });
  const verified = page.waitForResponse((response) => response.url().endsWith('/pro/p/auth/verify'));
  await page.goto('/');
  await page.waitForURL('**/trade/spot/BTC_USDC');
  await checklist(page).getByText('0 of 7').waitFor();
  await chooseWallet(page, /^Burner wallet/);
  await acceptTerms(page);
  const token = ((await (await verified).json()) as { data: string }).data;
  await claimTokens(page);
  await fundSpot(page);
  await establishConnection(page);
  await buyAtMarket(page, '0.01');
  await placeAndCancelLimit(page, { price: '50000', size: '0.002' });
  await checklist(page).waitFor({ state: 'hidden' });
  await page.getByRole('region', { name: 'All set. Happy trading.' }).getByRole('link', { name: 'Claim points' }).waitFor();

  await page.reload();
  await walletMenu(page).waitFor();
  await page.getByRole('tab', { name: 'Balances' }).click();
  await page.getByRole('table', { name: 'Balances' }).getByRole('row', { name: /^BTC/ }).waitFor();
  const kept = await page.evaluate(() => JSON.stringify(Object.entries(localStorage)));
  expect(kept).toContain('tokenToAddress');
  expect(kept).not.toContain(token);

  await openWithdrawals(page);
  const owner = await withdraw(page, { coin: 'USDC', amount: '250.5' });
  expect(await tokenBalance(url, { coin: 'USDC', owner })).toBe(250_500_000n);

  await openMovement(page, 'Deposit');
  const opened = context.waitForEvent('page');
  await page.getByRole('table', { name: 'Deposits' }).getByRole('link').first().click();
  const explorer = await opened;
  await explorer.waitForURL('**/explorer/tx/0x*');
  await explorer.getByText('Success').waitFor();
  for (const fact of ['Block', 'From', 'To', 'Value', 'Status', 'Method'])
    await explorer
      .getByRole('term')
      .filter({ hasText: new RegExp(`^${fact}$`) })
      .waitFor();
  await explorer.getByText('Deposited').first().waitFor();
  expect(complaints).toEqual([]);
});

test('[R1, L3, L11, L12, L14, T1, T13, A9] an injected wallet may decline at every step, and is asked again', async () => {
  const { url } = program;
  const wallet = new InjectedWallet(url);
  const { page, complaints } = await visit(browser, { url, prepare: (context) => wallet.install(context) });
  await page.goto('/trade/spot/ETH_USDC');
  const connecting = page.getByRole('dialog', { name: 'Connect wallet' });
  wallet.decide('wallet_addEthereumChain', 'reject');
  wallet.decide('personal_sign', 'reject');
  await chooseWallet(page, NAMED);
  await connecting.getByText('You declined the signature.').waitFor();
  expect(wallet.asked).toEqual(['eth_requestAccounts', 'wallet_addEthereumChain', 'personal_sign']);
  wallet.decide('personal_sign', 'wait');
  await connecting.getByRole('button', { name: 'Sign in' }).click();
  await connecting.getByText('Approve in wallet').waitFor();
  wallet.decide('personal_sign', 'approve');
  await termsDialog(page).getByRole('button', { name: 'Decline' }).click();
  await connectButton(page).waitFor();

  wallet.decide('wallet_addEthereumChain', 'approve');
  await chooseWallet(page, NAMED);
  await termsDialog(page).waitFor();
  wallet.decide('personal_sign', 'reject');
  for (const box of await termsDialog(page).getByRole('checkbox').all()) await box.click();
  await Promise.all([
    toast(page).getByText('The terms were not accepted, so the wallet was disconnected.').waitFor(),
    termsDialog(page).getByRole('button', { name: 'Accept' }).click(),
  ]);
  await connectButton(page).waitFor();

  wallet.decide('personal_sign', 'approve');
  await chooseWallet(page, NAMED);
  await acceptTerms(page);
  await claimTokens(page);
  await openWithdrawals(page);
  const owner = await withdraw(page, { coin: 'USDC', amount: '100' });
  expect(owner).toBe(wallet.address);

  await openMovement(page, 'Deposit');
  wallet.decide('eth_sendTransaction', 'wait');
  await page.getByRole('textbox', { name: 'Amount' }).fill('40');
  await page.getByRole('button', { name: 'Deposit 40 USDC' }).click();
  await page.getByText('Approve Spending Cap in wallet').waitFor();
  wallet.decide('eth_sendTransaction', 'approveOnce');
  await page.getByText('Confirm in wallet').waitFor();
  wallet.decide('eth_sendTransaction', 'approve');
  await page
    .getByRole('table', { name: 'Deposits' })
    .getByRole('row', { name: /USDC\s+40\.00\s.*Credited/ })
    .waitFor();
  expect(await tokenBalance(url, { coin: 'USDC', owner })).toBe(60_000_000n);
  expect(wallet.asked.slice(-2)).toEqual(['eth_sendTransaction', 'eth_sendTransaction']);
  expect(complaints).toEqual([]);
});
