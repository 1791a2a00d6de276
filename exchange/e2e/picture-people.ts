/** The people of the pictures: the same people do the same each time, on a program that was just started. */
import type { Browser, Page } from 'playwright-core';
import { toHex, type Hex } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { InjectedWallet, WALLET_NAME } from './injected-wallet.ts';
import { chooseWallet, walletMenu } from './newcomer.ts';
import { mayClaim, prepareToTrade, readKey, signIn, tradeKey, withdraw, type Person } from './person.ts';
import { until } from './until.ts';

/** USDC that each of the others trades for. */
const OTHERS = [7_000, 5_200, 4_300, 3_400, 2_500, 1_600, 900, 700, 400, 300, 200, 100];
const keyOf = (number: number): Hex => toHex(number, { size: 32 });
const OWN_KEY = keyOf(0xa11ce);
/** An address of the address book. */
const COLD = privateKeyToAddress(keyOf(0xc01d));

/** USDC of the person in view behind contracts. */
const MARGIN = '3000';

/** The person in view buys, rests orders, trades contracts, moves and withdraws coins, and has keys and an address book; twelve others trade. */
export async function trade(url: string): Promise<void> {
  const others = OTHERS.map(async (funds, at) => {
    const person = await signIn(url, { privateKey: keyOf(0xb000 + at), from: `203.0.113.${20 + at}` });
    await prepareToTrade(url, person);
    await person.client.createOrder({ symbol: 'BTC_USDC', direction: 'BUY', tradeType: 'MARKET', funds: String(funds) });
  });
  await Promise.all(others);
  const own = await signIn(url, { privateKey: OWN_KEY, from: '203.0.113.200' });
  await prepareToTrade(url, own);
  const { client } = own;
  for (const [symbol, funds] of [
    ['BTC_USDC', '1500'],
    ['ETH_USDC', '800'],
    ['SOL_USDC', '300'],
    ['BTC_USDC', '55'],
  ] as const) {
    await client.createOrder({ symbol, direction: 'BUY', tradeType: 'MARKET', funds });
  }
  const { p: price } = await client.indexPrice({ symbol: 'BTC_USDC' });
  for (const [direction, factor] of [
    ['BUY', 0.9975],
    ['BUY', 0.9945],
    ['SELL', 1.0035],
  ] as const) {
    const limit = (Number(price) * factor).toFixed(1);
    await client.createOrder({ symbol: 'BTC_USDC', direction, tradeType: 'LIMIT', price: limit, totalAmount: '0.015' });
  }
  await client.transfer({ coin: 'USDC', amount: '500', from: 'spot', to: 'funding' });
  await tradeContracts(own);
  await withdraw(url, own, { coin: 'USDC', amount: '20' });
  await tradeKey(own);
  await readKey(own);
  await client.addWithdrawAddress({ address: COLD, label: 'cold storage' });
}

/** A position that is over, two that are open, and an order that rests. */
async function tradeContracts({ client }: Person): Promise<void> {
  await client.transfer({ coin: 'USDC', amount: MARGIN, from: 'spot', to: 'futures' });
  const order = { positionSide: 'BOTH', orderType: 'MARKET' } as const;
  const holds = async (symbol: string): Promise<boolean> =>
    (await client.positions({ symbol })).some(({ positionSize }) => positionSize !== '0');
  await until('BTC is quoted', async () => (await client.futuresDepth({ symbol: 'BTC_USDC' })).a.length > 0);
  await until('ETH is quoted', async () => (await client.futuresDepth({ symbol: 'ETH_USDC' })).b.length > 0);
  await client.createFuturesOrder({ ...order, symbol: 'BTC_USDC', orderSide: 'BUY', origQty: '0.01' });
  await until('the position is open', () => holds('BTC_USDC'));
  await client.closeAllPositions({ contractType: 'PERPETUAL' });
  await until('the position is closed', async () => !(await holds('BTC_USDC')));
  await client.createFuturesOrder({ ...order, symbol: 'BTC_USDC', orderSide: 'BUY', origQty: '0.05' });
  await client.createFuturesOrder({ ...order, symbol: 'ETH_USDC', orderSide: 'SELL', origQty: '0.5' });
  const { p: price } = await client.indexPrice({ symbol: 'BTC_USDC' });
  const limit = (Number(price) * 0.995).toFixed(1);
  await client.createFuturesOrder({
    ...order,
    symbol: 'BTC_USDC',
    orderSide: 'BUY',
    orderType: 'LIMIT',
    timeInForce: 'GTC',
    price: limit,
    origQty: '0.02',
  });
}

/** A key of an account that has accepted the terms and done nothing else. */
export async function newAccount(url: string): Promise<Hex> {
  const privateKey = generatePrivateKey();
  await mayClaim(url, await signIn(url, { privateKey, from: '203.0.113.201' }));
  return privateKey;
}

/** A browser in which this person is signed in; the person who traded when no key is given. */
export async function openPage(browser: Browser, url: string, key: Hex = OWN_KEY): Promise<Page> {
  const context = await browser.newContext({ baseURL: url, extraHTTPHeaders: { 'x-forwarded-for': '198.51.100.77' } });
  await new InjectedWallet(url, key).install(context);
  const page = await context.newPage();
  await page.goto('/status');
  await page.evaluate(() => localStorage.setItem('orrery.timeZone', JSON.stringify({ v: 1, value: 'utc' })));
  await page.reload();
  await chooseWallet(page, new RegExp(`^${WALLET_NAME}`));
  await walletMenu(page).waitFor();
  return page;
}
