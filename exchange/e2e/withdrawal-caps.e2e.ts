/** Caps of withdrawals and fees that the configuration file names, on the whole program and in a real browser. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generatePrivateKey } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browser, visit, withBrowser } from './browser.ts';
import { InjectedWallet, WALLET_NAME } from './injected-wallet.ts';
import { chooseWallet } from './newcomer.ts';
import { prepareToTrade, signIn } from './person.ts';
import { BEHIND_A_PROXY } from './program.ts';
import { program, startAgain, withProgram } from './with-program.ts';

const MARKETS = ['BTC', 'ETH', 'SOL', 'BNB', 'WSOSO'].map((base) => ({ symbol: `${base}_USDC` }));

let directory: string;

const configFile = (): string => join(directory, 'orrery.json');
const configure = (installation: unknown): Promise<void> => writeFile(configFile(), JSON.stringify(installation));

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'orrery-caps-'));
  await configure({ withdrawalCaps: { USDC: { hourly: '20', daily: '100' } } });
});
afterAll(() => rm(directory, { recursive: true, force: true }));
withProgram({ env: () => ({ ...BEHIND_A_PROXY, ORRERY_MARKET_MAKER: 'off', ORRERY_CONFIG: configFile() }) });
withBrowser();

async function dataOf(path: string): Promise<readonly Record<string, unknown>[]> {
  const answer = (await (await fetch(`${program.url}${path}`)).json()) as { data: readonly Record<string, unknown>[] };
  return answer.data;
}

test('D5: a withdrawal above the cap of the file is refused on the page with what the cap leaves; other fees in the file hold from the next start', async () => {
  const { url } = program;
  const privateKey = generatePrivateKey();
  const trader = await signIn(url, { privateKey, from: '203.0.113.7' });
  await prepareToTrade(url, trader);
  await trader.client.transfer({ coin: 'USDC', amount: '25.5', from: 'spot', to: 'funding' });
  const wallet = new InjectedWallet(url, privateKey);
  const { page, complaints } = await visit(browser, { url, prepare: (context) => wallet.install(context) });
  await page.goto('/assets/withdraw?coin=USDC');
  await chooseWallet(page, new RegExp(`^${WALLET_NAME}`));
  await page.getByRole('textbox', { name: 'Amount' }).fill('25');
  await page.getByRole('button', { name: 'My wallet' }).click();
  const to = await page.getByRole('textbox', { name: 'To address' }).inputValue();
  await page.getByRole('button', { name: 'Review withdrawal' }).click();
  const review = page.getByRole('dialog', { name: 'Confirm withdrawal' });
  await review.getByRole('textbox', { name: /last six characters/ }).fill(to.slice(-6));
  await review.getByRole('button', { name: 'Sign and withdraw' }).click();
  await review.getByText('The hourly limit of withdrawals leaves 20 USDC, not 25 USDC.').waitFor();
  expect(await dataOf('/pro/p/asset/withdrawal-caps')).toContainEqual({
    coin: 'USDC',
    hourlyCap: '20',
    hourlyLeft: '20',
    dailyCap: '100',
    dailyLeft: '100',
  });
  expect(complaints.filter((line) => !line.includes('409'))).toEqual([]);

  const feeOf = async () => (await dataOf('/pro/p/symbol/list?symbol=BTC_USDC'))[0]?.['takerFee'];
  expect(await feeOf()).toBe('0.001');
  await program.stop();
  await configure({ markets: MARKETS, fees: { makerPpm: 500, takerPpm: 900 } });
  await startAgain();
  expect(await feeOf()).toBe('0.0009');
  expect(await dataOf('/pro/p/asset/withdrawal-caps')).toContainEqual(expect.objectContaining({ coin: 'USDC', hourlyCap: '1000000' }));
});
