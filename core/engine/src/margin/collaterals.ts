/** Assets beside the settle asset that count for cross margin of linear contracts, and what they are worth. */
import { addAtoms, atoms, divFloor, NO_ATOMS, NO_TICKS, type AccountId, type AssetId, type Atoms, type Ticks } from '@orrery/units';
import type { Collateral, Market } from '@orrery/protocol';
import { valueAt } from '@orrery/rules';
import type { Ledger } from '../ledger/ledger.ts';

const MILLION = 1_000_000n;

/** A spot market by whose index price a collateral is valued. */
export interface IndexedMarket {
  readonly terms: Market;
  readonly indexPrice: Ticks;
}

export interface ListedCollateral {
  readonly terms: Collateral;
  readonly market: IndexedMarket;
}

export class Collaterals {
  /** By asset id: the order in which they are sold. */
  readonly #list: ListedCollateral[] = [];

  get(asset: AssetId): ListedCollateral | undefined {
    return this.#list.find(({ terms }) => terms.asset === asset);
  }

  set(collateral: ListedCollateral): void {
    const { asset } = collateral.terms;
    const place = this.#list.findIndex(({ terms }) => terms.asset >= asset);
    if (place === -1) this.#list.push(collateral);
    else this.#list.splice(place, this.#list[place]?.terms.asset === asset ? 1 : 0, collateral);
  }

  /** By asset id. */
  [Symbol.iterator](): IterableIterator<ListedCollateral> {
    return this.#list[Symbol.iterator]();
  }

  /** What all of an account's free collateral counts for, in atoms of the quote asset. */
  worthOf(ledger: Ledger, account: AccountId): Atoms {
    let worth = NO_ATOMS;
    for (const collateral of this.#list) {
      const free = ledger.free(ledger.of(account, 'futures', collateral.terms.asset));
      if (free > NO_ATOMS) worth = addAtoms(worth, worthAt(free, collateral));
    }
    return worth;
  }
}

/** Rounded down; nothing while its market has no index price. */
export function worthAt(amount: Atoms, { terms, market }: ListedCollateral): Atoms {
  if (market.indexPrice === NO_TICKS) return NO_ATOMS;
  return atoms(divFloor(valueAt(amount, market.indexPrice, market.terms) * BigInt(terms.ratioPpm), MILLION));
}
