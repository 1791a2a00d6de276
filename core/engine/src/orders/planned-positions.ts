/**
 * What the trades of a plan do to the positions of resting orders, position by position, as they will be filled: each trade that is planned begins where the
 * one before it ended, so that a plan takes as long as it has trades.
 */
import {
  addAtoms,
  addLots,
  lots,
  minLots,
  NO_ATOMS,
  NO_LOTS,
  signedLots,
  subtractAtoms,
  subtractLots,
  type Atoms,
  type Lots,
  type SignedLots,
} from '@orrery/units';
import { contractNotional, feeOn, makerFeeRate, profitOf, releasedCost } from '@orrery/rules';
import type { Payer } from '../clearing/clearing.ts';
import { startCount, type Counted, type IsolatedTrade } from '../clearing/isolated-trades.ts';
import { onlyReduces } from '../clearing/reduces.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { PositionRow } from '../positions/position-row.ts';
import { unpaidOf } from '../positions/unpaid-funding.ts';
import type { OpenOrder } from './open-order.ts';

export interface PlannedPosition {
  size: SignedLots;
  cost: Atoms;
  /** Realised, less fees; of a cross position with the funding that it pays first. A rebate does not count. */
  gain: Atoms;
  /** What no longer rests of orders that may open: lots, and settle atoms at their limits. */
  ordered: Lots;
  orderedNotional: Atoms;
  /** Whether any of the trades opened something. */
  opens: boolean;
  /** Of an isolated position: its margin on the way. */
  readonly counted: Counted | undefined;
}

export class PlannedPositions {
  readonly #traded = new Map<Payer, Lots>();
  readonly #positions = new Map<Payer, PlannedPosition>();

  clear(): void {
    if (this.#traded.size > 0) this.#traded.clear();
    if (this.#positions.size > 0) this.#positions.clear();
  }

  /** Lots of all planned trades of a position: all makers of a plan stand on one side of the book. */
  tradedOf(payer: Payer): Lots {
    return this.#traded.get(payer) ?? NO_LOTS;
  }

  count(payer: Payer, size: Lots): void {
    this.#traded.set(payer, addLots(this.tradedOf(payer), size));
  }

  of(payer: Payer): PlannedPosition | undefined {
    return this.#positions.get(payer);
  }

  set(payer: Payer, position: PlannedPosition): void {
    this.#positions.set(payer, position);
  }
}

/** A copy of what was planned of a position, or the position as it is, to try another trade on. */
export function startPlanned(ledger: Ledger, row: PositionRow, { order }: OpenOrder, before: PlannedPosition | undefined): PlannedPosition {
  if (before !== undefined) return { ...before, counted: before.counted === undefined ? undefined : { ...before.counted } };
  const counted = row.exposure.mode === 'isolated' ? startCount(ledger, row, order.side) : undefined;
  const gain = row.exposure.mode === 'isolated' ? NO_ATOMS : unpaidOf(row);
  return { size: row.size, cost: row.cost, gain, ordered: NO_LOTS, orderedNotional: NO_ATOMS, opens: false, counted };
}

/** The fee of a resting order; a rebate does not count. */
export function makerFee({ exposure: { contract, holder } }: PositionRow, notional: Atoms): Atoms {
  const fee = feeOn(notional, makerFeeRate(contract.terms, holder.feeTier, holder.rebateTier));
  return fee > NO_ATOMS ? fee : NO_ATOMS;
}

/** As `fillPosition` will do it. @returns the lots that the trade opens */
export function planTrade(position: PlannedPosition, row: PositionRow, open: OpenOrder, { price, size, notional }: IsolatedTrade): Lots {
  const { order, remaining } = open;
  const { terms } = row.exposure.contract;
  const buys = order.side === 'buy';
  const held = lots(Math.abs(position.size));
  const long = position.size > 0;
  const closed = position.size !== 0 && long !== buys ? minLots(held, size) : NO_LOTS;
  const opened = subtractLots(size, closed);
  const closing = closed === size ? notional : closed === NO_LOTS ? NO_ATOMS : contractNotional(price, closed, terms);
  const released = closed === NO_LOTS ? NO_ATOMS : releasedCost(position.cost, closed, held);
  if (closed > NO_LOTS) position.gain = addAtoms(position.gain, profitOf(long ? 'long' : 'short', released, closing, terms.payoff));
  position.gain = subtractAtoms(position.gain, makerFee(row, notional));
  position.cost = addAtoms(subtractAtoms(position.cost, released), subtractAtoms(notional, closing));
  position.size = signedLots(buys ? position.size + size : position.size - size);
  position.opens ||= opened > NO_LOTS;
  if (onlyReduces(order)) return opened;
  const left = subtractLots(remaining, size);
  const before = contractNotional(order.price, remaining, terms);
  const after = left === NO_LOTS ? NO_ATOMS : contractNotional(order.price, left, terms);
  position.ordered = addLots(position.ordered, size);
  position.orderedNotional = addAtoms(position.orderedNotional, subtractAtoms(before, after));
  return opened;
}

/** The order closes: nothing of it rests any more. */
export function withoutOrder(position: PlannedPosition, row: PositionRow, { order, remaining }: OpenOrder): PlannedPosition {
  if (onlyReduces(order)) return position;
  position.ordered = addLots(position.ordered, remaining);
  position.orderedNotional = addAtoms(position.orderedNotional, contractNotional(order.price, remaining, row.exposure.contract.terms));
  return position;
}
