/** What is sent about the use of the pages. */
import { expect, test } from 'vitest';
import { channelOf, type Circumstances, identified, platformOf, viewed } from './usage-event.ts';

const NOW: Circumstances = { deviceId: 'd1', platform: 'desktop', walletType: 'injected', arrivedBy: '?tid=spring&x=1' };
const ID = { walletAddress: 'a-keyed-hash', month: '2026-03' };
const ADDRESS = `0x${'Ab'.repeat(20)}`;

test.each([
  ['', {}],
  ['?x=1', {}],
  ['?tid=spring', { channel: 'spring', tid: 'spring' }],
  ['?pid=partner', { channel: 'partner', pid: 'partner' }],
  ['?pid=partner&tid=spring', { channel: 'spring', tid: 'spring', pid: 'partner' }],
  [`?tid=${'x'.repeat(65)}`, {}],
  ['?tid=%3Cscript%3E', {}],
])('[C8] the channel of "%s"', (query, channel) => {
  expect(channelOf(query)).toEqual(channel);
});

test('[C8] the platform', () => {
  const outside = { inTelegram: false, inApp: false };
  expect(platformOf('Chrome', outside)).toBe('desktop');
  expect(platformOf('Chrome Mobile', outside)).toBe('phone');
  expect(platformOf('Chrome Mobile', { inTelegram: false, inApp: true })).toBe('app');
  expect(platformOf('Chrome Mobile', { inTelegram: true, inApp: true })).toBe('telegram');
});

test('[C8] a visitor is the device, a person the keyed hash, and both views say which page', () => {
  const page = { origin: 'https://x', path: '/trade/spot/BTC_USDC' };
  const visitor = viewed({ ...NOW, walletType: '' }, undefined, page);
  expect(visitor).toEqual({
    event: '$pageview',
    distinct_id: 'd1',
    properties: {
      deviceId: 'd1',
      platform: 'desktop',
      channel: 'spring',
      tid: 'spring',
      page: page.path,
      $pathname: page.path,
      $current_url: 'https://x/trade/spot/BTC_USDC',
      $geoip_disable: true,
    },
  });
  expect(viewed(NOW, ID, page)).toMatchObject({
    distinct_id: 'a-keyed-hash',
    properties: { walletAddress: 'a-keyed-hash', walletType: 'injected', deviceId: 'd1' },
  });
  expect(identified(NOW, ID)).toMatchObject({
    event: '$identify',
    distinct_id: 'a-keyed-hash',
    properties: { $anon_distinct_id: 'd1', walletAddress: 'a-keyed-hash', walletType: 'injected', platform: 'desktop', channel: 'spring' },
  });
});

test('[C8] an address in the path of a page is not sent', () => {
  const event = viewed(NOW, ID, { origin: 'https://x', path: `/explorer/address/${ADDRESS}` });
  expect(event.properties).toMatchObject({ page: '/explorer/address/:hash' });
  expect(JSON.stringify(event).toLowerCase()).not.toContain(ADDRESS.toLowerCase());
});
