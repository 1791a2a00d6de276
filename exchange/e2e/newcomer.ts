/** What a newcomer does on the pages, step by step, by what can be seen and read there. */
import type { Locator, Page } from 'playwright-core';
import { isAddress, type Hex } from 'viem';
import { expect } from 'vitest';

const dialog = (page: Page, name: string | RegExp): Locator => page.getByRole('dialog', { name });
const header = (page: Page): Locator => page.getByRole('banner');

export const checklist = (page: Page): Locator => page.getByRole('region', { name: 'Getting started' });
export const termsDialog = (page: Page): Locator => dialog(page, 'Terms of use');
export const toast = (page: Page): Locator => page.getByRole('status');
export const connectButton = (page: Page): Locator => header(page).getByRole('button', { name: 'Connect wallet' });
export const walletMenu = (page: Page): Locator => header(page).getByRole('button', { name: 'Wallet menu' });

/** Opens the list of wallets and takes one. */
export async function chooseWallet(page: Page, name: RegExp): Promise<void> {
  await connectButton(page).click();
  await dialog(page, 'Connect wallet').getByRole('button', { name }).click();
}

export async function acceptTerms(page: Page): Promise<void> {
  const terms = termsDialog(page);
  const accept = terms.getByRole('button', { name: 'Accept' });
  const [use, cookies] = [
    terms.getByRole('checkbox', { name: /Terms of Use and the Privacy Policy/ }),
    terms.getByRole('checkbox', { name: /Cookie Policy/ }),
  ];
  expect(await accept.isDisabled()).toBe(true);
  await use.click();
  expect(await accept.isDisabled()).toBe(true);
  await cookies.click();
  await accept.click();
  await terms.waitFor({ state: 'hidden' });
}

export async function claimTokens(page: Page): Promise<void> {
  await checklist(page).getByRole('button', { name: 'Claim test tokens' }).click();
  const claim = dialog(page, 'You have joined the whitelist successfully');
  await claim.getByRole('button', { name: 'Claim', exact: true }).click();
  await claim.waitFor({ state: 'hidden' });
  await toast(page).getByText('Test tokens arrived in your funding account').waitFor();
}

export async function fundSpot(page: Page): Promise<void> {
  await checklist(page).getByRole('button', { name: 'Fund Wallet' }).click();
  const fund = dialog(page, 'Fund Wallet');
  await fund.getByRole('button', { name: /^Deposit \(Faucet\)/ }).waitFor();
  await fund.getByRole('button', { name: /^Transfer Move coins/ }).click();
  await transfer(page, { coin: 'USDC', amount: '9000' });
}

export interface TransferOrder {
  readonly coin: string;
  readonly amount: string;
}

/** Fills the dialog of a transfer and sends it. */
export async function transfer(page: Page, { coin, amount }: TransferOrder): Promise<void> {
  const form = dialog(page, 'Transfer');
  await form.getByRole('combobox', { name: 'Coin' }).selectOption({ label: coin });
  await form.getByRole('textbox', { name: 'Amount' }).fill(amount);
  await form.getByRole('button', { name: /^Transfer / }).click();
  await form.waitFor({ state: 'hidden' });
}

export async function establishConnection(page: Page): Promise<void> {
  await checklist(page).getByRole('button', { name: 'Establish Connection' }).click();
  const connection = dialog(page, 'Establish Connection');
  await connection.getByText('A gas-free signature opens a decentralized channel for gas-free, instant trading.').waitFor();
  await connection.getByRole('button', { name: 'Establish Connection' }).click();
  await connection.waitFor({ state: 'hidden' });
  await toast(page).getByText('Connection established').waitFor();
}

const ticket = (page: Page): Locator => page.getByRole('form', { name: 'Order ticket' });

async function confirmOrder(page: Page, lines: readonly RegExp[]): Promise<void> {
  const confirm = dialog(page, 'Confirm Order');
  for (const line of lines) await confirm.getByText(line).first().waitFor();
  await confirm.getByText('You pay no gas. The order will be confirmed within a few seconds.').waitFor();
  await confirm.getByRole('button', { name: 'Confirm' }).click();
  await confirm.waitFor({ state: 'hidden' });
}

export async function buyAtMarket(page: Page, size: string): Promise<void> {
  await page.getByRole('tab', { name: 'Market', exact: true }).click();
  await ticket(page).getByRole('textbox', { name: 'Size' }).fill(size);
  await ticket(page)
    .getByRole('button', { name: `Buy ${size} BTC` })
    .click();
  await confirmOrder(page, [/^Buy$/, new RegExp(`^${size} BTC$`), /^Market$/]);
  await toast(page).getByText(`Bought ${size} BTC`).waitFor();
  await page.getByRole('tab', { name: 'Fills' }).click();
  await page.getByRole('table', { name: 'Fills' }).getByRole('cell', { name: 'Taker' }).first().waitFor();
}

/** A bid far below the market rests, is found among the open orders and is taken back. */
export async function placeAndCancelLimit(page: Page, { price, size }: { readonly price: string; readonly size: string }): Promise<void> {
  await page.getByRole('tab', { name: 'Limit', exact: true }).click();
  await ticket(page).getByRole('textbox', { name: 'Price' }).fill(price);
  await ticket(page).getByRole('textbox', { name: 'Size' }).fill(size);
  await ticket(page)
    .getByRole('button', { name: `Buy ${size} BTC` })
    .click();
  await confirmOrder(page, [/USDC \/ BTC$/]);
  await page.getByRole('tab', { name: 'Open orders 1' }).click();
  await Promise.all([
    toast(page).getByText('Order cancelled').waitFor(),
    page
      .getByRole('table', { name: 'Open orders' })
      .getByRole('button', { name: `Cancel the order to Buy ${size} BTC` })
      .click(),
  ]);
  await page.getByRole('tab', { name: 'Open orders', exact: true }).waitFor();
  await page.getByRole('tab', { name: 'Order history' }).click();
  await page.getByRole('table', { name: 'Order history' }).getByText('Cancelled').first().waitFor();
}

/** To the wallet's own address, which the page fills in; resolves with it when the page says that the withdrawal arrived. */
export async function withdraw(page: Page, { coin, amount }: TransferOrder): Promise<Hex> {
  await page.getByRole('combobox', { name: 'Coin' }).selectOption({ label: coin });
  await page.getByRole('textbox', { name: 'Amount' }).fill(amount);
  await page.getByRole('button', { name: 'My wallet' }).click();
  const to = await page.getByRole('textbox', { name: 'To address' }).inputValue();
  if (!isAddress(to)) throw new Error(`the page filled in ${to} as the wallet's address`);
  await page.getByRole('button', { name: 'Review withdrawal' }).click();
  const review = dialog(page, 'Confirm withdrawal');
  await review.getByRole('textbox', { name: /last six characters/ }).fill(to.slice(-6));
  await review.getByRole('button', { name: 'Sign and withdraw' }).click();
  await review.waitFor({ state: 'hidden' });
  await page.getByRole('table', { name: 'Withdrawals' }).getByText('Arrived').first().waitFor();
  return to;
}
