/**
 * A passkey, seen from the pages, of a person with an e-mail address and a password: bound, renamed, asked for by the next login, by a new wallet and
 * by a withdrawal, and removed; then withdrawals are held. And what the pages say where a browser gives none.
 */
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { beforeAll, expect, test } from 'vitest';
import { barriers, installAxe } from './accessibility.ts';
import { browser, visit, withBrowser } from './browser.ts';
import { createWallet, newestCode, recoverWallet, signer, signOnPage } from './email-wallet.ts';
import { acceptTerms, checklist, claimTokens, walletMenu } from './newcomer.ts';
import { tokenBalance } from './token-balance.ts';
import { until } from './until.ts';
import { giveDevice } from './virtual-device.ts';
import { program, withSharedQuietProgram } from './with-shared-program.ts';

const ALICE = 'alice.by-passkey@example.org';
const PASSWORD = 'correct horse battery';
const PASSPHRASE = 'a horse in the attic';
/** More than withdrawals are held. */
const FREE_AGAIN_MS = 100_000;

/** Passkeys are for names of hosts. */
let url: string;

withSharedQuietProgram();
withBrowser();
beforeAll(async () => {
  url = program.url.replace('127.0.0.1', 'localhost');
});

const main = (page: Page): Locator => page.getByRole('main');
const dialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name });
const nameField = (page: Page): Locator => main(page).getByLabel('E-mail address or telephone number');
const level = (page: Page, of: number): Promise<void> => page.getByRole('heading', { name: `Level ${of} of 3` }).waitFor();

async function register(page: Page, email: string): Promise<void> {
  await page.goto('/auth/register?redirect=%2Faccount%2Fsecurity');
  await nameField(page).fill(email);
  await main(page).getByRole('button', { name: 'Send code' }).click();
  await main(page).getByRole('status').getByText('A message is on its way').waitFor();
  await main(page).getByLabel('New password', { exact: true }).fill(PASSWORD);
  await main(page)
    .getByLabel('Code', { exact: true })
    .fill(await newestCode(page, email));
  await main(page).getByRole('button', { name: 'Register', exact: true }).click();
  await page.waitForURL('**/account/security');
}

async function logOut(page: Page): Promise<void> {
  await walletMenu(page).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.waitForURL(({ pathname }) => pathname === '/login');
}

/** In a tab of its own: the end of a debugger's session, as axe has one, takes the device from its tab. */
async function lookElsewhere(context: BrowserContext): Promise<void> {
  const tab = await context.newPage();
  await tab.goto('/account/security');
  await tab.getByRole('list', { name: 'Passkeys' }).waitFor();
  expect(await barriers(tab)).toEqual([]);
  await tab.getByRole('button', { name: 'Add a passkey' }).click();
  await dialog(tab, 'Add a passkey').getByText('Your browser will ask for a passkey of this account.').waitFor();
  expect(await barriers(tab)).toEqual([]);
  await tab.close();
}

/** Takes the share of the wallet from this browser. */
const forgetShare = (page: Page): Promise<void> =>
  signer(page)
    .locator('body')
    .evaluate(async () => {
      for (const { name = '' } of await indexedDB.databases())
        await new Promise((resolve, reject) => {
          const deletion = indexedDB.deleteDatabase(name);
          deletion.addEventListener('success', resolve);
          deletion.addEventListener('error', reject);
        });
    });

/** The first step: the second one is asked for by a dialog. */
async function showPassword(page: Page): Promise<Locator> {
  await page.goto('/auth/login?redirect=%2Faccount%2Fsecurity');
  await nameField(page).fill(ALICE);
  await main(page).getByLabel('Password', { exact: true }).fill(PASSWORD);
  await main(page).getByRole('button', { name: 'Log in', exact: true }).click();
  const second = dialog(page, 'Second step');
  await second.waitFor();
  return second;
}

