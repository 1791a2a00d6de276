/**
 * OTC trading with operators at two browsers of their own: a buyer who cancels before and after the payment, a merchant who is approved, disputes with a merchant that two operators
 * decide and one of which is appealed, and a payment from the deposit. The sums at `/status` stand beside each. A minute of the desk lasts half a second here.
 */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { barriers, installAxe } from './accessibility.ts';
import { type Arrival, arriveAsTrader } from './arrive.ts';
import { browser, type VisitOptions, withBrowser } from './browser.ts';
import { type Desk, openArea, openDesk, register, says, signedInAs, table } from './console-desk.ts';
import { PIXEL } from './pixel.ts';
import { BEHIND_A_PROXY } from './program.ts';
import { until } from './until.ts';
import { program, withProgram } from './with-program.ts';

const FIRST_CODE = 'first-code-of-the-test';
/** New orders of who cancels this many within a day wait. */
const CANCELS = 5;

withProgram({
  env: {
    ...BEHIND_A_PROXY,
    ORRERY_CONSOLE_CODE: FIRST_CODE,
    ORRERY_TIMELOCK_SECONDS: '1',
    ORRERY_MARKET_MAKER: 'off',
    ORRERY_OTC_MINUTE_MS: '500',
  },
});
withBrowser();

/** With 3,000 USDC in the funding wallet. */
async function arrive(options: Pick<VisitOptions, 'viewport'> = {}): Promise<Arrival> {
  const arrival = await arriveAsTrader(browser, { url: program.url, ...options, prepare: installAxe });
  await arrival.person.client.transfer({ coin: 'USDC', amount: '3000', from: 'spot', to: 'funding' });
  return arrival;
}

const dialogOf = (page: Page, name: string | RegExp): Locator => page.getByRole('dialog', { name });
const next = (page: Page, words: string | RegExp): Promise<void> =>
  page.getByRole('status', { name: 'What happens next' }).getByText(words).waitFor();

/** Sells USDC for 7.1 CNY each. @returns the number of the advertisement. */
async function advertise({ person: { client } }: Arrival, amount: string): Promise<string> {
  const { paymentMethodId } = await client.addOtcPaymentMethod({ kind: 'ALIPAY', name: 'Sally Seller', number: '13800000000' });
  const { advertisingId } = await client.createOtcAdvertisement({
    side: 'SELL',
    coin: 'USDC',
    currency: 'cny',
    priceType: 'FIXED',
    price: '7.1',
    amount,
    minTotal: '10',
    maxTotal: '20000',
    paymentMethodIds: [paymentMethodId],
    payWindowMinutes: 30,
  });
  return advertisingId;
}

interface Wish {
  readonly advertisingId: string;
  readonly amount: string;
  readonly clientOrderId: string;
}

const order = async ({ person: { client } }: Arrival, wish: Wish): Promise<string> => (await client.createOtcOrder(wish)).orderId;

/** Of USDC, as `/status` says to everybody: advertised, in orders, deposits, in all. */
async function escrow(visitor: Page): Promise<readonly string[]> {
  await visitor.goto(`${program.url}/status`);
  const row = visitor.getByRole('table', { name: 'OTC escrow' }).getByRole('row').filter({ hasText: 'USDC' });
  await row.waitFor();
  return (await row.getByRole('cell').allInnerTexts()).slice(1).map((cell) => cell.trim().replaceAll(',', ''));
}

