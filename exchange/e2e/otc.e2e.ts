/**
 * OTC trading on the whole program: two people at two browsers, and an arbiter at a third. An order that is released, one that expires, one that is
 * cancelled, and two disputes with pictures that end each way; what the exchange holds meanwhile stands at `/status`. A minute of a payment window lasts
 * a second here.
 */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { barriers, installAxe } from './accessibility.ts';
import { type Arrival, arriveAsTrader } from './arrive.ts';
import { browser, type VisitOptions, withBrowser } from './browser.ts';
import { type Desk, openArea, openDesk, register, says, signedInAs, table } from './console-desk.ts';
import { toast } from './newcomer.ts';
import { BEHIND_A_PROXY } from './program.ts';
import { program, withProgram } from './with-program.ts';

const FIRST_CODE = 'first-code-of-the-test';
const MINUTE_MS = 1_000;
/** The smallest PNG: one pixel. */
const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const picture = (name: string) => ({ name, mimeType: 'image/png', buffer: PIXEL });

withProgram({
  env: { ...BEHIND_A_PROXY, ORRERY_CONSOLE_CODE: FIRST_CODE, ORRERY_MARKET_MAKER: 'off', ORRERY_OTC_MINUTE_MS: String(MINUTE_MS) },
});
withBrowser();

type Viewport = Pick<VisitOptions, 'viewport'>;

/** With 400 USDC in the funding wallet. */
async function arrive(options: Viewport = {}): Promise<Arrival> {
  const arrival = await arriveAsTrader(browser, { url: program.url, ...options, prepare: installAxe });
  await arrival.person.client.transfer({ coin: 'USDC', amount: '400', from: 'spot', to: 'funding' });
  return arrival;
}

const dialogOf = (page: Page, name: string | RegExp): Locator => page.getByRole('dialog', { name });

async function addMethod(page: Page): Promise<void> {
  await page.goto('/otc/payment-methods');
  await page.getByRole('button', { name: 'Add a payment method' }).click();
  const dialog = dialogOf(page, 'Add a payment method');
  await dialog.getByRole('textbox', { name: 'Bank' }).fill('Bank of Tests');
  await dialog.getByRole('textbox', { name: 'Name of the holder' }).fill('Sally Seller');
  await dialog.getByRole('textbox', { name: 'Account number' }).fill('DE02 1203 0000 0000 2020 51');
  expect(await barriers(page)).toEqual([]);
  await Promise.all([
    toast(page).getByText('Payment method added').first().waitFor(),
    dialog.getByRole('button', { name: 'Add', exact: true }).click(),
  ]);
  await page.getByRole('table', { name: 'Your payment methods' }).getByText('Bank of Tests').waitFor();
}

interface Offer {
  readonly amount: string;
  readonly minutes: '15' | '30';
}

/** Sells USDC for 7.12 CNY each. */
async function advertise(page: Page, { amount, minutes }: Offer): Promise<void> {
  await page.goto('/otc/advertisements');
  await page.getByRole('button', { name: 'Post an advertisement' }).click();
  const dialog = dialogOf(page, 'Post an advertisement');
  await dialog.getByRole('textbox', { name: 'Price for 1 USDC' }).fill('7.12');
  await dialog.getByRole('textbox', { name: 'Amount to sell' }).fill(amount);
  await dialog.getByRole('textbox', { name: 'Smallest order' }).fill('10');
  await dialog.getByRole('textbox', { name: 'Largest order' }).fill('700');
  await dialog.getByRole('checkbox', { name: /Bank of Tests/ }).check();
  await dialog.getByRole('combobox', { name: 'Time to pay' }).selectOption({ label: `${minutes} minutes` });
  expect(await barriers(page)).toEqual([]);
  await Promise.all([
    toast(page).getByText('Advertisement published').first().waitFor(),
    dialog.getByRole('button', { name: 'Publish' }).click(),
  ]);
  await page.getByRole('table', { name: 'My advertisements' }).getByText('Published').first().waitFor();
}

