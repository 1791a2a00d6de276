import { expect, test } from 'vitest';
import { noticeOf, windowFor } from './notice.ts';

test('a push is shown as it says', () => {
  const notice = { title: 'Order filled', body: 'Bought 1 ETH', path: '/trade/spot/ETH_USDC', tag: 'fill' };
  expect(noticeOf(JSON.stringify(notice))).toEqual(notice);
});

test('what cannot be read is news all the same, and no page of another site is opened', () => {
  for (const data of [undefined, '', 'no JSON', 'null', '[]', '{"title":7}'])
    expect(noticeOf(data)).toEqual({ title: 'Orrery', body: 'There is news of your account.', path: '/', tag: 'news' });
  for (const path of [
    'https://other.example/',
    '//other.example',
    '/\\other.example',
    '/\t/other.example',
    '/\n\\other.example',
    'javascript:alert(1)',
  ])
    expect(noticeOf(JSON.stringify({ path })).path).toBe('/');
});

test('a click leads the terminal that shows the page, else the one that was used last, and nothing that is no page of the terminal', () => {
  const at = (path: string, frameType: 'top-level' | 'nested' = 'top-level') => ({ url: `https://orrery.example${path}`, frameType });
  const [desk, spot, order, inside] = [
    at('/console/otc'),
    at('/trade/spot/BTC_USDC'),
    at('/otc/order/12?tab=chat'),
    at('/otc/order/12', 'nested'),
  ];
  const isPage = (path: string): boolean => !path.startsWith('/console');
  expect(windowFor('/otc/order/12', [desk, spot, order], isPage)).toBe(order);
  expect(windowFor('/otc/order/13', [desk, spot, order], isPage)).toBe(spot);
  expect(windowFor('/otc/order/12', [desk, inside], isPage)).toBeUndefined();
});