test(
  '[A3, A8] a passkey is bound, finishes logins, stands beside the signature of a withdrawal, and holds withdrawals when it is removed',
  { timeout: 420_000 },
  async () => {
    const { context, page, complaints } = await visit(browser, { url, prepare: installAxe });
    const device = await giveDevice(context, page);
    await register(page, ALICE);
    await level(page, 1);
    await main(page).getByText('None. A passkey is kept by this device').waitFor();

    await main(page).getByRole('button', { name: 'Add a passkey' }).click();
    const add = dialog(page, 'Add a passkey');
    await add.getByLabel('Name of the passkey').fill('key on the shelf');
    await device.refuse();
    await add.getByRole('button', { name: 'Make the passkey' }).click();
    await add.getByText('No passkey was made: the window was closed').waitFor();
    await device.accept();
    await add.getByLabel('Current password', { exact: true }).fill('wrong password');
    await add.getByRole('button', { name: 'Make the passkey' }).click();
    await add.getByText('the name or the password is wrong').waitFor();
    await add.getByLabel('Current password', { exact: true }).fill(PASSWORD);
    await add.getByRole('button', { name: 'Make the passkey' }).click();
    const added = dialog(page, 'Passkey added');
    await added.getByText('These backup codes log you in when the passkey is lost').waitFor();
    const codes = await added.getByRole('listitem').allTextContents();
    expect(codes).toHaveLength(10);
    await added.getByRole('button', { name: 'Done' }).click();
    await level(page, 3);
    await page.getByText(/^Withdrawals are held until /).waitFor();
    const passkeys = page.getByRole('list', { name: 'Passkeys' });
    await passkeys.getByText('Not used yet').waitFor();
    await passkeys.getByRole('button', { name: 'Rename: key on the shelf' }).click();
    await dialog(page, 'Rename the passkey').getByLabel('Name of the passkey').fill('key in the drawer');
    await dialog(page, 'Rename the passkey').getByRole('button', { name: 'Save' }).click();
    await passkeys.getByText('key in the drawer').waitFor();
    await lookElsewhere(context);

    await logOut(page);
    const second = await showPassword(page);
    await device.refuse();
    await second.getByRole('button', { name: 'Use the passkey' }).click();
    await second.getByText('No passkey was shown: the window was closed').waitFor();
    await second.getByRole('button', { name: 'Use a backup code' }).click();
    await second.getByLabel('Backup code').fill(codes[0] ?? '');
    await second.getByRole('button', { name: 'Continue' }).click();
    await level(page, 3);
    await logOut(page);
    await device.accept();
    await (await showPassword(page)).getByRole('button', { name: 'Use the passkey' }).click();
    await level(page, 3);
    await passkeys.getByText(/^Last used /).waitFor();

    await page.goto('/trade/spot/BTC_USDC');
    await checklist(page).getByRole('button', { name: 'Read and accept' }).click();
    await dialog(page, 'A wallet is needed').getByText('Your browser will ask for a passkey of this account.').waitFor();
    await Promise.all([createWallet(page, PASSPHRASE), second.getByRole('button', { name: 'Use the passkey' }).click()]);
    await Promise.all([acceptTerms(page), signOnPage(page)]);
    await claimTokens(page);

    await page.goto('/account/security');
    const isFree = async (): Promise<boolean> => {
      await page.reload();
      await level(page, 3);
      return (await page.getByText(/^Withdrawals are held until /).count()) === 0;
    };
    await until('withdrawals are free again', isFree, { withinMs: FREE_AGAIN_MS });
    await page.goto('/assets/withdraw?coin=USDC');
    await page.getByRole('textbox', { name: 'Amount' }).fill('40');
    await page.getByRole('button', { name: 'My wallet' }).click();
    const to = await page.getByRole('textbox', { name: 'To address' }).inputValue();
    await page.getByRole('button', { name: 'Review withdrawal' }).click();
    const review = dialog(page, 'Confirm withdrawal');
    await review.getByRole('textbox', { name: /last six characters/ }).fill(to.slice(-6));
    await device.refuse();
    await review.getByRole('button', { name: 'Sign and withdraw' }).click();
    await review.getByText('No passkey was shown: the window was closed').waitFor();
    await device.accept();
    await review.getByRole('button', { name: 'Sign and withdraw' }).click();
    expect(await signOnPage(page)).toContain('40 USDC');
    await page.getByRole('table', { name: 'Withdrawals' }).getByText('Arrived').first().waitFor();
    expect(await tokenBalance(program.url, { coin: 'USDC', owner: to as `0x${string}` })).toBe(40_000_000n);

    await page.getByRole('textbox', { name: 'To address' }).fill(privateKeyToAddress(generatePrivateKey()));
    await page.getByRole('note').getByRole('button', { name: 'Add address' }).click();
    const entry = dialog(page, 'Add an address');
    await entry.getByRole('textbox', { name: 'Label' }).fill('cold');
    await entry.getByRole('button', { name: 'Add address' }).click();
    await page.getByRole('table', { name: 'Address book' }).getByText('cold').waitFor();

    await page.goto('/account/security');
    await passkeys.getByRole('button', { name: 'Remove: key in the drawer' }).click();
    const remove = dialog(page, 'Remove the passkey');
    await remove.getByText('It is the last factor').waitFor();
    await remove.getByRole('button', { name: 'Use a backup code' }).click();
    await remove.getByLabel('Backup code').fill(codes[0] ?? '');
    await remove.getByRole('button', { name: 'Sign and remove' }).click();
    expect(await signOnPage(page)).toContain('Remove a passkey');
    await remove.getByText('the one-time code is unknown, used or too old').waitFor();
    // As in a browser that has never seen the wallet: recovering it takes the passkey, and so does the removal after it.
    await forgetShare(page);
    await remove.getByRole('button', { name: 'Use the passkey' }).click();
    await remove.getByRole('button', { name: 'Sign and remove' }).click();
    await dialog(page, 'Recover your e-mail wallet').getByRole('button', { name: 'Continue' }).click();
    await recoverWallet(page, PASSPHRASE);
    await signOnPage(page);
    await level(page, 1);
    await page.getByText(/^Withdrawals are held until /).waitFor();
    await page.goto('/assets/withdraw?coin=USDC');
    await page.getByRole('textbox', { name: 'Amount' }).fill('10');
    await page.getByRole('button', { name: 'My wallet' }).click();
    await page.getByRole('button', { name: 'Review withdrawal' }).click();
    await review.getByRole('textbox', { name: /last six characters/ }).fill(to.slice(-6));
    await review.getByRole('button', { name: 'Sign and withdraw' }).click();
    await signOnPage(page);
    await review.getByText(/withdrawals are held until/).waitFor();
    expect(complaints.filter((complaint) => !complaint.includes('status of 4'))).toEqual([]);
  },
);

