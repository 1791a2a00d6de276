/** The pages about contracts beside trading, with a person who has traded: what is over, funding, rules, the insurance fund, the portfolio. */
import { stat } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { generatePrivateKey } from 'viem/accounts';
import type { Hex } from 'viem';
import { beforeAll, expect, test } from 'vitest';
import { barriers, COLOURS, cutWords, installAxe, overflow } from './accessibility.ts';
import { browser, visit, VIEWPORTS, withBrowser } from './browser.ts';
import { nextAddress } from './caller-address.ts';
import { InjectedWallet, WALLET_NAME } from './injected-wallet.ts';
import { chooseWallet, toast, walletMenu } from './newcomer.ts';
import { prepareToTrade, signIn, type Person } from './person.ts';
import { until } from './until.ts';
import { program, withSharedProgram } from './with-shared-program.ts';

const NAMED = new RegExp(`^${WALLET_NAME}`);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MARKET = '**/futures/fapi/market/v1';

let trader: Person;
const key: Hex = generatePrivateKey();

withSharedProgram();
withBrowser();
beforeAll(async () => {
  trader = await signIn(program.url, { privateKey: key, from: nextAddress() });
  await prepareToTrade(program.url, trader);
  await tradeContracts(trader);
});

/** A long position in BTC that is closed with all others, and a short one in ETH that stays open. */
async function tradeContracts({ client }: Person): Promise<void> {
  await client.transfer({ coin: 'USDC', amount: '5000', from: 'spot', to: 'futures' });
  const open = (symbol: string, orderSide: 'BUY' | 'SELL', origQty: string) =>
    client.createFuturesOrder({ symbol, orderSide, positionSide: 'BOTH', orderType: 'MARKET', origQty });
  const held = async (symbol: string): Promise<boolean> =>
    (await client.positions({ symbol })).some(({ positionSize }) => positionSize !== '0');
  for (const symbol of ['BTC_USDC', 'ETH_USDC']) {
    await until(`${symbol} is quoted`, async () => {
      const { b, a } = await client.futuresDepth({ symbol });
      return b.length > 0 && a.length > 0;
    });
  }
  await open('BTC_USDC', 'BUY', '0.01');
  await until('the position in BTC is open', () => held('BTC_USDC'));
  await client.closeAllPositions({ contractType: 'PERPETUAL' });
  await until('the position in BTC is closed', async () => !(await held('BTC_USDC')));
  await open('ETH_USDC', 'SELL', '0.1');
  await until('the position in ETH is open', () => held('ETH_USDC'));
}

async function traderAt(path: string): Promise<{ readonly page: Page; readonly complaints: readonly string[] }> {
  const { url } = program;
  const wallet = new InjectedWallet(url, key);
  const { page, complaints } = await visit(browser, {
    url,
    prepare: async (context) => {
      await wallet.install(context);
      await installAxe(context);
    },
  });
  await page.goto(path);
  await chooseWallet(page, NAMED);
  await walletMenu(page).waitFor();
  return { page, complaints };
}

/** Every width and theme: nothing for axe, nothing cut or wider than the window. */
async function looksWell(page: Page): Promise<void> {
  for (const viewport of Object.values(VIEWPORTS)) {
    await page.setViewportSize(viewport);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    expect(await cutWords(page)).toEqual([]);
  }
  await page.setViewportSize(VIEWPORTS.desktop);
  expect(await barriers(page)).toEqual([]);
  await page.evaluate(async () => {
    document.documentElement.dataset['theme'] = 'light';
    // Colours that change slowly are measured when they have changed.
    const changes = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    await Promise.allSettled(changes.map(({ finished }) => finished));
  });
  expect(await barriers(page, COLOURS)).toEqual([]);
}

