/** The reward programme as a person meets it, on the whole program in a real browser: every table and dialog by its exact words. */
import type { Client } from '@orrery/sdk';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { generatePrivateKey } from 'viem/accounts';
import { beforeAll, expect, test } from 'vitest';
import { barriers, installAxe } from './accessibility.ts';
import { arriveSignedIn } from './arrive.ts';
import { browser, visit, withBrowser } from './browser.ts';
import { Desk } from './desk.ts';
import { InjectedWallet, WALLET_NAME } from './injected-wallet.ts';
import {
  acceptTerms,
  buyAtMarket,
  chooseWallet,
  claimTokens as claimFromFaucet,
  establishConnection,
  fundSpot,
  toast,
} from './newcomer.ts';
import { choosePageSize, FAILED, holdBack, turn } from './paged-table.ts';
import { claimTokens, prepareToTrade, signIn, type Person } from './person.ts';
import { BEHIND_A_PROXY } from './program.ts';
import { program, withProgram } from './with-program.ts';

const BUG_LINK = 'https://bugs.example/new';
const NAMED = new RegExp(`^${WALLET_NAME}`);
const FIRST_CODE = 'first-code-of-the-test';

let desk: Desk;

withProgram({ env: { ...BEHIND_A_PROXY, ORRERY_BUG_LINK: BUG_LINK, ORRERY_CONSOLE_CODE: FIRST_CODE, ORRERY_TIMELOCK_SECONDS: '0' } });
withBrowser();
beforeAll(async () => {
  desk = await Desk.open(program.url, FIRST_CODE);
});

const panel = (page: Page) => page.getByRole('region', { name: 'Lucky Block', exact: true });
const records = (page: Page) => panel(page).getByRole('table', { name: 'Lucky Block reward records' });
const rowsPerPage = (page: Page) => panel(page).getByRole('combobox', { name: 'Rows per page' });

async function signedInAt(path: string): Promise<{ readonly page: Page; readonly complaints: readonly string[] }> {
  const { page, complaints } = await arriveSignedIn(browser, { url: program.url });
  await page.goto(path);
  return { page, complaints };
}

test('[T11] the Lucky Block panel explains itself, and has the records of everybody and one’s own', async () => {
  const { page, complaints } = await signedInAt('/lucky-block');
  const rule = panel(page).getByText('A block is lucky when its hash starts with four equal digits');
  expect(await rule.isVisible()).toBe(false);
  await panel(page).getByText('What are Lucky Block Rewards?').click();
  await rule.waitFor();
  for (const word of ['0x0000, 0x1111, ', '0x8888 or 0x9999', '77,777 points', 'at most once per day', 'daily at 12:00 UTC'])
    await panel(page).getByText(word).waitFor();
  expect(await panel(page).getByRole('tab').allInnerTexts()).toEqual(['My Reward Records', 'All Reward Records']);
  await panel(page).getByRole('tab', { name: 'My Reward Records' }).click();
  await panel(page).getByText('No award records available.').waitFor();
  expect(await records(page).getByRole('columnheader').allInnerTexts()).toEqual(['Block', 'Block Hash', 'Transaction Hash', 'Time']);
  expect(await rowsPerPage(page).getByRole('option').allInnerTexts()).toEqual(['10', '20', '50', '100']);
  expect(complaints).toEqual([]);
});

const dialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name, exact: true });
const tasks = (page: Page): Locator => page.getByRole('region', { name: 'Tasks', exact: true });
const task = (page: Page, name: string): Locator => tasks(page).getByRole('listitem').filter({ hasText: name });
/** What is done is folded. */
const unfold = (page: Page): Promise<void> => tasks(page).getByRole('heading', { name: 'Done' }).click();
const confetti = (page: Page): Locator => page.locator('canvas[data-confetti]');
const total = (page: Page): Locator => page.getByRole('definition').first();

test('[T3, T4] a visitor sees what can be earned, and the way in', async () => {
  const { page, complaints } = await visit(browser, { url: program.url });
  await page.goto('/points');
  await task(page, 'First deposit').waitFor();
  expect(await task(page, 'First deposit').getByRole('button').count()).toBe(0);
  await page.getByRole('main').getByRole('button', { name: 'Connect wallet' }).waitFor();
  expect(complaints).toEqual([]);
});

