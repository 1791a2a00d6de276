/** The order ticket and what becomes of its orders, on the whole program in a real browser: also when an answer is lost or the page is left. */
import type { Locator, Page, Route } from 'playwright-core';
import { generatePrivateKey } from 'viem/accounts';
import { expect, test } from 'vitest';
import { browser, visit, withBrowser, type VIEWPORTS } from './browser.ts';
import { nextAddress } from './caller-address.ts';
import { InjectedWallet, WALLET_NAME } from './injected-wallet.ts';
import { chooseWallet, toast, walletMenu } from './newcomer.ts';
import { prepareToTrade, signIn, type Person } from './person.ts';
import { until } from './until.ts';
import { program, withSharedProgram } from './with-shared-program.ts';

withSharedProgram();
withBrowser();

const ticketOf = (page: Page): Locator => page.getByRole('form', { name: 'Order ticket' });
const field = (page: Page, name: string): Locator => ticketOf(page).getByRole('textbox', { name, exact: true });
const number = (shown: string): number => Number(shown.replaceAll(',', ''));
const priceIn = async (page: Page): Promise<number> => number(await field(page, 'Price').inputValue());
const openOrders = (page: Page): Locator => page.getByRole('table', { name: 'Open orders' });

const pricesOf = (page: Page): Promise<number> => until('the ticket has a price', async () => (await priceIn(page)) || undefined);

async function turnTo(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /Choose a market/ }).click();
  await page.getByRole('searchbox', { name: 'Search markets' }).fill(name);
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`${name}_USDC(\\?|$)`));
}

interface Trader {
  readonly page: Page;
  readonly person: Person;
  readonly complaints: readonly string[];
}

/** Somebody who is ready to trade, at the page and through the API. */
async function trader(viewport: keyof typeof VIEWPORTS = 'desktop'): Promise<Trader> {
  const privateKey = generatePrivateKey();
  const person = await signIn(program.url, { privateKey, from: nextAddress() });
  await prepareToTrade(program.url, person);
  const wallet = new InjectedWallet(program.url, privateKey);
  const { page, complaints } = await visit(browser, { url: program.url, viewport, prepare: (context) => wallet.install(context) });
  await page.goto('/trade/spot/BTC_USDC');
  await chooseWallet(page, new RegExp(`^${WALLET_NAME}`));
  await walletMenu(page).waitFor();
  return { page, person, complaints };
}

async function confirm(page: Page): Promise<void> {
  await page.getByRole('dialog', { name: 'Confirm Order' }).getByRole('button', { name: 'Confirm' }).click();
}

/** A limit order to buy far below the market. @returns its price. */
async function order(page: Page, size: string): Promise<number> {
  await ticketOf(page).getByRole('button', { name: 'Take the best bid' }).click();
  const price = Math.floor((await priceIn(page)) * 0.97);
  await field(page, 'Price').fill(String(price));
  await field(page, 'Size').fill(size);
  await ticketOf(page)
    .getByRole('button', { name: `Buy ${size} BTC` })
    .click();
  await confirm(page);
  return price;
}

const openOf = async ({ client }: Person): Promise<number> => (await client.openOrders({ page: 1, size: 50 })).total;

test('[S1] each market has a ticket of its own, on the desktop and on the phone: the price and size of another are never in it', async () => {
  const { page, complaints } = await visit(browser, { url: program.url });
  await page.goto('/trade/spot/BTC_USDC');
  const bitcoin = await pricesOf(page);
  expect(bitcoin).toBeGreaterThan(1_000);
  await field(page, 'Size').fill('0.5');
  await turnTo(page, 'SOSO');
  expect(await pricesOf(page)).toBeLessThan(100);
  expect(await field(page, 'Size').inputValue()).toBe('');
  await field(page, 'Price').fill('0.4321');
  await turnTo(page, 'BTC');
  expect(await field(page, 'Size').inputValue()).toBe('0.5');
  expect(await pricesOf(page)).toBeGreaterThan(1_000);
  await turnTo(page, 'SOSO');
  expect(await priceIn(page)).toBe(0.4321);
  expect(complaints).toEqual([]);

  const { page: phone } = await visit(browser, { url: program.url, viewport: 'phone' });
  await phone.goto('/trade/spot/BTC_USDC');
  const buy = phone.getByRole('button', { name: 'Buy', exact: true });
  await buy.click();
  expect(await pricesOf(phone)).toBeGreaterThan(1_000);
  await field(phone, 'Size').fill('0.5');
  await phone.getByRole('dialog', { name: 'Order ticket' }).getByRole('button', { name: 'Close' }).click();
  await turnTo(phone, 'SOSO');
  await buy.click();
  expect(await pricesOf(phone)).toBeLessThan(100);
  expect(await field(phone, 'Size').inputValue()).toBe('');
  await phone
    .getByRole('dialog')
    .getByText(/^Bid \d/)
    .waitFor();
});

