/**
 * A person with nothing but an e-mail address, in a real browser: the code, a wallet on the signing page, the terms, tokens, a trade, an authenticator
 * app, an address book, withdrawals that the chain shows; then another browser, where a passphrase recovers the wallet. And a hostile page, which gets
 * nothing signed.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { beforeAll, expect, test } from 'vitest';
import { bindApp } from './authenticator.ts';
import { browser, visit, withBrowser } from './browser.ts';
import { createWallet, logInByEmail, recoverWallet, signer, signOnPage } from './email-wallet.ts';
import {
  acceptTerms,
  buyAtMarket,
  checklist,
  claimTokens,
  establishConnection,
  fundSpot,
  walletMenu,
  withdraw,
  toast,
} from './newcomer.ts';
import { offerToSell } from './quiet-market.ts';
import { tokenBalance } from './token-balance.ts';
import { until } from './until.ts';
import { program, withSharedQuietProgram } from './with-shared-program.ts';

const ALICE = 'alice.newcomer@example.org';
const PASSPHRASE = 'a horse in the attic';
/** Between two codes to one name. */
const SEND_AGAIN_MS = 60_000;

withSharedQuietProgram();
withBrowser();
beforeAll(() => offerToSell(program.url, 'BTC_USDC'));

async function openWithdrawals(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('link', { name: 'Portfolio' }).click();
  await page.getByRole('navigation').getByRole('link', { name: 'Withdraw' }).click();
  await page.getByRole('heading', { level: 1, name: 'Withdraw' }).waitFor();
}

/** Types the end of the address and a code of the app. What comes next is on the signing page. */
async function sendWithdrawal(page: Page, { to, code }: { readonly to: string; readonly code: string }): Promise<void> {
  await page.getByRole('button', { name: 'Review withdrawal' }).click();
  const review = page.getByRole('dialog', { name: 'Confirm withdrawal' });
  await review.getByRole('textbox', { name: /last six characters/ }).fill(to.slice(-6));
  await review.getByLabel('Code of the app').fill(code);
  await review.getByRole('button', { name: 'Sign and withdraw' }).click();
}

