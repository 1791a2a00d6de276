import { describe, expect, test } from 'vitest';
import type { Event } from '@orrery/protocol';
import { accountId, assetId, atoms, negateAtoms } from '@orrery/units';
import { OVERDRAWN, RESERVES, SYSTEM_ACCOUNTS, type Balance, type Reserve } from './balance.ts';
import { RunningHash } from './running-hash.ts';
import { Ledger } from './ledger.ts';
import { hold, pay, payFromHeld } from './movements.ts';

const USDC = assetId(1);
const alice = accountId(1);
const bob = accountId(2);

/** A ledger on which alice has ten USDC in spot. */
function opened(): { ledger: Ledger; spot: Balance } {
  const ledger = new Ledger();
  const spot = ledger.of(alice, 'spot', USDC);
  pay(ledger, ledger.system('EXTERNAL', USDC), spot, atoms(10n));
  ledger.closeCommand([], new RunningHash());
  return { ledger, spot };
}

describe('M1, M3: the ledger stops the exchange', () => {
  test.each<[what: string, (ledger: Ledger, spot: Balance) => void]>([
    ['a free balance is never below zero', (ledger, spot) => ledger.postFree(spot, atoms(-11n))],
    ['a reserve is never below zero', (ledger, spot) => ledger.postReserved(spot, 'orderMargin', atoms(-1n))],
    ['what is held was free, and what is released was held', (ledger, spot) => hold(ledger, spot, 'orderMargin', atoms(11n))],
    ['what is held was free, and what is released was held', (ledger, spot) => hold(ledger, spot, 'orderMargin', negateAtoms(atoms(1n)))],
    [
      'the postings of one command sum to zero',
      (ledger, spot) => {
        ledger.postFree(spot, atoms(-1n));
        ledger.closeCommand([], new RunningHash());
      },
    ],
    [
      'the postings of one command sum to zero',
      (ledger, spot) => {
        pay(ledger, spot, ledger.system('FEE', USDC), atoms(2n));
        ledger.postReserved(spot, 'orderMargin', atoms(1n));
        ledger.closeCommand([], new RunningHash());
      },
    ],
    ['an account has a line for each of its balances', (ledger) => ledger.of(alice, 'funding', assetId(256))],
    ['an account has a line for each of its balances', (ledger) => ledger.of(alice, 'spot', assetId(341))],
  ])('%s', (what, wrong) => {
    const { ledger, spot } = opened();
    expect(() => wrong(ledger, spot)).toThrow(what);
  });

  test.each(SYSTEM_ACCOUNTS.filter((account) => !OVERDRAWN.includes(account)))('%s is never overdrawn', (account) => {
    const { ledger, spot } = opened();
    expect(() => pay(ledger, ledger.system(account, USDC), spot, atoms(1n))).toThrow('a free balance is never below zero');
  });

  test('and not at zero, nor at EXTERNAL below it', () => {
    const { ledger, spot } = opened();
    hold(ledger, spot, 'orderMargin', atoms(10n));
    hold(ledger, spot, 'orderMargin', atoms(-10n));
    pay(ledger, spot, ledger.system('EXTERNAL', USDC), atoms(10n));
    pay(ledger, ledger.system('EXTERNAL', USDC), spot, atoms(20n));
    ledger.closeCommand([], new RunningHash());
    expect([ledger.free(spot), ledger.free(ledger.system('EXTERNAL', USDC))]).toEqual([20n, -20n]);
  });
});

test('M3: an amount that 64 bits do not hold is not overdrawn either', () => {
  const ledger = new Ledger();
  const spot = ledger.of(alice, 'spot', USDC);
  const external = ledger.system('EXTERNAL', USDC);
  pay(ledger, external, spot, atoms(2n ** 70n));
  expect(() => pay(ledger, spot, external, atoms(2n ** 70n + 1n))).toThrow('a free balance is never below zero');
});

// With EXTERNAL sixteen are put in order one way and seventeen the other.
test.each([5, 15, 16, 40])('the balances of %i accounts that a command changed are emitted by account', (count) => {
  const ledger = new Ledger();
  for (let index = 0; index < count; index += 1) {
    // Neither up nor down.
    const account = accountId(1 + ((index * 7) % count));
    pay(ledger, ledger.system('EXTERNAL', USDC), ledger.of(account, 'spot', USDC), atoms(1n));
  }
  expect(closed(ledger).map(({ account }) => account)).toEqual(Array.from({ length: count }, (_, index) => index + 1));
});