test('[A3] where a browser gives no passkey, the page says what to do', { timeout: 180_000 }, async () => {
  const attempt = async (page: Page): Promise<Locator> => {
    const add = dialog(page, 'Add a passkey');
    if (!(await add.isVisible())) await main(page).getByRole('button', { name: 'Add a passkey' }).click();
    await add.getByLabel('Current password', { exact: true }).fill(PASSWORD);
    await add.getByRole('button', { name: 'Make the passkey' }).click();
    return add;
  };
  const numbered = await visit(browser, { url: program.url });
  await giveDevice(numbered.context, numbered.page);
  await register(numbered.page, 'bob.by-passkey@example.org');
  const words = `Passkeys need the name of a host, not its number: open ${url}/account/security.`;
  await (await attempt(numbered.page)).getByText(words).waitFor();

  const { page } = await visit(browser, { url });
  await register(page, 'carol.by-passkey@example.org');
  const answers = [
    ['InvalidStateError', 'This device has a passkey of your account already'],
    ['ConstraintError', 'This device can not keep a passkey'],
    ['NotSupportedError', 'This device can not keep a passkey'],
    ['NotAllowedError', 'No passkey was made: the window was closed'],
    ['UnknownError', 'No passkey was made: the window was closed'],
  ] as const;
  for (const [name, said] of answers) {
    await page.evaluate((answer) => {
      navigator.credentials.create = () => Promise.reject(new DOMException('as browsers say it', answer));
    }, name);
    await (await attempt(page)).getByText(said).waitFor();
  }
  await page.evaluate(() => void Reflect.deleteProperty(window, 'PublicKeyCredential'));
  await (await attempt(page)).getByText('This browser makes no passkeys here').waitFor();
});
