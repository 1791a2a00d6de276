/**
 * Every listed market has a door for each step of a trader's way: money in, an order, what protects it, more margin, the close, money out, and the record
 * of it, on the screen and as a file. The table is made from what is listed: a new market is walked with those of its kind, a new kind without steps does
 * not compile. A step that a kind has not says why.
 */
import { WalletName, type FuturesSymbol, type SymbolInfo, type UnderlyingType } from '@orrery/api';
import type { Locator, Page } from 'playwright-core';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { arriveAsTrader, type Arrival } from './arrive.ts';
import { browser, VIEWPORTS, withBrowser } from './browser.ts';
import { numberIn, ticketOf } from './futures-trader.ts';
import { toast, transfer } from './newcomer.ts';
import { until } from './until.ts';
import { program, withSharedProgram } from './with-shared-program.ts';

withSharedProgram();
withBrowser();

/** Where it is said, dialogs of the coin-margined market are drawn for a person to look at. */
const PICTURES = process.env['ORRERY_PICTURES'];

const DOORS = ['fund', 'open', 'protect', 'addMargin', 'close', 'moveOut', 'history', 'export'] as const;
type Door = (typeof DOORS)[number];

interface Walked {
  readonly page: Page;
  readonly client: Arrival['person']['client'];
  readonly device: 'desktop' | 'phone';
}

interface ContractOnWay extends Walked {
  readonly contract: FuturesSymbol;
  /** As people read it. */
  readonly name: string;
  /** What sizes are counted in, and one of the order. */
  readonly unit: string;
  readonly size: string;
  readonly mark: number;
}

interface SpotOnWay extends Walked {
  readonly market: SymbolInfo;
  readonly name: string;
}

type Step<Way> = ((way: Way) => Promise<void>) | { readonly none: string };
type Steps<Way> = Readonly<Record<Door, Step<Way>>>;

/** As a link does: a walk of all markets by reloading would ask for more than a person may. */
async function go(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState({}, '', to);
    dispatchEvent(new PopStateEvent('popstate', { state: {} }));
  }, path);
}

const dialogOf = (page: Page, name: string): Locator => page.getByRole('dialog', { name });

async function draw({ page, device }: Walked, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  await mkdir(PICTURES, { recursive: true });
  for (const size of device === 'desktop' ? ([VIEWPORTS.tablet, VIEWPORTS.desktop] as const) : [VIEWPORTS.phone]) {
    await page.setViewportSize(size);
    await page.waitForTimeout(400);
    await page.screenshot({ path: join(PICTURES, `doors-${name}-${String(size.width)}.png`) });
  }
}

/** On a phone the ticket is a sheet and the tables are a view. */
async function toTicket({ page, device }: Walked): Promise<void> {
  if (device === 'phone') await page.getByRole('button', { name: 'Buy', exact: true }).click();
  await ticketOf(page).waitFor();
}

async function toTables({ page, device }: Walked): Promise<void> {
  if (device === 'phone') await dialogOf(page, 'Order ticket').getByRole('button', { name: 'Close', exact: true }).click();
}

const toTable = ({ page }: Walked, name: RegExp): Promise<void> =>
  page.getByRole('tablist', { name: 'Orders and balances' }).getByRole('tab', { name }).click();

const LABELS = { funding: 'Funding', spot: 'Spot', futures: 'Futures', coinFutures: 'Coin futures' } as const satisfies Record<
  (typeof WalletName.enum)[number],
  string
>;

/** What money of a contract lies in, as the pages call it. */
const walletOf = ({ underlyingType }: FuturesSymbol): string => (underlyingType === 'COIN_BASED' ? LABELS.coinFutures : LABELS.futures);

const chosen = (form: Locator, name: string): Promise<string> => form.getByRole('combobox', { name }).locator('option:checked').innerText();

/** The dialog by the ticket of the contract in view. */
async function openTransfer(way: ContractOnWay): Promise<Locator> {
  const { page, contract } = way;
  await toTicket(way);
  await ticketOf(page)
    .getByRole('button', { name: `Transfer to ${walletOf(contract)}`, exact: true })
    .click();
  return dialogOf(page, 'Transfer');
}

