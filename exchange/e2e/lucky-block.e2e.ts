/**
 * Awards in a real browser on the whole program, with nothing put in the place of the exchange: lucky blocks that are mined here, a campaign that
 * two operators made, points given by hand. Lucky blocks are announced every second (`ORRERY_LUCKY_AT`), and what is lucky and when is said by
 * the time of the winner's own trade, so that no midnight comes between the two.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isLuckyHash } from '@orrery/api';
import type { Locator, Page } from 'playwright-core';
import type { Hex } from 'viem';
import { generatePrivateKey } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browser, visit, VIEWPORTS, withBrowser, type Visit } from './browser.ts';
import { Desk } from './desk.ts';
import { InjectedWallet, WALLET_NAME } from './injected-wallet.ts';
import { acceptTerms, buyAtMarket, checklist, chooseWallet, claimTokens, establishConnection, fundSpot } from './newcomer.ts';
import { choosePageSize, FAILED, holdBack, turn } from './paged-table.ts';
import { prepareToTrade, signIn, type Person } from './person.ts';
import { BEHIND_A_PROXY } from './program.ts';
import { offerToSell, timeOfTrade } from './quiet-market.ts';
import { SealedChain } from './sealed-chain.ts';
import { until } from './until.ts';
import { program, withProgram } from './with-program.ts';

const SYMBOL = 'BTC_USDC';
const NAMED = new RegExp(`^${WALLET_NAME}`);
const FIRST_CODE = 'first-code-of-the-test';
/** What is paid by the minute is there after two. */
const PAYOUT = { withinMs: 120_000 };

let directory: string;
let chain: SealedChain;
let desk: Desk;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'orrery-lucky-'));
  chain = await SealedChain.start(directory);
});
afterAll(async () => {
  await chain?.stop();
  await rm(directory, { recursive: true, force: true });
});
withProgram({
  env: () => ({
    ...chain.settings,
    ORRERY_CONFIRMATIONS: '1',
    ORRERY_LUCKY_AT: '* * * * * *',
    ...BEHIND_A_PROXY,
    ORRERY_CONSOLE_CODE: FIRST_CODE,
    ORRERY_LEADERBOARD_REVIEW_DAYS: '0',
    ORRERY_TIMELOCK_SECONDS: '0',
  }),
});
withBrowser();
beforeAll(async () => {
  desk = await Desk.open(program.url, FIRST_CODE);
  await offerToSell(program.url, SYMBOL);
});

async function becomeTrader(page: Page): Promise<void> {
  await page.goto(`/trade/spot/${SYMBOL}`);
  await chooseWallet(page, NAMED);
  await acceptTerms(page);
  await claimTokens(page);
  await fundSpot(page);
  await establishConnection(page);
  await chain.inTime();
  await buyAtMarket(page, '0.01');
}

const dialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name, exact: true });
const confetti = (page: Page): Locator => page.locator('canvas[data-confetti]');

/** A person with this wallet at a browser that prefers reduced motion. */
async function visitAs(privateKey: Hex): Promise<Visit> {
  const { url } = program;
  const wallet = new InjectedWallet(url, privateKey);
  const visited = await visit(browser, { url, prepare: (context) => wallet.install(context) });
  await visited.page.emulateMedia({ reducedMotion: 'reduce' });
  return visited;
}

test('[T10, T11, T6, C9] the first in a real lucky block is congratulated on 77,777 points, and everybody can read of it', async () => {
  const { url } = program;
  const wallet = new InjectedWallet(url);
  const { page, complaints } = await visit(browser, { url, prepare: (context) => wallet.install(context) });
  await becomeTrader(page);

  const block = await chain.sealLuckily(wallet.account, { at: await timeOfTrade(program.url, SYMBOL) });
  expect(block.hash).toSatisfy(isLuckyHash);
  process.stderr.write(`lucky block ${block.number} ${block.hash}\n`);

  const congratulations = page.getByRole('dialog', { name: 'Congratulations' }).filter({ hasText: '77,777' });
  await congratulations.getByText("You've earned 77,777 Points!").waitFor();
  await congratulations.getByText('Lucky Block').waitFor();
  await confetti(page).waitFor({ state: 'attached' });
  await congratulations.getByRole('button', { name: 'Share Your Luck' }).waitFor();
  await congratulations.getByRole('button', { name: 'Got it' }).click();
  await congratulations.waitFor({ state: 'hidden' });

  const visitor = await visit(browser, { url });
  const { list } = await (await fetch(`${url}/biz/task/luckyBlock/list`, post({}))).json().then(({ data }) => data);
  expect(list).toMatchObject([
    {
      blockId: block.number,
      blockHash: block.hash,
      txHash: block.transaction,
      winner: wallet.address.toLowerCase(),
      points: 77_777,
      decision: 'PAID',
    },
  ]);
  await visitor.page.goto(`/explorer/block/${block.number}`);
  await visitor.page.getByText('Its first transaction may win 77,777 points').waitFor();
  await visitor.page.getByRole('table', { name: 'Transactions' }).locator(`a[href="/explorer/tx/${block.transaction}"]`).click();
  await visitor.page.getByRole('link', { name: /^The first transaction of a lucky block/ }).click();
  await visitor.page.getByRole('tab', { name: 'All Reward Records' }).click();
  await visitor.page
    .getByRole('row')
    .filter({ hasText: String(block.number) })
    .getByText('Paid')
    .waitFor();
  expect([...complaints, ...visitor.complaints]).toEqual([]);
});

