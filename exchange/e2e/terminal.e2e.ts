/** What the terminal promises beside trading: trouble on purpose, test texts, what is sent once, keys, other tabs, hidden amounts, and pages that do not jump. */
import type { Locator, Page } from 'playwright-core';
import { generatePrivateKey } from 'viem/accounts';
import { expect, test } from 'vitest';
import { overflow } from './accessibility.ts';
import { browser, visit, withBrowser, type Visit } from './browser.ts';
import { nextAddress } from './caller-address.ts';
import { InjectedWallet, WALLET_NAME } from './injected-wallet.ts';
import { acceptTerms, buyAtMarket, chooseWallet, toast, walletMenu } from './newcomer.ts';
import { prepareToTrade, signIn, type Person } from './person.ts';
import { program, withSharedProgram } from './with-shared-program.ts';

const NAMED = new RegExp(`^${WALLET_NAME}`);
const HIDDEN = '••••••';

withSharedProgram();
withBrowser();

interface Trader extends Visit {
  readonly person: Person;
  readonly wallet: InjectedWallet;
}

/** Somebody ready to trade, who has signed in on this page too. */
async function traderAt(path: string): Promise<Trader> {
  const { url } = program;
  const privateKey = generatePrivateKey();
  const person = await signIn(url, { privateKey, from: nextAddress() });
  await prepareToTrade(url, person);
  const wallet = new InjectedWallet(url, privateKey);
  const visited = await visit(browser, { url, prepare: (context) => wallet.install(context) });
  await visited.page.goto(path);
  await chooseWallet(visited.page, NAMED);
  await walletMenu(visited.page).waitFor();
  return { ...visited, person, wallet };
}

const footer = (page: Page): Locator => page.getByRole('contentinfo');

/** A figure of the connection, such as how often a book was read again. */
async function connectionFigure(page: Page, name: string): Promise<number> {
  await footer(page)
    .getByRole('button', { name: /^(Live|Connecting|Not reachable|.*: waiting)/ })
    .click();
  const popover = page.getByRole('dialog', { name: 'Connection' });
  const figure = await popover.getByRole('definition').nth(['orders', 'call', 'feed', 'Gaps', 'Reconnections'].indexOf(name)).innerText();
  await page.keyboard.press('Escape');
  await popover.waitFor({ state: 'hidden' });
  return Number(figure);
}

/** Without loading the page again: the trouble is of this page. */
async function goTo(page: Page, name: 'Spot' | 'State'): Promise<void> {
  if (name === 'Spot') {
    await page.getByRole('banner').getByRole('link', { name: 'Spot' }).click();
    await page.waitForURL('**/trade/spot/*');
    return;
  }
  await footer(page)
    .getByRole('button', { name: /^(Live|Connecting|.*: waiting)/ })
    .click();
  await page.getByRole('dialog', { name: 'Connection' }).getByRole('link', { name: 'State of the exchange' }).click();
  await page.waitForURL('**/status');
}

test('testers drop the stream, lose a change of the book and delay every message, and the page recovers', async () => {
  const { page, complaints } = await visit(browser, { url: program.url });
  await page.goto('/trade/spot/BTC_USDC');
  await footer(page).getByRole('button', { name: /^Live/ }).waitFor();
  expect([await connectionFigure(page, 'Gaps'), await connectionFigure(page, 'Reconnections')]).toEqual([0, 0]);
  await goTo(page, 'State');
  const trouble = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Trouble on purpose' }) });
  await trouble.getByRole('button', { name: 'Drop the stream' }).click();
  await expect.poll(() => connectionFigure(page, 'Reconnections')).toBeGreaterThan(0);
  // The change is lost when there is a book to change.
  await trouble.getByRole('button', { name: 'Lose one change of the book' }).click();
  await goTo(page, 'Spot');
  await expect.poll(() => connectionFigure(page, 'Gaps'), { timeout: 30_000 }).toBeGreaterThan(0);
  await footer(page).getByRole('button', { name: /^Live/ }).waitFor();
  await goTo(page, 'State');
  await trouble.getByRole('switch', { name: 'Every message 2 s late' }).click();
  await goTo(page, 'Spot');
  // Late is not lost: the book comes, and is whole.
  await page
    .getByRole('region', { name: 'Order book' })
    .first()
    .getByText(/^Spread \d/)
    .waitFor();
  await footer(page).getByRole('button', { name: /^Live/ }).waitFor();
  expect(complaints.filter((complaint) => !complaint.includes('WebSocket'))).toEqual([]);
});

