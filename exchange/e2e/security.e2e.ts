/** The second factor, seen from the page: an authenticator app is bound, asked for at the next login, and what was done is in the record. */
import { expect, test } from 'vitest';
import { bindApp } from './authenticator.ts';
import { browser, visit, withBrowser } from './browser.ts';
import { logInByEmail, newestCode } from './email-wallet.ts';
import { InjectedWallet, WALLET_NAME } from './injected-wallet.ts';
import { acceptTerms, chooseWallet, walletMenu } from './newcomer.ts';
import { until } from './until.ts';
import { program, withSharedQuietProgram } from './with-shared-program.ts';

/** The waiting time of this test, and the time until what is due is looked at. */
const SWEPT_MS = 90_000;
/** Between two codes to one name. */
const SEND_AGAIN_MS = 60_000;
const NAMED = new RegExp(`^${WALLET_NAME}`);

withSharedQuietProgram();
withBrowser();

test('[A3, A7] an authenticator app is bound, the next login asks for its code, a backup code does once, and the record has it all', async () => {
  const wallet = new InjectedWallet(program.url);
  const { page } = await visit(browser, { url: program.url, prepare: (context) => wallet.install(context) });
  await page.goto('/account/security');
  await chooseWallet(page, NAMED);
  await acceptTerms(page);
  await page.getByRole('heading', { name: 'Level 1 of 3' }).waitFor();
  const { app, codes } = await bindApp(page);
  expect(codes).toHaveLength(10);
  await page.getByRole('heading', { name: 'Level 2 of 3' }).waitFor();
  await page.getByText(/^Withdrawals are held until /).waitFor();

  const logOut = async (): Promise<void> => {
    await walletMenu(page).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.waitForURL('**/login');
    await page.goto('/account/login-record');
    await chooseWallet(page, NAMED);
  };
  await logOut();
  const second = page.getByRole('dialog', { name: 'Second step' });
  const field = second.getByLabel('Code of the app');
  await field.fill(await app.wrongCode());
  await second.getByText('the one-time code is unknown, used or too old').waitFor();
  expect(await walletMenu(page).count()).toBe(0);
  await field.fill(await app.code());
  await walletMenu(page).waitFor();

  await logOut();
  await second.getByRole('button', { name: 'Use a backup code' }).click();
  await second.getByLabel('Backup code').fill((codes[0] ?? '').toLowerCase());
  await second.getByRole('button', { name: 'Continue' }).click();
  await walletMenu(page).waitFor();
  const records = page.getByRole('table', { name: 'Logins' });
  await records.getByText('Failed').first().waitFor();
  await until('every login is in the record', async () => (await records.getByText('Logged in').count()) === 3);
});

test('K1: an account is deleted once its waiting time is over, and is kept until then; the wallet finds nothing of before', async () => {
  const wallet = new InjectedWallet(program.url);
  const { page } = await visit(browser, { url: program.url, prepare: (context) => wallet.install(context) });
  await page.goto('/account/security');
  await chooseWallet(page, NAMED);
  await acceptTerms(page);
  const { app } = await bindApp(page);
  const main = page.getByRole('main');
  const ask = async (): Promise<void> => {
    await main.getByRole('button', { name: 'Delete account' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete this account' });
    await dialog.getByText(/^Asked for now, it happens at /).waitFor();
    await dialog.getByLabel('Code of the app').fill(await app.code());
    await dialog.getByRole('button', { name: 'Sign and delete' }).click();
    await main.getByText(/^This account will be deleted at /).waitFor();
  };
  await ask();
  await main.getByRole('button', { name: 'Keep account' }).click();
  await page.getByText('The account is kept').waitFor();
  await ask();
  // The session ends with the account, and the page says so by itself.
  const signIn = page.getByRole('banner').getByRole('button', { name: 'Sign in' });
  await signIn.waitFor({ timeout: SWEPT_MS });
  await signIn.click();
  await acceptTerms(page);
  await page.getByRole('heading', { name: 'Level 1 of 3' }).waitFor();
  await main.getByRole('button', { name: 'Delete account' }).waitFor();
});

test(
  '[A1] who entered by a code alone is led to another code for the first password, and shows the password from then on',
  { timeout: 240_000 },
  async () => {
    const { page } = await visit(browser, { url: program.url });
    const email = 'carol.by-code@example.org';
    await logInByEmail(page, email);
    const sentAt = Date.now();
    await walletMenu(page).waitFor();
    await page.goto('/account/security');
    await page.getByRole('link', { name: 'Set up: Password' }).click();
    await page.waitForURL('**/auth/reset');
    const main = page.getByRole('main');
    await main.getByRole('textbox', { name: 'E-mail address or telephone number' }).fill(email);
    await until('another code may be sent', () => Promise.resolve(Date.now() - sentAt > SEND_AGAIN_MS), { withinMs: 2 * SEND_AGAIN_MS });
    await main.getByRole('button', { name: 'Send code' }).click();
    await main.getByRole('status').getByText('A message is on its way').waitFor();
    await main.getByLabel('Code', { exact: true }).fill(await newestCode(page, email));
    await main.getByLabel('New password', { exact: true }).fill('correct horse battery');
    await main.getByRole('button', { name: 'Set the password' }).click();
    await main.getByText('The password is set.').waitFor();
    await page.goto('/auth/login?redirect=%2Faccount%2Fsecurity');
    await main.getByRole('textbox', { name: 'E-mail address or telephone number' }).fill(email);
    await main.getByLabel('Password', { exact: true }).fill('correct horse battery');
    await main.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByRole('button', { name: 'Replace: Password' }).waitFor();
  },
);
