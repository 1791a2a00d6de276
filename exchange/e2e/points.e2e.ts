/** The reward programme as a person meets it, on the whole program in a real browser: every table and dialog by its exact words. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, visit } from './browser.ts';
import { acceptTerms, chooseWallet } from './newcomer.ts';
import { startProgram, type Program } from './program.ts';

let dataDirectory: string;
let program: Program;
let browser: Browser;

beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'orrery-points-'));
  program = await startProgram({ dataDirectory, env: { ORRERY_PROXY_HOPS: '1' } });
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
    '7001',
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
