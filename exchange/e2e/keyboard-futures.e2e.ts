/** The page of a contract by keys alone, in a real browser on the whole program: an order, the position it opens, what protects it, and its close. */
import { generatePrivateKey } from 'viem/accounts';
import { expect, test } from 'vitest';
import { browser, visit, withBrowser } from './browser.ts';
import { nextAddress } from './caller-address.ts';
import { markOf, positionsOf, ticketOf } from './futures-trader.ts';
import { InjectedWallet, WALLET_NAME } from './injected-wallet.ts';
import { Keys } from './keys.ts';
import { chooseWallet, toast } from './newcomer.ts';
import { prepareToTrade, signIn } from './person.ts';
import { program, withSharedProgram } from './with-shared-program.ts';

withSharedProgram();
withBrowser();

test('[F1, R5] a contract by keys alone: leverage, an order, TP/SL, its cancel, the close; after each step the focus is on the page', async () => {
  const privateKey = generatePrivateKey();
  const trader = await signIn(program.url, { privateKey, from: nextAddress() });
  await prepareToTrade(program.url, trader);
  await trader.client.transfer({ coin: 'USDC', amount: '5000', from: 'spot', to: 'futures' });
  const wallet = new InjectedWallet(program.url, privateKey);
  const { page, complaints } = await visit(browser, { url: program.url, prepare: (context) => wallet.install(context) });
  await page.goto('/trade/futures/BTC_USDC');
  await chooseWallet(page, new RegExp(`^${WALLET_NAME}`));
  const ticket = ticketOf(page);
  await ticket.getByText('5,000.00 USDC').waitFor();
  const mark = await markOf(page);
  const keys = new Keys(page);
  const panel = page.getByRole('region', { name: 'Order ticket' });
  const tables = page.getByRole('region', { name: 'Orders and balances' });
  const tabOf = (name: string) => page.getByRole('tab', { name, exact: true });
  const dialog = (name: string) => page.getByRole('dialog', { name });

  await keys.reach(panel, 'F6');
  const leverage = page.getByRole('group', { name: 'Margin settings' }).getByRole('button', { name: /^\d+×$/ });
  await keys.reach(leverage);
  await keys.press('Enter');
  await keys.leave(dialog('Leverage'));
  await keys.land(leverage);
  await keys.press('Enter');
  await keys.reach(dialog('Leverage').getByRole('textbox', { name: 'Leverage' }));
  await keys.type('5');
  await keys.reach(dialog('Leverage').getByRole('button', { name: 'Set 5×' }));
  await keys.press('Enter');
  await dialog('Leverage').waitFor({ state: 'hidden' });
  await keys.land(panel);

  const limit = tabOf('Limit');
  await keys.reach(limit, 'Shift+Tab');
  await keys.press('ArrowRight');
  await keys.reach(ticket.getByRole('textbox', { name: 'Size', exact: true }));
  await keys.type('0.02');
  await keys.press('Enter');
  const confirm = dialog('Confirm Order');
  await keys.reach(confirm.getByRole('button', { name: 'Confirm' }));
  await keys.press('Enter');
  await confirm.waitFor({ state: 'hidden' });
  await keys.land(panel);
  await positionsOf(page).getByText('Long 0.02000').waitFor();

  await keys.reach(tables, 'F6');
  const protect = positionsOf(page).getByRole('button', { name: 'TP/SL of BTC/USDC' });
  await keys.reach(protect);
  await keys.press('Enter');
  const protection = dialog('Take profit and stop loss');
  await keys.leave(protection);
  await keys.land(protect);
  await keys.press('Enter');
  await keys.reach(protection.getByRole('textbox', { name: 'Take profit' }));
  await keys.type((mark * 1.05).toFixed(1));
  await keys.reach(protection.getByRole('button', { name: 'Place TP/SL' }));
  await keys.press('Enter');
  await protection.waitFor({ state: 'hidden' });
  await keys.land(tables);
  await tabOf('TP/SL 1').waitFor();
  await keys.reach(tabOf('Positions 1'), 'Shift+Tab');
  for (const next of ['Open orders', 'Trigger orders', 'TP/SL 1']) {
    await keys.press('ArrowRight');
    await keys.land(tabOf(next));
  }
  await keys.reach(page.getByRole('table', { name: 'TP/SL' }).getByRole('button', { name: /^Cancel/ }));
  await Promise.all([toast(page).getByText('Order cancelled').waitFor(), keys.press('Enter')]);
  await toast(page).getByText('Take profit · BTC/USDC').waitFor();
  await tabOf('TP/SL').waitFor();
  await keys.land(tables);

  await keys.reach(tabOf('TP/SL'), 'Shift+Tab');
  for (const next of ['Trigger orders', 'Open orders', 'Positions 1']) {
    await keys.press('ArrowLeft');
    await keys.land(tabOf(next));
  }
  await keys.reach(positionsOf(page).getByRole('button', { name: 'Close BTC/USDC' }));
  await keys.press('Enter');
  const closing = dialog('Close position');
  await keys.reach(closing.getByRole('button', { name: 'Close 0.02 BTC' }));
  await keys.press('Enter');
  await closing.waitFor({ state: 'hidden' });
  await page.getByText('No open positions.').waitFor();
  await keys.land(tables);
  expect(complaints).toEqual([]);
});
