import { localLeases } from '@orrery/foundation';
import { accountId, type AccountId } from '@orrery/units';
import { expect, test, vi } from 'vitest';
import { startFundWatch } from './fund-watch.ts';
import { handsOf } from './services/fund-hands.ts';
import type { Surroundings } from './surroundings.ts';

const [QUOTER, TAKER, ALICE, BOB] = [1, 2, 3, 4].map(accountId) as [AccountId, AccountId, AccountId, AccountId];
const ours = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`, `0x${'3'.repeat(40)}`];
const accounts = new Map([
  [ours[0], QUOTER],
  [ours[1], TAKER],
]);

const handOf = handsOf({
  campaign: { clusters: { membersOf: (account) => Promise.resolve([account, BOB]) } },
  directory: { find: (address) => (accounts.has(address) ? ({ account: accounts.get(address) } as never) : undefined) },
  ours,
});

test('the hand of a person is what the finder says, that of the house is all its accounts', async () => {
  expect(await handOf(ALICE)).toEqual([ALICE, BOB]);
  expect(await handOf(QUOTER)).toEqual([QUOTER, TAKER]);
});

test('funds are watched until the program ends', async () => {
  vi.useFakeTimers();
  const stops: (() => Promise<void>)[] = [];
  const watch = vi.fn(() => Promise.resolve());
  const surroundings = { closing: { add: ({ stop }: { stop: () => Promise<void> }) => stops.push(stop) } } as unknown as Surroundings;
  await startFundWatch(surroundings, { funds: { leaders: { watch } as never }, leases: localLeases(), handOf });
  await vi.advanceTimersByTimeAsync(600_000);
  expect(watch).toHaveBeenCalledTimes(2);
  for (const stop of stops) await stop();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(watch).toHaveBeenCalledTimes(2);
  vi.useRealTimers();
});
