import { expect, test } from 'vitest';
import { noticeOf } from './notice.ts';

test('a push is shown as it says', () => {
  const notice = { title: 'Order filled', body: 'Bought 1 ETH', path: '/trade/spot/ETH_USDC', tag: 'fill' };
  expect(noticeOf(JSON.stringify(notice))).toEqual(notice);
});

test('what cannot be read is news all the same, and no page of another site is opened', () => {
  for (const data of [undefined, '', 'no JSON', 'null', '[]', '{"title":7}'])
    expect(noticeOf(data)).toEqual({ title: 'Orrery', body: 'There is news of your account.', path: '/', tag: 'news' });
  for (const path of ['https://other.example/', '//other.example', '/\\other.example', 'javascript:alert(1)'])
    expect(noticeOf(JSON.stringify({ path })).path).toBe('/');
});