/** Won a lucky block, then a campaign, then was given points by hand; sealed further lucky blocks on the day of the first. */
interface Winner {
  readonly person: Person;
  readonly privateKey: Hex;
  readonly luckyAt: number;
}

let winner: Winner;

async function winLuckyBlock(): Promise<Winner> {
  const { url } = program;
  const privateKey = generatePrivateKey();
  const person = await signIn(url, { privateKey, from: '203.0.113.1' });
  await prepareToTrade(url, person);
  await chain.inTime();
  await person.client.createOrder({ symbol: SYMBOL, direction: 'BUY', tradeType: 'MARKET', funds: '500' });
  const luckyAt = await timeOfTrade(program.url, SYMBOL);
  await chain.sealLuckily(person.wallet, { at: luckyAt });
  await pointsReach(person, 77_777);
  return { person, privateKey, luckyAt };
}

const pointsReach = ({ client, address: walletAddress }: Person, wanted: number): Promise<unknown> =>
  until(`there are ${wanted} points`, async () => (await client.taskCount({ walletAddress })).points === wanted, PAYOUT);

test('[T6, T12] a lucky block, a leaderboard and points given by hand have words of their own, one after another; seen when closed, by the icon, by Got it or by leaving', async () => {
  const campaignId = await desk.openCampaign();
  winner = await winLuckyBlock();
  const { person, privateKey } = winner;
  const { client, address: walletAddress } = person;
  await desk.alice.stopCampaign({ campaignId });
  await pointsReach(person, 127_777);
  await desk.decide((operator) => operator.proposeAward({ address: walletAddress, points: 5, reason: 'A bug found' }));
  await pointsReach(person, 127_782);
  const unseen = async (): Promise<readonly string[]> => (await client.awardNews({ walletAddress })).map(({ kind }) => kind);
  expect(await unseen()).toEqual(['LUCKY_BLOCK', 'LEADERBOARD', 'MANUAL']);

  const { page, complaints } = await visitAs(privateKey);
  // The address it had once.
  await page.goto('/lucky-block');
  await page.waitForURL('**/rewards/lucky-block');
  await page.getByRole('banner').getByRole('link', { name: 'Rewards' }).click();
  await page.getByRole('heading', { level: 1, name: 'Points' }).waitFor();
  await chooseWallet(page, NAMED);
  const congratulations = dialog(page, 'Congratulations');
  await congratulations.getByText("You've earned 77,777 Points!", { exact: true }).waitFor();
  expect(await congratulations.getByRole('button').allInnerTexts()).toEqual(['', 'Share Your Luck', 'Got it']);
  expect(await confetti(page).count()).toBe(0);
  await congratulations.getByRole('button', { name: 'Got it' }).click();
  const best = dialog(page, 'Leaderboard Campaign Winner!');
  await best.getByText("You've earned 50,000 Points!", { exact: true }).waitFor();
  await best.getByText(/^Launch: rank \d+$/).waitFor();
  expect(await best.getByRole('button').allInnerTexts()).toEqual(['', 'Share Your Earn', 'Got it']);
  expect(await unseen()).toEqual(['LEADERBOARD', 'MANUAL']);
  await page.goBack();
  await page.waitForURL('**/lucky-block');
  await congratulations.getByText("You've earned 5 Points!", { exact: true }).waitFor();
  await congratulations.getByText('A bug found').waitFor();
  expect(await congratulations.getByRole('button').allInnerTexts()).toEqual(['', 'Got it']);
  await congratulations.getByRole('button', { name: 'Close' }).click();
  await expect.poll(unseen).toEqual([]);
  expect(complaints).toEqual([]);
});

/** `YYYY/MM/DD HH:mm:ss`: the browser keeps this machine's zone. */
const clock = (seconds: number): string => new Date(seconds * 1_000).toLocaleString('sv-SE').replaceAll('-', '/');
const shortened = (hash: string): string => `${hash.slice(0, 6)}…${hash.slice(-4)}`;

