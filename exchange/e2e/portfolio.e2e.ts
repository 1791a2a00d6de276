/** The pages about an account's money and the explorer, in a real browser on the whole program. */
import type { Page } from 'playwright-core';
import { generatePrivateKey } from 'viem/accounts';
import { expect, test } from 'vitest';
import { browser, visit, withBrowser } from './browser.ts';
import { nextAddress } from './caller-address.ts';
import { InjectedWallet, WALLET_NAME } from './injected-wallet.ts';
import { chooseWallet } from './newcomer.ts';
import { turn } from './paged-table.ts';
import { prepareToTrade, signIn, type Person } from './person.ts';
import { program, withSharedProgram } from './with-shared-program.ts';

const NAMED = new RegExp(`^${WALLET_NAME}`);
const HIDDEN = '••••••';

withSharedProgram();
withBrowser();

const balances = (page: Page) => page.getByRole('table', { name: 'Balances' });
const row = (page: Page, name: RegExp) => balances(page).getByRole('row', { name });

interface Arrived {
  readonly page: Page;
  readonly trader: Person;
  readonly complaints: readonly string[];
}

async function traderAt(path: string): Promise<Arrived> {
  const { url } = program;
  const privateKey = generatePrivateKey();
  const trader = await signIn(url, { privateKey, from: nextAddress() });
  await prepareToTrade(url, trader);
  await trader.client.createOrder({ symbol: 'BTC_USDC', direction: 'BUY', tradeType: 'MARKET', funds: '500' });
  await trader.client.transfer({ coin: 'USDC', amount: '25.5', from: 'spot', to: 'funding' });
  const wallet = new InjectedWallet(url, privateKey);
  const { page, complaints } = await visit(browser, { url, prepare: (context) => wallet.install(context) });
  await page.goto(path);
  await chooseWallet(page, NAMED);
  return { page, trader, complaints };
}

test('the portfolio shows what an account is made of, acts in the row, and hides amounts everywhere when asked', async () => {
  const { page, complaints } = await traderAt('/portfolio');
  const allocation = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Allocation' }) });
  await allocation
    .getByRole('listitem')
    .filter({ hasText: 'BTC' })
    .getByText(/^\d+\.\d%$/)
    .waitFor();
  await row(page, /USDC Funding 25\.50/).waitFor();
  // The marks come from a file of the exchange itself.
  await expect
    .poll(() =>
      row(page, /^BTC Spot/)
        .locator('svg use')
        .evaluate((use) => (use as SVGGraphicsElement).getBBox().width),
    )
    .toBeGreaterThan(10);

  await row(page, /^BTC Spot/)
    .getByRole('link', { name: 'Trade BTC' })
    .click();
  await page.waitForURL('**/trade/spot/BTC_USDC');
  const standing = page.getByRole('region', { name: 'Your balance' });
  await standing.getByText(/^0\.10\d+$/).waitFor();
  await page.getByRole('region', { name: 'Your last fills' }).getByText('Buy').waitFor();
  await page.getByRole('region', { name: 'Next task' }).getByRole('progressbar').waitFor();

  await page.goto('/portfolio');
  await row(page, /USDC Funding/)
    .getByRole('link', { name: 'Withdraw USDC' })
    .click();
  await page.waitForURL('**/assets/withdraw?coin=USDC');
  expect(await page.getByRole('combobox', { name: 'Coin' }).inputValue()).toBe('USDC');
  await page.goBack();

  await page.getByRole('button', { name: 'Hide amounts' }).click();
  await row(page, new RegExp(`USDC Funding ${HIDDEN}`)).waitFor();
  // Shares and changes in percent say no amount.
  expect((await page.getByRole('main').innerText()).replaceAll(/\d\.\d+%/g, '')).not.toMatch(/\d\.\d\d/);
  await page.goto('/assets/bills');
  await page.getByRole('table', { name: 'Bills' }).getByText(HIDDEN).first().waitFor();
  await page.goto('/trade/spot/BTC_USDC');
  await standing.getByText(HIDDEN).first().waitFor();
  await page.goto('/portfolio');
  await page.getByRole('button', { name: 'Show amounts' }).click();
  await row(page, /USDC Funding 25\.50/).waitFor();
  expect(complaints).toEqual([]);
});

