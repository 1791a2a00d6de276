/**
 * The bounds of a cross account: how far each of its marks may move before the account has to be looked at. Its slack, which is equity less maintenance,
 * is shared equally by its positions. While no position has lost more than its share, the account has lost no more than its slack.
 */
import { assert, atoms, divFloor, type Atoms, type Ticks } from '@orrery/units';
import { contractNotional, lastUnsafePrice, maintenanceMargin, unrealizedProfit, type Holding, type MarginTerms } from '@orrery/rules';

/** A position at its present mark. */
export interface MarkedPosition {
  readonly holding: Holding;
  readonly mark: Ticks;
  readonly terms: MarginTerms;
}

/** What a position adds to the slack of its account: its profit less its maintenance, at its mark. Signed. */
export function slackOf({ holding, mark, terms }: MarkedPosition): Atoms {
  const notional = contractNotional(mark, holding.size, terms);
  return atoms(unrealizedProfit(holding, mark, terms) - maintenanceMargin(notional, terms.tiers));
}

/**
 * The mark at which a position has lost its share, in settle atoms from 0: at or below it for a long, at or above it for a short. `NO_TICKS` when no
 * mark costs as much.
 */
export const boundOf = (position: MarkedPosition, share: Atoms): Ticks =>
  lastUnsafePrice(position.holding, atoms(share - slackOf(position)), position.terms);

/** What each of `parts` may lose of a slack from 0. */
export function shareOf(slack: Atoms, parts: number): Atoms {
  assert(slack >= 0n && parts > 0, 'an account that stands has slack for each of its positions');
  return atoms(divFloor(slack, BigInt(parts)));
}