async function cancel({ page }: Arrival): Promise<void> {
  await page.getByRole('button', { name: 'Cancel the order' }).click();
  const dialog = dialogOf(page, 'Cancel the order');
  expect(await barriers(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel the order' }).click();
}

test('[A11] a buyer on a phone cancels before and after the payment: both see it, the coin is back each time, and the fifth cancel ends new orders for a day', async () => {
  const [seller, buyer, visitor] = [await arrive(), await arrive({ viewport: 'phone' }), await browser.newPage()];
  const advertisingId = await advertise(seller, '200');
  expect(await escrow(visitor)).toEqual(['200', '0', '0', '200']);

  const first = await order(buyer, { advertisingId, amount: '20', clientOrderId: 'first' });
  for (const { page } of [seller, buyer]) await page.goto(`/otc/order/${first}`);
  expect(await escrow(visitor)).toEqual(['180', '20', '0', '200']);
  await cancel(buyer);
  await next(buyer.page, 'You cancelled the order.');
  await next(seller.page, 'The buyer cancelled the order. The coin came back to you.');
  expect(await escrow(visitor)).toEqual(['200', '0', '0', '200']);

  const second = await order(buyer, { advertisingId, amount: '30', clientOrderId: 'second' });
  for (const { page } of [seller, buyer]) await page.goto(`/otc/order/${second}`);
  await buyer.page.getByRole('button', { name: 'I have paid' }).click();
  await dialogOf(buyer.page, 'Confirm that you have paid').getByRole('button', { name: 'I have paid' }).click();
  await next(seller.page, 'Check that the money has arrived');
  await cancel(buyer);
  await next(buyer.page, 'You cancelled the order.');
  await next(seller.page, 'The buyer cancelled the order. The coin came back to you.');
  await seller.page.getByRole('log', { name: 'Chat' }).getByText('The order was cancelled.').waitFor();
  expect(await escrow(visitor)).toEqual(['200', '0', '0', '200']);

  for (let count = 2; count < CANCELS; count += 1) {
    const orderId = await order(buyer, { advertisingId, amount: '10', clientOrderId: `more-${count}` });
    await buyer.person.client.cancelOtcOrder({ orderId });
  }
  await buyer.page.goto('/otc');
  await buyer.page.getByRole('textbox', { name: 'I want to spend' }).fill('71');
  await buyer.page.getByRole('button', { name: /^Buy [\d.]+ USDC$/ }).click();
  await buyer.page.getByText('You cancelled many orders today, or let them expire.').first().waitFor();
  expect(await escrow(visitor)).toEqual(['200', '0', '0', '200']);
  await seller.page.goto('/otc/advertisements');
  await seller.page.getByText('200.00 USDC').waitFor();
  await seller.person.client.setOtcAdvertisementStatus({ advertisingId, status: 'TAKEN_DOWN' });
  expect(await escrow(visitor)).toEqual(['0', '0', '0', '0']);
  await visitor.close();
  expect(seller.complaints).toEqual([]);
});

const named = (): string => program.url.replace('127.0.0.1', 'localhost');

/** Each has said that no account is theirs. */
async function openDesks(): Promise<readonly [Desk, Desk]> {
  const olga = await openDesk(browser, { url: named() });
  await register(olga, { code: FIRST_CODE, name: 'olga' });
  await signedInAs(olga, 'olga · Admin');
  await openArea(olga, 'Operators');
  await olga.page.getByRole('textbox', { name: 'Name' }).fill('oscar');
  await olga.page.getByRole('combobox', { name: 'Role', exact: true }).selectOption({ label: 'Operator' });
  await olga.page.getByRole('button', { name: 'Make a one-time code' }).click();
  const code = await olga.page.getByText('Good for oscar').locator('code').innerText();
  await openArea(olga, 'Proposals');
  await table(olga, 'Proposals').getByText('Done (alone)').waitFor();
  const oscar = await openDesk(browser, { url: named() });
  await register(oscar, { code, name: 'oscar' });
  await signedInAs(oscar, 'oscar · Operator');
  for (const desk of [olga, oscar]) {
    await openArea(desk, 'OTC');
    await desk.page.getByRole('button', { name: 'Declare your accounts' }).click();
    await desk.page.getByRole('dialog').getByRole('button', { name: 'No account is mine' }).click();
    await says(desk, 'Declared');
  }
  return [olga, oscar];
}

async function openDispute(desk: Desk, orderId: string): Promise<void> {
  await openArea(desk, 'Overview');
  await openArea(desk, 'OTC');
  await table(desk, 'Disputes')
    .getByRole('button', { name: `Open dispute ${orderId}` })
    .click();
  await desk.page.getByRole('heading', { name: `Dispute of order ${orderId}` }).waitFor();
}

interface Decision {
  readonly outcome: 'Release to the buyer' | 'Return to the seller';
  readonly reason: string;
  readonly button: 'Decide' | 'Propose';
}

async function decide(desk: Desk, { outcome, reason, button }: Decision): Promise<void> {
  await desk.page.getByRole('button', { name: outcome }).click();
  const dialog = desk.page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Reason' }).fill(reason);
  await dialog.getByRole('button', { name: button }).click();
  await says(desk, button === 'Decide' ? 'Decided' : 'Proposed: another operator approves it');
}

/** The one who proposed it can only take it back; the other one approves it. */
async function approve(proposer: Desk, other: Desk): Promise<void> {
  for (const desk of [proposer, other]) {
    await openArea(desk, 'Overview');
    await openArea(desk, 'Proposals');
    await table(desk, 'Proposals').getByText('Waiting').waitFor();
  }
  await table(proposer, 'Proposals').getByRole('button', { name: 'Take back' }).waitFor();
  expect(await table(proposer, 'Proposals').getByRole('button', { name: 'Approve' }).count()).toBe(0);
  await table(other, 'Proposals').getByRole('button', { name: 'Approve' }).click();
  await other.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await says(other, 'Approved');
  await table(other, 'Proposals').getByText('Waiting').waitFor({ state: 'detached' });
}

interface Said {
  readonly dialog: string;
  readonly words: string;
  readonly button: string;
}

/** With a picture. */
async function say(page: Page, { dialog: name, words, button }: Said): Promise<void> {
  const dialog = dialogOf(page, name);
  await dialog.getByRole('textbox', { name: 'What happened' }).fill(words);
  await dialog.getByLabel('Receipt or picture').setInputFiles({ name: 'receipt.png', mimeType: 'image/png', buffer: PIXEL });
  await dialog.getByRole('button', { name: button, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

async function dispute(buyer: Arrival, orderId: string): Promise<void> {
  await buyer.page.goto(`/otc/order/${orderId}`);
  await buyer.page.getByRole('button', { name: 'Open a dispute' }).click();
  await say(buyer.page, { dialog: 'Open a dispute', words: `I have paid for order ${orderId}`, button: 'Open the dispute' });
  await next(buyer.page, 'An arbiter of the exchange looks');
}

/** What both sides have shown, and that one stands beside the other. */
async function sidesOf(desk: Desk): Promise<void> {
  const pictures = ['Buyer', 'Seller'].map((name) => desk.page.getByRole('region', { name }).getByRole('img').first());
  for (const picture of pictures) {
    await picture.scrollIntoViewIfNeeded();
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  }
  const [left, right] = await Promise.all(['Buyer', 'Seller'].map((name) => desk.page.getByRole('region', { name }).boundingBox()));
  if (left == null || right == null) throw new Error('a side is not shown');
  expect(left.x + left.width).toBeLessThanOrEqual(right.x);
  expect(left.y).toBe(right.y);
  expect(await barriers(desk.page)).toEqual([]);
}

const usdcOf = async ({ person: { client } }: Arrival): Promise<number> =>
  Number((await client.balances({ account: 'funding' })).find(({ coin }) => coin === 'USDC')?.availableBalance);

test('[A11] a merchant is approved, and others see the badge; two operators decide above 1,000 USDC, the appeal turns it; the deposit pays where the merchant was wrong', async () => {
  const [merchant, buyer, visitor] = [await arrive(), await arrive({ viewport: 'phone' }), await browser.newPage()];
  const [olga, oscar] = await openDesks();

  await merchant.page.goto('/otc/merchants');
  await merchant.page.getByRole('button', { name: 'Apply to be a merchant' }).click();
  const application = dialogOf(merchant.page, 'Apply to be a merchant');
  await application.getByRole('textbox', { name: 'Name that everybody sees' }).fill('Sally Coins');
  await application.getByRole('textbox', { name: 'For the operator who decides' }).fill('Paid by Alipay, at any hour.');
  expect(await barriers(merchant.page)).toEqual([]);
  await application.getByRole('button', { name: 'Apply to be a merchant' }).click();
  await merchant.page.getByText('Your application waits for an operator.').waitFor();
  expect(await escrow(visitor)).toEqual(['0', '0', '500', '500']);
  await openArea(olga, 'Overview');
  await openArea(olga, 'OTC');
  await table(olga, 'Applications of merchants').getByText('Deposit 500 USDC').waitFor();
  await olga.page.getByRole('group', { name: 'Sally Coins' }).getByRole('button', { name: 'Approve' }).click();
  await dialogOf(olga.page, 'Approve Sally Coins').getByRole('button', { name: 'Approve' }).click();
  await says(olga, 'Merchant approved');

  const advertisingId = await advertise(merchant, '1500');
  await buyer.page.goto('/otc');
  const offer = buyer.page.getByRole('table', { name: 'Advertisements' }).getByRole('row').filter({ hasText: 'Sally Coins' });
  await offer.getByText('Merchant', { exact: true }).waitFor();
  await offer.getByRole('link', { name: 'Sally Coins' }).click();
  await buyer.page.getByRole('heading', { name: 'Sally Coins' }).first().waitFor();
  await buyer.page.getByRole('main').getByText('Merchant', { exact: true }).first().waitFor();
  await buyer.page.getByText('500 USDC').first().waitFor();

  const large = await order(buyer, { advertisingId, amount: '1200', clientOrderId: 'large' });
  await buyer.person.client.markOtcOrderPaid({ orderId: large });
  const small = await order(buyer, { advertisingId, amount: '100', clientOrderId: 'small' });
  await buyer.person.client.markOtcOrderPaid({ orderId: small });
  expect(await escrow(visitor)).toEqual(['200', '1300', '500', '2000']);
  await until('both can be disputed', async () => {
    const { canDisputeAt, serverTime } = await buyer.person.client.otcOrder({ orderId: small });
    return canDisputeAt !== null && canDisputeAt <= serverTime;
  });
  for (const orderId of [small, large]) {
    await dispute(buyer, orderId);
    await merchant.page.goto(`/otc/order/${orderId}`);
    await merchant.page.getByRole('button', { name: 'Add evidence' }).click();
    await say(merchant.page, { dialog: 'Add evidence', words: 'Nothing arrived', button: 'Send' });
  }

  await openDispute(olga, small);
  await sidesOf(olga);
  await decide(olga, { outcome: 'Release to the buyer', reason: 'the bank of the buyer says so', button: 'Decide' });

  await openDispute(olga, large);
  await sidesOf(olga);
  await decide(olga, { outcome: 'Release to the buyer', reason: 'the receipt looks right', button: 'Propose' });
  await next(merchant.page, 'An arbiter of the exchange looks');
  await approve(olga, oscar);
  await next(merchant.page, 'The arbiter gives the coin to the buyer.');
  await next(buyer.page, 'The arbiter gives the coin to the buyer.');
  await merchant.page.getByRole('button', { name: 'Appeal the decision' }).click();
  await say(merchant.page, { dialog: 'Appeal the decision', words: 'My bank says that it is false', button: 'Appeal' });
  await next(buyer.page, 'The decision was appealed.');
  await merchant.page.getByRole('button', { name: 'Appeal the decision' }).waitFor({ state: 'detached' });
  expect((await escrow(visitor)).slice(2)).toEqual(['500', expect.any(String)]);
  await openDispute(oscar, large);
  await oscar.page.getByRole('region', { name: 'Seller' }).getByText('My bank says that it is false').waitFor();
  await decide(oscar, { outcome: 'Return to the seller', reason: 'the bank of the seller says so', button: 'Propose' });
  await approve(oscar, olga);
  await next(merchant.page, 'The coin came back to you.');
  await next(buyer.page, 'The coin went back to the seller.');

  await buyer.page.goto(`/otc/order/${small}`);
  await next(buyer.page, 'The coin is in your funding wallet.');
  expect(await escrow(visitor)).toEqual(['1400', '0', '500', '1900']);
  const before = await usdcOf(buyer);
  await openArea(olga, 'OTC');
  await olga.page.getByRole('radio', { name: 'Ended' }).click();
  await table(olga, 'Disputes')
    .getByRole('button', { name: `Open dispute ${small}` })
    .click();
  await olga.page.getByRole('heading', { name: `Dispute of order ${small}` }).waitFor();
  await olga.page.getByRole('button', { name: 'Pay from the deposit' }).click();
  const payment = olga.page.getByRole('dialog');
  await payment.getByRole('textbox', { name: 'Amount' }).fill('150');
  await payment.getByRole('textbox', { name: 'Reason' }).fill('the buyer had costs');
  expect(await barriers(olga.page)).toEqual([]);
  await payment.getByRole('button', { name: 'Propose' }).click();
  await says(olga, 'Proposed: another operator approves it');
  expect(await usdcOf(buyer)).toBe(before);
  await approve(olga, oscar);
  await until('the buyer is paid', async () => (await usdcOf(buyer)) === before + 150);
  expect(await escrow(visitor)).toEqual(['1400', '0', '350', '1750']);
  await visitor.goto(`${program.url}/otc/merchants`);
  await visitor.getByRole('table', { name: 'Merchants' }).getByRole('link', { name: 'Sally Coins' }).click();
  await visitor.getByText('350 USDC').first().waitFor();

  await merchant.page.goto('/otc/merchants');
  await merchant.page.getByRole('button', { name: 'Fill up deposit' }).click();
  const filling = dialogOf(merchant.page, 'Fill up deposit');
  await filling.getByText('350 → 500 USDC').waitFor();
  const free = await usdcOf(merchant);
  await filling.getByText(`${free.toLocaleString('en-US')} → ${(free - 150).toLocaleString('en-US')} USDC`).waitFor();
  expect(await barriers(merchant.page)).toEqual([]);
  await filling.getByRole('button', { name: 'Fill up deposit' }).click();
  await filling.waitFor({ state: 'detached' });
  await merchant.page.getByRole('button', { name: 'Fill up deposit' }).waitFor({ state: 'detached' });
  expect(await usdcOf(merchant)).toBe(free - 150);
  await visitor.goto(`${program.url}/status`);
  expect((await escrow(visitor))[2]).toBe('500');
  await visitor.close();
  expect(merchant.complaints).toEqual([]);
}, 240_000);
