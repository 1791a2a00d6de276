/** Fees, taken in the asset received: the buyer pays in base, the seller in quote. */
import { atoms, divCeil, divFloor, type Atoms, type Ppm, type SignedPpm } from '@orrery/units';

const MILLION = 1_000_000n;

/**
 * The fee on an amount received, in atoms of the same asset. Each fee rounds up, so splitting an order can never make it cheaper;
 * for rates up to 1,000,000 ppm it is never more than the amount itself. A rate below zero gives a rebate, a fee below zero: it rounds
 * towards zero, so splitting an order can never make it larger.
 */
export function feeOn(received: Atoms, rate: Ppm | SignedPpm): Atoms {
  if (rate < 0) return atoms(-divFloor(received * BigInt(0 - rate), MILLION));
  return atoms(divCeil(received * BigInt(rate), MILLION));
}
