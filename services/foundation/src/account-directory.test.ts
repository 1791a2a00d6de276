import { setImmediate as nextTurn } from 'node:timers/promises';
import { accountId, type Address, seq } from '@orrery/units';
import type { Command, Heart } from '@orrery/protocol';
import { afterEach, expect, test } from 'vitest';
import { MemoryHeart } from '../../../exchange/src/testing/memory-heart.ts';
import { setAccountFlag } from './account-commands.ts';
import { AccountDirectory } from './account-directory.ts';

const ALICE = `0x${'a'.repeat(40)}` as Address;
const started: AccountDirectory[] = [];
afterEach(() => Promise.all(started.splice(0).map((directory) => directory.stop())));

function begin(heart: Heart): { directory: AccountDirectory; seen: string[] } {
  const directory = new AccountDirectory(heart);
  const seen: string[] = [];
  directory.onOpened(({ account }) => seen.push(`opened ${account}`));
  directory.onBlocked(({ account }) => seen.push(`blocked ${account}`));
  directory.start();
  started.push(directory);
  return { directory, seen };
}

const newHeart = (): MemoryHeart => new MemoryHeart(() => 1_795_000_000_000);

/** Refuses flags, as on a full disk. */
function refusing(heart: Heart): Heart {
  return {
    submit: (command: Command) =>
      command.type === 'SetAccountFlag'
        ? Promise.resolve({
            seq: seq(1),
            at: heart.status().at,
            events: [{ type: 'CommandRejected', reason: 'UnknownAccount', field: '' }],
          })
        : heart.submit(command),
    open: () => heart.open(),
    subscribe: (after) => heart.subscribe(after),
    status: () => heart.status(),
    end: () => heart.end(),
  };
}

test('each account is opened and blocked once for the listeners, by our own command or by another', async () => {
  const heart = newHeart();
  const { directory, seen } = begin(heart);
  const { account } = await directory.open(ALICE);
  await directory.open(ALICE);
  await directory.setFlag(account, 'blocked');
  const other = begin(heart);
  expect(other.seen).toEqual([`blocked ${account}`]);
  await setAccountFlag(heart, { account, flag: 'blocked', value: false });
  await expect.poll(() => directory.find(ALICE)?.flags.blocked).toBe(false);
  await setAccountFlag(heart, { account, flag: 'blocked', value: true });
  await expect.poll(() => seen).toEqual([`opened ${account}`, `blocked ${account}`, `blocked ${account}`]);
});

test('a flag that the heart refuses is an error with its reason, and is not set', async () => {
  const heart = refusing(newHeart());
  const { directory } = begin(heart);
  const { account } = await directory.open(ALICE);
  await expect(directory.setFlag(account, 'whitelisted')).rejects.toThrow(
    `the heart refused to make whitelisted of account ${account} true: UnknownAccount`,
  );
  expect(directory.get(account)?.flags.whitelisted).toBe(false);
  await expect(setAccountFlag(newHeart(), { account: accountId(9), flag: 'blocked', value: true })).rejects.toThrow(
    'the heart refused to make blocked of account 9 true: UnknownAccount',
  );
});

test('what another process has written counts: the directory is caught up at the end of history, not where this process is', async () => {
  const heart = newHeart();
  const behind: Heart = {
    submit: (command) => heart.submit(command),
    open: () => heart.open(),
    subscribe: (after) => heart.subscribe(after),
    status: () => heart.status(),
    end: () => Promise.resolve(seq(heart.status().seq + 1)),
  };
  const { directory } = begin(behind);
  let isCaughtUp = false;
  const caughtUp = directory.caughtUp().then(() => (isCaughtUp = true));
  await nextTurn();
  expect(isCaughtUp).toBe(false);
  await heart.submit({ type: 'OpenAccount', address: ALICE });
  await caughtUp;
  expect(directory.find(ALICE)).toBeDefined();
});
