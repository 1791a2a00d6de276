/**
 * The key of an e-mail wallet leaves by one way: a second factor, and a click on the signing page, which shows it until it is closed. It is in no call, no
 * answer, no log and no storage of the page; a browser without a share of the wallet recovers it first and comes back.
 */
import type { BrowserContext, Locator, Page } from 'playwright-core';
import type { Hex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { expect, test } from 'vitest';
import { type Authenticator, bindApp } from './authenticator.ts';
import { browser, visit, withBrowser } from './browser.ts';
import { createWallet, logInByEmail, recoverWallet, signer, signOnPage } from './email-wallet.ts';
import { acceptTerms, checklist, walletMenu } from './newcomer.ts';
import { BEHIND_A_PROXY } from './program.ts';
import { until } from './until.ts';
import { program, withProgram } from './with-program.ts';

const ALICE = 'alice@example.org';
const PASSPHRASE = 'a horse in the attic';
/** Between two codes to one name. */
const SEND_AGAIN_MS = 60_000;

let printed = '';

withProgram({ onOutput: (text) => (printed += text), env: { ...BEHIND_A_PROXY, ORRERY_MARKET_MAKER: 'off', ORRERY_LOG: 'trace' } });
withBrowser();

/** All that the pages of a browser send, get and say. */
function overhear(context: BrowserContext): { readonly heard: string[]; readonly settled: () => Promise<unknown> } {
  const heard: string[] = [];
  const reading: Promise<unknown>[] = [];
  context.on('request', (request) =>
    heard.push(`${request.method()} ${request.url()} ${JSON.stringify(request.headers())} ${request.postData() ?? ''}`),
  );
  context.on('response', (response) => {
    // Scripts, styles and pictures are files of the build.
    if (!response.headers()['content-type']?.includes('json')) return;
    reading.push(
      response.text().then(
        (text) => heard.push(text),
        () => undefined,
      ),
    );
  });
  context.on('console', (message) => heard.push(message.text()));
  return { heard, settled: () => Promise.all(reading) };
}

const exporting = (page: Page): Locator => page.getByRole('dialog', { name: 'Export key' });

async function openExport(page: Page): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'Export key' }).click();
}

/** By a code of the app. @returns the key, once it is hidden again. */
async function readKey(page: Page, app: Authenticator): Promise<Hex> {
  const dialog = exporting(page);
  const confirm = dialog.getByRole('button', { name: 'Export key' });
  await dialog.getByLabel('Code of the app').waitFor();
  expect(await confirm.isDisabled()).toBe(true);
  await dialog.getByLabel('Code of the app').fill(await app.wrongCode());
  await confirm.click();
  await dialog.getByRole('alert').waitFor();
  expect(await signer(page).getByRole('code').count()).toBe(0);
  await dialog.getByLabel('Code of the app').fill(await app.code());
  await confirm.click();
  const shown = signer(page).getByRole('code');
  const show = signer(page).getByRole('button', { name: 'Show the key' });
  await show.waitFor();
  expect(await shown.count()).toBe(0);
  await show.click();
  const key = (await shown.textContent()) ?? '';
  await signer(page).getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await signer(page).locator('body').innerHTML()).not.toContain(key);
  if (!/^0x[0-9a-f]{64}$/.test(key)) throw new Error('this is no key');
  return key as Hex;
}

/** As hex, and as base64 of its bytes. */
function formsOf(key: Hex): readonly string[] {
  const hex = key.slice(2);
  return [hex, Buffer.from(hex, 'hex').toString('base64').slice(0, 40), Buffer.from(hex, 'hex').toString('base64url').slice(0, 40)];
}

test(
  '[L10] the key of an e-mail wallet is exported by a second factor, shown once, and is nowhere else; without a share the wallet is recovered first',
  { timeout: 600_000 },
  async () => {
    const { url } = program;
    const first = await visit(browser, { url });
    const { page } = first;
    const at = overhear(first.context);
    await logInByEmail(page, ALICE);
    const sentAt = Date.now();
    await walletMenu(page).waitFor();
    await checklist(page).getByRole('button', { name: 'Read and accept' }).click();
    await createWallet(page, PASSPHRASE);
    await Promise.all([acceptTerms(page), signOnPage(page)]);
    await page.goto('/account/security');
    const { app } = await bindApp(page, () => signOnPage(page));
    await openExport(page);
    const key = await readKey(page, app);
    await openExport(page);
    expect(await exporting(page).getByRole('button', { name: 'Export key' }).isDisabled()).toBe(true);

    const { page: elsewhere, context } = await visit(browser, { url });
    const there = overhear(context);
    await until('another code may be sent', () => Promise.resolve(Date.now() - sentAt > SEND_AGAIN_MS), { withinMs: 2 * SEND_AGAIN_MS });
    await logInByEmail(elsewhere, ALICE, app);
    await walletMenu(elsewhere).waitFor();
    await elsewhere.goto('/account/security');
    await openExport(elsewhere);
    await exporting(elsewhere).getByText('This browser has no share of the wallet').waitFor();
    await exporting(elsewhere).getByRole('button', { name: 'Recover wallet' }).click();
    const recovery = elsewhere.getByRole('dialog', { name: 'Recover your e-mail wallet' });
    await recovery.getByLabel('Code of the app').fill(await app.code());
    await recoverWallet(elsewhere, PASSPHRASE);
    await exporting(elsewhere).getByText('The wallet is recovered.').waitFor();
    expect(await readKey(elsewhere, app)).toBe(key);

    const { data } = await (await fetch(`${url}/pro/p/config`)).json();
    expect(data.signerOrigin).toEqual(expect.any(String));
    const address = privateKeyToAddress(key).toLowerCase();
    for (const { heard, settled } of [at, there]) {
      await settled();
      const everything = heard.join('\n');
      // The address is there: what is looked through is what was said.
      expect(everything.toLowerCase()).toContain(address);
      for (const form of [...formsOf(key), PASSPHRASE]) expect(everything).not.toContain(form);
    }
    for (const each of [page, elsewhere]) {
      const kept = await each.evaluate(
        () => JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]) + document.body.innerHTML,
      );
      for (const form of formsOf(key)) expect(kept).not.toContain(form);
    }
    for (const form of [...formsOf(key), PASSPHRASE]) expect(printed).not.toContain(form);
  },
);