test('test texts mark every word and mirror the page, and nothing is wider than the screen', async () => {
  const { page, complaints } = await visit(browser, { url: program.url });
  for (const path of ['/trade/spot/BTC_USDC', '/portfolio', '/points', '/explorer', '/status']) {
    await page.goto(`${path}?texts=mirrored`);
    await page.getByRole('banner').getByRole('link').nth(2).waitFor();
    await page.getByRole('main').getByText('⟦').first().waitFor();
    expect(await page.evaluate(() => document.documentElement.dir)).toBe('rtl');
    expect(await page.getByRole('banner').getByRole('link').nth(1).innerText()).toMatch(/^⟦.*⟧$/);
    expect([path, await overflow(page)]).toEqual([path, 0]);
  }
  // The page is laid out from the right: the way home stands at the right edge.
  const home = await page.getByRole('banner').getByRole('link').first().boundingBox();
  expect(home?.x ?? 0).toBeGreaterThan(720);
  await page.goto('/status?texts=pseudo');
  await page.getByRole('main').getByText('⟦').first().waitFor();
  expect(await page.evaluate(() => document.documentElement.dir)).toBe('');
  // The words of the page are all in the catalogue: what has letters and no marks is a name, an address or a number.
  const plain = await page
    .getByRole('main')
    .getByRole('heading')
    .allInnerTexts()
    .then((texts) => texts.filter((text) => text !== '' && !text.startsWith('⟦')));
  expect(plain).toEqual([]);
  expect(complaints).toEqual([]);
});

test('D5: a withdrawal whose answer is lost is asked for again under the same id, also after the page was loaded again, and leaves once', async () => {
  const { page, person } = await traderAt('/assets/withdraw');
  await person.client.transfer({ coin: 'USDC', amount: '40', from: 'spot', to: 'funding' });
  await page.reload();
  const ids: string[] = [];
  let isDown = true;
  await page.route('**/pro/u/asset/withdraw', async (route) => {
    ids.push((route.request().postDataJSON() as { withdrawalId: string }).withdrawalId);
    await (isDown ? route.abort() : route.continue());
  });
  const review = page.getByRole('dialog', { name: 'Confirm withdrawal' });
  const unanswered = review.getByRole('group', { name: 'Withdrawal without an answer' });
  const fill = async (): Promise<void> => {
    await page.getByRole('combobox', { name: 'Coin' }).selectOption({ label: 'USDC' });
    await page.getByRole('textbox', { name: 'Amount' }).fill('15');
    await page.getByRole('button', { name: 'My wallet' }).click();
  };
  await fill();
  const to = page.getByRole('textbox', { name: 'To address' });
  expect((await to.inputValue()).toLowerCase()).toBe(person.address.toLowerCase());
  // All of the address is in sight, at the width of a phone too.
  for (const width of [1440, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await to.evaluate((field) => [field.scrollWidth - field.clientWidth, field.scrollHeight - field.clientHeight])).toEqual([0, 0]);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: 'Review withdrawal' }).click();
  await review.getByRole('textbox', { name: /last six characters/ }).fill(person.address.slice(-6));
  await review.getByRole('button', { name: 'Sign and withdraw' }).click();
  await unanswered.getByText('Withdraw 15 USDC to this address').waitFor();
  await review.getByRole('button', { name: 'Close' }).click();
  await page.reload();
  await walletMenu(page).waitFor();
  await fill();
  await page.getByRole('button', { name: 'Review withdrawal' }).click();
  await unanswered.getByText('Withdraw 15 USDC to this address').waitFor();
  isDown = false;
  await Promise.all([
    toast(page).getByText('Withdrawal submitted').waitFor(),
    unanswered.getByRole('button', { name: 'Send again' }).click(),
  ]);
  expect(ids.length).toBeGreaterThan(1);
  expect(new Set(ids).size).toBe(1);
  await expect.poll(async () => (await person.client.withdrawals({})).list.length).toBe(1);
});

