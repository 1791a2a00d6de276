/** An account without a wallet, seen from the pages: registered by e-mail, left, entered again by its password, and by another one after a reset. */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { barriers } from './accessibility.ts';
import { browser, visit, withBrowser } from './browser.ts';
import { walletMenu } from './newcomer.ts';
import { until } from './until.ts';
import { program, withSharedQuietProgram } from './with-shared-program.ts';

const ALICE = 'alice.by-name@example.org';
/** Between two codes to one name. */
const SEND_AGAIN_MS = 60_000;

withSharedQuietProgram();
withBrowser();

const main = (page: Page): Locator => page.getByRole('main');
const nameField = (page: Page): Locator => main(page).getByLabel('E-mail address or telephone number');

/** Has a code sent, and reads it on the page of the mailbox. */
async function readCode(page: Page): Promise<string> {
  await main(page).getByRole('button', { name: 'Send code' }).click();
  await main(page).getByRole('status').getByText('A message is on its way').waitFor();
  const mailbox = await page.context().newPage();
  await mailbox.goto('/mailbox');
  await mailbox.getByText('This is not a mail program.').waitFor();
  await mailbox.getByLabel('Receiver').fill(ALICE.toUpperCase());
  await mailbox.getByRole('button', { name: 'Open', exact: true }).click();
  const text = await mailbox
    .getByRole('list', { name: 'Messages' })
    .getByText(/Your code is \d{6}/)
    .first()
    .textContent();
  await mailbox.close();
  return /\d{6}/.exec(text ?? '')?.[0] ?? '';
}

async function logOut(page: Page): Promise<void> {
  await walletMenu(page).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.waitForURL(({ pathname }) => pathname === '/login');
  await walletMenu(page).waitFor({ state: 'hidden' });
}

async function logIn(page: Page, password: string): Promise<void> {
  await nameField(page).fill(ALICE);
  await main(page).getByLabel('Password', { exact: true }).fill(password);
  await main(page).getByRole('button', { name: 'Log in', exact: true }).click();
}

test(
  '[A1, L10] an account is registered by e-mail, left, entered by its password, and by another one after a reset',
  { timeout: 300_000 },
  async () => {
    const { page } = await visit(browser, { url: program.url });
    await page.goto('/auth/register?redirect=%2Faccount');
    await main(page).getByRole('button', { name: 'Register', exact: true }).click();
    await main(page).getByText('The code as it was sent.').waitFor();
    await nameField(page).fill(ALICE);
    const code = await readCode(page);
    // The code has been sent by now: a minute from here is a minute for the exchange too.
    const sentAt = Date.now();
    const password = main(page).getByLabel('New password', { exact: true });
    await password.fill('short');
    await main(page).getByText('From 8 to 128 characters.').waitFor();
    await password.fill('P@ssw0rd1');
    await main(page).getByText('Weak: easy to guess.').waitFor();
    await password.fill('correct horse battery');
    await main(page).getByText('Good.', { exact: true }).waitFor();
    await main(page).getByRole('button', { name: 'Show password' }).click();
    expect(await password.getAttribute('type')).toBe('text');
    const codeField = main(page).getByLabel('Code', { exact: true });
    await codeField.fill(code === '123456' ? '654321' : '123456');
    await main(page).getByRole('button', { name: 'Register', exact: true }).click();
    await main(page).getByText('the one-time code is unknown, used or too old').waitFor();
    await codeField.fill(code);
    await main(page).getByRole('button', { name: 'Register', exact: true }).click();
    await page.waitForURL('**/account');
    await walletMenu(page).waitFor();
    await page.reload();
    await walletMenu(page).waitFor();

    await logOut(page);
    await logIn(page, 'wrong password');
    await main(page).getByText('the name or the password is wrong').waitFor();
    await logIn(page, 'correct horse battery');
    await walletMenu(page).waitFor();

    await logOut(page);
    await main(page).getByRole('link', { name: 'Forgot the password?' }).click();
    await page.waitForURL('**/auth/reset');
    expect(await barriers(page)).toEqual([]);
    await until('another code may be sent', () => Promise.resolve(Date.now() - sentAt > SEND_AGAIN_MS), { withinMs: 2 * SEND_AGAIN_MS });
    await nameField(page).fill(ALICE);
    const resetCode = await readCode(page);
    await main(page).getByLabel('Code', { exact: true }).fill(resetCode);
    await main(page).getByLabel('New password', { exact: true }).fill('another good one');
    await main(page).getByRole('button', { name: 'Set the password' }).click();
    await main(page).getByText('The password is set.').waitFor();

    // What leads to another site is not followed.
    await page.goto('/auth/login?redirect=%2F%2Fevil.example%2F');
    await logIn(page, 'correct horse battery');
    await main(page).getByText('the name or the password is wrong').waitFor();
    await logIn(page, 'another good one');
    await walletMenu(page).waitFor();
    expect(new URL(page.url()).origin).toBe(new URL(program.url).origin);

    await page.goto('/account/api');
    await page.getByRole('button', { name: 'Create key' }).click();
    const form = page.getByRole('dialog', { name: 'Create API key' });
    await form.getByText('This account has no wallet: its keys read.').waitFor();
    await form.getByRole('textbox', { name: 'Label' }).fill('desk');
    await form.getByLabel('Current password', { exact: true }).fill('wrong password');
    await form.getByRole('button', { name: 'Create key' }).click();
    await form.getByText('the name or the password is wrong').waitFor();
    await form.getByLabel('Current password', { exact: true }).fill('another good one');
    await form.getByRole('button', { name: 'Create key' }).click();
    const made = page.getByRole('dialog', { name: 'Key created' });
    await made.getByText('This is the only time the secret is shown. Copy it now.').waitFor();
    await made.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('table', { name: 'API keys' }).getByText('desk').waitFor();
  },
);

test('[A1] a telephone number asks for its country, 86 first, and axe finds nothing on the ways in', { timeout: 120_000 }, async () => {
  const { page } = await visit(browser, { url: program.url });
  for (const path of ['/auth/register', '/mailbox', '/auth/login']) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await barriers(page), path).toEqual([]);
  }
  await nameField(page).fill('138 0013 8000');
  const country = main(page).getByRole('combobox', { name: 'Country of the number' });
  await until('the countries are there', async () => (await country.inputValue()) === 'China');
  expect(await barriers(page)).toEqual([]);
});
