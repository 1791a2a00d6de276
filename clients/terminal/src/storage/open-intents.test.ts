import { expect, test } from 'vitest';
import { openIntents } from './open-intents.ts';
import { parseString } from './parse.ts';

function tab() {
  const entries = new Map<string, string>();
  const store = {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  };
  return { entries, open: () => openIntents<string>({ name: 'tests', parse: parseString }, () => store) };
}

test('what is not answered is found again by the next page of the tab, for its own account only', () => {
  const { open } = tab();
  open().keep({ account: 'alice', id: 'a', body: 'buy' });
  open().keep({ account: 'bob', id: 'b', body: 'sell' });
  expect(open().of('alice')).toEqual([{ account: 'alice', id: 'a', body: 'buy' }]);
  open().drop('a');
  expect(open().of('alice')).toEqual([]);
  expect(open().of('bob')).toHaveLength(1);
});

test('an intent that is sent again is kept once', () => {
  const { open } = tab();
  for (const body of ['buy', 'buy']) open().keep({ account: 'alice', id: 'a', body });
  expect(open().of('alice')).toHaveLength(1);
});

test('what another version or a hand has written is passed over', () => {
  const { entries, open } = tab();
  entries.set(
    'orrery.tests',
    JSON.stringify({ v: 1, value: [7, null, { account: 'alice', id: 'a' }, { account: 'alice', id: 'b', body: 'sell' }] }),
  );
  expect(open().of('alice')).toEqual([{ account: 'alice', id: 'b', body: 'sell' }]);
  entries.set('orrery.tests', '{');
  expect(open().of('alice')).toEqual([]);
});

test('at most fifty are kept, the newest', () => {
  const { open } = tab();
  for (let index = 0; index < 60; index += 1) open().keep({ account: 'alice', id: String(index), body: 'buy' });
  const ids = open()
    .of('alice')
    .map(({ id }) => id);
  expect(ids).toHaveLength(50);
  expect(ids[0]).toBe('10');
});
