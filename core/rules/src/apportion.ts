/** How an amount is divided so that its parts sum to it exactly: in proportion, by the largest remainder; and no part above its cap. */
import { atoms, minAtoms, NO_ATOMS, subtractAtoms, type Atoms } from '@orrery/units';
import { divideBig } from './largest-remainder.ts';

/** The parts of an amount in proportion to weights from 0, of which one at least is above 0: by the largest remainder, of equal ones to the first. */
export function apportion(amount: Atoms, weights: readonly Atoms[]): readonly Atoms[] {
  if (amount === NO_ATOMS) return weights.map(() => NO_ATOMS);
  return divideBig(amount, weights).map(atoms);
}

/** What takes a part of an amount. */
export interface Vessel {
  /** In proportion to which it takes; above 0. */
  readonly weight: Atoms;
  /** The most it takes, from 0. */
  readonly cap: Atoms;
}

/**
 * Water-filling: an amount is divided in proportion to the weights, and what would be above a cap goes on to the others in the same way. Together they take
 * the amount, or all of their caps when that is less.
 */
export function fillCapped(amount: Atoms, vessels: readonly Vessel[]): readonly Atoms[] {
  const taken: Atoms[] = vessels.map(() => NO_ATOMS);
  let open = vessels.map((vessel, index) => ({ ...vessel, index })).filter(({ cap }) => cap > NO_ATOMS);
  let left = minAtoms(
    amount,
    open.reduce((sum, { cap }) => atoms(sum + cap), NO_ATOMS),
  );
  while (left > NO_ATOMS) {
    const total = open.reduce((sum, { weight }) => sum + weight, 0n);
    const full = new Set(open.filter(({ weight, cap }) => left * weight > cap * total));
    if (full.size === 0) {
      const parts = apportion(
        left,
        open.map(({ weight }) => weight),
      );
      for (const [place, { index }] of open.entries()) taken[index] = parts[place] ?? NO_ATOMS;
      break;
    }
    for (const { index, cap } of full) {
      taken[index] = cap;
      left = subtractAtoms(left, cap);
    }
    open = open.filter((vessel) => !full.has(vessel));
  }
  return taken;
}