test('[T3, T4, T6, T7] the reward of a task that is done is claimed once and celebrated; what is not done is refused politely', async () => {
  const { url } = program;
  const privateKey = generatePrivateKey();
  await claimTokens(url, await signIn(url, { privateKey, from: '203.0.113.7' }));
  const wallet = new InjectedWallet(url, privateKey);
  const prepare = async (context: BrowserContext): Promise<void> => {
    await wallet.install(context);
    await installAxe(context);
  };
  const { page, complaints } = await visit(browser, { url, prepare });
  await page.goto('/points');
  await chooseWallet(page, NAMED);
  await task(page, 'First deposit').getByText('1 / 1').waitFor();
  expect(await total(page).innerText()).toBe('0');

  await page.getByRole('button', { name: 'Claim: First deposit' }).click();
  const congratulations = dialog(page, 'Congratulations');
  await congratulations.getByText("You've earned 500 Points!", { exact: true }).waitFor();
  await confetti(page).waitFor({ state: 'attached' });
  expect(await barriers(page)).toEqual([]);
  await congratulations.getByRole('button', { name: 'Share Your Earn' }).click();
  const share = dialog(page, 'Share your reward');
  await share.getByRole('img', { name: /^500 Points on Orrery/ }).waitFor();
  expect(await barriers(page)).toEqual([]);
  const saved = page.waitForEvent('download');
  await share.getByRole('button', { name: 'Save picture' }).click();
  expect((await saved).suggestedFilename()).toBe('orrery-reward.png');
  expect(await share.getByRole('link', { name: 'Post' }).getAttribute('href')).toContain('I+earned+500+Points+on+Orrery');
  await share.getByRole('button', { name: 'Close' }).click();
  await share.waitFor({ state: 'hidden' });

  await expect.poll(() => total(page).innerText()).toBe('500');
  const history = page.getByRole('table', { name: 'Claim history' });
  const [time, ...rest] = await history.getByRole('row').nth(1).getByRole('cell').allInnerTexts();
  expect(time).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  expect(rest).toEqual(['First deposit', '500']);
  await unfold(page);
  await task(page, 'First deposit').getByText('Claimed').waitFor();

  // Who has not done it has nothing to press; what the page believes can be out of date all the same.
  await task(page, 'First spot trade').getByText('0 / 1').waitFor();
  expect(await task(page, 'First spot trade').getByRole('button').count()).toBe(0);
  await page.route('**/biz/task/list', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { data: { taskCode: string }[] };
    const data = body.data.map((one) => (one.taskCode === 'NEWCOMER_TRADE' ? { ...one, status: 1, progress: '1' } : one));
    await route.fulfill({ response, json: { ...body, data } });
  });
  await page.getByRole('button', { name: 'Claim: First spot trade' }).click();
  const unavailable = dialog(page, 'Rewards Unavailable');
  await unavailable
    .getByText(
      'You currently do not qualify for this reward. If you are eligible to claim this reward, you will receive a notification email.',
      { exact: true },
    )
    .waitFor();
  const bug = unavailable.getByRole('link', { name: 'Submit Bug' });
  expect([await bug.getAttribute('href'), await bug.getAttribute('target')]).toEqual([BUG_LINK, '_blank']);
  await unavailable.getByRole('button', { name: 'Close' }).click();
  // An exchange without a place for bugs has a page on which a report is written.
  await page.route('**/p/config', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { data: object };
    await route.fulfill({ response, json: { ...body, data: { ...body.data, submitBugUrl: null } } });
  });
  await page.reload();
  await page.getByRole('button', { name: 'Claim: First spot trade' }).click();
  await unavailable.getByRole('link', { name: 'Submit Bug' }).click();
  await page.getByRole('button', { name: 'Report a bug' }).waitFor();
  await page.unroute('**/p/config');
  await page.goto('/points');
  await page.unroute('**/biz/task/list');
  const news = page.waitForResponse((response) => response.url().endsWith('/biz/task/award/news'));
  await page.reload();
  expect(((await (await news).json()) as { data: unknown }).data).toEqual([]);
  await unfold(page);
  await task(page, 'First deposit').getByText('Claimed').waitFor();
  // The refusal is an answer, which the browser's console calls a failure.
  expect(complaints.filter((complaint) => !complaint.includes('/biz/task/claim'))).toEqual([]);
});

test('[A10] posters stand on the points page, as text that can not be markup', async () => {
  await desk.alice.createNotice({ kind: 'POSTER', title: 'Autumn <b>campaign</b>', text: 'From Monday.', link: '/faucet' });
  const { page, complaints } = await visit(browser, { url: program.url });
  await page.goto('/points');
  const posters = page.getByRole('list', { name: 'Posters' });
  await posters.getByRole('heading', { name: 'Autumn <b>campaign</b>' }).waitFor();
  await posters.getByText('From Monday.').waitFor();
  await posters.getByRole('link').click();
  await page.waitForURL('**/faucet');
  expect(complaints).toEqual([]);
});

