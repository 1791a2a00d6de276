/**
 * Which accounts a round of prices has to look at: those whose positions or money changed since they were looked at, and those whose bound the price
 * reached. It follows from the state and is no part of it: an engine restored from a snapshot sets other bounds, and finds the same.
 */
import {
  atoms,
  bigintOf,
  divCeil,
  NO_ATOMS,
  NO_TICKS,
  subtractAtoms,
  ticks,
  type AccountId,
  type Atoms,
  type MarketId,
  type Ticks,
} from '@orrery/units';
import type { Event } from '@orrery/protocol';
import { BOOK_PRICE_MAX } from '../book/book.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { priceOf, worthAt, type Collaterals, type ListedCollateral } from '../margin/collaterals.ts';
import type { Holder } from '../positions/position-row.ts';
import { PriceBounds } from './price-bounds.ts';
import { boundOf, shareOf } from './share-slack.ts';
import { holdingOf, type Cluster } from './solvency.ts';
import { spareOf, Spares } from './spares.ts';

const MILLION = 1_000_000n;

export interface WatchedMoney {
  readonly ledger: Ledger;
  readonly collaterals: Collaterals;
}

export class Watch {
  readonly #ofContracts = new Map<MarketId, PriceBounds>();
  /** By the spot market in whose ticks the collateral is valued. */
  readonly #ofCollaterals = new Map<MarketId, PriceBounds>();
  readonly #spares = new Spares();
  #due = new Set<AccountId>();

  /** Notes whom the events of a command concern. @param isFunding whether it does nothing but pay funding */
  follow(events: readonly Event[], isFunding: boolean): void {
    if (isFunding) return this.#followFunding(events);
    for (const event of events) {
      if (event.type === 'PositionChanged') this.#due.add(event.account);
      else if (event.type === 'BalanceChanged' && (event.wallet === 'futures' || event.wallet === 'coinFutures'))
        this.#due.add(event.account);
      // Since rules 7 an index price touches no bound; who is looked at too early stays as he is.
      else if (event.type === 'IndexPriceSet' || event.type === 'CollateralPriced')
        this.#reach(this.#ofCollaterals.get(event.market), event.price);
    }
  }

  /** Funding alone changes an account by what it pays or receives. */
  #followFunding(events: readonly Event[]): void {
    const borne = new Set<AccountId>();
    for (const event of events) {
      if (event.type === 'FundingPaid') {
        if (this.#spares.bear(event)) borne.add(event.account);
        else this.#due.add(event.account);
      } else if (event.type === 'PositionChanged' || event.type === 'BalanceChanged') {
        if (!borne.has(event.account)) this.#due.add(event.account);
      } else if ('account' in event) this.#due.add(event.account);
    }
  }

  /** Its bounds are unknown, or do not say enough. */
  mustLookAt(account: AccountId): void {
    this.#due.add(account);
  }

  reach(market: MarketId, mark: Ticks): void {
    this.#reach(this.#ofContracts.get(market), mark);
  }

  /** The accounts to look at now, by their ids; the next call begins from none. */
  takeDue(): readonly AccountId[] {
    const due = [...this.#due].sort((left, right) => left - right);
    this.#due = new Set();
    return due;
  }

  /** Forgets the bounds of an account's positions; those that it still has are set again. */
  forget(holder: Holder): void {
    const { account, exposures } = holder;
    this.#spares.forget(holder);
    for (const { contract } of exposures) {
      const bounds = this.#ofContracts.get(contract.terms.market);
      bounds?.remove(account, 'long');
      bounds?.remove(account, 'short');
    }
    for (const bounds of this.#ofCollaterals.values()) bounds.remove(account, 'long');
  }

  /** Shares the slack of a safe cluster over its positions and its collateral, but for what is kept for funding. @param slack equity less maintenance, from 0 */
  setBounds(cluster: Cluster, slack: Atoms, { ledger, collaterals }: WatchedMoney): void {
    const { account, isIsolated, group, rows } = cluster;
    const spare = spareOf(slack);
    this.#spares.set(cluster, spare);
    const staked = isIsolated || group !== 'linear' ? [] : stakedBy(account, ledger, collaterals);
    const share = shareOf(subtractAtoms(slack, spare), rows.length + staked.length);
    for (const row of rows) {
      const { terms, prices } = row.exposure.contract;
      const holding = holdingOf(row);
      const bound = boundOf({ holding, mark: prices.mark, terms }, share);
      boundsAt(this.#ofContracts, terms.market).set(account, holding.direction, bound);
    }
    for (const { collateral, amount } of staked)
      boundsAt(this.#ofCollaterals, collateral.terms.market).set(account, 'long', collateralBound(collateral, amount, share));
  }

  #reach(bounds: PriceBounds | undefined, price: Ticks): void {
    for (const account of bounds?.takeReached(price) ?? []) this.#due.add(account);
  }
}

interface Stake {
  readonly collateral: ListedCollateral;
  readonly amount: Atoms;
}

function stakedBy(account: AccountId, ledger: Ledger, collaterals: Collaterals): readonly Stake[] {
  const stakes: Stake[] = [];
  for (const collateral of collaterals) {
    const amount = ledger.free(ledger.of(account, 'futures', collateral.terms.asset));
    if (amount > NO_ATOMS) stakes.push({ collateral, amount });
  }
  return stakes;
}

/** A price below which the collateral has lost its share; a tick too high rather than too low. */
function collateralBound(collateral: ListedCollateral, amount: Atoms, share: Atoms): Ticks {
  const { terms, market } = collateral;
  const worth = worthAt(amount, collateral);
  if (priceOf(collateral) === NO_TICKS || worth <= share) return NO_TICKS;
  const kept = atoms(worth - share + 2n);
  const oneTick = amount * market.terms.tickLotAtoms * BigInt(terms.ratioPpm);
  const bound = divCeil(kept * market.terms.lotAtoms * MILLION, oneTick) + 1n;
  return ticks(Number(bound > bigintOf(BOOK_PRICE_MAX) ? bigintOf(BOOK_PRICE_MAX) : bound));
}

function boundsAt(map: Map<MarketId, PriceBounds>, market: MarketId): PriceBounds {
  const before = map.get(market);
  if (before !== undefined) return before;
  const made = new PriceBounds();
  map.set(market, made);
  return made;
}