test('[A5] the form of an API key says at each field what is wrong, shows the secret once, and the key is switched off and deleted', async () => {
  const { page, complaints } = await visit(browser, { url: program.url });
  await page.goto('/account/api');
  await chooseWallet(page, /^Burner wallet/);
  await acceptTerms(page);
  const form = page.getByRole('dialog', { name: 'Create API key' });
  await page.getByRole('button', { name: 'Create key' }).click();
  const [label, addresses] = [form.getByRole('textbox', { name: 'Label' }), form.getByRole('textbox', { name: 'Allowed addresses' })];
  const send = form.getByRole('button', { name: 'Sign and create' });
  await send.click();
  await form.getByText('Fill this in.').waitFor();
  await expect.poll(() => label.evaluate((input) => input === document.activeElement)).toBe(true);
  await label.fill('desk');
  await form.getByRole('radio', { name: /^Trade/ }).click();
  await addresses.fill('203.0.113.7 not-an-address');
  await send.click();
  // What the exchange refuses stands at its field.
  await expect.poll(() => addresses.getAttribute('aria-invalid')).toBe('true');
  await expect.poll(() => addresses.evaluate((input) => input === document.activeElement)).toBe(true);
  expect(await label.inputValue()).toBe('desk');
  await addresses.fill('203.0.113.7');
  await send.click();
  const made = page.getByRole('dialog', { name: 'Key created' });
  await made.getByText('This is the only time the secret is shown. Copy it now.').waitFor();
  const [accessKey = '', secret = ''] = await made.locator('code').allInnerTexts();
  expect(secret.length).toBeGreaterThan(20);
  await made.getByRole('button', { name: 'Done' }).click();
  const keys = page.getByRole('table', { name: 'API keys' });
  await keys.getByRole('row', { name: /desk/ }).waitFor();
  expect(await page.content()).not.toContain(secret);
  expect(accessKey).not.toBe('');
  await Promise.all([toast(page).getByText('Saved').waitFor(), keys.getByRole('switch', { name: 'Enable desk' }).click()]);
  await keys.getByRole('button', { name: 'Delete desk' }).click();
  await Promise.all([
    toast(page).getByText('Deleted').waitFor(),
    page.getByRole('dialog', { name: 'Delete API key' }).getByRole('button', { name: 'Delete' }).click(),
  ]);
  await page.getByText('No keys yet. Create one to trade from a program.').waitFor();
  expect(complaints.filter((complaint) => !complaint.includes('/apikey'))).toEqual([]);
});

test('how the trading page is arranged holds in the other tabs at once; which table is looked at stands in the address of each', async () => {
  const { page, context } = await visit(browser, { url: program.url });
  const other = await context.newPage();
  for (const tab of [page, other]) {
    await tab.goto('/trade/spot/BTC_USDC');
    await tab.getByRole('radiogroup', { name: 'Interval' }).waitFor();
  }
  await page.getByRole('tab', { name: 'Fills' }).click();
  await page.waitForURL(/[?&]table=fills\b/);
  await page.getByRole('radiogroup', { name: 'Interval' }).getByRole('radio', { name: '4h' }).click();
  await expect
    .poll(() => other.getByRole('radiogroup', { name: 'Interval' }).getByRole('radio', { name: '4h' }).getAttribute('aria-checked'))
    .toBe('true');
  expect(await other.getByRole('tab', { name: 'Fills' }).getAttribute('aria-selected')).toBe('false');
  await page.getByRole('button', { name: 'Layout', exact: true }).click();
  await page.getByRole('menu').getByRole('menuitemcheckbox', { name: 'Orders and balances' }).click();
  await other.getByRole('tablist', { name: 'Orders and balances' }).waitFor({ state: 'detached' });
});

