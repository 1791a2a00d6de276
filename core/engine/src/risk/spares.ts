/**
 * The part of an account's slack that its bounds leave over. A funding payment takes from it and moves no bound, so the round after a funding looks at those alone
 * who have no such part left. Like the bounds it follows from the state and is no part of it.
 */
import { addAtoms, atoms, NO_ATOMS, type AccountId, type Atoms, type MarketId } from '@orrery/units';
import { POSITION_SIDES, type FundingPaid, type PositionSide } from '@orrery/protocol';
import type { Holder } from '../positions/position-row.ts';
import type { Cluster } from './solvency.ts';

/** The bounds are this much nearer than they could be: an eighth of the slack pays many intervals of ordinary funding. */
const SHARE = 8n;

/** Shared by the positions of a cluster. */
interface Spare {
  left: Atoms;
}

export const spareOf = (slack: Atoms): Atoms => atoms(slack / SHARE);

export class Spares {
  readonly #ofContracts = new Map<MarketId, Map<number, Spare>>();

  set({ account, rows }: Cluster, left: Atoms): void {
    const spare = { left };
    for (const { exposure, positionSide } of rows) {
      const { market } = exposure.contract.terms;
      let ofContract = this.#ofContracts.get(market);
      if (ofContract === undefined) this.#ofContracts.set(market, (ofContract = new Map()));
      ofContract.set(keyOf(account, positionSide), spare);
    }
  }

  forget({ account, exposures }: Holder): void {
    for (const { contract } of exposures) {
      const ofContract = this.#ofContracts.get(contract.terms.market);
      for (const side of POSITION_SIDES) ofContract?.delete(keyOf(account, side));
    }
  }

  /** @returns whether the account has borne it without a look at its bounds */
  bear({ account, market, positionSide, amount }: FundingPaid): boolean {
    const spare = this.#ofContracts.get(market)?.get(keyOf(account, positionSide));
    if (spare === undefined) return false;
    spare.left = addAtoms(spare.left, amount);
    return spare.left >= NO_ATOMS;
  }
}

const keyOf = (account: AccountId, side: PositionSide): number => account * POSITION_SIDES.length + POSITION_SIDES.indexOf(side);