test('[S1] the book fills price and size, the ticket says the price band, and its receipt walks the book', async () => {
  const { page, person, complaints } = await trader();
  const bids = page.getByRole('listbox', { name: /^Bids, best first/ });
  await bids.getByRole('option').nth(2).click();
  expect(await priceIn(page)).toBeGreaterThan(1_000);
  expect(number(await field(page, 'Size').inputValue())).toBeGreaterThan(0);

  // By key along the ladder, and across the spread; the market moves meanwhile.
  const picked = async (...keys: readonly string[]): Promise<number> => {
    await bids.focus();
    for (const key of keys) await page.keyboard.press(key);
    return priceIn(page);
  };
  await expect.poll(async () => (await picked('Home', 'Enter')) > (await picked('End', 'Enter'))).toBe(true);
  await picked('Home', 'b');
  expect(await ticketOf(page).getByRole('radio', { name: 'Buy' }).isChecked()).toBe(true);
  await picked('Home', 'ArrowUp', 's');
  expect(await ticketOf(page).getByRole('radio', { name: 'Sell' }).isChecked()).toBe(true);
  const asks = page.getByRole('listbox', { name: /^Asks, best first/ });
  expect(await asks.evaluate((list) => list === document.activeElement)).toBe(true);

  await ticketOf(page).getByRole('radio', { name: 'Buy' }).click();
  const taken = async (name: string): Promise<number> => {
    await ticketOf(page).getByRole('button', { name }).click();
    return priceIn(page);
  };
  await expect.poll(async () => (await taken('Take the best bid')) > (await taken('Queue 5: take the price at that place'))).toBe(true);

  // Rows are whole: each lies inside of its list.
  for (const list of [asks, bids]) {
    const cut = await list.evaluate((box) => {
      const { top, bottom } = box.getBoundingClientRect();
      const rows = [...box.querySelectorAll('[role=option]')].map((row) => row.getBoundingClientRect());
      return rows.filter((row) => row.top < top - 1 || row.bottom > bottom + 1).length;
    });
    expect(cut).toBe(0);
  }

  await ticketOf(page).getByRole('radio', { name: 'Sell' }).click();
  await ticketOf(page).getByRole('button', { name: 'Take the best bid' }).click();
  const bid = await priceIn(page);
  await field(page, 'Price').fill((bid * 0.5).toFixed(0));
  await ticketOf(page)
    .getByText(/^At least [\d,.]+: 10% below the market$/)
    .waitFor();
  // Within the band and through the bids: what is received is what the bids pay, not the order's own price.
  await field(page, 'Price').fill((bid * 0.95).toFixed(0));
  await field(page, 'Size').fill('0.001');
  const value = await ticketOf(page).locator('dt', { hasText: 'Order value' }).locator('xpath=following-sibling::dd').innerText();
  expect(number(value.replace(' USDC', ''))).toBeGreaterThan(bid * 0.98 * 0.001);

  await ticketOf(page).getByRole('radio', { name: 'Buy' }).click();
  const price = await order(page, '0.015');
  await toast(page).getByText('Order placed').waitFor();
  await toast(page)
    .getByText(`Buy 0.015 BTC at ${price.toLocaleString('en-US')} USDC`)
    .waitFor();
  await page.getByRole('button', { name: 'Cancel all' }).click();
  const question = page.getByRole('dialog', { name: 'Cancel all orders' });
  await question.waitFor();
  expect(await question.getByRole('button').allInnerTexts()).toEqual(expect.arrayContaining(['Keep orders', 'Cancel all']));
  await question.getByRole('button', { name: 'Keep orders' }).click();
  expect(await openOf(person)).toBe(1);

  // What happens to an order is said on every page, whichever client caused it.
  await page.getByRole('link', { name: 'Portfolio' }).first().click();
  await page.getByRole('heading', { name: 'Portfolio' }).waitFor();
  await person.client.cancelAllOrders({});
  await toast(page).getByText('Order cancelled').waitFor();
  expect(complaints).toEqual([]);
});

const CREATE = '**/trade/order/create';
const clientOrderId = (route: Route): string => (route.request().postDataJSON() as { clientOrderId: string }).clientOrderId;

