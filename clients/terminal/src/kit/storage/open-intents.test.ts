import { expect, test } from 'vitest';
import { accountOf } from './account-in-view.ts';
import { openIntents } from './open-intents.ts';
import { parseString } from './parse.ts';

const [ALICE, BOB] = [accountOf('alice'), accountOf('bob')];

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
  open().keep({ account: ALICE, id: 'a', body: 'buy' });
  open().keep({ account: BOB, id: 'b', body: 'sell' });
  expect(open().of(ALICE)).toEqual([{ account: 'alice', id: 'a', body: 'buy' }]);
  open().drop('a');
  expect(open().of(ALICE)).toEqual([]);
  expect(open().of(BOB)).toHaveLength(1);
});

test('an intent that is sent again is kept once', () => {
  const { open } = tab();
  for (const body of ['buy', 'buy']) open().keep({ account: ALICE, id: 'a', body });
  expect(open().of(ALICE)).toHaveLength(1);
});

test('what another version or a hand has written is passed over', () => {
  const { entries, open } = tab();
  entries.set(
    'orrery.tests',
    JSON.stringify({ v: 1, value: [7, null, { account: 'alice', id: 'a' }, { account: 'alice', id: 'b', body: 'sell' }] }),
  );
  expect(open().of(ALICE)).toEqual([{ account: 'alice', id: 'b', body: 'sell' }]);
  entries.set('orrery.tests', '{');
  expect(open().of(ALICE)).toEqual([]);
});

test('at most fifty are kept, the newest', () => {
  const { open } = tab();
  for (let index = 0; index < 60; index += 1) open().keep({ account: ALICE, id: String(index), body: 'buy' });
  const ids = open()
    .of(ALICE)
    .map(({ id }) => id);
  expect(ids).toHaveLength(50);
  expect(ids[0]).toBe('10');
});

test('who follows it hears each change, and sees what is on its way', () => {
  const intents = tab().open();
  const seen: (readonly [number, boolean])[] = [];
  const stop = intents.onChange(() => seen.push([intents.of(ALICE).length, intents.isSending('a')]));
  intents.keep({ account: ALICE, id: 'a', body: 'buy' });
  intents.setSending('a', true);
  intents.setSending('a', false);
  intents.drop('a');
  stop();
  intents.keep({ account: ALICE, id: 'b', body: 'buy' });
  expect(seen).toEqual([
    [1, false],
    [1, true],
    [1, false],
    [0, false],
  ]);
});
