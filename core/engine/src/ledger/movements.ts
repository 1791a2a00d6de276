/** Movements of money: each is a pair of postings that sums to zero. Amounts are at least 0. */
import { negateAtoms, type Atoms } from '@orrery/units';
import type { Balance } from './balance.ts';
import type { Ledger } from './ledger.ts';

export function pay(ledger: Ledger, from: Balance, to: Balance, amount: Atoms): void {
  ledger.postFree(from, negateAtoms(amount));
  ledger.postFree(to, amount);
}

export function payFromHeld(ledger: Ledger, from: Balance, to: Balance, amount: Atoms): void {
  ledger.postHeld(from, negateAtoms(amount));
  ledger.postFree(to, amount);
}

export function hold(ledger: Ledger, balance: Balance, amount: Atoms): void {
  ledger.postWithin(balance, amount);
}

export function release(ledger: Ledger, balance: Balance, amount: Atoms): void {
  ledger.postWithin(balance, negateAtoms(amount));
}