test('[S3] an order without an answer is frozen, found again, and placed once, though the page is loaded again in between', async () => {
  const { page, person } = await trader();
  const asked = page.getByRole('group', { name: 'Order without an answer' });

  // The exchange takes the order, and its answers are lost: it is found by its id.
  await page.route(CREATE, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await order(page, '0.011');
  await toast(page).getByText('Order placed').waitFor();
  await asked.waitFor({ state: 'hidden' });
  expect(await field(page, 'Size').inputValue()).toBe('');
  expect(await openOf(person)).toBe(1);
  await page.unroute(CREATE);

  // The exchange never hears of the order: nothing but the same one can be sent, under the same id.
  const ids: string[] = [];
  let isDown = true;
  await page.route(CREATE, async (route) => {
    ids.push(clientOrderId(route));
    await (isDown ? route.abort() : route.continue());
  });
  await order(page, '0.012');
  await asked.getByText(/^Buy 0\.012 BTC at/).waitFor();
  expect(await field(page, 'Size').isDisabled()).toBe(true);
  await page.reload();
  await asked.getByText(/^Buy 0\.012 BTC at/).waitFor();
  expect(await field(page, 'Size').isDisabled()).toBe(true);
  isDown = false;
  await Promise.all([toast(page).getByText('Order placed').waitFor(), asked.getByRole('button', { name: 'Send again' }).click()]);
  await asked.waitFor({ state: 'hidden' });
  expect(ids.length).toBeGreaterThan(1);
  expect(new Set(ids).size).toBe(1);
  expect(await openOf(person)).toBe(2);

  // A transfer too: the dialog that is opened again asks for the answer of the one before.
  const transfers: string[] = [];
  let isTransferDown = true;
  await page.route('**/asset/transfer', async (route) => {
    transfers.push((route.request().postDataJSON() as { transferId: string }).transferId);
    await (isTransferDown ? route.abort() : route.continue());
  });
  await page.goto('/assets/spot');
  await walletMenu(page).waitFor();
  await page.getByRole('button', { name: 'Transfer' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Transfer' });
  await dialog.getByRole('combobox', { name: 'From' }).selectOption({ label: 'Spot' });
  await dialog.getByRole('combobox', { name: 'Coin' }).selectOption({ label: 'USDC' });
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('12');
  await dialog.getByRole('button', { name: /^Transfer 12/ }).click();
  const unanswered = dialog.getByRole('group', { name: 'Transfer without an answer' });
  await unanswered.getByText('12 USDC from Spot to Funding').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.reload();
  await walletMenu(page).waitFor();
  await page.getByRole('button', { name: 'Transfer' }).first().click();
  isTransferDown = false;
  await Promise.all([
    toast(page).getByText('Transferred 12 USDC').waitFor(),
    unanswered.getByRole('button', { name: 'Send again' }).click(),
  ]);
  expect(new Set(transfers).size).toBe(1);
  // History follows a moment later.
  const made = async (): Promise<number> => {
    const { list } = await person.client.transfers({ page: 1, pageSize: 50 });
    return list.filter(({ amount }) => amount === '12').length;
  };
  await expect.poll(made).toBe(1);
});

test('[S2] a change of the price alone leaves the size to the exchange; a waiting stop is changed too', async () => {
  const { page, person, complaints } = await trader();
  const price = await order(page, '0.015');
  await page.getByRole('button', { name: 'Change price or size of the order to Buy 0.015 BTC' }).click();
  const changed = page.waitForRequest('**/trade/order/update');
  await openOrders(page)
    .getByRole('textbox', { name: 'Price' })
    .fill(String(price - 50));
  await page.keyboard.press('Enter');
  expect(Object.keys((await changed).postDataJSON() as object).toSorted()).toEqual(['orderId', 'price']);
  await toast(page).getByText('Order changed').waitFor();
  await expect
    .poll(async () => (await person.client.openOrders({ page: 1, size: 5 })).items.map((one) => one.price))
    .toEqual([String(price - 50)]);
  await person.client.cancelAllOrders({});

  await page.getByRole('tab', { name: 'Trigger', exact: true }).click();
  const trigger = Math.floor(price * 1.2);
  await field(page, 'Trigger price').fill(String(trigger));
  await field(page, 'Price').fill(String(trigger));
  await field(page, 'Size').fill('0.002');
  await ticketOf(page).getByRole('button', { name: 'Buy 0.002 BTC' }).click();
  await confirm(page);
  await page.getByRole('button', { name: 'Change price or size of the order to Buy 0.002 BTC' }).click();
  await openOrders(page)
    .getByRole('textbox', { name: 'Trigger price' })
    .fill(String(trigger + 100));
  await Promise.all([toast(page).getByText('Order changed').waitFor(), page.keyboard.press('Enter')]);
  await expect
    .poll(async () => (await person.client.openOrders({ page: 1, size: 5 })).items.map((one) => one.stopPrice))
    .toEqual([String(trigger + 100)]);
  await person.client.cancelAllOrders({});

  // A scale: one size over three orders, each shown before it is sent.
  await page.getByRole('button', { name: 'Scale order' }).click();
  const scale = page.getByRole('dialog', { name: 'Scale order' });
  await scale.getByRole('textbox', { name: 'Lower price' }).fill(String(price - 200));
  await scale.getByRole('textbox', { name: 'Upper price' }).fill(String(price));
  await scale.getByRole('textbox', { name: 'Total size' }).fill('0.006');
  await scale.getByRole('combobox', { name: 'Number of orders' }).selectOption('3');
  await scale.getByRole('radio', { name: 'Falling' }).click();
  expect(await scale.getByRole('listitem').count()).toBe(3);
  await Promise.all([toast(page).getByText('3 orders placed').waitFor(), scale.getByRole('button', { name: 'Place 3 orders' }).click()]);
  await expect
    .poll(async () => (await person.client.openOrders({ page: 1, size: 5 })).items.map((one) => [one.price, one.origQty]))
    .toEqual([
      [String(price), '0.001'],
      [String(price - 100), '0.002'],
      [String(price - 200), '0.003'],
    ]);
  expect(complaints).toEqual([]);
});