test('what was chosen on a page is there after a reload, by a link, and on the way back; what does not exist is not', async () => {
  const { page, trader, complaints } = await traderAt('/portfolio');
  // Two bills each: more than a page.
  for (let count = 0; count < 6; count += 1) await trader.client.transfer({ coin: 'USDC', amount: '1', from: 'spot', to: 'funding' });
  const overview = page.getByRole('region', { name: 'Overview' });
  await page.getByRole('tab', { name: 'Transfers' }).click();
  await overview.getByRole('radio', { name: 'PnL' }).click();
  await overview.getByRole('radio', { name: '30D' }).click();
  const isAsLeft = async (): Promise<void> => {
    await page.getByRole('tab', { name: 'Transfers', selected: true }).waitFor();
    await overview.getByRole('radio', { name: 'PnL', checked: true }).waitFor();
    await overview.getByRole('radio', { name: '30D', checked: true }).waitFor();
  };
  await isAsLeft();
  await page.reload();
  await isAsLeft();

  await page.getByRole('navigation', { name: 'Portfolio' }).getByRole('link', { name: 'Bills' }).click();
  const bills = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Bills', level: 2 }) });
  const first = bills.getByRole('button', { name: 'Previous page' });
  await turn(bills);
  await bills.getByText(/^11–/).waitFor();
  await page.reload();
  await bills.getByText(/^11–/).waitFor();
  const link = page.url();
  await bills.getByRole('combobox', { name: 'Account' }).selectOption('Spot');
  await bills.getByText(/^1–/).waitFor();
  expect(await first.isDisabled()).toBe(true);
  await page.goBack();
  await isAsLeft();

  await page.goto(link);
  await bills.getByText(/^11–/).waitFor();
  await page.goto('/assets/bills?account=__proto__&type=%5B1%5D&billsPage=900&billsRows=7');
  // The last page that there is.
  await expect.poll(() => new URL(page.url()).searchParams.get('billsPage')).not.toBe('900');
  await bills.getByRole('table', { name: 'Bills' }).getByRole('row').nth(1).waitFor();
  expect(complaints).toEqual([]);
});

/** Two days of an account that was given 1,000 USDC and gained, fell and recovered: hours that no test can wait for. */
function recorded(): object {
  const now = Date.now();
  const hour = 3_600_000;
  const first = Math.floor(now / hour) * hour - 48 * hour;
  const points = Array.from({ length: 49 }, (_, at) => ({
    time: first + at * hour,
    equity: String(1_000 + 40 * Math.sin(at / 6) + at),
    net: '1000',
  }));
  const equity = points.map((point) => ({ ...point, equity: Number(point.equity).toFixed(6) }));
  return { code: 0, msg: '', data: { range: '7d', intervalMs: hour, points: equity, latest: { ...equity[48], time: now } } };
}

test('a trade is in the portfolio before its next poll', async () => {
  const { page, trader } = await traderAt('/portfolio');
  const trades = page.getByRole('term').filter({ hasText: /^Trades$/ });
  const shown = (): Promise<string> => trades.locator('xpath=following-sibling::dd').innerText();
  await expect.poll(shown).toBe('1');
  // Its reads have ended: the next is the poll, a minute later.
  await page.waitForTimeout(3_000);
  await trader.client.createOrder({ symbol: 'BTC_USDC', direction: 'BUY', tradeType: 'MARKET', funds: '200' });
  await expect.poll(shown, { timeout: 20_000 }).not.toBe('1');
});

test('the curve of the portfolio is drawn from its snapshots, with what was gained and paid', async () => {
  const { page } = await traderAt('/portfolio');
  // It begins with nothing, in the hour of the first deposit.
  await page.getByRole('img', { name: /^Equity from .* first \$0\.00, / }).waitFor();
  await page.route('**/pro/u/portfolio/history*', (route) => route.fulfill({ json: recorded() }));
  await page.reload();
  const overview = page.getByRole('region', { name: 'Overview' });
  const curve = overview.getByRole('img', { name: /^Equity from .* lowest \$9\d\d\.\d\d, highest \$1,0\d\d\.\d\d$/ });
  await curve.locator('canvas').waitFor();
  await overview.getByRole('radio', { name: 'PnL' }).click();
  await overview.getByRole('img', { name: /^PnL from .* first \$0\.00, / }).waitFor();
  await expect
    .poll(() => overview.getByRole('definition').allInnerTexts())
    .toEqual([
      expect.stringMatching(/^\+\d+\.\d\d \(\+\d+\.\d\d%\)$/),
      expect.stringMatching(/^\d+\.\d\d%$/),
      '—',
      expect.stringMatching(/^4\d\d\.\d\d$/),
      '1',
      expect.stringMatching(/^0\.4\d$/),
    ]);
});

test('[R3, C9] the explorer has the newest blocks, names what was called, and says why a block is lucky or not', async () => {
  const { page, complaints } = await visit(browser, { url: program.url });
  await page.goto('/explorer');
  const ribbon = page.getByRole('navigation', { name: 'Newest blocks' });
  const table = page.getByRole('table', { name: 'Transactions' });
  await table.getByText('Faucet claim').first().waitFor();
  await ribbon.getByRole('link').nth(5).waitFor();
  const held = ribbon.getByRole('link', { name: /^\d+\s.*[1-9]\d* transaction/ }).first();
  const number = /^\d+/.exec(await held.innerText())?.[0];
  await held.click();
  await page.waitForURL(`**/explorer/block/${number}`);
  await page.getByRole('heading', { name: 'The story of this block' }).waitFor();
  await page
    .getByText(/^Not lucky: a lucky block begins with four equal digits/)
    .or(page.getByText(/may win 77,777 points$/))
    .waitFor();
  await page.getByText(/^Sealed \d+ [smhd].* ago/).waitFor();
  await table.getByRole('row').nth(1).getByRole('link').first().click();
  await page.waitForURL('**/explorer/tx/0x*');
  await page
    .getByRole('term')
    .filter({ hasText: /^Method$/ })
    .waitFor();
  expect(complaints).toEqual([]);
});
