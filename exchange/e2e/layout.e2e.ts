/** The trading page as a person arranges it, commands and shortcuts, notifications and sounds, in a real browser. */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { barriers, installAxe, overflow } from './accessibility.ts';
import { arriveAsTrader } from './arrive.ts';
import { browser, visit, withBrowser } from './browser.ts';
import { acceptTerms, buyAtMarket, chooseWallet, claimTokens, establishConnection, fundSpot, walletMenu } from './newcomer.ts';
import { program, withSharedProgram } from './with-shared-program.ts';

withSharedProgram();
withBrowser();

const book = (page: Page): Locator => page.getByRole('region', { name: 'Order book' }).first();
const ticket = (page: Page): Locator => page.getByRole('form', { name: 'Order ticket' });
const separator = (page: Page, name: string): Locator => page.getByRole('separator', { name });
const left = async (part: Locator): Promise<number> => (await part.boundingBox())?.x ?? Number.NaN;

async function layoutMenu(page: Page, choose: (menu: Locator) => Promise<void>): Promise<void> {
  await page.getByRole('button', { name: 'Layout', exact: true }).click();
  await choose(page.getByRole('menu'));
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'hidden' });
}

test('panels are resized by key, hidden, moved and arranged, and are found again so at this width', async () => {
  const { page, complaints } = await visit(browser, { url: program.url });
  await page.goto('/trade/spot/BTC_USDC');
  await book(page).waitFor();
  const line = separator(page, 'Order book: width');
  expect(await line.getAttribute('aria-valuenow')).toBe('264');
  await line.focus();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => line.getAttribute('aria-valuenow')).toBe('280');
  const handle = await line.boundingBox();
  if (handle === null) throw new Error('there is no line to drag');
  await page.mouse.move(handle.x + 4, handle.y + 100);
  await page.mouse.down();
  await page.mouse.move(handle.x - 16, handle.y + 100);
  await page.mouse.move(handle.x - 36, handle.y + 100);
  await page.mouse.up();
  await expect.poll(() => line.getAttribute('aria-valuenow')).toBe('320');
  expect(Math.round((await book(page).boundingBox())?.width ?? 0)).toBe(320);
  await layoutMenu(page, (menu) => menu.getByRole('menuitem', { name: 'Order book: to the other side of the chart' }).click());
  expect(await left(book(page))).toBeLessThan(await left(page.getByRole('application')));
  await layoutMenu(page, (menu) => menu.getByRole('menuitemcheckbox', { name: 'Orders and balances' }).click());
  await page.getByRole('tablist', { name: 'Orders and balances' }).waitFor({ state: 'detached' });
  await page.reload();
  await book(page).waitFor();
  expect(await line.getAttribute('aria-valuenow')).toBe('320');
  expect(await left(book(page))).toBeLessThan(await left(page.getByRole('application')));
  expect(await page.getByRole('tablist', { name: 'Orders and balances' }).count()).toBe(0);
  await layoutMenu(page, (menu) => menu.getByRole('menuitemradio', { name: 'Chart first' }).click());
  await book(page).waitFor({ state: 'detached' });
  await layoutMenu(page, (menu) => menu.getByRole('menuitemradio', { name: 'Ladder' }).click());
  await expect.poll(() => line.getAttribute('aria-valuenow')).toBe('400');
  expect(await left(ticket(page))).toBeLessThan(await left(book(page)));
  await layoutMenu(page, (menu) => menu.getByRole('menuitemradio', { name: 'Classic' }).click());
  await page.setViewportSize({ width: 1920, height: 1080 });
  await page.getByRole('tab', { name: 'Trades' }).waitFor();
  expect(await page.getByRole('list', { name: 'Latest trades, newest first' }).or(page.getByText('No trades yet')).count()).toBeGreaterThan(
    0,
  );
  expect(await overflow(page)).toBe(0);
  await page.setViewportSize({ width: 2560, height: 1440 });
  await page
    .getByRole('region', { name: 'Markets' })
    .getByRole('link', { name: /^ETH\/USDC/ })
    .click();
  await page.waitForURL('**/ETH_USDC');
  expect(await page.getByRole('tab', { name: 'Depth' }).count()).toBe(2);
  expect(await overflow(page)).toBe(0);
  expect(complaints).toEqual([]);
});

test('commands are found by typing, keys trade once they are switched on, and no key does two things', async () => {
  const { page, complaints } = await visit(browser, { url: program.url, prepare: installAxe });
  await page.goto('/trade/spot/BTC_USDC');
  await book(page).waitFor();
  const palette = page.getByRole('dialog', { name: 'Commands' });
  await page.keyboard.press('Control+k');
  await palette.waitFor();
  expect(await barriers(page)).toEqual([]);
  await page.keyboard.type('sol/us');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/SOL_USDC');
  await page.keyboard.press('/');
  await palette.waitFor();
  await page.keyboard.type('go to explorer');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/explorer');
  await page.goBack();
  await ticket(page).waitFor();

  const sell = ticket(page).getByRole('radio', { name: 'Sell' });
  await page.keyboard.press('s');
  expect(await sell.isChecked()).toBe(false);
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await sheet.getByRole('switch', { name: 'Keys for trading' }).click();
  const buyKey = sheet.getByRole('button', { name: /^Change the shortcut of “Buy: to the ticket”/ });
  await buyKey.click();
  await page.keyboard.press('s');
  await sheet.getByText('“Sell: to the ticket” has this shortcut already. Press another.').waitFor();
  await page.keyboard.press('g');
  await sheet.getByRole('button', { name: /^Change the shortcut of “Buy: to the ticket”: ?G$/ }).waitFor();
  expect(await barriers(page)).toEqual([]);
  await sheet.getByRole('button', { name: 'Close' }).click();
  await page.keyboard.press('s');
  await expect.poll(() => sell.isChecked()).toBe(true);
  // The size has the focus now: what is typed there is no shortcut.
  await page.keyboard.press('g');
  expect(await sell.isChecked()).toBe(true);
  await page.getByRole('button', { name: 'Layout', exact: true }).focus();
  await page.keyboard.press('g');
  await expect.poll(() => sell.isChecked()).toBe(false);
  await page.reload();
  await ticket(page).waitFor();
  await page.keyboard.press('m');
  await page.getByRole('tab', { name: 'Market', exact: true, selected: true }).waitFor();
  expect(complaints).toEqual([]);
});