test('[T12] the leaderboard ranks who trades by volume and by profit while a campaign runs, and says where one stands', async () => {
  const { url } = program;
  const privateKey = generatePrivateKey();
  const trader = await signIn(url, { privateKey, from: '203.0.113.8' });
  await prepareToTrade(url, trader);
  const wallet = new InjectedWallet(url, privateKey);
  const { page, complaints } = await visit(browser, { url, prepare: (context) => wallet.install(context) });
  await page.goto('/points');
  await page.getByRole('complementary', { name: 'More rewards' }).getByRole('link', { name: 'See the ranking' }).click();
  await page.getByRole('heading', { level: 1, name: 'Leaderboard' }).waitFor();
  await page.getByRole('heading', { level: 2, name: /^Weekly leaderboard/ }).waitFor();
  await page.getByText(/^Ends in (\d d )?\d\d:\d\d:\d\d$/).waitFor();
  await expect.poll(() => page.getByRole('tab').allInnerTexts()).toEqual(['Volume', 'PnL']);
  const ranking = page.getByRole('table', { name: 'Ranking' });
  await expect.poll(() => ranking.getByRole('columnheader').allInnerTexts()).toEqual(['Rank', 'Address', 'Volume (USDC)', 'Points']);
  const prizes = page.getByRole('table', { name: 'Prizes per board' });
  await expect.poll(() => prizes.getByRole('columnheader').allInnerTexts()).toEqual(['Ranks', 'Points']);
  const pageSizes = page.getByRole('combobox', { name: 'Rows per page' });
  await expect.poll(() => pageSizes.getByRole('option').allInnerTexts()).toEqual(['10', '20', '50', '100']);
  await chooseWallet(page, NAMED);
  const shown = page.getByRole('region', { name: 'Ranking', exact: true });
  const own = shown.getByRole('definition');
  await own.getByText('Not ranked').waitFor();

  const others = await Promise.all(Array.from({ length: OTHER_TRADERS }, (_, place) => traderFrom(`203.0.113.${20 + place}`)));
  for (const { client } of others) await buyFor(client, '20');
  await buyFor(trader.client, '500');
  await ranking.getByRole('row').filter({ hasText: 'You' }).waitFor();
  await expect.poll(() => own.allInnerTexts()).toEqual(['1', expect.stringMatching(/^4\d\d\.\d+$/), '50,000']);
  const podium = shown.getByRole('list', { name: 'Podium' }).getByRole('listitem');
  await expect
    .poll(async () => (await podium.allInnerTexts())[0]?.replaceAll('\n', ' '))
    .toMatch(/^1 0x\S+ You 4\d\d\.\d\d 50,000 points$/);
  expect(await podium.count()).toBe(3);
  await expect.poll(() => shown.innerText()).toContain('1–10 of 11');
  const firstRow = async (): Promise<(string | undefined)[]> => {
    const cells = await ranking.getByRole('row').nth(1).getByRole('cell').allInnerTexts();
    return [cells[0], cells[3]];
  };
  const held = await holdBack(page, '**/biz/leaderboard/ranking*');
  await turn(shown);
  // While a page is on its way the rows of the one before stand back, and the range is theirs.
  await page.locator('table[aria-label=Ranking][aria-busy=true]').waitFor();
  expect(await shown.innerText()).toContain('1–10 of 11');
  expect(await firstRow()).toEqual(['1', '50,000']);
  await held.letGo();
  await shown.getByText('11–11 of 11').waitFor();
  expect(await firstRow()).toEqual(['11', '1,000']);
  // The own row stays in sight on a page that does not hold it.
  expect(await ranking.getByRole('row').filter({ hasText: 'You' }).getByRole('cell').first().innerText()).toBe('1');
  await choosePageSize(shown, '20');
  await shown.getByText('1–11 of 11').waitFor();

  await held.hold();
  await page.getByRole('tab', { name: 'PnL' }).click();
  await page.locator('table[aria-label=Ranking][aria-busy=true]').waitFor();
  await held.letGo();
  await ranking.getByRole('columnheader', { name: 'PnL (USDC)' }).waitFor();
  await expect.poll(() => own.count()).toBeGreaterThanOrEqual(3);
  await shown.getByText('1–10 of 11').waitFor();
  expect(complaints).toEqual([]);

  await held.refuse();
  await turn(shown);
  await shown.getByRole('alert').getByText(FAILED).waitFor();
  // Nothing comes by itself before the press.
  await held.hold();
  await shown.getByRole('button', { name: 'Try again' }).click();
  await held.letGo();
  await shown.getByText('11–11 of 11').waitFor();
});

/** With the first trader one more than a page has rows. */
const OTHER_TRADERS = 10;

async function traderFrom(address: string): Promise<Person> {
  const person = await signIn(program.url, { from: address });
  await prepareToTrade(program.url, person);
  return person;
}

const buyFor = (client: Client, funds: string): Promise<unknown> =>
  client.createOrder({ symbol: 'BTC_USDC', direction: 'BUY', tradeType: 'MARKET', funds });