async function fundContract(way: ContractOnWay): Promise<void> {
  const { page, contract } = way;
  const { settleCoin } = contract;
  const form = await openTransfer(way);
  await form.getByRole('combobox', { name: 'Coin' }).waitFor();
  expect([await chosen(form, 'From'), await chosen(form, 'To'), await chosen(form, 'Coin')]).toEqual([
    LABELS.spot,
    walletOf(contract),
    settleCoin,
  ]);
  await drawCoin(way, 'fund');
  await transfer(page, { coin: settleCoin, amount: settleCoin === 'USDC' ? '300' : '0.02' });
  await toTables(way);
}

const drawCoin = (way: ContractOnWay, name: string): Promise<void> =>
  way.contract.underlyingType === 'COIN_BASED' ? draw(way, name) : Promise.resolve();

async function fundPractice({ client }: ContractOnWay): Promise<void> {
  // Once a day for all practice contracts; the button is walked by the test of practice.
  await client.grantPractice({});
}

async function openContract(way: ContractOnWay): Promise<void> {
  const { page, contract, unit, size } = way;
  await toTicket(way);
  await page.getByRole('tab', { name: 'Market', exact: true }).click();
  const ticket = ticketOf(page);
  const units = ticket.getByRole('combobox', { name: 'Size is given in' });
  const meanings = await units.locator('option').allInnerTexts();
  // Each choice says what one of it is, and names no coin that the contract does not know.
  expect(meanings.filter((meaning) => !/\d/.test(meaning) || /sheet|usdt/i.test(meaning))).toEqual([]);
  if (contract.underlyingType === 'COIN_BASED') expect(meanings[0]).toBe(`1 Cont = 1 ${contract.quoteCoin}`);
  await ticket.getByRole('textbox', { name: 'Size', exact: true }).fill(size);
  await drawCoin(way, 'ticket');
  await ticket.getByRole('button', { name: /^Buy / }).click();
  const confirm = dialogOf(page, 'Confirm Order');
  await confirm.getByText(new RegExp(`Buy ${shown(size)} ${unit}`)).waitFor();
  await drawCoin(way, 'confirm');
  await Promise.all([
    toast(page)
      .getByText(/^Bought /)
      .waitFor(),
    confirm.getByRole('button', { name: 'Confirm' }).click(),
  ]);
  await toTables(way);
  await showTables(way);
  await positionOf(way)
    .getByText(`Long ${shown(size, contract.quantityPrecision)} ${unit}`)
    .waitFor();
  // What is typed is what is held.
  const [held] = await way.client.positions({ symbol: contract.symbol });
  expect(Number(held?.positionSize)).toBe(Number(size));
  await drawCoin(way, 'position');
}

/** Tables show all decimals of the contract's steps, sentences those that count. */
const shown = (size: string, decimals = 0): string =>
  Number(size).toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: 8 });

async function showTables({ page, device }: Walked): Promise<void> {
  if (device === 'phone') await page.getByRole('tab', { name: 'Orders', exact: true }).click();
}

/** A row, or a card on a phone. */
const positionOf = ({ page, device, name }: ContractOnWay): Locator =>
  device === 'phone'
    ? page.getByRole('list', { name: 'Positions' }).getByRole('listitem').filter({ hasText: name })
    : page.getByRole('table', { name: 'Positions' }).getByRole('row').filter({ hasText: name });

/** What ends outside of the screen, by its text. */
const beyondTheEdge = async (card: Locator): Promise<string> => {
  const figures = card.locator('dt, dd, dt *, dd *');
  const beyond = await figures.evaluateAll((all) =>
    all.filter((one) => one.getBoundingClientRect().right > innerWidth).map((one) => one.textContent),
  );
  return beyond.join(' | ');
};

