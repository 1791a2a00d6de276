/**
 * The parts that pages are built of, in a real browser: every part in every state is looked at by axe, at three widths, in
 * both themes and all colours of direction; and what a number field takes for a number, in the gallery and in the ticket.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { barriers, COLOURS, installAxe } from './accessibility.ts';
import { browser, visit, VIEWPORTS, withBrowser } from './browser.ts';
import { program, withSharedProgram } from './with-shared-program.ts';

withSharedProgram();
withBrowser();

const heading = (page: Page): Locator => page.getByRole('heading', { name: 'Gallery', exact: true });
const choose = (page: Page, group: string, name: string): Promise<void> =>
  page.getByRole('radiogroup', { name: group }).getByRole('radio', { name, exact: true }).click();

/** Runs in the page. */
const transitions = (): number => document.getAnimations().filter((animation) => animation instanceof CSSTransition).length;

/** Pictures of what was looked at, for those who ask for them. */
async function photograph(page: Page, name: string): Promise<void> {
  const folder = process.env['ORRERY_PICTURES'];
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  // The page scrolls inside the frame: all of it is in view on a tall screen only.
  const { width } = page.viewportSize() ?? VIEWPORTS.desktop;
  await page.setViewportSize({ width, height: 4_600 });
  await page.screenshot({ path: join(folder, `gallery-${name}.png`) });
}

test('every part in every state is free of barriers, at three widths, in both themes and all colours of direction', async () => {
  const { page, complaints } = await visit(browser, { url: program.url, prepare: installAxe });
  await page.goto('/gallery');
  await heading(page).waitFor();
  const found: string[] = [];
  const look = async (name: string, rules?: readonly string[]): Promise<void> => {
    // A colour on its way to another has no contrast of its own.
    await expect.poll(() => page.evaluate(transitions)).toBe(0);
    found.push(...(await barriers(page, rules)).map((barrier) => `${name}: ${barrier}`));
    await photograph(page, name.replaceAll(' ', '-'));
  };
  for (const theme of ['Light', 'Dark']) {
    await choose(page, 'Theme', theme);
    for (const [name, viewport] of Object.entries(VIEWPORTS)) {
      await page.setViewportSize(viewport);
      await look(`${theme} ${name}`);
    }
    await page.setViewportSize(VIEWPORTS.desktop);
    await choose(page, 'Up and down', 'Red up, green down');
    await look(`${theme} red up`, COLOURS);
    await choose(page, 'Colours', 'Blue and orange (colour-blind safe)');
    await look(`${theme} blue and orange, reversed`, COLOURS);
    await choose(page, 'Up and down', 'Green up, red down');
    await look(`${theme} blue and orange`, COLOURS);
    await choose(page, 'Colours', 'Green and red');
  }
  expect(found).toEqual([]);
  expect(complaints).toEqual([]);
});

test('what opens over the page is free of barriers and answers to the keyboard', async () => {
  const { page, complaints } = await visit(browser, { url: program.url, prepare: installAxe });
  await page.goto('/gallery');
  await heading(page).waitFor();

  await page.getByRole('main').getByRole('button', { name: 'Command palette' }).click();
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  await palette.getByRole('combobox').fill('sec');
  await palette.getByRole('option', { name: 'Second' }).waitFor();
  expect(await barriers(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await palette.waitFor({ state: 'hidden' });
  await page.getByRole('status').getByText('Second', { exact: true }).waitFor();

  const menu = page.getByRole('main').getByRole('button', { name: 'Menu' });
  await menu.click();
  const saved = page.getByRole('menuitemcheckbox', { name: 'Saved' });
  expect(await saved.isChecked()).toBe(true);
  await saved.click();
  expect(await saved.isChecked()).toBe(false);
  expect(await barriers(page)).toEqual([]);
  await page.keyboard.press('Escape');
  // A closed menu gives the focus back to its button a moment later.
  await menu.and(page.locator(':focus')).waitFor();

  // One tab stop, and the arrows choose; a choice that is disabled is passed over.
  const group = page.getByRole('radiogroup', { name: 'Disabled' });
  const chosen = (): Promise<string> => group.locator('[aria-checked=true]').innerText();
  await group.getByRole('radio', { name: 'First' }).focus();
  expect(await group.locator('[tabindex="0"]').count()).toBe(1);
  await page.keyboard.press('ArrowRight');
  expect(await chosen()).toBe('Third');
  await page.keyboard.press('ArrowRight');
  expect(await chosen()).toBe('First');
  await page.keyboard.press('End');
  expect(await chosen()).toBe('Third');

  const combobox = page.getByRole('combobox', { name: 'Label' }).and(page.locator('input')).first();
  await combobox.fill('sec');
  await page.keyboard.press('Enter');
  expect(await combobox.inputValue()).toBe('Second');
  await combobox.fill('nothing');
  await page.getByText('Nothing matches').waitFor();
  await page.keyboard.press('Escape');
  expect(await combobox.inputValue()).toBe('Second');
  expect(complaints).toEqual([]);
});

test('a table is sorted by its headings, its columns are hidden, both are remembered, and it is saved as a file', async () => {
  const { page, complaints } = await visit(browser, { url: program.url });
  await page.goto('/gallery');
  const table = page.getByRole('table', { name: 'Tables: Columns' });
  const names = async (): Promise<readonly string[]> => table.locator('tbody tr td:first-child').allInnerTexts();
  const price = table.getByRole('columnheader', { name: 'Price' });
  await price.getByRole('button').click();
  await expect.poll(names).toEqual(['SOL', 'ETH', 'BTC']);
  expect(await price.getAttribute('aria-sort')).toBe('ascending');
  await price.getByRole('button').click();
  await expect.poll(names).toEqual(['BTC', 'ETH', 'SOL']);
  await price.getByRole('button').click();
  await table.getByRole('columnheader', { name: 'Size' }).getByRole('button').click();
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Price' }).click();
  await page.keyboard.press('Escape');
  await price.waitFor({ state: 'hidden' });

  await page.reload();
  await table.waitFor();
  expect(await price.count()).toBe(0);
  expect(await names()).toEqual(['BTC', 'SOL', 'ETH']);
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()]);
  expect(file.suggestedFilename()).toBe('gallery.csv');
  const text = await file.createReadStream().then((stream) => stream.setEncoding('utf8').toArray());
  expect(text.join('')).toBe('\ufeffName,Price,Size\r\nBTC,60540.5,0.25\r\nSOL,150.25,1.5\r\nETH,2500,10\r\n');
  expect(complaints).toEqual([]);
});

