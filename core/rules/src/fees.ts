/** Fees, taken in the asset received: the buyer pays in base, the seller in quote. */
import { atoms, divCeil, type Atoms, type Ppm } from '@orrery/units';

const MILLION = 1_000_000n;

/**
 * The fee on an amount received, in atoms of the same asset. Each fee rounds up, so splitting an order can never make it cheaper;
 * for rates up to 1,000,000 ppm it is never more than the amount itself.
 */
export function feeOn(received: Atoms, rate: Ppm): Atoms {
  return atoms(divCeil(received * BigInt(rate), MILLION));
}
