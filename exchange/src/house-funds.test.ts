import { type Lease, localLease } from '@orrery/foundation';
import type { Command, Event, Heart } from '@orrery/protocol';
import { accountId, type Address, assetId, atoms } from '@orrery/units';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HOUSE_FUNDS } from './fund-plans.ts';
import { startHouseFunds } from './house-funds.ts';
import { assetByCode } from './listing.ts';
import type { Surroundings } from './surroundings.ts';

const [LEADER, FUND] = [accountId(1), accountId(2)];
const LEADER_ADDRESS = `0x${'1'.repeat(40)}`;
const USDC = assetByCode('USDC').asset;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function started(
  facts: readonly Event[],
  isManaged = false,
  onOpened = () => Promise.resolve(),
  lease: Lease = localLease('managers of funds'),
) {
  const given: Command['type'][] = [];
  const troubles: unknown[] = [];
  let looks = 0;
  const heart = {
    open: () => ({ facts, close: () => (looks += 1) }),
    submit: ({ type }: Command) => (given.push(type), Promise.resolve({ events: [] })),
  } as unknown as Heart;
  const accountOf = (address: Address) => ({ account: address === LEADER_ADDRESS ? LEADER : FUND });
  const directory = { open: (address: Address) => Promise.resolve(accountOf(address)), find: accountOf, setFlag: () => Promise.resolve() };
  const stops: (() => Promise<void>)[] = [];
  const closing = { add: ({ stop }: { stop: () => Promise<void> }) => stops.push(stop) };
  const surroundings = { closing, log: { error: (...words: unknown[]) => troubles.push(words) } } as unknown as Surroundings;
  startHouseFunds(
    surroundings,
    { heart, accounts: { directory } as never, leader: LEADER_ADDRESS },
    { lease, isManaged, manage: onOpened },
  );
  return { given, troubles, looks: () => looks, stop: () => Promise.all(stops.map((stop) => stop())) };
}

const opened: readonly Event[] = HOUSE_FUNDS.map(({ share: { asset: fund } }) => ({
  type: 'FundOpened',
  fund,
  account: FUND,
  leader: LEADER,
  asset: USDC,
  capacity: atoms(9n),
  amount: atoms(1n),
  shares: atoms(1n),
}));
const has = (asset: number, free: bigint, held = 0n) =>
  ({ type: 'BalanceChanged', account: FUND, asset: assetId(asset), wallet: 'spot', free: atoms(free), held: atoms(held) }) as Event;

test('a fund with a manager is not answered for, and its manager begins once it is open', async () => {
  const onOpened = vi.fn<() => Promise<void>>(() => Promise.resolve());
  const registered = HOUSE_FUNDS.map(({ share }) => ({ type: 'AssetRegistered' as const, ...share }));
  const { given, stop } = started([...registered, ...opened], true, onOpened);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(onOpened).toHaveBeenCalledTimes(1);
  expect(given).toEqual([]);
  await stop();
});

test('the house answers for a fund that trades nothing, and for none that has a position, an order or a coin', async () => {
  const position = (size: number) => ({ type: 'PositionChanged', account: FUND, market: 2, size }) as unknown as Event;
  for (const [facts, answers] of [
    [[has(USDC, 5n), has(2, 0n), position(0)], 1],
    [[has(USDC, 5n), position(-3)], 0],
    [[has(USDC, 5n, 1n)], 0],
    [[has(2, 1n)], 0],
  ] as const) {
    const { given, troubles, stop } = started([...opened, ...facts]);
    await vi.advanceTimersByTimeAsync(300_000);
    expect(given.filter((type) => type === 'SendFundHeartbeat')).toHaveLength(answers * HOUSE_FUNDS.length);
    expect(troubles).toEqual([]);
    await stop();
  }
});

test('money of the leader that does not come is looked for seldom', async () => {
  const { looks, stop, given } = started([]);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(looks()).toBeLessThan(100);
  expect(given).not.toContain('OpenFund');
  await stop();
});
