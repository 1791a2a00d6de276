/** What a size is worth: exact, because one lot at one tick is a whole number of quote atoms on every market. */
import { atoms, bigintOf, divFloor, lots, type Atoms, type Lots, type Ticks } from '@orrery/units';
import type { BookTerms, Market } from '@orrery/protocol';

const ONE_LOT = lots(1);

/** Exact product of two counts. Most products are safe integers, and one conversion is cheaper than two. */
function product(left: number, right: number): bigint {
  const fast = left * right;
  return Number.isSafeInteger(fast) ? bigintOf(fast) : bigintOf(left) * bigintOf(right);
}

/** Quote atoms of `size` lots at `price` ticks. */
export function notional(price: Ticks, size: Lots, market: Pick<BookTerms, 'tickLotAtoms'>): Atoms {
  return atoms(product(price, size) * market.tickLotAtoms);
}

/** Base atoms of `size` lots. */
export function baseAmount(size: Lots, market: Market): Atoms {
  return atoms(bigintOf(size) * market.lotAtoms);
}

/** The most lots that `funds` quote atoms buy at `price` (at least 1 tick), and not more than `wanted`. */
export function affordableSize(funds: Atoms, price: Ticks, wanted: Lots, market: Pick<BookTerms, 'tickLotAtoms'>): Lots {
  const affordable = divFloor(funds, notional(price, ONE_LOT, market));
  return affordable < bigintOf(wanted) ? lots(Number(affordable)) : wanted;
}

/** Quote atoms that any amount of base atoms, from 0, is worth at `price`: rounded down. */
export function valueAt(amount: Atoms, price: Ticks, market: Market): Atoms {
  return atoms(divFloor(amount * bigintOf(price) * market.tickLotAtoms, market.lotAtoms));
}