/** Runs in the page, before its own scripts: counts the notes that are played. */
function countNotes(): void {
  const counted = window as unknown as { notes: number };
  counted.notes = 0;
  AudioContext.prototype.createOscillator = function count() {
    counted.notes += 1;
    return new OscillatorNode(this);
  };
}

const notes = (page: Page): Promise<number> => page.evaluate(() => (window as unknown as { notes: number }).notes);

test('what happens to an account is listed until it was seen, heard if it is wanted, and timed', async () => {
  const { page, complaints } = await visit(browser, {
    url: program.url,
    prepare: async (context) => void (await context.addInitScript(countNotes)),
  });
  await page.goto('/');
  await page.getByRole('contentinfo').getByRole('button', { name: /^Live/ }).click();
  await page.getByText('No order sent yet').waitFor();
  await page.keyboard.press('Escape');
  await chooseWallet(page, /^Burner wallet/);
  await acceptTerms(page);
  await claimTokens(page);
  await fundSpot(page);
  await establishConnection(page);
  await buyAtMarket(page, '0.01');
  expect(await notes(page)).toBe(0);

  const bell = page.getByRole('banner').getByRole('button', { name: /^Notifications/ });
  await expect.poll(() => bell.getAttribute('aria-label')).toMatch(/^Notifications, \d+ new$/);
  await bell.click();
  const list = page.getByRole('dialog', { name: 'Notifications' });
  await list.getByText('Bought 0.01 BTC').waitFor();
  await list.getByRole('radio', { name: 'Money' }).click();
  await list.getByText('Test tokens arrived in your funding account').waitFor();
  expect(await list.getByText('Bought 0.01 BTC').count()).toBe(0);
  await page.keyboard.press('Escape');
  await expect.poll(() => bell.getAttribute('aria-label')).toBe('Notifications');
  await page.reload();
  await bell.click();
  await list.getByText('Bought 0.01 BTC').waitFor();
  await page.keyboard.press('Escape');

  await page.getByRole('banner').getByRole('button', { name: 'Settings' }).click();
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('switch', { name: 'An order is accepted' }).click();
  // Heard once when it is chosen.
  await expect.poll(() => notes(page)).toBe(1);
  await settings.getByRole('combobox', { name: 'Theme' }).selectOption({ label: 'As this computer' });
  const theme = (): Promise<string | null> => page.locator('html').getAttribute('data-theme');
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(theme).toBe('light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(theme).toBe('dark');
  await settings.getByRole('button', { name: 'Close' }).click();
  await buyAtMarket(page, '0.01');
  await expect.poll(() => notes(page)).toBe(2);
  await page.getByRole('contentinfo').getByRole('button', { name: /^Live/ }).click();
  await page.getByText(/^p50 \d+ ms · p95 \d+ ms · last 1$/).waitFor();
  expect(complaints).toEqual([]);
});

/** Runs in the page before its scripts: each place in which the buttons of the header have stood, in whole pixels from the left. */
function watchHeader(): void {
  const seen = new Set<string>();
  Object.assign(window, { places: seen });
  const look = (): void => {
    for (const button of document.querySelectorAll('header button[title]')) {
      const { x, width } = button.getBoundingClientRect();
      if (width > 0) seen.add(`${button.getAttribute('title')} at ${Math.round(x)}`);
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

test.each([1440, 1024, 390])('at %i pixels the buttons of the header stand still while a page finds out who is there', async (width) => {
  const visitor = await visit(browser, { url: program.url });
  const trader = await arriveAsTrader(browser, { url: program.url });
  for (const { page } of [visitor, trader]) {
    await page.setViewportSize({ width, height: 900 });
    await page.addInitScript(watchHeader);
    await page.goto('/trade/spot/BTC_USDC');
    await (page === trader.page ? walletMenu(page) : page.getByRole('banner').getByRole('button', { name: 'Connect wallet' })).waitFor();
    await page.getByRole('main').waitFor();
    const places = await page.evaluate(() => [...(Reflect.get(window, 'places') as Set<string>)]);
    const nameOf = (place: string): string | undefined => place.split(' at ')[0];
    expect(places.map(nameOf)).toContain('Settings');
    expect(places.filter((place) => places.some((other) => other !== place && nameOf(other) === nameOf(place)))).toEqual([]);
  }
});
