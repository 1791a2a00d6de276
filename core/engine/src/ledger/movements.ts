/** Movements of money: each is a pair of postings that sums to zero. Amounts are at least 0. */
import { negateAtoms, type Atoms } from '@orrery/units';
import type { Balance, Reserve } from './balance.ts';
import type { Ledger } from './ledger.ts';

export function pay(ledger: Ledger, from: Balance, to: Balance, amount: Atoms): void {
  ledger.postFree(from, negateAtoms(amount));
  ledger.postFree(to, amount);
}

/** Pays from what `hold` has reserved of a balance. */
export function payFromHeld(ledger: Ledger, from: Balance, reserve: Reserve, to: Balance, amount: Atoms): void {
  ledger.postReserved(from, reserve, negateAtoms(amount));
  ledger.postFree(to, amount);
}

export function hold(ledger: Ledger, balance: Balance, reserve: Reserve, amount: Atoms): void {
  ledger.postWithin(balance, reserve, amount);
}

export function release(ledger: Ledger, balance: Balance, reserve: Reserve, amount: Atoms): void {
  ledger.postWithin(balance, reserve, negateAtoms(amount));
}