async function protectContract(way: ContractOnWay): Promise<void> {
  const { page, name, contract, mark } = way;
  const { pricePrecision } = contract;
  await positionOf(way)
    .getByRole('button', { name: `TP/SL of ${name}` })
    .click();
  const form = dialogOf(page, 'Take profit and stop loss');
  await form.getByRole('textbox', { name: 'Take profit' }).fill((mark * 1.1).toFixed(pricePrecision));
  await form.getByRole('textbox', { name: 'Stop loss' }).fill((mark * 0.95).toFixed(pricePrecision));
  await drawCoin(way, 'protect');
  await form.getByRole('button', { name: 'Place TP/SL' }).click();
  await form.waitFor({ state: 'hidden' });
  // The row says what stands, and so does the list, on a phone too.
  const triggers = [mark * 1.1, mark * 0.95].map((trigger) => shown(trigger.toFixed(pricePrecision), pricePrecision));
  for (const trigger of triggers) await positionOf(way).getByText(trigger).waitFor();
  if (way.device === 'phone') expect(await beyondTheEdge(positionOf(way))).toBe('');
  await drawCoin(way, 'protected');
  await toTable(way, /^TP\/SL 2$/);
  // The button that takes it away is named by it too.
  for (const trigger of triggers) await page.getByRole('table', { name: 'TP/SL' }).getByRole('cell', { name: trigger }).first().waitFor();
  await drawCoin(way, 'stops');
  await toTable(way, /^Positions/);
}

async function addMargin(way: ContractOnWay): Promise<void> {
  const { page, name, contract } = way;
  await positionOf(way)
    .getByRole('button', { name: `Margin of ${name}` })
    .click();
  const form = dialogOf(page, 'Margin of the position');
  await form.getByRole('textbox', { name: `Amount ${contract.settleCoin}` }).fill(contract.settleCoin === 'BTC' ? '0.001' : '1');
  await drawCoin(way, 'margin');
  await form.getByRole('button', { name: 'Add margin' }).click();
  await form.waitFor({ state: 'hidden' });
}

async function closeContract(way: ContractOnWay): Promise<void> {
  const { page, name, unit, size } = way;
  await positionOf(way)
    .getByRole('button', { name: `Close ${name}` })
    .click();
  const form = dialogOf(page, 'Close position');
  await drawCoin(way, 'close');
  await form.getByRole('button', { name: `Close ${shown(size)} ${unit}` }).click();
  await form.waitFor({ state: 'hidden' });
  await positionOf(way).waitFor({ state: 'hidden' });
}

async function moveOutOfContract(way: ContractOnWay): Promise<void> {
  const { page, contract } = way;
  const { settleCoin } = contract;
  const form = await openTransfer(way);
  await form.getByRole('button', { name: 'Swap direction' }).click();
  expect(await chosen(form, 'From')).toBe(walletOf(contract));
  expect(await chosen(form, 'Coin')).toBe(settleCoin);
  await drawCoin(way, 'move-out');
  await transfer(page, { coin: settleCoin, amount: settleCoin === 'USDC' ? '10' : '0.001' });
  await toTables(way);
}

async function historyOfContract(way: ContractOnWay): Promise<void> {
  const { page, contract, name, unit } = way;
  const size = `${shown(way.size, contract.quantityPrecision)} ${unit}`;
  for (const [tab, needed] of [
    ['Fills', size],
    ['Order history', size],
    ['Position history', contract.settleCoin],
  ] as const) {
    await toTable(way, new RegExp(`^${tab}`));
    const row = page.getByRole('table', { name: tab }).getByRole('row').filter({ hasText: name });
    await row.filter({ hasText: needed }).first().waitFor();
    await drawCoin(way, tab.toLowerCase().replace(' ', '-'));
  }
}

async function fileOf(page: Page): Promise<string> {
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV', exact: true }).click();
  return readFile(await (await coming).path(), 'utf8');
}

async function exportOfContract(way: ContractOnWay): Promise<void> {
  const { page, contract } = way;
  await toTable(way, /^Fills/);
  expect(await fileOf(page)).toContain(contract.symbol);
}

const CONTRACT: Steps<ContractOnWay> = {
  fund: fundContract,
  open: openContract,
  protect: protectContract,
  addMargin,
  close: closeContract,
  moveOut: moveOutOfContract,
  history: historyOfContract,
  export: exportOfContract,
};

