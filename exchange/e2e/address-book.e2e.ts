/** The address book in a real browser, on the whole program with a wait of a few seconds. */
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { expect, test } from 'vitest';
import { browser, visit, withBrowser } from './browser.ts';
import { InjectedWallet, WALLET_NAME } from './injected-wallet.ts';
import { chooseWallet } from './newcomer.ts';
import { prepareToTrade, signIn } from './person.ts';
import { program, withSharedQuietProgram } from './with-shared-program.ts';

withSharedQuietProgram();
withBrowser();

test('[A8] a withdrawal to another address: it is added to the book, counts down, and receives after its wait', async () => {
  const { url } = program;
  const privateKey = generatePrivateKey();
  const trader = await signIn(url, { privateKey, from: '203.0.113.7' });
  await prepareToTrade(url, trader);
  await trader.client.transfer({ coin: 'USDC', amount: '25.5', from: 'spot', to: 'funding' });
  const wallet = new InjectedWallet(url, privateKey);
  const { page, complaints } = await visit(browser, { url, prepare: (context) => wallet.install(context) });
  await page.goto('/assets/withdraw?coin=USDC');
  await chooseWallet(page, new RegExp(`^${WALLET_NAME}`));
  const cold = privateKeyToAddress(generatePrivateKey());
  await page.getByRole('textbox', { name: 'Amount' }).fill('25');
  await page.getByRole('textbox', { name: 'To address' }).fill(cold);
  const review = page.getByRole('button', { name: 'Review withdrawal' });
  await page.getByText(/is not in your address book/).waitFor();
  expect(await review.isDisabled()).toBe(true);
  await page.getByRole('note').getByRole('button', { name: 'Add address' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add an address' });
  await dialog.getByRole('textbox', { name: 'Label' }).fill('cold');
  await dialog.getByRole('button', { name: 'Add address' }).click();
  await page.getByText(/^This address is new. Withdrawals to it are taken in 00:00:0\d/).waitFor();
  expect(await review.isDisabled()).toBe(true);
  await page.getByRole('table', { name: 'Address book' }).getByText('Usable', { exact: true }).waitFor();
  await review.click();
  const confirm = page.getByRole('dialog', { name: 'Confirm withdrawal' });
  await confirm.getByRole('textbox', { name: /last six characters/ }).fill(cold.slice(-6));
  await confirm.getByRole('button', { name: 'Sign and withdraw' }).click();
  await page.getByRole('table', { name: 'Withdrawals' }).getByText('Arrived').first().waitFor();
  expect(complaints).toEqual([]);
  await page.getByRole('button', { name: 'Remove cold' }).click();
  await page.getByRole('dialog', { name: 'Remove address' }).getByRole('button', { name: 'Remove' }).click();
  await page.getByText('No addresses yet.').waitFor();
});
