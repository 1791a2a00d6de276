/** The reward programme as a person meets it, on the whole program in a real browser: every table and dialog by its exact words. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { generatePrivateKey } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { barriers, installAxe } from './accessibility.ts';
import { openBrowser, visit } from './browser.ts';
import { InjectedWallet, WALLET_NAME } from './injected-wallet.ts';
import { acceptTerms, chooseWallet } from './newcomer.ts';
import { claimTokens, prepareToTrade, signIn } from './person.ts';
import { startProgram, type Program } from './program.ts';

const BUG_LINK = 'https://bugs.example/new';

let dataDirectory: string;
let program: Program;
let browser: Browser;

beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'orrery-points-'));
  program = await startProgram({ dataDirectory, env: { ORRERY_PROXY_HOPS: '1', ORRERY_BUG_LINK: BUG_LINK } });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await program?.stop();
  await rm(dataDirectory, { recursive: true, force: true });
});

const panel = (page: Page) => page.getByRole('region', { name: 'Lucky Block', exact: true });
const records = (page: Page) => panel(page).getByRole('table', { name: 'Lucky Block reward records' });
const rowsPerPage = (page: Page) => panel(page).getByRole('combobox', { name: 'Rows per page' });

async function signedInAt(path: string): Promise<{ readonly page: Page; readonly complaints: readonly string[] }> {
  const { page, complaints } = await visit(browser, { url: program.url });
  await page.goto(path);
  await chooseWallet(page, /^Burner wallet/);
  await acceptTerms(page);
  return { page, complaints };
}

test('T11: the Lucky Block panel explains itself, and has the records of everybody and one’s own', async () => {
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

/** Answers in the place of the exchange: a real chain brings a lucky block a few times a day. */
const luckyBlock = (place: number) => ({
  blockId: 7_000 + place,
  blockHash: `0x7777${String(place).padStart(60, '0')}`,
  txHash: `0xabcd${String(place).padStart(60, '0')}`,
  blockTime: 1_795_000_000 + place,
  createdTime: 1_795_043_200 + place,
  winner: `0x${'77'.repeat(20)}`,
  points: place === 1 ? 0 : 77_777,
  decision: place === 1 ? 'REFUSED' : 'PAID',
  reason: place === 1 ? 'already rewarded on this day (UTC)' : '',
});

/** `YYYY/MM/DD HH:mm:ss`: the browser keeps this machine's zone. */
const clock = (seconds: number): string => new Date(seconds * 1_000).toLocaleString('sv-SE').replaceAll('-', '/');

test('T11: a change of tab starts at the first page with ten rows and nothing shown; hashes are six and four characters, times by the layout', async () => {
  const { page, complaints } = await signedInAt('/lucky-block');
  const asked: unknown[] = [];
  let answer: (() => void) | undefined;
  await page.route('**/biz/task/luckyBlock/list', async (route) => {
    const { page: number, pageSize } = route.request().postDataJSON() as { page: number; pageSize: number };
    asked.push({ page: number, pageSize });
    await new Promise<void>((resolve) => (answer = resolve));
    const list = Array.from({ length: pageSize }, (_, place) => luckyBlock((number - 1) * pageSize + place));
    await route.fulfill({ json: { code: 0, msg: 'success', data: { list, total: 43 } } });
  });
  const openAll = () => panel(page).getByRole('tab', { name: 'All Reward Records' }).click();
  const answered = async (range: string): Promise<void> => {
    await expect.poll(() => answer).toBeDefined();
    answer?.();
    answer = undefined;
    await panel(page).getByText(range).waitFor();
  };
  await panel(page).getByRole('tab', { name: 'My Reward Records' }).click();
  await openAll();
  await page.locator('table[aria-busy=true]').waitFor();
  await answered('1–10 of 43');
  expect(await records(page).getByRole('row').nth(2).getByRole('cell').allInnerTexts()).toEqual([
    expect.stringMatching(/^7001\s+Refused: already rewarded on this day \(UTC\)$/),
    '0x7777…0001',
    '0xabcd…0001',
    clock(luckyBlock(1).blockTime),
  ]);
  expect(await records(page).getByRole('link', { name: '0xabcd…0001' }).getAttribute('href')).toBe(`/explorer/tx/${luckyBlock(1).txHash}`);
  await rowsPerPage(page).selectOption('20');
  await answered('1–20 of 43');
  await panel(page).getByRole('button', { name: 'Next page' }).click();
  await answered('21–40 of 43');
  await panel(page).getByRole('tab', { name: 'My Reward Records' }).click();
  await panel(page).getByText('No award records available.').waitFor();
  await openAll();
  await page.locator('table[aria-busy=true]').waitFor();
  await answered('1–10 of 43');
  expect(asked).toEqual([
    { page: 1, pageSize: 10 },
    { page: 1, pageSize: 20 },
    { page: 2, pageSize: 20 },
    { page: 1, pageSize: 10 },
  ]);
  await page.setViewportSize({ width: 390, height: 844 });
  await panel(page)
    .getByRole('list', { name: 'Lucky Block reward records' })
    .getByText(clock(luckyBlock(1).createdTime))
    .waitFor();
  expect(complaints).toEqual([]);
});

const dialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name, exact: true });
const task = (page: Page, name: string): Locator =>
  page.getByRole('list', { name: 'Tasks' }).getByRole('listitem').filter({ hasText: name });
const confetti = (page: Page): Locator => page.locator('canvas[data-confetti]');
const total = (page: Page): Locator => page.getByRole('definition').first();

test('T3, T4: a visitor sees what can be earned, and the way in', async () => {
  const { page, complaints } = await visit(browser, { url: program.url });
  await page.goto('/points');
  await task(page, 'First deposit').waitFor();
  expect(await task(page, 'First deposit').getByRole('button').count()).toBe(0);
  await page.getByRole('main').getByRole('button', { name: 'Connect wallet' }).waitFor();
  expect(complaints).toEqual([]);
});

test('T3, T4, T6, T7: the reward of a task that is done is claimed once and celebrated; what is not done is refused politely', async () => {
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
  await chooseWallet(page, new RegExp(`^${WALLET_NAME}`));
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
  await task(page, 'First deposit').getByText('Claimed').waitFor();

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
  const news = page.waitForResponse((response) => response.url().endsWith('/biz/task/award/news'));
  await page.reload();
  expect(((await (await news).json()) as { data: unknown }).data).toEqual([]);
  await task(page, 'First deposit').getByText('Claimed').waitFor();
  // The refusal is an answer, which the browser's console calls a failure.
  expect(complaints.filter((complaint) => !complaint.includes('/biz/task/claim'))).toEqual([]);
});

