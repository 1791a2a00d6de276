import { describe, expect, test } from 'vitest';
import type { Event } from '@orrery/protocol';
import { accountId, assetId, atoms, negateAtoms } from '@orrery/units';
import { SYSTEM_ACCOUNTS, type Balance } from './balance.ts';
import { Ledger } from './ledger.ts';
import { hold, pay } from './movements.ts';

const USDC = assetId(1);
const alice = accountId(1);

/** A ledger on which alice has ten USDC in spot. */
function opened(): { ledger: Ledger; spot: Balance } {
  const ledger = new Ledger();
  const spot = ledger.of(alice, 'spot', USDC);
  pay(ledger, ledger.system('EXTERNAL', USDC), spot, atoms(10n));
  ledger.closeCommand([]);
  return { ledger, spot };
}

describe('M1, M3: the ledger stops the exchange', () => {
  test.each<[what: string, (ledger: Ledger, spot: Balance) => void]>([
    ['a free balance is never below zero', (ledger, spot) => ledger.postFree(spot, atoms(-11n))],
    ['a held balance is never below zero', (ledger, spot) => ledger.postHeld(spot, atoms(-1n))],
    ['what is held was free, and what is released was held', (ledger, spot) => hold(ledger, spot, atoms(11n))],
    ['what is held was free, and what is released was held', (ledger, spot) => hold(ledger, spot, negateAtoms(atoms(1n)))],
    [
      'the postings of one command sum to zero',
      (ledger, spot) => {
        ledger.postFree(spot, atoms(-1n));
        ledger.closeCommand([]);
      },
    ],
    [
      'the postings of one command sum to zero',
      (ledger, spot) => {
        pay(ledger, spot, ledger.system('FEE', USDC), atoms(2n));
        ledger.postHeld(spot, atoms(1n));
        ledger.closeCommand([]);
      },
    ],
    ['an account has a place for each of its balances', (ledger) => ledger.of(alice, 'spot', assetId(341))],
  ])('%s', (what, wrong) => {
    const { ledger, spot } = opened();
    expect(() => wrong(ledger, spot)).toThrow(what);
  });

  test.each(SYSTEM_ACCOUNTS.filter((account) => account !== 'EXTERNAL'))('%s is never overdrawn', (account) => {
    const { ledger, spot } = opened();
    expect(() => pay(ledger, ledger.system(account, USDC), spot, atoms(1n))).toThrow('a free balance is never below zero');
  });

  test('and not at zero, nor at EXTERNAL below it', () => {
    const { ledger, spot } = opened();
    hold(ledger, spot, atoms(10n));
    hold(ledger, spot, atoms(-10n));
    pay(ledger, spot, ledger.system('EXTERNAL', USDC), atoms(10n));
    pay(ledger, ledger.system('EXTERNAL', USDC), spot, atoms(20n));
    ledger.closeCommand([]);
    expect([ledger.free(spot), ledger.free(ledger.system('EXTERNAL', USDC))]).toEqual([20n, -20n]);
  });
});

test.each([3, 16, 17, 40])('the balances of %i accounts that a command changed are told by account', (count) => {
  const ledger = new Ledger();
  for (let place = 0; place < count; place += 1) {
    // Neither up nor down.
    const account = accountId(1 + ((place * 7) % count));
    pay(ledger, ledger.system('EXTERNAL', USDC), ledger.of(account, 'spot', USDC), atoms(1n));
  }
  const events: Event[] = [];
  ledger.closeCommand(events);
  expect(events.map((event) => (event.type === 'BalanceChanged' ? event.account : 0))).toEqual(
    Array.from({ length: count }, (_, index) => index + 1),
  );
});
