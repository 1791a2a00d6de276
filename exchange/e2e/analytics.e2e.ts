/** The use of the pages, measured at a service of this machine: nothing before cookies are accepted, and no address at any time. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browser, visit, withBrowser } from './browser.ts';
import { InjectedWallet, WALLET_NAME } from './injected-wallet.ts';
import { acceptTerms, chooseWallet, termsDialog } from './newcomer.ts';
import { program, withProgram } from './with-program.ts';

interface Received {
  readonly api_key: string;
  readonly event: string;
  readonly distinct_id: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

let service: Server;
const received: Received[] = [];

beforeAll(async () => {
  service = createServer((request, response) => {
    response
      .setHeader('access-control-allow-origin', '*')
      .setHeader('access-control-allow-headers', request.headers['access-control-request-headers'] ?? '');
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      if (request.method === 'POST') received.push(JSON.parse(text) as Received);
      response.end('{"status":1}');
    });
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
});
afterAll(() => void service?.close());
withProgram({
  env: () => ({
    ORRERY_MARKET_MAKER: 'off',
    ORRERY_ANALYTICS_HOST: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
    ORRERY_ANALYTICS_KEY: 'phc_test',
  }),
});
withBrowser();

const eventsNow = (): string[] => received.map(({ event }) => event);

test('[C8] nothing is sent before cookies are accepted; then who it is by a keyed hash and which page; and nothing after it is switched off', async () => {
  const wallet = new InjectedWallet(program.url);
  const { page, complaints } = await visit(browser, { url: program.url, prepare: (context) => wallet.install(context) });
  await page.goto('/faucet?tid=spring');
  await page.getByRole('main').waitFor();
  await page.getByRole('banner').getByRole('link', { name: 'Explorer' }).click();
  await page.getByRole('heading', { name: 'Explorer' }).waitFor();
  await page.getByRole('banner').getByRole('link', { name: 'Portfolio' }).click();
  await page.waitForURL('**/portfolio');
  await chooseWallet(page, new RegExp(`^${WALLET_NAME}`));
  await termsDialog(page).waitFor();
  expect(received).toEqual([]);
  await acceptTerms(page);
  await expect.poll(() => eventsNow().toSorted()).toEqual(['$identify', '$pageview']);
  const identify = received.find(({ event }) => event === '$identify');
  const view = received.find(({ event }) => event === '$pageview');
  expect(identify).toMatchObject({
    api_key: 'phc_test',
    distinct_id: expect.stringMatching(/^[\w-]{43}$/),
    properties: { channel: 'spring', tid: 'spring', platform: 'desktop', deviceId: expect.stringMatching(/^[0-9a-f]{32}$/) },
  });
  expect(identify?.properties['walletAddress']).toBe(identify?.distinct_id);
  expect(identify?.properties['walletType']).toMatch(/./);
  expect(view?.properties).toMatchObject({ page: '/portfolio', channel: 'spring', deviceId: identify?.properties['deviceId'] });

  await page.goto(`/explorer/address/${wallet.address}`);
  await expect.poll(eventsNow).toContain('$pageview');
  await expect.poll(() => received.at(-1)?.properties['page']).toBe('/explorer/address/:hash');
  expect(JSON.stringify(received).toLowerCase()).not.toContain(wallet.address.slice(2).toLowerCase());

  await page.getByRole('banner').getByRole('button', { name: 'Settings' }).click();
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByText('What is sent').click();
  await settings.getByText(String(identify?.distinct_id)).first().waitFor();
  await settings.getByRole('switch', { name: 'Measure the use of pages' }).click();
  await settings.getByRole('button', { name: 'Close' }).click();
  const sent = received.length;
  await page.getByRole('banner').getByRole('link', { name: 'Portfolio' }).click();
  await page.waitForURL('**/portfolio');
  await page.getByRole('main').waitFor();
  expect(received).toHaveLength(sent);
  expect(complaints).toEqual([]);
});