test('[T11] the records of lucky blocks while they load, on one page and on several, when they fail, and on a phone; a change of tab starts again', async () => {
  const { person, privateKey, luckyAt } = winner;
  const { client } = person;
  const { total: before } = await client.luckyBlocks({});
  const total = before + 11;
  const seals = [];
  for (let count = 0; count < 11; count += 1) seals.push(await chain.sealLuckily(person.wallet, { at: luckyAt }));
  const newest = seals.at(-1)!;
  await until('all are decided', async () => {
    const { list } = await client.luckyBlocks({ pageSize: 20 });
    return list.length === total && list.every(({ decision }) => decision !== 'WAITING');
  });

  const { page, complaints } = await visitAs(privateKey);
  await page.goto('/lucky-block');
  await chooseWallet(page, NAMED);
  const shown = page.getByRole('region', { name: 'Lucky Block', exact: true });
  const records = shown.getByRole('table', { name: 'Lucky Block reward records' });
  const own = shown.getByRole('tab', { name: 'My Reward Records' });
  const all = shown.getByRole('tab', { name: 'All Reward Records' });
  await own.click();
  await shown.getByText('1–10 of 12').waitFor();
  const held = await holdBack(page, '**/biz/task/luckyBlock/list');
  const loadsAnew = async (): Promise<void> => {
    await all.click();
    await page.locator('table[aria-busy=true]').waitFor();
    expect(await records.getByRole('cell').allInnerTexts()).toEqual(Array.from({ length: 20 }, () => ''));
    await held.letGo();
    await shown.getByText(`1–10 of ${total}`).waitFor();
  };
  await loadsAnew();
  expect(await records.getByRole('row').nth(1).getByRole('cell').allInnerTexts()).toEqual([
    expect.stringMatching(new RegExp(`^${newest.number}\\s+Refused: already rewarded on this day \\(UTC\\)$`)),
    shortened(newest.hash),
    shortened(newest.transaction),
    clock(luckyAt),
  ]);
  const link = records.getByRole('link', { name: shortened(newest.transaction) });
  expect(await link.getAttribute('href')).toBe(`/explorer/tx/${newest.transaction}`);
  await turn(shown);
  await shown.getByText(`11–${total} of ${total}`).waitFor();
  await choosePageSize(shown, '20');
  await shown.getByText(`1–${total} of ${total}`).waitFor();
  await own.click();
  await shown.getByText('1–10 of 12').waitFor();
  await held.hold();
  await loadsAnew();
  // The page asks the same again by itself now and then.
  const asked = held.asked.filter((one, place) => !isDeepStrictEqual(one, held.asked[place - 1]));
  expect(asked.slice(0, 4)).toEqual([
    { page: 1, pageSize: 10 },
    { page: 2, pageSize: 10 },
    { page: 1, pageSize: 20 },
    { page: 1, pageSize: 10 },
  ]);
  expect(complaints).toEqual([]);

  await page.setViewportSize(VIEWPORTS.phone);
  const cards = shown.getByRole('list', { name: 'Lucky Block reward records' });
  await cards.getByRole('listitem').first().getByText('Refused: already rewarded on this day (UTC)').waitFor();
  await cards.getByRole('link', { name: shortened(newest.transaction) }).waitFor();

  await own.click();
  await shown.getByText('1–10 of 12').waitFor();
  await held.refuse();
  await all.click();
  await shown.getByRole('alert').getByText(FAILED).waitFor();
  // Nothing comes by itself before the press.
  await held.hold();
  await shown.getByRole('button', { name: 'Try again' }).click();
  await held.letGo();
  await shown.getByText(`1–10 of ${total}`).waitFor();
});

const TASKS = ['NEWCOMER_FAUCET', 'NEWCOMER_DEPOSIT', 'NEWCOMER_TRANSFER', 'NEWCOMER_ORDER', 'NEWCOMER_TRADE'];