/** A cold wallet of the person, entered with a code. */
async function addAddress(page: Page, { to, code }: { readonly to: string; readonly code: string }): Promise<void> {
  await page.getByRole('textbox', { name: 'To address' }).fill(to);
  await page.getByRole('note').getByRole('button', { name: 'Add address' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add an address' });
  await dialog.getByRole('textbox', { name: 'Label' }).fill('cold');
  await dialog.getByLabel('Code of the app').fill(code);
  await dialog.getByRole('button', { name: 'Add address' }).click();
  await page.getByRole('table', { name: 'Address book' }).getByText('Usable', { exact: true }).waitFor();
}

test(
  '[L10, A3, A8] by e-mail alone: a wallet, the terms, a trade, an app, an address, a withdrawal on the chain; recovered in another browser',
  { timeout: 420_000 },
  async () => {
    const { url } = program;
    const { page, complaints } = await visit(browser, { url });
    await logInByEmail(page, ALICE);
    const sentAt = Date.now();
    await walletMenu(page).waitFor();
    await checklist(page).getByRole('button', { name: 'Read and accept' }).click();
    await createWallet(page, PASSPHRASE);
    const [, terms] = await Promise.all([acceptTerms(page), signOnPage(page)]);
    expect(terms).toContain('Accept the terms');
    await claimTokens(page);
    await fundSpot(page);
    await Promise.all([establishConnection(page), signOnPage(page)]);
    await buyAtMarket(page, '0.01');

    await page.reload();
    await walletMenu(page).waitFor();
    await openWithdrawals(page);
    const [owner, withdrawal] = await Promise.all([withdraw(page, { coin: 'USDC', amount: '250.5' }), signOnPage(page)]);
    expect(withdrawal).toContain('250.5 USDC');
    expect(withdrawal.toLowerCase()).toContain(owner.toLowerCase());
    expect(await tokenBalance(url, { coin: 'USDC', owner })).toBe(250_500_000n);

    await page.goto('/account/security');
    const { app } = await bindApp(page, () => signOnPage(page));
    const cold = privateKeyToAddress(generatePrivateKey());
    await page.goto('/assets/withdraw?coin=USDC');
    await page.getByRole('textbox', { name: 'Amount' }).fill('40');
    await addAddress(page, { to: cold, code: await app.code() });
    await sendWithdrawal(page, { to: cold, code: await app.code() });
    expect(await signOnPage(page)).toContain('40 USDC');
    await page.getByRole('table', { name: 'Withdrawals' }).getByText('Arrived').nth(1).waitFor();
    expect(await tokenBalance(url, { coin: 'USDC', owner: cold })).toBe(40_000_000n);
    expect(complaints).toEqual([]);
    const kept = await page.evaluate(() => JSON.stringify(Object.entries(localStorage)));
    expect(kept).not.toContain(PASSPHRASE);

    const { page: elsewhere } = await visit(browser, { url });
    await until('another code may be sent', () => Promise.resolve(Date.now() - sentAt > SEND_AGAIN_MS), { withinMs: 2 * SEND_AGAIN_MS });
    await logInByEmail(elsewhere, ALICE, app);
    await walletMenu(elsewhere).waitFor();
    await openWithdrawals(elsewhere);
    await elsewhere.getByRole('combobox', { name: 'Coin' }).selectOption({ label: 'USDC' });
    await elsewhere.getByRole('textbox', { name: 'Amount' }).fill('10');
    await elsewhere.getByRole('button', { name: 'My wallet' }).click();
    expect((await elsewhere.getByRole('textbox', { name: 'To address' }).inputValue()).toLowerCase()).toBe(owner.toLowerCase());
    await sendWithdrawal(elsewhere, { to: owner, code: await app.code() });
    const recovery = elsewhere.getByRole('dialog', { name: 'Recover your e-mail wallet' });
    // That the code is missing is asked for, and not said as a failure.
    expect(await toast(elsewhere).getByText('is missing').count()).toBe(0);
    await recovery.getByLabel('Code of the app').fill(await app.code());
    await signer(elsewhere).locator('html[data-theme=dark]').waitFor();
    await recoverWallet(elsewhere, PASSPHRASE);
    await signOnPage(elsewhere);
    await elsewhere
      .getByText(/withdrawals are held until/)
      .first()
      .waitFor();
    await elsewhere.goto('/trade/spot/BTC_USDC');
    await buyAtMarket(elsewhere, '0.005');
  },
);

test('[L10] a hostile page can not embed the signing page, and gets no answer from a window of it', async () => {
  const { data } = await (await fetch(`${program.url}/pro/p/config`)).json();
  const origin: string = data.signerOrigin;
  const hostile = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<iframe id="frame" src="${origin}/"></iframe>`);
  });
  await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve));
  try {
    const { page, complaints } = await visit(browser, { url: `http://127.0.0.1:${(hostile.address() as AddressInfo).port}` });
    await page.goto('/');
    await until('the browser refuses the frame', () => Promise.resolve(complaints.some((text) => text.includes('frame-ancestors'))));
    expect(await page.frameLocator('#frame').locator('#page').count()).toBe(0);
    const answers = await page.evaluate(async (target) => {
      const heard: unknown[] = [];
      window.addEventListener('message', ({ data }) => heard.push(data));
      const opened = window.open(target);
      // It answers within milliseconds where it answers at all.
      for (let asked = 0; asked < 20; asked += 1) {
        opened?.postMessage(
          { mark: 'orrery.signer', id: asked, ask: { kind: 'status', address: '0x00000000000000000000000000000000000000a1' } },
          '*',
        );
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      return heard;
    }, origin);
    expect(answers).toEqual([]);
    expect(await signer(page).locator('#page').count()).toBe(0);
  } finally {
    hostile.close();
  }
});
