import { ACCOUNT_FLAGS, type AccountFlag } from '@orrery/protocol';
import { accountId, assert, parseAddress } from '@orrery/units';
import { expect, test } from 'vitest';
import { AccountsView } from './accounts.ts';

const address = parseAddress(`0x${'1'.repeat(40)}`);
assert(address !== undefined, 'an address of 40 hex digits');
const account = accountId(1);

function opened(): AccountsView {
  const view = new AccountsView();
  assert(address !== undefined, 'an address of 40 hex digits');
  view.apply({ type: 'AccountOpened', account, address });
  return view;
}

/** Of the view, after each flag is set as `wanted` has it. */
function after(wanted: Readonly<Record<AccountFlag, boolean>>): unknown {
  const view = opened();
  for (const flag of ACCOUNT_FLAGS) view.apply({ type: 'AccountFlagSet', account, flag, value: true });
  for (const flag of ACCOUNT_FLAGS) view.apply({ type: 'AccountFlagSet', account, flag, value: wanted[flag] });
  return view.account(account)?.flags;
}

test('every combination of flags is what was set, and one object for all accounts that have it', () => {
  for (let bits = 0; bits < 16; bits += 1) {
    const wanted = Object.fromEntries(ACCOUNT_FLAGS.map((flag, place) => [flag, (bits & (1 << place)) !== 0])) as Record<
      AccountFlag,
      boolean
    >;
    expect(after(wanted)).toEqual(wanted);
    expect(after(wanted)).toBe(after(wanted));
  }
});