test('those of one account are emitted by asset and wallet, each once, with its last value', () => {
  const ledger = new Ledger();
  const SOSO = assetId(2);
  const order = [
    ['spot', SOSO],
    ['funding', SOSO],
    ['futures', USDC],
    ['spot', USDC],
    ['funding', USDC],
  ] as const;
  for (const [wallet, asset] of [...order, ...order])
    pay(ledger, ledger.system('EXTERNAL', asset), ledger.of(alice, wallet, asset), atoms(1n));
  hold(ledger, ledger.of(alice, 'spot', USDC), 'orderMargin', atoms(2n));
  payFromHeld(ledger, ledger.of(alice, 'spot', USDC), 'orderMargin', ledger.system('FEE', USDC), atoms(1n));
  expect(closed(ledger)).toMatchObject([
    { asset: USDC, wallet: 'funding', free: 2n, held: 0n },
    { asset: USDC, wallet: 'spot', free: 0n, held: 1n },
    { asset: USDC, wallet: 'futures', free: 2n, held: 0n },
    { asset: SOSO, wallet: 'funding', free: 2n, held: 0n },
    { asset: SOSO, wallet: 'spot', free: 2n, held: 0n },
  ]);
});

// Eight balances are found by walking, nine by a hash.
test.each([1, 8, 9, 10, 200])(
  'an account finds each of its %i balances, in whatever order they came, and others are not among them',
  (count) => {
    const ledger = new Ledger();
    const assets = Array.from({ length: count }, (_, index) => assetId(1 + ((index * 7) % 201)));
    for (const asset of assets) {
      for (const account of [alice, bob]) ledger.restore(ledger.of(account, 'spot', asset), atoms(BigInt(asset * 10 + account)), atoms(0n));
    }
    for (const account of [alice, bob]) {
      for (const asset of assets) expect(ledger.free(ledger.of(account, 'spot', asset))).toBe(BigInt(asset * 10 + account));
    }
    expect([...ledger.personal()].map(({ account, asset }) => [account, asset])).toEqual(
      [alice, bob].flatMap((account) => assets.toSorted((left, right) => left - right).map((asset) => [account, asset])),
    );
  },
);

test('those of several accounts are emitted by account first', () => {
  const ledger = new Ledger();
  for (const account of [bob, alice]) {
    for (const asset of [assetId(200), USDC]) pay(ledger, ledger.system('EXTERNAL', asset), ledger.of(account, 'spot', asset), atoms(1n));
  }
  expect(closed(ledger).map(({ account, asset }) => [account, asset])).toEqual([
    [alice, USDC],
    [alice, 200],
    [bob, USDC],
    [bob, 200],
  ]);
});

test('accounts with many balances each find their own, those too that share a cell of the hash', () => {
  const ledger = new Ledger();
  // Ids that are a Fibonacci number apart are neighbours after Fibonacci hashing, and in a small table often the same.
  const accounts = Array.from({ length: 50 }, (_, index) => accountId(1 + ((index * 7) % 50) * 1_597));
  const assets = Array.from({ length: 20 }, (_, index) => assetId(1 + ((index * 7) % 20)));
  const amountOf = (account: number, asset: number): bigint => BigInt(account * 100 + asset);
  for (const asset of assets) {
    for (const account of accounts) ledger.restore(ledger.of(account, 'spot', asset), atoms(amountOf(account, asset)), atoms(0n));
  }
  for (const account of accounts) {
    for (const asset of assets) expect(ledger.free(ledger.of(account, 'spot', asset))).toBe(amountOf(account, asset));
  }
  expect([...ledger.personal()]).toHaveLength(50 * 20);
});

const closed = (ledger: Ledger): Extract<Event, { type: 'BalanceChanged' }>[] => {
  const events: Event[] = [];
  ledger.closeCommand(events, new RunningHash());
  return events.filter((event) => event.type === 'BalanceChanged');
};