test('[T3] the claim history while it loads, with a page and with several, and when it fails; what was taken back stands below zero', async () => {
  const { person, privateKey } = winner;
  const { client, address: walletAddress } = person;
  for (const taskCode of TASKS) await client.claimTask({ walletAddress, taskCode });
  await desk.decide((operator) => operator.proposeAward({ address: walletAddress, points: 7, reason: 'A second bug' }));
  const given = await client.awardNews({ walletAddress });
  const key = given.find(({ kind }) => kind === 'MANUAL')?.awardId ?? '';
  await desk.decide((operator) => operator.proposeReversal({ key, reason: 'told twice' }));
  for (const { awardId } of given) await client.awardSeen({ walletAddress, awardId });

  const { page, complaints } = await visitAs(privateKey);
  await page.goto('/points');
  const held = await holdBack(page, '**/biz/task/user/completed/list');
  await chooseWallet(page, NAMED);
  const shown = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Claim history' }) });
  const history = shown.getByRole('table', { name: 'Claim history' });
  await page.locator('table[aria-label="Claim history"][aria-busy=true]').waitFor();
  await held.letGo();
  await shown.getByText('1–10 of 10').waitFor();
  const rows = async (): Promise<(readonly string[])[]> => {
    const texts = await history
      .getByRole('row')
      .evaluateAll((found) => found.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.innerText)));
    return texts.slice(1);
  };
  const read = await rows();
  expect(read.map(([, name, points]) => [name, points])).toEqual([
    ['Taken back: A second bug (told twice)', '−7'],
    ['A second bug', '7'],
    ['First spot trade', '1,000'],
    ['First spot order', '500'],
    ['Fund the spot wallet', '300'],
    ['First deposit', '500'],
    ['Claim from the faucet', '500'],
    ['A bug found', '5'],
    [expect.stringMatching(/^Launch: rank \d+$/), '50,000'],
    ['Lucky Block', '77,777'],
  ]);
  for (const [time] of read) expect(time).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  const [odd, even] = await history
    .locator('tbody tr')
    .evaluateAll((found) => found.slice(0, 2).map((row) => getComputedStyle(row).backgroundColor));
  expect(odd).not.toBe(even);

  await desk.decide((operator) => operator.proposeAward({ address: walletAddress, points: 9, reason: 'A third bug' }));
  await dialog(page, 'Congratulations').getByText("You've earned 9 Points!", { exact: true }).waitFor();
  await dialog(page, 'Congratulations').getByRole('button', { name: 'Got it' }).click();
  await shown.getByText('1–10 of 11').waitFor();
  await turn(shown);
  await shown.getByText('11–11 of 11').waitFor();
  expect((await rows()).map(([, name]) => name)).toEqual(['Lucky Block']);
  await choosePageSize(shown, '20');
  await shown.getByText('1–11 of 11').waitFor();
  expect(held.asked.at(-1)).toEqual({ walletAddress: expect.any(String), page: 1, pageSize: 20 });
  expect(complaints).toEqual([]);

  await held.refuse();
  await choosePageSize(shown, '50');
  await shown.getByRole('alert').getByText(FAILED).waitFor();
  // Nothing comes by itself before the press.
  await held.hold();
  await shown.getByRole('button', { name: 'Try again' }).click();
  await held.letGo();
  await shown.getByText('1–11 of 11').waitFor();
});

test('[T9] the claim is Claim, then Claiming with what to expect until the chain has it, then Claimed and the dialog is gone', async () => {
  const { page, complaints } = await visitAs(generatePrivateKey());
  await page.goto(`/trade/spot/${SYMBOL}`);
  await chooseWallet(page, NAMED);
  await acceptTerms(page);
  await chain.holdBack();
  await checklist(page).getByRole('button', { name: 'Claim test tokens' }).click();
  const claim = dialog(page, 'You have joined the whitelist successfully');
  await claim.getByRole('button', { name: 'Claim', exact: true }).click();
  const claiming = claim.getByRole('button', { name: 'Claiming' });
  await claiming.hover();
  await page.getByRole('tooltip').getByText('The balance updates on the next block after success.').first().waitFor();
  await page.goto('/faucet');
  await page.getByRole('main').getByRole('button', { name: 'Claiming' }).waitFor();
  await page.goBack();
  await checklist(page).getByRole('button', { name: 'Claim test tokens' }).click();
  await claiming.waitFor();
  await chain.sealAgain();
  await claim.waitFor({ state: 'hidden' });
  await page.goto('/faucet');
  await page.getByRole('main').getByRole('button', { name: 'Claimed' }).waitFor();
  expect(complaints).toEqual([]);
});

test('[R1, C9] who looks at the transaction of an own deposit sees the bill of it, and a visitor does not', async () => {
  const { url } = program;
  const wallet = new InjectedWallet(url);
  const { page, complaints } = await visit(browser, { url, prepare: (context) => wallet.install(context) });
  await page.goto(`/trade/spot/${SYMBOL}`);
  await chooseWallet(page, NAMED);
  await acceptTerms(page);
  await claimTokens(page);
  const hash = await until('the claim is on the chain', async () => {
    const { data } = await (await fetch(`${url}/pro/p/explorer/transactions`)).json();
    return (data as { list: { txHash: string }[] }).list[0]?.txHash;
  });
  await page.goto(`/explorer/tx/${hash}`);
  const own = page.getByRole('heading', { name: 'Your account' });
  await own.waitFor();
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Faucet claim 10,000 USDC' })
    .getByRole('link', { name: /^Bill of / })
    .waitFor();
  const visitor = await visit(browser, { url });
  await visitor.page.goto(`/explorer/tx/${hash}`);
  await visitor.page.getByText('Success').waitFor();
  expect(await visitor.page.getByRole('heading', { name: 'Your account' }).count()).toBe(0);
  expect([...complaints, ...visitor.complaints]).toEqual([]);
});

const post = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
