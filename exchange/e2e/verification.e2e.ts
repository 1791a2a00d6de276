/** An identity on the whole program: handed in on the page, sent back at the console with a reason, handed in again, approved. */
import type { Page } from 'playwright-core';
import { generatePrivateKey } from 'viem/accounts';
import { expect, test } from 'vitest';
import { barriers, installAxe } from './accessibility.ts';
import { browser, visit, withBrowser } from './browser.ts';
import { type Desk, openArea, openDesk, register, says, signedInAs, table } from './console-desk.ts';
import { InjectedWallet, WALLET_NAME } from './injected-wallet.ts';
import { acceptTerms, chooseWallet, toast } from './newcomer.ts';
import { join as joinOperators, type Joined } from './operator.ts';
import { signIn } from './person.ts';
import { BEHIND_A_PROXY } from './program.ts';
import { program, withProgram } from './with-program.ts';

const FIRST_CODE = 'first-code-of-the-test';
/** The smallest PNG: one pixel. */
const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

withProgram({ env: { ...BEHIND_A_PROXY, ORRERY_CONSOLE_CODE: FIRST_CODE, ORRERY_MARKET_MAKER: 'off', ORRERY_TIMELOCK_SECONDS: '0' } });
withBrowser();

async function handIn(page: Page): Promise<void> {
  const form = page.getByRole('form', { name: 'Hand in your identity' });
  await form.getByRole('textbox', { name: 'Real name' }).fill('Alice Example');
  await form.getByRole('combobox', { name: 'Country of the document' }).fill('Germany');
  await page.getByRole('option', { name: /^Germany/ }).click();
  await form.getByRole('textbox', { name: 'Document number' }).fill('C01X00T47');
  await form.getByLabel('Image of the document').setInputFiles({ name: 'passport.png', mimeType: 'image/png', buffer: PIXEL });
  expect(await barriers(page)).toEqual([]);
  await Promise.all([toast(page).getByText('An operator looks at it.').waitFor(), form.getByRole('button', { name: 'Hand in' }).click()]);
  await page.getByText('An operator looks at it. The result is shown here.').waitFor();
  expect(await form.count()).toBe(0);
}

/** Opens the one that waits in full. */
async function review(desk: Desk) {
  await openArea(desk, 'Overview');
  await openArea(desk, 'Identity');
  const row = table(desk, 'Waiting identities').getByRole('row').filter({ hasText: 'A*** E***' });
  await row.getByText('Passport …47').waitFor();
  await row.getByRole('button', { name: 'Review' }).click();
  await desk.page.getByRole('dialog', { name: 'Show personal data' }).getByRole('button', { name: 'Show' }).click();
  const dialog = desk.page.getByRole('dialog', { name: /^Identity of account / });
  await dialog.getByText('Alice Example').waitFor();
  await dialog.getByText('C01X00T47').waitFor();
  return dialog;
}

/** Nobody reviews by their role: one operator proposes the right, another one approves it. */
async function mayReview(desk: Desk, ann: Joined): Promise<void> {
  await openArea(desk, 'Identity');
  await table(desk, 'Waiting identities').getByText('Passport …47').waitFor();
  expect(await table(desk, 'Waiting identities').getByRole('button', { name: 'Review' }).count()).toBe(0);
  const operatorId = (await ann.client.operators()).list.find(({ name }) => name === 'pete')?.operatorId ?? '';
  await ann.client.proposeRight({ operatorId, right: 'reviewer' });
  await openArea(desk, 'Proposals');
  await desk.page.getByRole('button', { name: 'Approve' }).click();
  await desk.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await says(desk, 'Approved');
  await openArea(desk, 'Operators');
  await table(desk, 'Operators').getByText('Operator, reviewer', { exact: true }).waitFor();
  await desk.page.reload();
}

test('[A4] an identity is handed in, sent back with a reason, handed in again and approved', async () => {
  const { url } = program;
  const privateKey = generatePrivateKey();
  const wallet = new InjectedWallet(url, privateKey);
  const { page, complaints } = await visit(browser, {
    url,
    prepare: async (context) => {
      await wallet.install(context);
      await installAxe(context);
    },
  });
  await page.goto('/account/verification');
  await chooseWallet(page, new RegExp(`^${WALLET_NAME}`));
  await acceptTerms(page);
  await page.getByText('Not handed in').waitFor();
  await handIn(page);

  const desk = await openDesk(browser, { url: url.replace('127.0.0.1', 'localhost') });
  const ann = await joinOperators(url, { code: FIRST_CODE, name: 'ann', from: '10.2.0.1' });
  const { code } = await ann.client.inviteOperator({ name: 'pete', role: 'operator' });
  await register(desk, { code, name: 'pete' });
  await signedInAs(desk, 'pete · Operator');
  await mayReview(desk, ann);
  const first = await review(desk);
  expect(await barriers(desk.page)).toEqual([]);
  const link = (await first.getByRole('link', { name: 'File 1 (image/png)' }).getAttribute('href')) ?? '';
  const file = await fetch(new URL(link, url));
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png']);
  await first.getByRole('textbox', { name: 'Reason to send it back' }).fill('The image is blurred.');
  await first.getByRole('button', { name: 'Send back' }).click();
  await says(desk, 'Identity sent back');
  await desk.page.getByText('No identity waits.').waitFor();

  await page.reload();
  await page.getByText('It was sent back: The image is blurred.').waitFor();
  await handIn(page);
  const second = await review(desk);
  await second.getByRole('button', { name: 'Approve' }).click();
  await says(desk, 'Identity approved');
  await openArea(desk, 'Audit log');
  await table(desk, 'Audit log').getByText('UNMASK', { exact: true }).first().waitFor();
  expect(await table(desk, 'Audit log').getByText('Alice Example').count()).toBe(0);

  await page.reload();
  await page.getByText('Approved', { exact: true }).waitFor();
  await page.getByText('Alice Example').waitFor();
  const alice = await signIn(url, { privateKey });
  expect(await alice.client.accountInfo()).toMatchObject({
    idNoStatus: 2,
    realAuth: true,
    initialAuth: true,
    realName: 'Alice Example',
    backReason: null,
  });
  expect(complaints).toEqual([]);
});