async function moveSpot(
  page: Page,
  { coin, from, to }: { readonly coin: string; readonly from: string; readonly to: string },
): Promise<void> {
  await go(page, '/assets/spot');
  await page.getByRole('main').getByRole('button', { name: 'Transfer', exact: true }).click();
  const form = dialogOf(page, 'Transfer');
  await form.getByRole('combobox', { name: 'From' }).selectOption({ label: from });
  await form.getByRole('combobox', { name: 'To' }).selectOption({ label: to });
  await transfer(page, { coin, amount: '1' });
}

/** A bid below the market, which rests. */
async function openSpot(way: SpotOnWay): Promise<void> {
  const { page, client, market } = way;
  await go(page, `/trade/spot/${market.symbol}`);
  await toTicket(way);
  // Until the page has changed, the ticket is that of the market before. SOSO is WSOSO here.
  const base = (market.symbol.split('_')[0] ?? '').replace(/^W/, '');
  await ticketOf(page)
    .getByRole('button', { name: new RegExp(`^Buy .*${base}$`) })
    .waitFor();
  await page.getByRole('tab', { name: 'Limit', exact: true }).click();
  const { p: index } = await client.indexPrice({ symbol: market.symbol });
  const price = Number(index) * 0.96;
  const ticket = ticketOf(page);
  await ticket.getByRole('textbox', { name: 'Price', exact: true }).fill(price.toFixed(market.pricePrecision));
  await ticket.getByRole('textbox', { name: 'Size', exact: true }).fill((20 / price).toFixed(market.quantityPrecision));
  await ticket.getByRole('button', { name: /^Buy / }).click();
  await dialogOf(page, 'Confirm Order').getByRole('button', { name: 'Confirm' }).click();
  await dialogOf(page, 'Confirm Order').waitFor({ state: 'hidden' });
  await toTables(way);
  await showTables(way);
  await page.getByRole('tab', { name: 'Open orders 1' }).click();
}

const SPOT: Steps<SpotOnWay> = {
  fund: ({ page, market }) => moveSpot(page, { coin: market.buyCoin, from: LABELS.funding, to: LABELS.spot }),
  open: openSpot,
  protect: { none: 'an order of spot is protected by another order' },
  addMargin: { none: 'spot has no margin' },
  async close({ page }) {
    await page
      .getByRole('table', { name: 'Open orders' })
      .getByRole('button', { name: /^Cancel the order/ })
      .click();
    await page.getByRole('tab', { name: 'Open orders', exact: true }).waitFor();
  },
  moveOut: ({ page, market }) => moveSpot(page, { coin: market.buyCoin, from: LABELS.spot, to: LABELS.funding }),
  async history(way) {
    const { page, market, name } = way;
    await go(page, `/trade/spot/${market.symbol}`);
    await showTables(way);
    await toTable(way, /^Order history/);
    await page.getByRole('table', { name: 'Order history' }).getByRole('row').filter({ hasText: name }).first().waitFor();
  },
  async export({ page, market }) {
    expect(await fileOf(page)).toContain(market.symbol);
  },
};

/** A new kind of market has no row here, and the file does not compile. */
const CONTRACT_KINDS: Readonly<Record<UnderlyingType, Steps<ContractOnWay>>> = {
  U_BASED: CONTRACT,
  COIN_BASED: CONTRACT,
  PRACTICE: { ...CONTRACT, fund: fundPractice, moveOut: { none: 'money of practice is worth nothing, and stays where it is' } },
};

/** What stands before the person: dialogs, notices and the tables' tabs. */
async function inView(page: Page): Promise<string> {
  const texts = await page.locator('[role=dialog], [role=status], [role=alert], [role=tab]').allInnerTexts();
  return texts
    .map((text) => text.replaceAll(/\s+/g, ' ').trim())
    .filter((text) => text !== '')
    .join(' / ');
}

async function walk<Way extends Walked>(steps: Steps<Way>, way: Way): Promise<readonly string[]> {
  const passed: string[] = [];
  for (const door of DOORS) {
    const step = steps[door];
    if (typeof step === 'function') {
      try {
        await step(way);
      } catch (error) {
        const view = await inView(way.page).catch(() => 'nothing that can be read');
        throw new Error(`no way through "${door}", after ${passed.join(', ')}; in view: ${view}`, { cause: error });
      }
    }
    passed.push(door);
  }
  return passed;
}

