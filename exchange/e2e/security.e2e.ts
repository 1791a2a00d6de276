/** The second factor, seen from the page: an authenticator app is bound, asked for at the next login, and what was done is in the record. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'otplib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, visit } from './browser.ts';
import { InjectedWallet, WALLET_NAME } from './injected-wallet.ts';
import { acceptTerms, chooseWallet, walletMenu } from './newcomer.ts';
import { startProgram, type Program } from './program.ts';
import { until } from './until.ts';

const NAMED = new RegExp(`^${WALLET_NAME}`);
const STEP_MS = 30_000;

let dataDirectory: string;
let program: Program;
let browser: Browser;

beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'orrery-security-'));
  program = await startProgram({ dataDirectory, env: { ORRERY_MARKET_MAKER: 'off' } });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await program?.stop();
  await rm(dataDirectory, { recursive: true, force: true });
});

const stepNow = (): number => Math.floor(Date.now() / STEP_MS);
const codeOf = (secret: string, step: number): Promise<string> => generate({ secret, epoch: (step * STEP_MS) / 1_000 });

/** Binds an app. @returns its secret, the step whose code was used, and the backup codes. */
async function bindApp(page: Page): Promise<{ secret: string; step: number; codes: string[] }> {
  await page.getByRole('main').getByRole('button', { name: 'Set up', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Bind an authenticator app' });
  await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
  const secret = ((await dialog.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{4})+$/).textContent()) ?? '').replaceAll(' ', '');
  const step = stepNow();
  await dialog.getByLabel('Code of the app').fill(await codeOf(secret, step));
  await dialog.getByRole('button', { name: 'Sign and bind' }).click();
  const added = page.getByRole('dialog', { name: 'Authenticator app added' });
  await added
    .getByText("Authenticator app verification added. From now on, you'll use your authenticator app whenever you process a transaction.", {
      exact: true,
    })
    .waitFor();
  const codes = await added.getByRole('listitem').allTextContents();
  await added.getByRole('button', { name: 'Done' }).click();
  return { secret, step, codes };
}

test('A3, A7: an authenticator app is bound, the next login asks for its code, a backup code does once, and the record has it all', async () => {
  const wallet = new InjectedWallet(program.url);
  const { page } = await visit(browser, { url: program.url, prepare: (context) => wallet.install(context) });
  await page.goto('/account/security');
  await chooseWallet(page, NAMED);
  await acceptTerms(page);
  await page.getByRole('heading', { name: 'Level 1 of 2' }).waitFor();
  const { secret, step, codes } = await bindApp(page);
  expect(codes).toHaveLength(10);
  await page.getByRole('heading', { name: 'Level 2 of 2' }).waitFor();
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
  const right = new Set(await Promise.all([-1, 0, 1, 2].map((later) => codeOf(secret, stepNow() + later))));
  await field.fill(['000000', '111111', '222222', '333333', '444444'].find((code) => !right.has(code)) ?? '');
  await second.getByText('the one-time code is unknown, used or too old').waitFor();
  expect(await walletMenu(page).count()).toBe(0);
  await until('the code of the binding is over', () => Promise.resolve(stepNow() > step), { withinMs: 2 * STEP_MS });
  await field.fill(await codeOf(secret, stepNow()));
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