test('[F1] a closed position is in the history with what it earned and how it ended, and its card has the person’s choice of amount and code', async () => {
  const { page, complaints } = await traderAt('/trade/futures/BTC_USDC');
  await page.getByRole('tab', { name: 'Position history' }).click();
  const row = page.getByRole('table', { name: 'Position history' }).getByRole('row', { name: /BTC\/USDC Long/ });
  await row.getByText('Close all').waitFor();
  await row.getByText(/^[+−]\d+\.\d\d USDC \([+−]?\d+\.\d\d%\)$/).waitFor();
  await row.getByRole('button', { name: 'Share BTC/USDC' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share the position' });
  await dialog.getByRole('img', { name: /^BTC\/USDC, Long \d+×: [+−]?\d+\.\d\d%$/ }).waitFor();
  const saved = async (): Promise<number> => {
    const [file] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Save picture' }).click()]);
    expect(file.suggestedFilename()).toBe('orrery-position.png');
    return (await stat(await file.path())).size;
  };
  const plain = await saved();
  await dialog.getByRole('checkbox', { name: 'Show the amount' }).click();
  await dialog.getByRole('checkbox', { name: 'Show the invite code' }).click();
  await dialog.getByRole('img', { name: /^BTC\/USDC, Long/ }).waitFor();
  expect(await saved()).not.toBe(plain);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('tab', { name: 'Fills' }).click();
  const fills = page.getByRole('table', { name: 'Fills' });
  await fills
    .getByRole('row', { name: /BTC\/USDC Sell .* USDC [+−]\d+\.\d\d USDC Taker/ })
    .first()
    .waitFor();
  await page.getByRole('tab', { name: 'Order history' }).click();
  const orders = page.getByRole('table', { name: 'Order history' });
  await orders.getByRole('row', { name: /BTC\/USDC Sell Market · Reduce only .* Close all Filled/ }).waitFor();
  await orders.getByRole('row', { name: /BTC\/USDC Buy Market .* Account Filled/ }).waitFor();
  expect(complaints).toEqual([]);
});

test('[F1] payments of funding are listed with older ones on demand, and an open position has a card at the mark of now', async () => {
  const { page } = await traderAt('/trade/futures/ETH_USDC');
  const payment = (id: number, amount: string) => ({
    id: String(id),
    symbol: 'ETH_USDC',
    positionSide: 'BOTH',
    coin: 'USDC',
    amount,
    createdTime: Date.now() - (100 - id) * HOUR,
  });
  await page.route('**/user/v1/balance/funding-rate-list*', (route) => {
    const isSecond = new URL(route.request().url()).searchParams.get('id') === '50';
    const items = isSecond ? [payment(49, '0.031')] : [payment(51, '-0.0125'), payment(50, '0.02')];
    return route.fulfill({
      json: { code: 0, msg: 'success', data: { hasPrev: isSecond, hasNext: !isSecond, next: isSecond ? null : '50', items } },
    });
  });
  await page.getByRole('tab', { name: 'Positions' }).waitFor();
  await page.getByRole('button', { name: 'Share ETH/USDC' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share the position' });
  await dialog.getByRole('img', { name: /^ETH\/USDC, Short \d+×: / }).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('tablist', { name: 'Orders and balances' }).getByRole('tab', { name: 'Funding' }).click();
  const table = page.getByRole('table', { name: 'Funding payments' });
  await table.getByRole('row', { name: /Paid −0\.01 USDC/ }).waitFor();
  await page.getByRole('button', { name: 'Show older' }).click();
  await table.getByRole('row', { name: /Received \+0\.03 USDC/ }).waitFor();
  await page.getByRole('button', { name: 'Show older' }).waitFor({ state: 'hidden' });
});

/** Two days of settled rates, newest first. */
function rates(): object {
  const now = Math.floor(Date.now() / HOUR) * HOUR;
  const items = Array.from({ length: 48 }, (_, at) => ({
    id: String(now - at * HOUR),
    symbol: 'BTC_USDC',
    fundingRate: at % 3 === 0 ? '-0.00002' : '0.0000125',
    price: '61000.1',
    collectionInterval: 1,
    createdTime: now - at * HOUR,
  }));
  return { code: 0, msg: 'success', data: { hasPrev: false, hasNext: false, next: null, items } };
}

test('[F1] funding of a contract is a curve with its figures, and its details have steps, tiers, the formula and the sources of the index', async () => {
  const { page, complaints } = await traderAt('/trade/futures/BTC_USDC');
  await page.route(`${MARKET}/q/funding-rate-record*`, (route) => route.fulfill({ json: rates() }));
  const views = page.getByRole('tablist', { name: 'View' });
  await views.getByRole('tab', { name: 'Funding' }).click();
  await page
    .getByRole('img', { name: /^48 settled funding rates from .*, the last −0\.00200%$/ })
    .locator('canvas')
    .waitFor();
  const facts = page.getByRole('definition');
  await facts.filter({ hasText: /^\+0\.00800%$/ }).waitFor();
  await facts.filter({ hasText: /^00:[0-5]\d:[0-5]\d$/ }).waitFor();
  await page
    .getByRole('table', { name: 'Settled rates' })
    .getByRole('row', { name: /−0\.00200% −17\.52% Shorts 61,000\.1/ })
    .first()
    .waitFor();
  await views.getByRole('tab', { name: 'Details' }).click();
  await page.getByRole('table', { name: 'Margin tiers' }).getByRole('row').nth(1).waitFor();
  await page.getByText('rate = (P + clamp(I − P, −0.05%, 0.05%)) / 8, within ±4%').waitFor();
  const sources = page.getByRole('table', { name: 'Sources of the index' });
  await sources
    .getByRole('row', { name: /Spot .*\d s Counts/ })
    .nth(1)
    .waitFor();
  await page
    .getByRole('table', { name: 'Collateral' })
    .getByRole('row', { name: /USDC 100%/ })
    .waitFor();
  expect(await barriers(page)).toEqual([]);
  await page.getByRole('link', { name: 'Insurance fund' }).click();
  await page.waitForURL('**/insurance');
  expect(complaints).toEqual([]);
});

test('[F1] everybody sees what the insurance fund has and how it came to it', async () => {
  const { page, complaints } = await visit(browser, { url: program.url, prepare: installAxe });
  await page.goto('/insurance');
  const funds = page.getByRole('list', { name: 'Funds' });
  await funds.getByRole('button', { name: /USDC [1-9][\d,]+/ }).waitFor();
  await page
    .getByRole('table', { name: 'Changes of the fund' })
    .getByRole('row', { name: /Put in by the exchange \+[1-9]/ })
    .waitFor();
  await funds.getByRole('button', { name: /^BTC/ }).click();
  await page.getByRole('heading', { name: 'History in BTC' }).waitFor();
  await looksWell(page);
  expect(complaints).toEqual([]);
});

/** Ninety days of an account, or its last hours: what no test can wait for. */
function recorded(range: string): object {
  const step = range === '90d' ? DAY : HOUR;
  const count = range === '90d' ? 90 : 24;
  const first = Math.floor(Date.now() / step) * step - count * step;
  const points = Array.from({ length: count + 1 }, (_, at) => {
    const time = first + at * step;
    return { time, equity: (2_000 + 300 * Math.sin(time / DAY) + time / DAY / 100).toFixed(2), net: '1000' };
  });
  return { code: 0, msg: '', data: { range, intervalMs: step, points, latest: null } };
}

test('[F1] the portfolio counts spot, futures or both, with the win rate of closed positions, and its calendar says the PnL of days and months', async () => {
  const { page, complaints } = await traderAt('/portfolio');
  const overview = page.getByRole('region', { name: 'Overview' });
  const fact = (name: string) =>
    overview
      .locator('div')
      .filter({ has: page.getByRole('term').filter({ hasText: name }) })
      .last()
      .getByRole('definition');
  await overview.getByRole('radio', { name: 'Futures' }).click();
  await expect.poll(() => fact('Win rate').innerText()).toMatch(/^(0|100)\.00% \([01] of 1\)$/);
  await expect.poll(async () => Number(await fact('Trades').innerText())).toBeGreaterThanOrEqual(3);
  expect(Number(await fact('Fees (USDC)').innerText())).toBeGreaterThan(0);
  await overview.getByRole('radio', { name: 'Spot' }).click();
  await expect.poll(() => fact('Win rate').innerText()).toBe('—');
  await expect.poll(() => fact('Trades').innerText()).toBe('0');
  const { portfolioHistory } = trader.client;
  const latest = async (scope: 'all' | 'spot' | 'futures'): Promise<number> =>
    Number((await portfolioHistory({ range: '1d', scope })).latest?.equity);
  expect(await latest('futures')).toBeGreaterThan(4_900);
  expect(Math.abs((await latest('all')) - (await latest('spot')) - (await latest('futures')))).toBeLessThan(1_000);

  await page.route('**/pro/u/portfolio/history*', (route) =>
    route.fulfill({ json: recorded(new URL(route.request().url()).searchParams.get('range') ?? '') }),
  );
  await page.reload();
  const calendar = page.locator('section').filter({ has: page.getByRole('heading', { name: 'PnL calendar' }) });
  const month = new Date().toISOString().slice(0, 7);
  const table = calendar.getByRole('table', { name: `PnL of the days of ${month}, in UTC` });
  await table
    .getByRole('cell', { name: /^\d+ ?[+−]\d+/ })
    .first()
    .waitFor();
  await calendar.getByRole('button', { name: 'Month before' }).click();
  await table.waitFor({ state: 'hidden' });
  await calendar.getByRole('radio', { name: 'Months' }).click();
  await calendar.getByRole('list', { name: 'PnL of the months' }).getByRole('listitem').nth(2).waitFor();
  await looksWell(page);
  expect(complaints).toEqual([]);
});

test('[F7] tasks of contracts are on the page of points with what was done for them', async () => {
  const { page } = await traderAt('/points');
  const task = (name: string) => page.getByRole('listitem').filter({ hasText: name });
  await task('First futures order').getByText('1 / 1').waitFor();
  await task('First futures order')
    .getByRole('button', { name: /^Claim/ })
    .waitFor();
  const volume = page.getByRole('progressbar', { name: /futures/i }).last();
  await expect.poll(async () => Number(await volume.getAttribute('aria-valuemax'))).toBe(100);
});

test('[R6] at 1024 px the names of all tables of contracts and the profit of a position are in sight; a phone says mark price and funding', async () => {
  const { page } = await traderAt('/trade/futures/ETH_USDC');
  await page.setViewportSize(VIEWPORTS.tablet);
  const tabs = page.getByRole('tablist', { name: 'Orders and balances' });
  const row = page.getByRole('table', { name: 'Positions' }).getByRole('row', { name: /ETH\/USDC/ });
  await row.waitFor();
  expect(await tabs.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0);
  // The buttons of a row stay where they are when the row is wider than its place, and cover what stands there.
  const cell = row.getByRole('cell').filter({ hasText: /%\)$/ });
  const [profit, buttons] = [await cell.boundingBox(), await row.getByRole('cell').last().boundingBox()];
  expect((profit?.x ?? 0) + (profit?.width ?? Infinity)).toBeLessThanOrEqual(Math.ceil(buttons?.x ?? 0));
  await page.getByRole('button', { name: 'Table options' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'This market only' }).click();
  await page.keyboard.press('Escape');
  await page.setViewportSize(VIEWPORTS.phone);
  await page.getByText(/^[−-]?[\d.]+% in \d/).waitFor();
  expect(await page.getByRole('main').innerText()).toMatch(/Mark\s+[\d,]+\.\d\d\s+Funding\s/);
});

test('the page of a contract says what the margin account is worth and needs, and lists TWAP orders that are over with their reason', async () => {
  const { page } = await traderAt('/trade/futures/ETH_USDC');
  const account = page.getByRole('region', { name: 'Margin account' }).filter({ hasText: 'USDC' });
  const { accounts } = await trader.client.futuresAccount({});
  const { maintenanceMargin } = accounts.find(({ settleCoin, underlyingType }) => settleCoin === 'USDC' && underlyingType === 'U_BASED')!;
  expect(Number(maintenanceMargin)).toBeGreaterThan(0);
  for (const name of ['Equity', 'Unrealised PnL', 'Available', 'Maintenance margin', 'Margin ratio'])
    await account.getByRole('term').filter({ hasText: name }).waitFor();
  expect(await account.innerText()).toMatch(/Margin ratio\s+\d+\.\d\d%/);
  const twapId = await trader.client.createTwap({ symbol: 'ETH_USDC', orderSide: 'BUY', positionSide: 'BOTH', origQty: '0.2', minutes: 5 });
  await trader.client.cancelTwap({ twapId });
  await page.getByRole('tab', { name: 'TWAP orders' }).click();
  const ended = page.getByRole('table', { name: 'TWAP orders that are over' }).getByRole('row', { name: /ETH\/USDC.*cancelled by you/ });
  await ended.waitFor();
  expect(await ended.innerText()).toMatch(/\/ 0\.2/);
});

test('[F2] a refused close-all says why and nothing proceeds; one with code 0 says success and leaves no position', async () => {
  const { page } = await traderAt('/trade/futures/ETH_USDC');
  const calls = '**/trade/v1/order/position/close-all';
  await page.getByRole('tab', { name: 'Positions 1' }).waitFor();
  await page.getByRole('button', { name: 'Close all' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm Close All' });
  await page.route(calls, (route) => route.fulfill({ json: { code: 5_001, msg: 'not at this moment', data: null } }));
  await Promise.all([
    toast(page).getByText('not at this moment').waitFor(),
    dialog.getByRole('button', { name: 'Confirm Market Close' }).click(),
  ]);
  expect(await dialog.isVisible()).toBe(true);
  expect(await trader.client.positions({})).toHaveLength(1);
  await page.unroute(calls);
  await Promise.all([
    toast(page).getByText('success', { exact: true }).waitFor(),
    dialog.getByRole('button', { name: 'Confirm Market Close' }).click(),
  ]);
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('tab', { name: 'Positions', exact: true }).waitFor();
  expect(await trader.client.positions({})).toEqual([]);
});
