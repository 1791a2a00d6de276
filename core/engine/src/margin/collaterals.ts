/** Assets beside the settle asset that count for cross margin of linear contracts, and what they are worth. */
import {
  addAtoms,
  atoms,
  divFloor,
  millis,
  NO_ATOMS,
  NO_TICKS,
  type AccountId,
  type AssetId,
  type Atoms,
  type Millis,
  type Ticks,
} from '@orrery/units';
import type { Collateral, CollateralPriced, Market } from '@orrery/protocol';
import { openingShare, valueAt } from '@orrery/rules';
import type { Ledger } from '../ledger/ledger.ts';

const MILLION = 1_000_000n;

/** The spot market in whose ticks a collateral is valued; before rules 7 by its index price. */
export interface IndexedMarket {
  readonly terms: Market;
  readonly indexPrice: Ticks;
}

/** A price of its own, in ticks of its market. */
export interface CollateralPrice {
  /** `NO_TICKS` before the first round: it counts for nothing. */
  readonly price: Ticks;
  /** When the last round came that could be relied on. */
  readonly at: Millis;
}

/** Before its first round. */
export const NOT_PRICED: CollateralPrice = { price: NO_TICKS, at: millis(0) };

export interface ListedCollateral {
  readonly terms: Collateral;
  readonly market: IndexedMarket;
  /** Undefined before rules 7. */
  own: CollateralPrice | undefined;
}

/** What a collateral is valued by where it keeps its last value: for maintenance, and when it is sold. */
export const priceOf = ({ own, market }: ListedCollateral): Ticks => (own === undefined ? market.indexPrice : own.price);

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

  /** What all of an account's free collateral counts for, in atoms of the quote asset, by the last prices. */
  worthOf(ledger: Ledger, account: AccountId): Atoms {
    return this.#sum(ledger, account, worthAt);
  }

  /** The same for what opens and for what leaves, where an old price counts for less. */
  openingWorthOf(ledger: Ledger, account: AccountId, at: Millis): Atoms {
    return this.#sum(ledger, account, (free, collateral) => openingWorthAt(free, collateral, at));
  }

  #sum(ledger: Ledger, account: AccountId, worthOf: (free: Atoms, collateral: ListedCollateral) => Atoms): Atoms {
    let worth = NO_ATOMS;
    for (const collateral of this.#list) {
      const free = ledger.free(ledger.of(account, 'futures', collateral.terms.asset));
      if (free > NO_ATOMS) worth = addAtoms(worth, worthOf(free, collateral));
    }
    return worth;
  }
}

/** Rounded down; nothing while it has no price. */
export function worthAt(amount: Atoms, collateral: ListedCollateral): Atoms {
  const price = priceOf(collateral);
  if (price === NO_TICKS) return NO_ATOMS;
  const { terms, market } = collateral;
  return atoms(divFloor(valueAt(amount, price, market.terms) * BigInt(terms.ratioPpm), MILLION));
}

/** Before rules 7 a price had no age. */
export function openingWorthAt(amount: Atoms, collateral: ListedCollateral, at: Millis): Atoms {
  const worth = worthAt(amount, collateral);
  return collateral.own === undefined ? worth : openingShare(worth, at - collateral.own.at);
}

export const collateralPriced = ({ asset, market }: Collateral, { price, at }: CollateralPrice): CollateralPriced => ({
  type: 'CollateralPriced',
  asset,
  market,
  price,
  at,
});