test('hidden amounts are hidden in the ticket, its tables and on the chart too', async () => {
  const { page, person } = await traderAt('/trade/spot/BTC_USDC');
  await person.client.createOrder({ symbol: 'BTC_USDC', direction: 'BUY', tradeType: 'MARKET', funds: '500' });
  const ticket = page.getByRole('form', { name: 'Order ticket' });
  await ticket
    .getByText(/^\d[\d,]*\.\d\d USDC$/)
    .first()
    .waitFor();
  await page.evaluate(() => localStorage.setItem('orrery.hideAmounts', JSON.stringify({ v: 1, value: true })));
  await page.reload();
  await walletMenu(page).waitFor();
  await ticket.getByText(`${HIDDEN} USDC`).first().waitFor();
  for (const [tab, table] of [
    ['Balances', 'Balances'],
    ['Order history', 'Order history'],
    ['Fills', 'Fills'],
  ] as const) {
    await page.getByRole('tab', { name: tab, exact: true }).click();
    await page.getByRole('table', { name: table, exact: true }).getByText(HIDDEN).first().waitFor();
  }
  // Prices are everybody's; what was bought is not.
  expect(await page.getByRole('table', { name: 'Fills', exact: true }).innerText()).not.toMatch(/500\.00|0\.00\d{3}/);
});

test('[S3] the timeline of an order says when it was sent, accepted, matched, closed and durable, with the numbers of the commands', async () => {
  const { page } = await traderAt('/trade/spot/BTC_USDC');
  await buyAtMarket(page, '0.012');
  await page.getByRole('tab', { name: 'Order history' }).click();
  await page.getByRole('button', { name: 'Timeline of the order to Buy 0.012 BTC' }).click();
  const timeline = page.getByRole('dialog', { name: 'Order timeline' }).getByRole('list', { name: 'Order timeline' });
  await timeline.getByText('Closed').waitFor();
  const steps = await timeline.getByRole('listitem').allInnerTexts();
  const names = steps.map((step) => /^\w+/.exec(step)?.[0]);
  expect([names[0], names[1], names.at(-2), names.at(-1)]).toEqual(['Sent', 'Accepted', 'Closed', 'Durable']);
  expect(names.slice(2, -2).every((name) => name === 'Matched')).toBe(true);
  expect(steps[2]).toMatch(/^Matched\s+command [\d,]+\s+0\.\d+ BTC at [\d,.]+ USDC\s+\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/);
  // A market order is accepted, matched and closed by one command, which its answer waited for.
  const commands = steps.slice(1).map((step) => /command ([\d,]+)/.exec(step)?.[1]);
  expect(new Set(commands).size).toBe(1);
});

/** The left edges and widths of the columns. */
const columnsOf = (page: Page, selector: string): Promise<readonly (readonly [number, number])[]> =>
  page.evaluate(
    (found) =>
      [...document.querySelectorAll(found)].map((element) => {
        const { left, width } = element.getBoundingClientRect();
        return [Math.round(left), Math.round(width)] as const;
      }),
    selector,
  );

test('while the markets are loaded the page has the columns that it will have, however they are arranged', async () => {
  const { page } = await visit(browser, { url: program.url });
  await page.goto('/trade/spot/BTC_USDC');
  await page.getByRole('button', { name: 'Layout', exact: true }).click();
  await page.getByRole('menuitemradio', { name: 'Ladder' }).click();
  const book = page.getByRole('region', { name: 'Order book' }).first();
  const { x, width } = (await book.boundingBox()) ?? { x: Number.NaN, width: Number.NaN };
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/pro/p/symbol/list*', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/trade/spot/BTC_USDC');
  await page.locator('[data-column="book"]').waitFor();
  expect(await columnsOf(page, '[data-column="book"]')).toEqual([[Math.round(x), Math.round(width)]]);
  answer();
  await book.waitFor();
});
