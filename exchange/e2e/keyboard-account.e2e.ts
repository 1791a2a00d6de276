/** The pages of the account and of withdrawals by keys alone, in a real browser on the whole program: each dialog gives the focus back, none is a trap. */
import type { FileChooser, Locator, Page } from 'playwright-core';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { expect, test } from 'vitest';
import { Authenticator } from './authenticator.ts';
import { browser, visit, withBrowser } from './browser.ts';
import { newestCode } from './email-wallet.ts';
import { InjectedWallet, WALLET_NAME } from './injected-wallet.ts';
import { Keys } from './keys.ts';
import { acceptTerms, chooseWallet, toast, walletMenu } from './newcomer.ts';
import { claimTokens, signIn } from './person.ts';
import { until } from './until.ts';
import { program, withSharedQuietProgram } from './with-shared-program.ts';

const PASSWORD = 'correct horse battery';
/** The smallest PNG: one pixel. */
const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

withSharedQuietProgram();
withBrowser();

const main = (page: Page): Locator => page.getByRole('main');
const dialogOf = (page: Page, name: string): Locator => page.getByRole('dialog', { name });

/** Hands out the choosers of files in their order. A listener that comes with the key can be too late for it. */
function chooserOf(page: Page): () => Promise<FileChooser> {
  const opened: FileChooser[] = [];
  page.on('filechooser', (chooser) => opened.push(chooser));
  return () => until('a chooser of files opens', () => Promise.resolve(opened.shift()));
}

/** Signed in by pointer at the page: how a wallet is connected by keys is walked elsewhere. */
async function signedInAt(path: string, privateKey = generatePrivateKey()): Promise<{ page: Page; complaints: readonly string[] }> {
  const wallet = new InjectedWallet(program.url, privateKey);
  const { page, complaints } = await visit(browser, { url: program.url, prepare: (context) => wallet.install(context) });
  await page.goto(path);
  await chooseWallet(page, new RegExp(`^${WALLET_NAME}`));
  return { page, complaints };
}

test(
  '[R5] security by keys alone: an app is bound, an e-mail address and a password are set; a dialog that is left gives the focus back',
  { timeout: 240_000 },
  async () => {
    const { page, complaints } = await signedInAt('/account/security');
    await acceptTerms(page);
    const keys = new Keys(page);
    const setUp = main(page).getByRole('button', { name: 'Set up', exact: true });
    await keys.reach(setUp);
    await keys.press('Enter');
    const binding = dialogOf(page, 'Bind an authenticator app');
    await keys.leave(binding);
    await keys.land(setUp);

    await keys.press('Enter');
    await binding.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    const app = new Authenticator(((await binding.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{4})+$/).textContent()) ?? '').replaceAll(' ', ''));
    await keys.reach(binding.getByRole('textbox', { name: 'Code of the app' }));
    await keys.type(await app.code());
    await keys.reach(binding.getByRole('button', { name: 'Sign and bind' }));
    await keys.press('Enter');
    const added = dialogOf(page, 'Authenticator app added');
    await keys.reach(added.getByRole('button', { name: 'Done' }));
    await keys.press('Enter');
    await added.waitFor({ state: 'hidden' });
    await keys.land(main(page));

    const email = 'alice.by-keys@example.org';
    await keys.reach(main(page).getByRole('button', { name: 'Set up: E-mail address' }), 'Shift+Tab');
    await keys.press('Enter');
    const naming = dialogOf(page, 'Bind an e-mail address');
    await keys.reach(naming.getByRole('textbox', { name: 'E-mail address' }));
    await keys.type(email);
    await keys.reach(naming.getByRole('button', { name: 'Send code' }));
    await keys.press('Enter');
    await naming.getByRole('status').getByText('A message is on its way').waitFor();
    await keys.land(naming);
    const code = await newestCode(page, email);
    await keys.reach(naming.getByRole('textbox', { name: 'Code', exact: true }));
    await keys.type(code);
    await keys.reach(naming.getByRole('textbox', { name: 'Code of the app' }));
    await keys.type(await app.code());
    await keys.reach(naming.getByRole('button', { name: 'Sign and save' }));
    await keys.press('Enter');
    await naming.waitFor({ state: 'hidden' });
    await keys.land(main(page));

    await keys.reach(main(page).getByRole('button', { name: 'Set up: Password' }));
    await keys.press('Enter');
    const setting = dialogOf(page, 'Set a password');
    await keys.reach(setting.getByRole('textbox', { name: 'New password' }));
    await keys.type(PASSWORD);
    await keys.reach(setting.getByRole('button', { name: 'Show password' }));
    await keys.press('Enter');
    await keys.land(setting.getByRole('button', { name: 'Hide password' }));
    await keys.reach(setting.getByRole('textbox', { name: 'Code of the app' }));
    await keys.type(await app.wrongCode());
    await keys.press('Enter');
    await setting.getByText('the one-time code is unknown, used or too old').waitFor();
    // What was refused is where the keys are.
    await keys.land(setting.getByRole('textbox', { name: 'Code of the app' }));
    await keys.type(await app.code());
    await keys.press('Enter');
    await setting.waitFor({ state: 'hidden' });
    await keys.land(main(page).getByRole('button', { name: 'Replace: Password' }));
    expect(complaints.filter((complaint) => !complaint.includes('the server responded with a status of'))).toEqual([]);
  },
);