test('a form says at each field what is wrong, what the exchange refuses too, and sends what fits', async () => {
  const { page, complaints } = await visit(browser, { url: program.url });
  await page.goto('/gallery');
  const form = page.getByRole('form', { name: 'Form' });
  const [name, size] = [form.getByRole('textbox', { name: 'Name' }), form.getByRole('textbox', { name: 'Size' })];
  const send = (): Promise<void> => form.getByRole('button', { name: 'Action' }).click();
  const noted = (field: Locator, words: string): Promise<void> =>
    expect
      .poll(() => field.evaluate((input) => document.getElementById(input.getAttribute('aria-describedby') ?? '')?.innerText))
      .toBe(words);
  await send();
  await noted(name, 'Fill this in.');
  await noted(size, 'A whole number.');
  await expect.poll(() => name.evaluate((input) => input === document.activeElement)).toBe(true);
  await name.fill('refused');
  await size.fill('1,500');
  await send();
  await noted(name, 'An error says what is wrong, and how to mend it.');
  await name.fill('alice');
  await send();
  await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
  await expect.poll(() => name.inputValue()).toBe('');
  expect(await size.inputValue()).toBe('');
  expect(complaints).toEqual([]);
});

/** As a person pastes what was copied elsewhere. */
async function paste(page: Page, field: Locator, text: string): Promise<void> {
  await field.fill('');
  await field.focus();
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await page.keyboard.press('ControlOrMeta+v');
}

test('[C4] a number field reads by the chosen format, and what could be another number counts when the person took it', async () => {
  const { page, context, complaints } = await visit(browser, { url: program.url });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/gallery');
  const size = page.getByRole('textbox', { name: 'Size' }).nth(1);
  const counted = (): Promise<string> => page.getByLabel('Saved', { exact: true }).innerText();
  await size.fill('60,540');
  await expect.poll(counted).toMatch(/^60540 ·/);
  await size.pressSequentially('x');
  expect(await size.inputValue()).toBe('60,540');

  await size.fill('1,5');
  await page.getByText('Not written as 1,234.56. Read as').waitFor();
  await expect.poll(counted).toMatch(/^ ?·/);
  await page.getByRole('button', { name: '1.5', exact: true }).click();
  await expect.poll(counted).toMatch(/^1.5 ·/);
  expect(await size.inputValue()).toBe('1.5');

  await paste(page, size, '1.500');
  await expect.poll(counted).toMatch(/^ ?·/);
  await page.getByRole('button', { name: '1,500', exact: true }).click();
  await expect.poll(counted).toMatch(/^1500 ·/);
  await paste(page, size, 'about 5');
  await page.getByText('Not a number. Write it as 1,234.56, without a sign.').waitFor();
  await expect.poll(counted).toMatch(/^ ?·/);
  await paste(page, size, '1.234,56');
  await page.keyboard.press('Enter');
  await expect.poll(counted).toMatch(/^1234.56 ·/);
  expect(complaints).toEqual([]);
});

test('[C4] the ticket takes 60,540 for sixty thousand, and 1,500 for one and a half where a comma is the decimal mark', async () => {
  const { page, complaints } = await visit(browser, { url: program.url });
  await page.goto('/trade/spot/BTC_USDC');
  const ticket = page.getByRole('form', { name: 'Order ticket' });
  const [price, size] = [ticket.getByRole('textbox', { name: 'Price' }), ticket.getByRole('textbox', { name: 'Size' })];
  await expect.poll(() => price.inputValue()).not.toBe('');
  await price.fill('60,540');
  await size.fill('0.5');
  await ticket.getByText('30,270', { exact: false }).first().waitFor();

  await page.getByRole('banner').getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('combobox', { name: 'Number format' }).selectOption('1.234,56');
  await page.getByRole('dialog', { name: 'Settings' }).getByRole('button', { name: 'Close' }).click();
  expect(await price.inputValue()).toBe('60540');
  expect(await size.inputValue()).toBe('0,5');
  await size.fill('1,500');
  await ticket.getByText('90.810', { exact: false }).first().waitFor();
  await size.fill('1.5');
  await ticket.getByRole('button', { name: '1,5', exact: true }).click();
  expect(await size.inputValue()).toBe('1,5');
  expect(complaints).toEqual([]);
});

test('in production the gallery is an unknown address', async () => {
  const { page } = await visit(browser, { url: program.url });
  await page.route('**/pro/p/config', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { data: object };
    await route.fulfill({ response: answer, json: { ...body, data: { ...body.data, environment: 'prod' } } });
  });
  await page.goto('/gallery');
  await page.getByRole('heading', { name: 'There is no page here' }).waitFor();
});
