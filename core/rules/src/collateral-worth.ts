/** What an asset beside the settle asset counts for as margin. */
import { atoms, bigintOf, divFloor, NO_ATOMS, NO_TICKS, type Atoms, type Ppm, type Ticks } from '@orrery/units';

const MILLION = 1_000_000n;

/** By what a collateral is valued. */
export interface CollateralTerms {
  /** Of one whole lot of it in the market that prices it; 0 while it has no price. */
  readonly price: Ticks;
  /** Atoms of the collateral in a lot, and settle atoms of a lot at one tick. */
  readonly lotAtoms: Atoms;
  readonly tickLotAtoms: Atoms;
  /** The share of its value that counts. */
  readonly ratioPpm: Ppm;
}

/** The value rounds down, and the share of it that counts rounds down again; nothing without a price. */
export function collateralWorth(amount: Atoms, { price, lotAtoms, tickLotAtoms, ratioPpm }: CollateralTerms): Atoms {
  if (price === NO_TICKS || amount === NO_ATOMS) return NO_ATOMS;
  const value = divFloor(amount * bigintOf(price) * tickLotAtoms, lotAtoms);
  return atoms(divFloor(value * bigintOf(ratioPpm), MILLION));
}