test('[R5] sessions by keys alone: another browser is signed out, then all; the focus stays on the page', async () => {
  const privateKey = generatePrivateKey();
  const { page } = await signedInAt('/account/login-record', privateKey);
  await acceptTerms(page);
  await signIn(program.url, { privateKey, from: '203.0.113.9' });
  await page.reload();
  await walletMenu(page).waitFor();
  const keys = new Keys(page);
  await keys.reach(page.getByRole('table', { name: 'Sessions' }).getByRole('button', { name: 'End', exact: true }));
  await Promise.all([toast(page).getByText('Session ended').waitFor(), keys.press('Enter')]);
  await keys.land(main(page));
  const endAll = main(page).getByRole('button', { name: 'End all' });
  await keys.reach(endAll, 'Shift+Tab');
  await keys.press('Enter');
  const ending = dialogOf(page, 'End all sessions');
  await keys.leave(ending);
  await keys.land(endAll);
  await keys.press('Enter');
  await keys.reach(ending.getByRole('checkbox', { name: /^Delete my API keys too/ }));
  await keys.press('Space');
  await keys.reach(ending.getByRole('button', { name: 'End all' }));
  await keys.press('Enter');
  await walletMenu(page).waitFor({ state: 'hidden' });
  await keys.land(page.locator('#content'));
});

test('[A4, R5] an identity is handed in by keys alone: the country by its list, the file by its field', async () => {
  const { page, complaints } = await signedInAt('/account/verification');
  await acceptTerms(page);
  const keys = new Keys(page);
  const form = page.getByRole('form', { name: 'Hand in your identity' });
  await keys.reach(form.getByRole('textbox', { name: 'Real name' }));
  await keys.type('Alice Example');
  const country = form.getByRole('combobox', { name: 'Country of the document' });
  await keys.reach(country);
  await keys.press('ArrowDown');
  await page.getByRole('option', { name: /^Germany/ }).waitFor();
  await keys.press('Escape');
  await page.getByRole('listbox').waitFor({ state: 'hidden' });
  await keys.land(country);
  await keys.type('Germ');
  await page.getByRole('option', { name: /^Germany/ }).waitFor();
  await keys.press('Enter');
  expect(await country.inputValue()).toBe('Germany');
  await keys.reach(form.getByRole('combobox', { name: 'Document', exact: true }));
  await keys.press('i');
  await keys.reach(form.getByRole('textbox', { name: 'Document number' }));
  await keys.type('C01X00T47');
  await keys.press('Enter');
  await form.getByText('An image of the document is missing.').waitFor();
  await keys.land(form);
  const file = form.getByLabel('Image of the document');
  const chosen = chooserOf(page);
  await keys.reach(file);
  await keys.press('Space');
  await (await chosen()).setFiles({ name: 'passport.png', mimeType: 'image/png', buffer: PIXEL });
  await keys.reach(form.getByRole('button', { name: 'Remove passport.png' }));
  await keys.press('Enter');
  await keys.land(form);
  await keys.reach(file, 'Shift+Tab');
  await keys.press('Space');
  await (await chosen()).setFiles({ name: 'passport.png', mimeType: 'image/png', buffer: PIXEL });
  await keys.reach(form.getByRole('button', { name: 'Hand in' }));
  await keys.press('Enter');
  await page.getByText('An operator looks at it. The result is shown here.').waitFor();
  await keys.land(page.locator('#content'));
  expect(complaints).toEqual([]);
});

