/**
 * A lucky block in a real browser on the whole program: somebody trades, is the first in a lucky block, and is told of it at the
 * announcement, which is every second here (`ORRERY_LUCKY_AT`).
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLuckyHash } from '@orrery/api';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, visit } from './browser.ts';
import { InjectedWallet, WALLET_NAME } from './injected-wallet.ts';
import { acceptTerms, buyAtMarket, chooseWallet, claimTokens, establishConnection, fundSpot } from './newcomer.ts';
import { prepareToTrade, signIn } from './person.ts';
import { startProgram, type Program } from './program.ts';
import { SealedChain } from './sealed-chain.ts';
import { until } from './until.ts';

const SYMBOL = 'BTC_USDC';
const NAMED = new RegExp(`^${WALLET_NAME}`);

let directory: string;
let chain: SealedChain;
let program: Program;
let browser: Browser;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'orrery-lucky-'));
  chain = await SealedChain.start(directory);
  program = await startProgram({
    dataDirectory: join(directory, 'data'),
    env: {
      ORRERY_RPC_URL: chain.url,
      ORRERY_OPERATOR_KEY: chain.operatorKey,
      ORRERY_CONFIRMATIONS: '1',
      ORRERY_LUCKY_AT: '* * * * * *',
      ORRERY_PROXY_HOPS: '1',
    },
  });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await program?.stop();
  await chain?.stop();
  await rm(directory, { recursive: true, force: true });
});

/** On this chain no market-maker is stocked: somebody has to sell. */
async function offerToSell(url: string): Promise<void> {
  const seller = await signIn(url, { from: '198.51.100.250' });
  await prepareToTrade(url, seller);
  const { p: price } = await seller.client.indexPrice({ symbol: SYMBOL });
  if (price === null) throw new Error(`${SYMBOL} has no outside price`);
  await seller.client.createOrder({ symbol: SYMBOL, direction: 'SELL', tradeType: 'LIMIT', price, totalAmount: '0.02' });
}

async function becomeTrader(page: Page): Promise<void> {
  await page.goto(`/trade/spot/${SYMBOL}`);
  await chooseWallet(page, NAMED);
  await acceptTerms(page);
  await claimTokens(page);
  await fundSpot(page);
  await establishConnection(page);
  await buyAtMarket(page, '0.01');
}

test('T10, T11, T6, C9: the first in a real lucky block is congratulated on 77,777 points, and everybody can read of it', async () => {
  const { url } = program;
  await offerToSell(url);
  const wallet = new InjectedWallet(url);
  const { page, complaints } = await visit(browser, { url, prepare: (context) => wallet.install(context) });
  await becomeTrader(page);

  const block = await chain.sealLuckily(wallet.account);
  expect(block.hash).toSatisfy(isLuckyHash);
  process.stderr.write(`lucky block ${block.number} ${block.hash}\n`);

  const congratulations = page.getByRole('dialog', { name: 'Congratulations' }).filter({ hasText: '77,777' });
  await congratulations.getByText("You've earned 77,777 Points!").waitFor();
  await congratulations.getByText('Lucky Block').waitFor();
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
  await visitor.page.getByRole('link', { name: block.transaction }).click();
  await visitor.page.getByRole('link', { name: /^The first transaction of a lucky block/ }).click();
  await visitor.page.getByRole('tab', { name: 'All Reward Records' }).click();
  await visitor.page
    .getByRole('row')
    .filter({ hasText: String(block.number) })
    .getByText('Paid')
    .waitFor();
  expect([...complaints, ...visitor.complaints]).toEqual([]);
});

test('R1, C9: who looks at the transaction of an own deposit sees the bill of it, and a visitor does not', async () => {
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