const titled = (symbol: string): string => symbol.replace('_', '/').replace('WSOSO', 'SOSO');

/** About 200 dollars of it, on the grid. */
const sizeOf = ({ underlyingType, quantityPrecision }: FuturesSymbol, mark: number): string =>
  underlyingType === 'COIN_BASED' ? '200' : String(Math.ceil((200 / mark) * 10 ** quantityPrecision) / 10 ** quantityPrecision);

async function walkSpot(walked: Walked, market: SymbolInfo): Promise<readonly string[]> {
  // Where a deposit arrives.
  await walked.client.transfer({ coin: market.buyCoin, amount: '2', from: 'spot', to: 'funding' });
  return walk(SPOT, { ...walked, market, name: titled(market.symbol) });
}

async function walkContract(walked: Walked, contract: FuturesSymbol): Promise<readonly string[]> {
  const { page, client } = walked;
  const { symbol, underlyingType } = contract;
  const mark = await until(`${symbol} is quoted`, async () => {
    const { b, a } = await client.futuresDepth({ symbol });
    const listed = (await client.futuresSymbols()).find((one) => one.symbol === symbol);
    return b.length > 0 && a.length > 0 && listed?.isDegraded === false && numberIn(a[0]?.[0] ?? '0');
  });
  await client.changePositionType({ symbol, positionType: 'ISOLATED' });
  await go(page, `/trade/futures/${symbol}`);
  const unit = underlyingType === 'COIN_BASED' ? 'Cont' : contract.baseCoin;
  return walk(CONTRACT_KINDS[underlyingType], { ...walked, contract, name: titled(symbol), unit, size: sizeOf(contract, mark), mark });
}

/** Its page, its bills and its place in the portfolio. */
async function visitWallet(walked: Walked, wallet: keyof typeof LABELS): Promise<string> {
  const { page } = walked;
  const label = LABELS[wallet];
  await go(page, '/portfolio');
  await page
    .getByRole('main')
    .getByRole('listitem')
    .getByRole('link', { name: new RegExp(`^${label}`) })
    .click();
  await page.getByRole('table', { name: 'Balances' }).waitFor();
  const path = new URL(page.url()).pathname;
  await draw(walked, `wallet-${wallet}`);
  await go(page, '/assets/bills');
  await page.getByRole('combobox', { name: 'Account' }).selectOption({ label });
  await page.getByRole('table', { name: 'Bills' }).getByRole('row').filter({ hasText: 'Transfer' }).first().waitFor();
  await draw(walked, `bills-${wallet}`);
  return path;
}

const said = (error: Error): string => `${error.message}: ${String(error.cause)}`;

test.each(['desktop', 'phone'] as const)(
  'every listed market has every door, and every wallet its page and its bills, on a %s',
  async (device) => {
    const { page, person, complaints } = await arriveAsTrader(browser, { url: program.url, viewport: device });
    const walked = { page, client: person.client, device };
    const [contracts, markets] = await Promise.all([person.client.futuresSymbols(), person.client.symbols()]);
    await page.goto('/status');
    const found: Record<string, readonly string[] | string> = {};
    for (const contract of contracts) found[contract.symbol] = await walkContract(walked, contract).catch(said);
    for (const market of markets) found[`spot ${market.symbol}`] = await walkSpot(walked, market).catch(said);
    const names = [...contracts.map(({ symbol }) => symbol), ...markets.map(({ symbol }) => `spot ${symbol}`)];
    const closed = names.filter((name) => typeof found[name] === 'string').map((name) => `${name}: ${String(found[name])}`);
    if (closed.length > 0) throw new Error(closed.join('\n'));
    expect(found).toEqual(Object.fromEntries(names.map((name) => [name, DOORS])));
    const pages: string[] = [];
    for (const wallet of WalletName.enum) pages.push(await visitWallet(walked, wallet));
    expect(pages).toEqual(['/assets/funding', '/assets/spot', '/assets/futures', '/assets/coin-futures']);
    expect(complaints).toEqual([]);
  },
);