test('[A8, R5] a withdrawal by keys alone: the address is added to the book, the withdrawal is reviewed and signed, the address removed', async () => {
  const privateKey = generatePrivateKey();
  await claimTokens(program.url, await signIn(program.url, { privateKey, from: '203.0.113.10' }));
  const { page, complaints } = await signedInAt('/assets/withdraw', privateKey);
  const keys = new Keys(page);
  const cold = privateKeyToAddress(generatePrivateKey());
  const coin = main(page).getByRole('combobox', { name: 'Coin' });
  await keys.reach(coin);
  await keys.press('u');
  await keys.reach(page.getByRole('textbox', { name: 'Amount' }));
  await keys.type('25');
  await keys.reach(page.getByRole('textbox', { name: 'To address' }));
  await keys.type(cold);
  const add = page.getByRole('note').getByRole('button', { name: 'Add address' });
  await keys.reach(add);
  await keys.press('Enter');
  const adding = dialogOf(page, 'Add an address');
  await keys.leave(adding);
  await keys.land(add);
  await keys.press('Enter');
  await keys.reach(adding.getByRole('textbox', { name: 'Label' }));
  await keys.type('cold');
  await keys.press('Enter');
  await adding.waitFor({ state: 'hidden' });
  await keys.land(main(page));
  const review = page.getByRole('button', { name: 'Review withdrawal' });
  await page.getByRole('table', { name: 'Address book' }).getByText('Usable', { exact: true }).waitFor();
  await keys.reach(review);
  await keys.press('Enter');
  const confirm = dialogOf(page, 'Confirm withdrawal');
  await keys.leave(confirm);
  await keys.land(review);
  await keys.press('Enter');
  await keys.reach(confirm.getByRole('textbox', { name: /last six characters/ }));
  await keys.type(cold.slice(-6));
  await keys.reach(confirm.getByRole('button', { name: 'Sign and withdraw' }));
  await keys.press('Enter');
  await confirm.waitFor({ state: 'hidden' });
  await keys.land(main(page));
  await page.getByRole('table', { name: 'Withdrawals' }).getByText('Arrived').first().waitFor();
  await keys.land(main(page));
  await keys.reach(page.getByRole('button', { name: 'Remove cold' }));
  await keys.press('Enter');
  const removing = dialogOf(page, 'Remove address');
  await keys.reach(removing.getByRole('button', { name: 'Remove' }));
  await keys.press('Enter');
  await page.getByText('No addresses yet.').waitFor();
  await keys.land(main(page));
  expect(complaints).toEqual([]);
});

test(
  '[A1, R5] the ways in by keys alone: an account is registered by e-mail, left, entered by its password, and its reset is asked for',
  { timeout: 240_000 },
  async () => {
    const { page } = await visit(browser, { url: program.url });
    const keys = new Keys(page);
    const name = main(page).getByRole('textbox', { name: 'E-mail address or telephone number' });
    const email = 'bob.by-keys@example.org';
    await page.goto('/auth/register');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await keys.reach(name);
    await keys.type(email);
    await keys.reach(main(page).getByRole('button', { name: 'Send code' }));
    await keys.press('Enter');
    await main(page).getByRole('status').getByText('A message is on its way').waitFor();
    await keys.land(main(page));
    const code = await newestCode(page, email);
    await keys.reach(main(page).getByRole('textbox', { name: 'Code', exact: true }));
    await keys.type(code);
    const password = main(page).getByRole('textbox', { name: 'New password' });
    await keys.reach(password);
    await keys.type('short');
    await keys.press('Enter');
    await main(page).getByText('From 8 to 128 characters.').waitFor();
    await keys.land(password);
    await keys.type(PASSWORD);
    await keys.press('Enter');
    await walletMenu(page).waitFor();
    await keys.land(page.locator('#content'));

    await keys.reach(walletMenu(page), 'Shift+Tab');
    await keys.press('Enter');
    const out = page.getByRole('menuitem', { name: 'Log out' });
    await out.waitFor();
    await keys.press('Escape');
    await out.waitFor({ state: 'hidden' });
    await keys.land(walletMenu(page));
    await keys.press('Enter');
    await keys.reach(out, 'ArrowDown');
    await keys.press('Enter');
    await page.waitForURL(({ pathname }) => pathname === '/login');
    await keys.land(page.locator('#root'));

    await keys.reach(name);
    await keys.type(email);
    const known = main(page).getByRole('textbox', { name: 'Password', exact: true });
    await keys.reach(known);
    await keys.type('not this one');
    await keys.press('Enter');
    await main(page).getByText('the name or the password is wrong').waitFor();
    await keys.land(main(page));
    await keys.reach(main(page).getByRole('link', { name: 'Forgot the password?' }));
    await keys.press('Enter');
    await page.waitForURL('**/auth/reset');
    await keys.land(page.locator('#content'));
    await keys.reach(name);
    await keys.type(email);
    await keys.press('Enter');
    await main(page).getByText('The code as it was sent.').waitFor();
    await keys.land(main(page).getByRole('textbox', { name: 'Code', exact: true }));
  },
);
