/** What a person does on the signing page of an e-mail wallet, and in the mailbox. */
import type { FrameLocator, Locator, Page } from 'playwright-core';
import type { Authenticator } from './authenticator.ts';

const main = (page: Page): Locator => page.getByRole('main');

export const signer = (page: Page): FrameLocator => page.frameLocator('iframe[title="Signing page of the e-mail wallet"]');

/** Reads what is to be signed, and signs it. @returns what was shown. */
export async function signOnPage(page: Page): Promise<string> {
  const button = signer(page).getByRole('button', { name: 'Sign', exact: true });
  await button.waitFor();
  const shown = await signer(page).getByRole('main').innerText();
  await button.click();
  await button.waitFor({ state: 'hidden' });
  return shown;
}

export async function createWallet(page: Page, passphrase: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'A wallet is needed' });
  await dialog.getByRole('button', { name: 'Create e-mail wallet' }).click();
  await signer(page).getByLabel('Passphrase', { exact: true }).fill(passphrase);
  await signer(page).getByLabel('Passphrase again').fill(passphrase);
  await signer(page).getByRole('button', { name: 'Create wallet' }).click();
  await dialog.waitFor({ state: 'hidden' });
}

export async function recoverWallet(page: Page, passphrase: string): Promise<void> {
  await signer(page).getByRole('heading', { name: 'Recover your e-mail wallet' }).waitFor();
  await signer(page).getByLabel('Passphrase', { exact: true }).fill('not this one');
  await signer(page).getByRole('button', { name: 'Recover wallet' }).click();
  await signer(page).getByText('the passphrase is wrong').waitFor();
  await signer(page).getByLabel('Passphrase', { exact: true }).fill(passphrase);
  await signer(page).getByRole('button', { name: 'Recover wallet' }).click();
}

/** Logs in by a code, which is read on the page of the mailbox, and by one of the app where one is bound. */
export async function logInByEmail(page: Page, email: string, app?: Authenticator): Promise<void> {
  await page.goto('/auth/login?redirect=%2Ftrade%2Fspot%2FBTC_USDC');
  await main(page).getByRole('button', { name: 'Use a code' }).click();
  await main(page).getByLabel('E-mail address', { exact: true }).fill(email);
  await main(page).getByRole('button', { name: 'Send code' }).click();
  await main(page).getByRole('status').getByText('A message is on its way').waitFor();
  await main(page)
    .getByLabel('Code', { exact: true })
    .fill(await newestCode(page, email));
  await main(page).getByRole('button', { name: 'Log in', exact: true }).click();
  if (app !== undefined) await page.getByLabel('Code of the app').fill(await app.code());
  await page.waitForURL('**/trade/spot/BTC_USDC');
}

/** Reads it on the page of the mailbox, in a tab of its own. */
export async function newestCode(page: Page, email: string): Promise<string> {
  const mailbox = await page.context().newPage();
  await mailbox.goto('/mailbox');
  await mailbox.getByLabel('Receiver').fill(email);
  await mailbox.getByRole('button', { name: 'Open', exact: true }).click();
  const text = await mailbox
    .getByRole('list', { name: 'Messages' })
    .getByText(/Your code is \d{6}/)
    .first()
    .textContent();
  await mailbox.close();
  return /\d{6}/.exec(text ?? '')?.[0] ?? '';
}