/** By one press of the best offer. @returns the id of the order. */
async function buy(page: Page, total: string): Promise<string> {
  await page.goto('/otc');
  await page.getByRole('textbox', { name: 'I want to spend' }).fill(total);
  await page.getByRole('button', { name: /^Buy [\d.]+ USDC$/ }).click();
  await page.waitForURL('**/otc/order/*');
  await page.getByRole('status', { name: 'What happens next' }).getByText('Pay the seller').waitFor();
  return new URL(page.url()).pathname.split('/').at(-1) ?? '';
}

const next = (page: Page, words: string | RegExp): Promise<void> =>
  page.getByRole('status', { name: 'What happens next' }).getByText(words).waitFor();

async function pay(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'I have paid' }).click();
  await dialogOf(page, 'Confirm that you have paid').getByRole('button', { name: 'I have paid' }).click();
  await next(page, 'The seller checks the payment');
}

async function release(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Release USDC' }).click();
  const dialog = dialogOf(page, /^Release [\d.]+ USDC$/);
  await dialog.getByRole('button', { name: 'Release', exact: true }).click();
  await dialog.getByText('Check your account first.').waitFor();
  await dialog.getByRole('checkbox', { name: /^I have seen/ }).check();
  expect(await barriers(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Release', exact: true }).click();
}

/** A dispute can be opened half an hour after the payment: then its button is one. */
async function dispute(page: Page, words: string): Promise<void> {
  await page.getByText(/^Possible in /).waitFor();
  await page.getByText(/^Possible in /).waitFor({ state: 'detached', timeout: 60 * MINUTE_MS });
  await page.getByRole('button', { name: 'Open a dispute' }).click();
  await say(page, { dialog: 'Open a dispute', words, button: 'Open the dispute' });
  await next(page, 'An arbiter of the exchange looks');
}

interface Said {
  readonly dialog: string;
  readonly words: string;
  readonly button: string;
}

async function say(page: Page, { dialog: name, words, button }: Said): Promise<void> {
  const dialog = dialogOf(page, name);
  await dialog.getByRole('textbox', { name: 'What happened' }).fill(words);
  await dialog.getByLabel('Receipt or picture').setInputFiles(picture(`${words}.png`));
  expect(await barriers(page)).toEqual([]);
  await dialog.getByRole('button', { name: button, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

async function write(page: Page, words: string): Promise<void> {
  const message = page.getByRole('textbox', { name: 'Message' });
  await message.fill(words);
  await message.press('Enter');
  await page.getByRole('log', { name: 'Chat' }).getByText(words).waitFor();
}

async function sendPicture(page: Page): Promise<void> {
  await page.locator('input[type=file]').setInputFiles(picture('chat.png'));
  await seesPicture(page);
}

const isDrawn = (image: Locator) => image.evaluate((element: HTMLImageElement) => element.complete && element.naturalWidth > 0);

/** In small, in the chat; and in full when it is pressed. */
async function seesPicture(page: Page): Promise<void> {
  const preview = page.getByRole('log', { name: 'Chat' }).getByRole('button', { name: 'Picture or receipt' });
  await expect.poll(() => isDrawn(preview.locator('img'))).toBe(true);
  await preview.click();
  await expect.poll(() => isDrawn(dialogOf(page, 'Receipt').locator('img'))).toBe(true);
  await page.keyboard.press('Escape');
  await dialogOf(page, 'Receipt').waitFor({ state: 'detached' });
}

const heard = (page: Page, words: string): Promise<void> => page.getByRole('log', { name: 'Chat' }).getByText(words).first().waitFor();

/** Of USDC, as `/status` says to everybody: advertised, in orders, deposits, in all. */
async function escrow(page: Page): Promise<readonly string[]> {
  const row = page.getByRole('table', { name: 'OTC escrow' }).getByRole('row').filter({ hasText: 'USDC' });
  await row.waitFor();
  return (await row.getByRole('cell').allInnerTexts()).slice(1).map((cell) => cell.trim());
}

test('[A11] bought with one press, paid, and released by a signature of the wallet; both see each step at once, and the sums at /status', async () => {
  const [seller, buyer] = [await arrive(), await arrive()];
  await addMethod(seller.page);
  await advertise(seller.page, { amount: '200', minutes: '30' });
  const orderId = await buy(buyer.page, '71.2');
  await buyer.page.getByText('DE02 1203 0000 0000 2020 51').waitFor();
  expect(await barriers(buyer.page)).toEqual([]);

  await seller.page.goto('/otc/orders');
  await seller.page.getByRole('link', { name: `Open order ${orderId}` }).click();
  await next(seller.page, 'The buyer pays you outside the exchange');
  await seller.page.getByText('Possible once the buyer says it is paid.').first().waitFor();
  const visitor = await browser.newPage();
  await visitor.goto(`${program.url}/status`);
  await expect.poll(() => escrow(visitor)).toEqual(['190', '10', '0', '200']);

  await write(buyer.page, 'I pay now');
  await heard(seller.page, 'I pay now');
  await write(seller.page, 'reach me at t.me/sally');
  await buyer.page.getByText(/^This names a contact or a link outside/).waitFor();
  await sendPicture(buyer.page);
  await seesPicture(seller.page);
  await pay(buyer.page);
  await next(seller.page, 'Check that the money has arrived');
  await heard(seller.page, 'The buyer says it is paid.');
  await release(seller.page);
  await next(seller.page, 'The coin went to the buyer.');
  await next(buyer.page, 'The coin is in your funding wallet.');
  await buyer.page.getByRole('button', { name: 'Good' }).click();
  await buyer.page.getByRole('button', { name: 'Good', pressed: true }).waitFor();
  expect(await buyer.page.getByText('DE02 1203 0000 0000 2020 51').count()).toBe(0);
  expect(await barriers(seller.page)).toEqual([]);

  await visitor.reload();
  await expect.poll(() => escrow(visitor)).toEqual(['190', '0', '0', '190']);
  await visitor.close();
  await seller.page.getByRole('link', { name: 'My advertisements' }).click();
  await seller.page.getByRole('button', { name: 'Take down' }).click();
  await dialogOf(seller.page, 'Take the advertisement down').getByRole('button', { name: 'Take down' }).click();
  await seller.page.getByText('Taken down', { exact: true }).waitFor();
  expect([...seller.complaints, ...buyer.complaints]).toEqual([]);
});

test('[A11] on a phone an order that is not paid expires, and one that is cancelled goes back', async () => {
  const [seller, buyer] = [await arrive({ viewport: 'phone' }), await arrive({ viewport: 'phone' })];
  await addMethod(seller.page);
  await advertise(seller.page, { amount: '100', minutes: '15' });
  const expired = await buy(buyer.page, '100');
  await seller.page.goto(`/otc/order/${expired}`);
  await next(buyer.page, 'It was not paid in time');
  await next(seller.page, 'It was not paid in time, so the coin came back to you.');
  await heard(buyer.page, 'The order was not paid in time.');

  await buy(buyer.page, '100');
  await buyer.page.getByRole('button', { name: 'Cancel the order' }).click();
  await dialogOf(buyer.page, 'Cancel the order').getByRole('button', { name: 'Cancel the order' }).click();
  await next(buyer.page, 'You cancelled the order.');
  expect(await barriers(buyer.page)).toEqual([]);

  await seller.page.goto('/otc/advertisements');
  await seller.page.getByText('100.00 USDC').waitFor();
  await seller.page.getByRole('button', { name: 'Take down' }).click();
  await dialogOf(seller.page, 'Take the advertisement down').getByRole('button', { name: 'Take down' }).click();
  await seller.page.getByText('Taken down', { exact: true }).waitFor();
  expect([...seller.complaints, ...buyer.complaints]).toEqual([]);
});

/** Decides a dispute that is open at the desk. */
async function decide(desk: Desk, outcome: 'Release to the buyer' | 'Return to the seller', reason: string): Promise<void> {
  await desk.page.getByRole('button', { name: outcome }).click();
  const dialog = desk.page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Reason' }).fill(reason);
  expect(await barriers(desk.page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Decide' }).click();
  await says(desk, 'Decided');
}

async function openDispute(desk: Desk, orderId: string): Promise<void> {
  await openArea(desk, 'Overview');
  await openArea(desk, 'OTC');
  await table(desk, 'Disputes')
    .getByRole('button', { name: `Open dispute ${orderId}` })
    .click();
  await desk.page.getByRole('heading', { name: `Dispute of order ${orderId}` }).waitFor();
}

test('[A11] disputes with pictures of both sides: one goes to the buyer, another is appealed and goes back to the seller', async () => {
  const [seller, buyer] = [await arrive(), await arrive()];
  const desk = await openDesk(browser, { url: program.url.replace('127.0.0.1', 'localhost') });
  await register(desk, { code: FIRST_CODE, name: 'arbiter' });
  await signedInAs(desk, 'arbiter · Admin');
  await openArea(desk, 'OTC');
  await desk.page.getByText('No dispute waits.').waitFor();
  await desk.page.getByRole('button', { name: 'Declare your accounts' }).click();
  await desk.page.getByRole('dialog').getByRole('button', { name: 'No account is mine' }).click();
  await says(desk, 'Declared');

  await addMethod(seller.page);
  await advertise(seller.page, { amount: '300', minutes: '30' });
  const first = await buy(buyer.page, '71.2');
  await pay(buyer.page);
  await dispute(buyer.page, 'I paid and hear nothing');
  await seller.page.goto(`/otc/order/${first}`);
  await seller.page.getByRole('button', { name: 'Add evidence' }).click();
  await say(seller.page, { dialog: 'Add evidence', words: 'Nothing arrived', button: 'Send' });
  await openDispute(desk, first);
  const sides = ['Buyer', 'Seller'].map((name) => desk.page.getByRole('region', { name }));
  await sides[0]?.getByText('I paid and hear nothing').waitFor();
  await sides[1]?.getByText('Nothing arrived').waitFor();
  for (const side of sides) await expect.poll(() => isDrawn(side.getByRole('img', { name: 'Receipt 1' }))).toBe(true);
  await sides[0]?.getByRole('button', { name: 'Receipt 1: larger' }).click();
  await sides[0]?.getByRole('button', { name: 'Receipt 1: smaller' }).click();
  expect(await barriers(desk.page)).toEqual([]);
  await desk.page.getByRole('textbox', { name: 'Write to both sides' }).fill('Both of you: the statement of the bank, please');
  await desk.page.getByRole('button', { name: 'Send' }).click();
  for (const { page } of [seller, buyer]) await heard(page, 'Both of you: the statement of the bank, please');
  await decide(desk, 'Release to the buyer', 'the receipt of the buyer is right');
  await next(buyer.page, 'The arbiter gives the coin to the buyer.');
  await next(seller.page, 'The arbiter gives the coin to the buyer.');
  await seller.page.getByText('the receipt of the buyer is right').first().waitFor();

  const second = await buy(buyer.page, '142.4');
  await pay(buyer.page);
  await dispute(buyer.page, 'Paid again, nothing comes');
  await openDispute(desk, second);
  await decide(desk, 'Release to the buyer', 'the receipt looks right');
  await seller.page.goto(`/otc/order/${second}`);
  await seller.page.getByRole('button', { name: 'Appeal the decision' }).click();
  await say(seller.page, { dialog: 'Appeal the decision', words: 'My bank says that it is false', button: 'Appeal' });
  await next(seller.page, 'The decision was appealed.');
  await openDispute(desk, second);
  await decide(desk, 'Return to the seller', 'the bank says so');
  await next(seller.page, 'The coin came back to you.');
  await next(buyer.page, 'The coin went back to the seller.');

  await buyer.page.goto(`/otc/order/${first}`);
  await next(buyer.page, 'The coin is in your funding wallet.');
  expect([...seller.complaints, ...buyer.complaints]).toEqual([]);
});
