/**
 * What planned trades against an isolated position do to it, one after the other, in the order in which `fillPosition` pays: each closing part is paid by what
 * it frees and by the margin that is left, never by what an earlier trade gave back to the wallet. What these do not cover others would pay.
 */
import {
  addAtoms,
  atoms,
  lots,
  minAtoms,
  minLots,
  negateAtoms,
  NO_ATOMS,
  NO_LOTS,
  NO_TICKS,
  subtractAtoms,
  subtractLots,
  type Atoms,
  type Lots,
  type SignedPpm,
  type Ticks,
} from '@orrery/units';
import type { Side } from '@orrery/protocol';
import { contractNotional, feeOn, initialMargin, maintenanceMargin, profitOf, releasedCost } from '@orrery/rules';
import type { Ledger } from '../ledger/ledger.ts';
import { heldLots, isLong, type PositionRow } from '../positions/position-row.ts';
import { freeAfterFunding, marginAfterFunding } from '../positions/unpaid-funding.ts';

export interface IsolatedTrade {
  readonly price: Ticks;
  readonly size: Lots;
  /** Settle atoms. */
  readonly notional: Atoms;
}

/** The position, without its sign, and the free money of its wallet. */
export interface Counted {
  held: Lots;
  cost: Atoms;
  margin: Atoms;
  free: Atoms;
  /** On the side of the trades. */
  isTurned: boolean;
  /** What was opened did not receive its whole initial margin. */
  isShort: boolean;
}

export const isAgainst = (row: PositionRow, side: Side): boolean => row.size !== 0 && isLong(row) !== (side === 'buy');

/**
 * Whether trades against a position leave no loss to others, and where they turn it round, what they open its maintenance by its own margin.
 * @param side of the trades; against the position
 * @param feeRate a rebate does not count
 */
export function bearsClosing(
  ledger: Ledger,
  row: PositionRow,
  { side, feeRate, trades }: { readonly side: Side; readonly feeRate: SignedPpm; readonly trades: Iterable<IsolatedTrade> },
): boolean {
  const counted = startCount(ledger, row, side);
  for (const trade of trades) {
    const fee = orNothing(feeOn(trade.notional, feeRate));
    if (!countTrade(counted, row, trade, fee)) return false;
  }
  return !counted.isTurned || hasMaintenance(counted, row, side);
}

/** An isolated position before trades of a side: what they do not close they open. */
export function startCount(ledger: Ledger, row: PositionRow, side: Side): Counted {
  const { balance, holder, reserved } = row.exposure;
  const free = addAtoms(freeAfterFunding(ledger, holder, balance), reserved);
  return { held: heldLots(row), cost: row.cost, margin: marginAfterFunding(row), free, isTurned: !isAgainst(row, side), isShort: false };
}

/** @returns false when the margin does not pay what the trade costs */
export function countTrade(counted: Counted, row: PositionRow, { price, size, notional }: IsolatedTrade, fee: Atoms): boolean {
  const { terms } = row.exposure.contract;
  const closed = counted.isTurned ? NO_LOTS : minLots(counted.held, size);
  const opened = subtractLots(size, closed);
  const closing = closed === size ? notional : contractNotional(price, closed, terms);
  const closingFee = closed === size ? fee : atoms((fee * BigInt(closed)) / BigInt(size));
  if (closed > NO_LOTS && !countClosing(counted, row, { price, size: closed, notional: closing }, closingFee)) return false;
  if (opened === NO_LOTS) return true;
  const opening = subtractAtoms(notional, closing);
  counted.isTurned = true;
  counted.held = lots(counted.held + opened);
  counted.cost = addAtoms(counted.cost, opening);
  const needed = initialMargin(opening, row.leverage);
  const posted = minAtoms(needed, counted.free);
  if (posted < needed) counted.isShort = true;
  const paid = minAtoms(subtractAtoms(fee, closingFee), subtractAtoms(counted.free, posted));
  counted.free = subtractAtoms(counted.free, addAtoms(posted, paid));
  counted.margin = subtractAtoms(addAtoms(counted.margin, posted), subtractAtoms(subtractAtoms(fee, closingFee), paid));
  return counted.margin >= NO_ATOMS;
}

function countClosing(counted: Counted, row: PositionRow, { size, notional }: IsolatedTrade, fee: Atoms): boolean {
  const released = releasedCost(counted.cost, size, counted.held);
  const freed = releasedCost(counted.margin, size, counted.held);
  const profit = profitOf(isLong(row) ? 'long' : 'short', released, notional, row.exposure.contract.terms.payoff);
  const owed = addAtoms(fee, orNothing(negateAtoms(profit)));
  const credit = addAtoms(freed, orNothing(profit));
  counted.held = subtractLots(counted.held, size);
  counted.cost = subtractAtoms(counted.cost, released);
  counted.margin = subtractAtoms(subtractAtoms(counted.margin, freed), orNothing(subtractAtoms(owed, credit)));
  counted.free = addAtoms(counted.free, orNothing(subtractAtoms(credit, owed)));
  return counted.margin >= NO_ATOMS;
}

/** Of the position as it would be, less nothing where it only closes: at mark; before the contract has one, at what it cost. */
export function equityOfCounted({ held, cost, margin, isTurned }: Counted, { exposure }: PositionRow, side: Side): Atoms {
  const { terms, prices } = exposure.contract;
  const notional = prices.mark === NO_TICKS ? cost : contractNotional(prices.mark, held, terms);
  const long = isTurned === (side === 'buy');
  return addAtoms(margin, profitOf(long ? 'long' : 'short', cost, notional, terms.payoff));
}

/** At mark; before the contract has one, at what it cost. */
export function hasMaintenance({ held, cost, margin }: Counted, { exposure }: PositionRow, side: Side): boolean {
  const { terms, prices } = exposure.contract;
  const notional = prices.mark === NO_TICKS ? cost : contractNotional(prices.mark, held, terms);
  const unrealised = profitOf(side === 'buy' ? 'long' : 'short', cost, notional, terms.payoff);
  return addAtoms(margin, unrealised) >= maintenanceMargin(notional, terms.tiers);
}

const orNothing = (amount: Atoms): Atoms => (amount > NO_ATOMS ? amount : NO_ATOMS);