test('T6: a lucky block and a leaderboard have words of their own, one after another; seen when closed, by the icon, by Got it or by leaving', async () => {
  const awards = [
    { awardId: 'lucky:1', kind: 'LUCKY_BLOCK', points: 77_777, title: '{"en":"Lucky Block"}', at: 1 },
    { awardId: 'board:1', kind: 'LEADERBOARD', points: 50_000, title: '{"en":"Autumn"}', at: 2 },
    { awardId: 'manual:1', kind: 'MANUAL', points: 5, title: null, at: 3 },
  ];
  const seen: string[] = [];
  const prepare = async (context: BrowserContext): Promise<void> => {
    await context.route('**/biz/task/award/news', (route) =>
      route.fulfill({ json: { code: 0, msg: 'success', data: awards.filter(({ awardId }) => !seen.includes(awardId)) } }),
    );
    await context.route('**/biz/task/award/seen', (route) => {
      seen.push((route.request().postDataJSON() as { awardId: string }).awardId);
      return route.fulfill({ json: { code: 0, msg: 'success', data: true } });
    });
  };
  const { page, complaints } = await visit(browser, { url: program.url, prepare });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/lucky-block');
  await page.getByRole('banner').getByRole('link', { name: 'Rewards' }).click();
  await page.getByRole('heading', { level: 1, name: 'Points' }).waitFor();
  await chooseWallet(page, /^Burner wallet/);
  await acceptTerms(page);
  const congratulations = dialog(page, 'Congratulations');
  await congratulations.getByText("You've earned 77,777 Points!", { exact: true }).waitFor();
  expect(await congratulations.getByRole('button').allInnerTexts()).toEqual(['', 'Share Your Luck', 'Got it']);
  expect(await confetti(page).count()).toBe(0);
  await congratulations.getByRole('button', { name: 'Got it' }).click();
  const winner = dialog(page, 'Leaderboard Campaign Winner!');
  await winner.getByText("You've earned 50,000 Points!", { exact: true }).waitFor();
  expect(await winner.getByRole('button').allInnerTexts()).toEqual(['', 'Share Your Earn', 'Got it']);
  expect(seen).toEqual(['lucky:1']);
  await page.goBack();
  await page.waitForURL('**/lucky-block');
  await congratulations.getByText("You've earned 5 Points!", { exact: true }).waitFor();
  expect(await congratulations.getByRole('button').allInnerTexts()).toEqual(['', 'Got it']);
  await congratulations.getByRole('button', { name: 'Close' }).click();
  await expect.poll(() => seen).toEqual(['lucky:1', 'board:1', 'manual:1']);
  expect(complaints).toEqual([]);
});

test('A10: posters stand on the points page, as text that can not be markup', async () => {
  const poster = {
    noticeId: 1,
    kind: 'POSTER',
    title: 'Autumn <b>campaign</b>',
    text: 'From Monday.',
    link: '/faucet',
    startsAt: 1,
    endsAt: null,
  };
  const prepare = async (context: BrowserContext): Promise<void> => {
    await context.route('**/pro/p/notice/list*', (route) => route.fulfill({ json: { code: 0, msg: 'success', data: [poster] } }));
  };
  const { page, complaints } = await visit(browser, { url: program.url, prepare });
  await page.goto('/points');
  const posters = page.getByRole('list', { name: 'Posters' });
  await posters.getByRole('heading', { name: 'Autumn <b>campaign</b>' }).waitFor();
  await posters.getByRole('link').click();
  await page.waitForURL('**/faucet');
  expect(complaints).toEqual([]);
});

test('T12: the leaderboard ranks who trades by volume and by profit while a campaign runs, and says where one stands', async () => {
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
  expect(await page.getByRole('tab').allInnerTexts()).toEqual(['Volume', 'PnL']);
  const ranking = page.getByRole('table', { name: 'Ranking' });
  expect(await ranking.getByRole('columnheader').allInnerTexts()).toEqual(['Rank', 'Address', 'Volume (USDC)', 'Points']);
  expect(await page.getByRole('table', { name: 'Prizes per board' }).getByRole('columnheader').allInnerTexts()).toEqual([
    'Ranks',
    'Points',
  ]);
  expect(await page.getByRole('combobox', { name: 'Rows per page' }).getByRole('option').allInnerTexts()).toEqual([
    '10',
    '20',
    '50',
    '100',
  ]);
  await chooseWallet(page, new RegExp(`^${WALLET_NAME}`));
  const own = page.getByRole('region', { name: 'Ranking' }).getByRole('definition');
  await own.getByText('Not ranked').waitFor();

  await trader.client.createOrder({ symbol: 'BTC_USDC', direction: 'BUY', tradeType: 'MARKET', funds: '500' });
  await ranking.getByRole('row').filter({ hasText: 'You' }).waitFor();
  await expect.poll(() => own.first().innerText()).toMatch(/^\d+$/);
  await page.getByRole('tab', { name: 'PnL' }).click();
  await ranking.getByRole('columnheader', { name: 'PnL (USDC)' }).waitFor();
  expect(complaints).toEqual([]);
});