const invitation = (page: Page): Locator => page.locator('section').filter({ has: page.getByRole('heading', { name: 'Invite friends' }) });
const fact = (page: Page, term: string): Locator =>
  invitation(page)
    .locator('dl > div')
    .filter({ hasText: new RegExp(`^${term}`) })
    .getByRole('definition');

test('[T4] an invited account that trades earns its inviter the reward of the task, once; nobody invites themselves', async () => {
  const { url } = program;
  const wallet = new InjectedWallet(url);
  const inviter = await visit(browser, { url, prepare: (context) => wallet.install(context) });
  await inviter.page.goto('/points');
  await chooseWallet(inviter.page, NAMED);
  await acceptTerms(inviter.page);
  const code = await fact(inviter.page, 'Invite code').innerText();
  const link = `${url}/register?inviteCode=${code.trim()}`;
  expect(await fact(inviter.page, 'Invite link').innerText()).toContain(link);

  const OWN_CODE = 'this is your own invite code';
  await invitation(inviter.page).getByRole('textbox', { name: 'Invited by somebody? Their code' }).fill(code.trim());
  await invitation(inviter.page).getByRole('button', { name: 'Save' }).click();
  await invitation(inviter.page).getByText(OWN_CODE).waitFor();
  await inviter.page.goto(link);
  await toast(inviter.page).getByText(OWN_CODE).first().waitFor();

  const newcomer = await visit(browser, { url });
  await newcomer.page.goto(link);
  await newcomer.page.getByText(`You were invited with the code ${code.trim()}.`).waitFor();
  await newcomer.page.goto('/');
  await chooseWallet(newcomer.page, /^Burner wallet/);
  await acceptTerms(newcomer.page);
  await toast(newcomer.page).getByText('Invitation saved').waitFor();
  await inviter.page.goto('/points');
  await expect.poll(() => fact(inviter.page, 'Invited').innerText()).toBe('1');
  await task(inviter.page, 'Invite a friend').getByText('0 / 1').waitFor();
  await claimFromFaucet(newcomer.page);
  await fundSpot(newcomer.page);
  await establishConnection(newcomer.page);
  await buyAtMarket(newcomer.page, '0.01');

  await inviter.page.reload();
  await task(inviter.page, 'Invite a friend').getByText('1 / 1').waitFor();
  await inviter.page
    .getByRole('table', { name: 'People you invited' })
    .getByRole('row', { name: /^0x[0-9a-fA-F]{4}…[0-9a-fA-F]{4} .* Has traded$/ })
    .waitFor();
  await inviter.page.getByRole('button', { name: 'Claim: Invite a friend' }).click();
  const congratulations = dialog(inviter.page, 'Congratulations');
  await congratulations.getByText("You've earned 1,000 Points!", { exact: true }).waitFor();
  await congratulations.getByRole('button', { name: 'Got it' }).click();
  await expect.poll(() => total(inviter.page).innerText()).toBe('1,000');
  await expect.poll(() => fact(inviter.page, 'Points earned').innerText()).toBe('1,000');
  await unfold(inviter.page);
  await task(inviter.page, 'Invite a friend').getByText('Claimed').waitFor();
  // The refusal of one's own code is an answer, which the browser's console calls a failure.
  const isOther = (complaint: string): boolean => !complaint.includes('/pro/u/invite/bind');
  expect([...inviter.complaints, ...newcomer.complaints].filter(isOther)).toEqual([]);
});

test('[T4, T6] the rewards that wait are claimed at once and celebrated together', async () => {
  const { url } = program;
  const privateKey = generatePrivateKey();
  const trader = await signIn(url, { privateKey, from: '203.0.113.9' });
  await prepareToTrade(url, trader);
  await buyFor(trader.client, '20');
  const wallet = new InjectedWallet(url, privateKey);
  const { page, complaints } = await visit(browser, { url, prepare: (context) => wallet.install(context) });
  await page.goto('/points');
  await chooseWallet(page, NAMED);
  const ready = page.getByRole('definition').nth(1);
  await expect.poll(() => ready.innerText()).toBe('+3,000');
  await page.getByRole('button', { name: 'Claim 3,000 points for 6 tasks' }).click();
  const congratulations = dialog(page, 'Congratulations');
  await congratulations.getByText("You've earned 3,000 Points!", { exact: true }).waitFor();
  for (const name of ['First deposit +500', 'Fund the spot wallet +300', 'First spot trade +1,000', 'Trade of the day +200'])
    await congratulations.getByText(name).waitFor();
  await congratulations.getByRole('button', { name: 'Got it' }).click();
  await congratulations.waitFor({ state: 'hidden' });
  await expect.poll(() => total(page).innerText()).toBe('3,000');
  expect(await page.getByRole('button', { name: /^Claim/ }).count()).toBe(0);
  await page.getByRole('heading', { name: 'Done' }).waitFor();
  expect(await task(page, 'First deposit').count()).toBe(0);
  expect(complaints).toEqual([]);
});
