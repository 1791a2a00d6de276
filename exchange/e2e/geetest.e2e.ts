/** The captcha of GeeTest in the pages, where the installation is configured for it; a stand-in is in GeeTest's place. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { barriers } from './accessibility.ts';
import { browser, visit, withBrowser } from './browser.ts';
import { openStandIn, SITE, type StandIn } from './geetest-stand-in.ts';
import { program, withProgram } from './with-program.ts';

let standIn: StandIn;
beforeAll(async () => {
  standIn = await openStandIn();
});
afterAll(() => standIn?.close());
withProgram({
  env: () => ({
    ORRERY_MARKET_MAKER: 'off',
    ORRERY_GEETEST_ID: SITE.id,
    ORRERY_GEETEST_KEY: SITE.key,
    ORRERY_GEETEST_SCRIPT: standIn.script,
    ORRERY_GEETEST_API: standIn.api,
  }),
});
withBrowser();

test(
  '[A1, A10] the captcha of GeeTest is shown before a code is sent; a script that is not there says so and is loaded again',
  { timeout: 180_000 },
  async () => {
    const { page, complaints } = await visit(browser, { url: program.url });
    await page.goto('/auth/register');
    const main = page.getByRole('main');
    await main.getByLabel('E-mail address or telephone number').fill('alice@example.org');
    const send = main.getByRole('button', { name: 'Send code' });
    const dialog = page.getByRole('dialog', { name: 'Are you a person?' });
    const solve = dialog.getByRole('button', { name: `Stand-in for GeeTest, site ${SITE.id}: solve` });

    standIn.isServed = false;
    await send.click();
    await dialog.getByText('could not be loaded').waitFor();
    expect(await barriers(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await main.getByText('The captcha was closed before it was solved: nothing was sent.').waitFor();
    expect(standIn.taken).toEqual([]);

    await send.click();
    await dialog.getByText('could not be loaded').waitFor();
    standIn.isServed = true;
    const before = complaints.length;
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await solve.click();
    await main.getByRole('status').getByText('A message is on its way').waitFor();
    await dialog.waitFor({ state: 'detached' });
    expect(standIn.taken).toHaveLength(1);
    // The policy of the page let the script and its markup, and nothing was complained about.
    expect(complaints.slice(before)).toEqual([]);
  },
);

test('[A1] a login that needs a captcha shows it, and goes on by itself once it is solved', { timeout: 180_000 }, async () => {
  const { page, complaints } = await visit(browser, { url: program.url });
  await page.goto('/auth/login');
  const main = page.getByRole('main');
  await main.getByLabel('E-mail address or telephone number').fill('nobody@example.org');
  const password = main.getByLabel('Password', { exact: true });
  const logIn = main.getByRole('button', { name: 'Log in', exact: true });
  const tried = (): Promise<unknown> => page.waitForResponse((response) => response.url().endsWith('/account/login/first'));
  const before = standIn.taken.length;
  for (const wrong of ['the first guess', 'the second guess']) {
    await password.fill(wrong);
    await Promise.all([tried(), logIn.click()]);
    await main.getByText(/password is wrong/i).waitFor();
  }
  await password.fill('the third guess');
  await Promise.all([tried(), logIn.click()]);
  const dialog = page.getByRole('dialog', { name: 'Are you a person?' });
  await Promise.all([tried(), dialog.getByRole('button', { name: /solve$/ }).click()]);
  await dialog.waitFor({ state: 'detached' });
  await main.getByText(/password is wrong/i).waitFor();
  expect(standIn.taken).toHaveLength(before + 1);
  // What is refused is in the console of the browser, and nothing else.
  expect(complaints.filter((complaint) => !/status of 4\d\d/.test(complaint))).toEqual([]);
});
