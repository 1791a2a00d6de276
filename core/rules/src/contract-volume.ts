/** What a trade in a contract counts in USDC: for fee tiers, tasks and boards. */
import type { Payoff } from '@orrery/protocol';
import { assert, atoms, bigintOf, type Atoms, type Lots } from '@orrery/units';

interface VolumeTerms {
  readonly payoff: Payoff;
  readonly sizePrecision: number;
}

/**
 * USDC atoms: the notional of a linear contract, which is settled in USDC; of an inverse one its size, because a lot is a number of dollars. Exact.
 * @param decimals of USDC; at least the size precision of an inverse contract
 */
export function contractVolume(
  { notional, size }: { readonly notional: Atoms; readonly size: Lots },
  terms: VolumeTerms,
  decimals: number,
): Atoms {
  if (terms.payoff === 'linear') return notional;
  assert(terms.sizePrecision <= decimals, 'a lot of an inverse contract is a whole number of USDC atoms');
  return atoms(bigintOf(size) * 10n ** BigInt(decimals - terms.sizePrecision));
}
