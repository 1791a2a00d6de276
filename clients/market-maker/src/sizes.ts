/** What lots of a pair are worth, and how many are worth something. */
import type { PairTerms } from '@orrery/sdk';
import { atoms, lots, type Atoms, type Lots, type Ticks } from '@orrery/units';

export function notional(price: Ticks, size: Lots, rules: PairTerms): Atoms {
  return atoms(BigInt(price) * BigInt(size) * rules.tickLotAtoms);
}

/** The most lots that `money` quote atoms are worth at a price. */
export function sizeWorth(money: bigint, price: Ticks, rules: PairTerms): Lots {
  const worth = money / (BigInt(price) * rules.tickLotAtoms);
  return worth < BigInt(rules.maxSize) ? lots(Number(worth)) : rules.maxSize;
}

/** The least lots that the market takes at a price. */
export function smallestSize(price: Ticks, rules: PairTerms): Lots {
  const perLot = BigInt(price) * rules.tickLotAtoms;
  const enough = (rules.minNotional + perLot - 1n) / perLot;
  return enough > BigInt(rules.minSize) ? lots(Number(enough)) : rules.minSize;
}
