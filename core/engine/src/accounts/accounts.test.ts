import { expect, test } from 'vitest';
import { accountId, parseAddress, type AccountId, type Address } from '@orrery/units';
import { ACCOUNT_FLAGS } from '@orrery/protocol';
import { Accounts } from './accounts.ts';

const COUNT = 1_000;

function addressOf(id: number): Address {
  const address = parseAddress(`0x${id.toString(16).padStart(40, '0')}`);
  if (address === undefined) throw new Error('no address');
  return address;
}

const nothing = 0 as AccountId;

test('a thousand accounts keep their flags, each its own, while others come', () => {
  const accounts = new Accounts();
  // Also the accounts at which the flags run out of room, whose ids are powers of two, have some.
  const flagsOf = (id: number): string[] => ACCOUNT_FLAGS.filter((_flag, index) => ((id + 1) >> index) % 2 === 1);
  for (let id = 1; id <= COUNT; id += 1) {
    const account = accounts.open(addressOf(id));
    expect(account.id).toBe(id);
    // Backwards: they are listed in a fixed order.
    for (const flag of ACCOUNT_FLAGS.toReversed()) accounts.set(account.id, flag, flagsOf(id).includes(flag));
  }
  for (const { id } of accounts) expect(accounts.flagsOf(id)).toEqual(flagsOf(id));
  for (const flag of ACCOUNT_FLAGS) accounts.set(accountId(300), flag, false);
  for (const { id } of accounts) expect(accounts.flagsOf(id)).toEqual(id === 300 ? [] : flagsOf(id));
});

test('an account that is not there has no flag, and can be given none', () => {
  const accounts = new Accounts();
  const { id } = accounts.open(addressOf(1));
  expect([nothing, id, accountId(2)].map((one) => accounts.has(one))).toEqual([false, true, false]);
  for (const unknown of [nothing, accountId(2), accountId(COUNT)]) {
    expect(accounts.get(unknown)).toBeUndefined();
    expect(accounts.is(unknown, 'blocked')).toBe(false);
    expect(() => accounts.set(unknown, 'blocked', true)).toThrow('an account that is flagged exists');
    expect(() => accounts.known(unknown)).toThrow('an account that the state speaks of exists');
  }
  expect(accounts.known(id)).toBe(accounts.at(addressOf(1)));
  expect(accounts.at(addressOf(2))).toBeUndefined();
});
