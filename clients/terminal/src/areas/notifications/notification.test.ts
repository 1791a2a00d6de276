import { expect, test } from 'vitest';
import { allSeen, NOTIFICATIONS_MAX, OWNERS_MAX, parseByOwner, unseenOf, withNotification, withOwner } from './notification.ts';
import type { Notification, Notifications } from './notification.ts';

const one = (id: string): Notification => ({ id, category: 'orders', at: 1_000, title: 'Bought 0.5 BTC', detail: '', isSeen: false });

test('an event that is heard twice is one notification, and the newest stands first', () => {
  const list = [one('a'), one('b'), one('a')].reduce<Notifications>(withNotification, []);
  expect(list.map(({ id }) => id)).toEqual(['b', 'a']);
});

test('of more than a hundred the oldest gives way', () => {
  let list: Notifications = [];
  for (let at = 0; at < NOTIFICATIONS_MAX + 3; at += 1) list = withNotification(list, one(String(at)));
  expect([list.length, list.at(-1)?.id]).toEqual([NOTIFICATIONS_MAX, '3']);
});

test('what was looked at is seen, what comes after is not', () => {
  const seen = allSeen([one('a'), one('b')]);
  expect(unseenOf(seen)).toBe(0);
  expect(allSeen(seen)).toBe(seen);
  expect(unseenOf(withNotification(seen, one('c')))).toBe(1);
});

test('each account has its own, those of the last eight accounts are kept', () => {
  let owners = {};
  for (let at = 0; at < OWNERS_MAX + 2; at += 1) owners = withOwner(owners, `0x${at}`, [one(String(at))]);
  owners = withOwner(owners, '0x2', []);
  expect(Object.keys(owners)).toEqual(['0x3', '0x4', '0x5', '0x6', '0x7', '0x8', '0x9', '0x2']);
  expect(parseByOwner(JSON.parse(JSON.stringify(owners)))).toEqual(owners);
});

test('a link leads to an address of this origin or nowhere', () => {
  const linked = (link: string) => ({ ...one('a'), link });
  const list = [linked('/trade/futures/BTC_USDC?liquidation=4'), linked('//elsewhere.example'), linked('https://elsewhere.example')];
  expect(parseByOwner({ alice: list })?.['alice']?.map(({ link }) => link)).toEqual([
    '/trade/futures/BTC_USDC?liquidation=4',
    undefined,
    undefined,
  ]);
});

test('[L15] what is not understood is left out', () => {
  expect(parseByOwner({ alice: [one('a'), { ...one('b'), category: 'gossip' }, null], bob: 'none' })).toEqual({ alice: [one('a')] });
  expect(parseByOwner([])).toBeUndefined();
});