test('M1: balances whose sum is not zero are named by their asset, personal and system ones together', () => {
  const ledger = new Ledger();
  ledger.restore(ledger.of(accountId(1), 'spot', assetId(1)), atoms(5n), atoms(2n));
  ledger.restore(ledger.system('EXTERNAL', assetId(1)), atoms(-7n), atoms(0n));
  expect(ledger.imbalances()).toEqual(new Map());
  ledger.restore(ledger.of(accountId(2), 'funding', assetId(2)), atoms(2n ** 70n), atoms(0n));
  ledger.restore(ledger.system('FEE', assetId(1)), atoms(1n), atoms(0n));
  expect(ledger.imbalances()).toEqual(
    new Map([
      [assetId(1), atoms(1n)],
      [assetId(2), atoms(2n ** 70n)],
    ]),
  );
});

describe('reserves', () => {
  test('each is released and paid from by itself, and what is held is their sum', () => {
    const { ledger, spot } = opened();
    hold(ledger, spot, 'orderMargin', atoms(1n));
    hold(ledger, spot, 'positionMargin', atoms(2n));
    hold(ledger, spot, 'withdrawalHold', atoms(3n));
    const events: Event[] = [];
    ledger.closeCommand(events, new RunningHash());
    expect(events).toEqual([{ type: 'BalanceChanged', account: alice, wallet: 'spot', asset: USDC, free: 4n, held: 6n }]);
    expect(RESERVES.map((reserve) => ledger.reserved(spot, reserve))).toEqual([1n, 2n, 3n]);
    expect(() => hold(ledger, spot, 'orderMargin', atoms(-2n))).toThrow('what is held was free, and what is released was held');
    payFromHeld(ledger, spot, 'positionMargin', ledger.system('INSURANCE', USDC), atoms(2n));
    hold(ledger, spot, 'withdrawalHold', atoms(-3n));
    ledger.closeCommand([], new RunningHash());
    expect([ledger.free(spot), ledger.held(spot)]).toEqual([7n, 1n]);
    expect(ledger.imbalances().size).toBe(0);
  });

  test('the running hash differs for position margin, and is that of one held amount for the other reserves', () => {
    const hashWith = (reserve: Reserve): string => {
      const { ledger, spot } = opened();
      hold(ledger, spot, reserve, atoms(5n));
      const hash = new RunningHash();
      ledger.closeCommand([], hash);
      return Buffer.from(hash.take()).toString('hex');
    };
    expect(hashWith('withdrawalHold')).toBe(hashWith('orderMargin'));
    expect(hashWith('positionMargin')).not.toBe(hashWith('orderMargin'));
  });
});

describe('a settlement', () => {
  test('may leave a balance below zero until what covers it is posted', () => {
    const { ledger, spot } = opened();
    const insurance = ledger.system('INSURANCE', USDC);
    pay(ledger, ledger.system('EXTERNAL', USDC), insurance, atoms(5n));
    ledger.settle(spot);
    pay(ledger, spot, ledger.of(bob, 'spot', USDC), atoms(12n));
    expect(ledger.free(spot)).toBe(-2n);
    pay(ledger, insurance, spot, atoms(2n));
    ledger.closeCommand([], new RunningHash());
    expect([ledger.free(spot), ledger.free(insurance)]).toEqual([0n, 3n]);
  });

  test('that is not covered stops the exchange at the close', () => {
    const { ledger, spot } = opened();
    ledger.settle(spot);
    pay(ledger, spot, ledger.of(bob, 'spot', USDC), atoms(12n));
    expect(() => ledger.closeCommand([], new RunningHash())).toThrow('a loss is covered when the command closes');
  });

  test('ends with its command', () => {
    const { ledger, spot } = opened();
    ledger.settle(spot);
    ledger.closeCommand([], new RunningHash());
    expect(() => ledger.postFree(spot, atoms(-11n))).toThrow('a free balance is never below zero');
  });

  test('pays a rebate before the fee that it is paid from', () => {
    const { ledger, spot } = opened();
    const fees = ledger.fees(USDC);
    ledger.settle(fees);
    pay(ledger, fees, ledger.of(bob, 'spot', USDC), atoms(1n));
    pay(ledger, spot, fees, atoms(3n));
    ledger.closeCommand([], new RunningHash());
    expect(ledger.free(fees)).toBe(2n);
  });
});
