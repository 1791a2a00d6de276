/** What a person does on the page of a contract, by what can be seen and read there. */
import type { Browser, Locator, Page } from 'playwright-core';
import { arriveAsTrader, type Arrival } from './arrive.ts';
import type { VisitOptions } from './browser.ts';
import { toast, transfer } from './newcomer.ts';

export const ticketOf = (page: Page): Locator => page.getByRole('form', { name: 'Order ticket' });
export const positionsOf = (page: Page): Locator => page.getByRole('table', { name: 'Positions' });
export const numberIn = (shown: string): number => Number(shown.replaceAll(',', ''));

/** Money in the wallet of futures, by what the page of a contract offers who has none there. */
export async function fundFutures(page: Page): Promise<void> {
  // In words, and not as a sign, where nothing can be traded with yet.
  await ticketOf(page).getByText('Transfer to Futures', { exact: true }).click();
  await transfer(page, { coin: 'USDC', amount: '5000' });
  await ticketOf(page).getByText('5,000.00 USDC').waitFor();
}

/** A person with money in the wallet of futures, on the page of a contract. */
export async function visitAsTrader(browser: Browser, options: VisitOptions): Promise<Arrival> {
  const arrival = await arriveAsTrader(browser, { ...options, futures: '5000' });
  await arrival.page.goto('/trade/futures/BTC_USDC');
  await ticketOf(arrival.page).getByText('5,000.00 USDC').waitFor();
  return arrival;
}

export async function markOf(page: Page): Promise<number> {
  const shown = await page.getByRole('main').innerText();
  return numberIn(/Mark\s+([\d,.]+)/.exec(shown)?.[1] ?? '');
}

export interface MarketOrder {
  readonly side: 'Buy' | 'Sell';
  readonly size: string;
  readonly takeProfit?: string;
  readonly stopLoss?: string;
}

export async function trade(page: Page, { side, size, takeProfit, stopLoss }: MarketOrder): Promise<void> {
  await page.getByRole('tab', { name: 'Market', exact: true }).click();
  const ticket = ticketOf(page);
  await ticket.getByRole('radio', { name: side, exact: true }).click();
  const protection = ticket.getByRole('checkbox', { name: 'TP/SL' });
  if ((takeProfit !== undefined || stopLoss !== undefined) && !(await protection.isChecked())) await protection.click();
  if (takeProfit !== undefined) await ticket.getByRole('textbox', { name: 'Take profit' }).fill(takeProfit);
  if (stopLoss !== undefined) await ticket.getByRole('textbox', { name: 'Stop loss' }).fill(stopLoss);
  await ticket.getByRole('textbox', { name: 'Size', exact: true }).fill(size);
  await ticket.getByRole('button', { name: `${side} BTC` }).click();
  await Promise.all([
    toast(page)
      .getByText(new RegExp(`^${side === 'Buy' ? 'Bought' : 'Sold'} `))
      .waitFor(),
    page.getByRole('dialog', { name: 'Confirm Order' }).getByRole('button', { name: 'Confirm' }).click(),
  ]);
}
