/**
 * Notifications on a device: switched on by a person, sealed by the exchange, opened by a push service of the test with the keys of the browser, and shown by the real service
 * worker. They end with the session.
 */
import type { Page } from 'playwright-core';
import { generatePrivateKey } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PushStandIn, type PushTarget } from '../../services/accounts/src/testing/push-stand-in.ts';
import { browser, visit, withBrowser } from './browser.ts';
import { InjectedWallet, WALLET_NAME } from './injected-wallet.ts';
import { chooseWallet, walletMenu } from './newcomer.ts';
import { type Person, prepareToTrade, signIn } from './person.ts';
import { BEHIND_A_PROXY } from './program.ts';
import { pushDelivery } from './push-delivery.ts';
import { offerToSell } from './quiet-market.ts';
import { until } from './until.ts';
import { program, withProgram } from './with-program.ts';

let service: PushStandIn;
beforeAll(async () => {
  service = await PushStandIn.open();
});
withProgram({ env: () => ({ ...BEHIND_A_PROXY, ORRERY_MARKET_MAKER: 'off', ORRERY_PUSH_SERVICES: service.url }) });
afterAll(() => service?.close());
withBrowser();
beforeAll(() => offerToSell(program.url, 'BTC_USDC'));

/** Chromium subscribes with the service of its maker, which no test can reach: the browser gets a subscription of ours, and keeps it as it would. */
function subscribeAt(target: PushTarget): void {
  const KEPT = 'subscription-of-the-test';
  const subscription = {
    options: { applicationServerKey: null },
    toJSON: () => ({ endpoint: target.endpoint, keys: { p256dh: target.p256dh, auth: target.auth } }),
    unsubscribe: () => Promise.resolve(localStorage.removeItem(KEPT)),
  };
  Object.assign(PushManager.prototype, {
    getSubscription: () => Promise.resolve(localStorage.getItem(KEPT) === null ? null : subscription),
    subscribe: () => Promise.resolve(localStorage.setItem(KEPT, 'yes')).then(() => subscription),
  });
}

interface Shown {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  readonly data: unknown;
}

const shown = (page: Page): Promise<Shown[]> =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    return (await registration.getNotifications()).map(({ title, body, tag, data }) => ({ title, body, tag, data: data as unknown }));
  });

async function trader(privateKey: `0x${string}`): Promise<Person> {
  const person = await signIn(program.url, { privateKey });
  await prepareToTrade(program.url, person);
  return person;
}

const buy = ({ client }: Person): Promise<unknown> =>
  client.createOrder({ symbol: 'BTC_USDC', direction: 'BUY', tradeType: 'MARKET', totalAmount: '0.001' });

const toggle = (page: Page, name: string) => page.getByRole('main').getByRole('switch', { name });

test.each(['desktop', 'phone'] as const)(
  '[A13] a fill reaches the service worker of a device, with what the person lets it say, and nothing after the session, at the size of a %s',
  async (viewport) => {
    const privateKey = generatePrivateKey();
    const person = await trader(privateKey);
    const wallet = new InjectedWallet(program.url, privateKey);
    const target = service.subscribe();
    const { page, context } = await visit(browser, {
      url: program.url,
      viewport,
      prepare: async (opened) => {
        await wallet.install(opened);
        await opened.grantPermissions(['notifications'], { origin: program.url });
        await opened.addInitScript(subscribeAt, target);
      },
    });
    await page.goto('/app');
    await page.getByText('Connect a wallet to choose what is sent').waitFor();
    await chooseWallet(page, new RegExp(`^${WALLET_NAME}`));
    await walletMenu(page).waitFor();
    await toggle(page, 'Send notifications to this device').click();
    await toggle(page, 'Fills of your orders').waitFor();
    expect(await toggle(page, 'Show amounts in notifications').getAttribute('aria-checked')).toBe('false');

    await buy(person);
    await until('the push service has the message', async () => service.of(target).length === 1);
    const [first] = service.of(target);
    expect(JSON.parse(first?.text ?? '')).toEqual({
      title: 'Order filled',
      body: 'An order of yours was filled, or a part of it.',
      path: '/portfolio',
      tag: 'FILLS',
    });
    const { deliver } = await pushDelivery(page, context);
    await deliver(first?.text ?? '');
    expect(await shown(page)).toEqual([
      { title: 'Order filled', body: 'An order of yours was filled, or a part of it.', tag: 'FILLS', data: '/portfolio' },
    ]);

    await toggle(page, 'Show amounts in notifications').click();
    await expect.poll(() => toggle(page, 'Show amounts in notifications').getAttribute('aria-checked')).toBe('true');
    // Longer than the pause between two messages of a kind.
    await page.waitForTimeout(6_000);
    await buy(person);
    await until('the push service has the second message', async () => service.of(target).length === 2);
    const second = service.of(target)[1]?.text ?? '';
    expect(second).toMatch(/Bought 0\.00\d+ of BTC_USDC at \d/);
    await deliver(second);
    expect((await shown(page)).map(({ data }) => data)).toEqual(['/trade/spot/BTC_USDC']);
    await deliver('no JSON');
    expect((await shown(page)).map(({ body }) => body)).toContain('There is news of your account.');

    await page.reload();
    await expect.poll(() => toggle(page, 'Fills of your orders').getAttribute('aria-checked')).toBe('true');
    await toggle(page, 'Fills of your orders').click();
    await expect.poll(() => toggle(page, 'Fills of your orders').getAttribute('aria-checked')).toBe('false');
    await toggle(page, 'Fills of your orders').click();
    await expect.poll(() => toggle(page, 'Fills of your orders').getAttribute('aria-checked')).toBe('true');

    const { list } = await person.client.sessions();
    for (const { sessionId, current } of list) if (!current) await person.client.revokeSession({ sessionId });
    await page.waitForTimeout(6_000);
    await buy(person);
    await page.waitForTimeout(2_000);
    expect(service.of(target)).toHaveLength(2);
    await page.getByText('Connect a wallet to choose what is sent').waitFor();
  },
);

test('where the browser refuses, the settings say so and how it is undone', async () => {
  // To grant one is to refuse the others.
  const { page } = await visit(browser, {
    url: program.url,
    prepare: (context) => context.grantPermissions(['geolocation'], { origin: program.url }),
  });
  await page.goto('/trade/spot/BTC_USDC');
  expect(await page.evaluate(() => Notification.permission)).toBe('denied');
  await page.getByRole('banner').getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('dialog', { name: 'Settings' }).getByText('Notifications are blocked for this site.').waitFor();
});
