/**
 * What a trade does to one position: it closes what is held the other way, then opens. Profit is paid by CLEARING, a loss to it, so that CLEARING and the
 * signed cost of all positions sum to zero for each settle asset and payoff (P3).
 */
import {
  addAtoms,
  addLots,
  assert,
  atoms,
  minAtoms,
  minLots,
  negateAtoms,
  NO_ATOMS,
  NO_LOTS,
  signedLots,
  subtractAtoms,
  subtractLots,
  type Atoms,
  type Lots,
  type Millis,
  type Ticks,
} from '@orrery/units';
import type { Event, ReductionCause, Side } from '@orrery/protocol';
import { contractNotional, initialMargin, profitOf, releasedCost } from '@orrery/rules';
import type { Balance } from '../ledger/balance.ts';
import { pay } from '../ledger/movements.ts';
import { heldLots, isLong, type PositionRow } from '../positions/position-row.ts';
import { owesFunding } from '../positions/unpaid-funding.ts';
import { collect, type PaymentState } from './payment.ts';

export type PositionState = PaymentState;

export interface PositionFill {
  readonly side: Side;
  readonly price: Ticks;
  readonly size: Lots;
  /** Settle atoms of the whole fill. */
  readonly notional: Atoms;
  /** Settle atoms; below zero for a rebate. */
  readonly fee: Atoms;
  readonly cause: ReductionCause;
  readonly at: Millis;
}

/** @param events receives what was closed, and the collateral that was sold for a loss */
export function fillPosition(state: PositionState, row: PositionRow, fill: PositionFill, events: Event[]): void {
  const { side, price, size, notional, fee } = fill;
  const { contract } = row.exposure;
  assert(!owesFunding(row), 'P2: a position pays its funding before it changes');
  state.positions.touch(row);
  const wasOpen = row.size !== 0;
  const closes = row.size !== 0 && isLong(row) !== (side === 'buy');
  const closed = closes ? minLots(heldLots(row), size) : NO_LOTS;
  const opened = subtractLots(size, closed);
  const closing = closed === size ? notional : closed === NO_LOTS ? NO_ATOMS : contractNotional(price, closed, contract.terms);
  // The fee is shared by lots; the part that opens pays the rest.
  const closingFee = closed === size ? fee : closed === NO_LOTS ? NO_ATOMS : atoms((fee * BigInt(closed)) / BigInt(size));
  const { cause, at } = fill;
  if (closed > NO_LOTS) close(state, row, { side, price, size: closed, notional: closing, fee: closingFee, cause, at }, events);
  if (opened > NO_LOTS) {
    const rest = { notional: subtractAtoms(notional, closing), fee: subtractAtoms(fee, closingFee) };
    open(state, row, { side, price, size: opened, notional: rest.notional, fee: rest.fee, cause, at }, events);
  }
  contract.openPositions += Number(row.size !== 0) - Number(wasOpen);
  state.positions.recheck(row.exposure);
}

function close(state: PositionState, row: PositionRow, fill: PositionFill, events: Event[]): void {
  const { exposure } = row;
  const { contract, holder } = exposure;
  const { market, payoff } = contract.terms;
  const held = heldLots(row);
  const long = isLong(row);
  const released = releasedCost(row.cost, fill.size, held);
  const profit = profitOf(long ? 'long' : 'short', released, fill.notional, payoff);
  const freed = exposure.mode === 'isolated' ? releasedCost(row.margin, fill.size, held) : NO_ATOMS;
  row.cost = subtractAtoms(row.cost, released);
  row.size = signedLots(long ? row.size - fill.size : row.size + fill.size);
  row.realised = addAtoms(row.realised, profit);
  if (long) contract.openInterest = subtractLots(contract.openInterest, fill.size);
  settle(state, row, { profit, fee: fill.fee, freed }, events);
  events.push({
    type: 'PositionReduced',
    account: holder.account,
    market,
    positionSide: row.positionSide,
    isLong: long,
    size: fill.size,
    price: fill.price,
    notional: fill.notional,
    releasedCost: released,
    profit,
    fee: fill.fee,
    cause: fill.cause,
  });
}

interface Settlement {
  readonly profit: Atoms;
  readonly fee: Atoms;
  /** Margin of an isolated position that returns with what was closed. */
  readonly freed: Atoms;
}

/** Of an isolated position what returns and what was gained pay first, so that what is left of it keeps its own margin. */
function settle(state: PositionState, row: PositionRow, { profit, fee, freed }: Settlement, events: Event[]): void {
  const { ledger } = state;
  const { balance, contract, mode } = row.exposure;
  const clearing = ledger.system('CLEARING', contract.terms.settle);
  moveMargin(state, row, negateAtoms(freed));
  if (profit > NO_ATOMS) pay(ledger, clearing, balance, profit);
  const gained = profit > NO_ATOMS ? addAtoms(freed, profit) : freed;
  const credit = mode === 'isolated' ? gained : NO_ATOMS;
  const left = profit < NO_ATOMS ? owe(state, row, { to: clearing, amount: negateAtoms(profit), credit }, events) : credit;
  payFee(state, row, fee, left, events);
}

function open(state: PositionState, row: PositionRow, { side, size, notional, fee, at }: PositionFill, events: Event[]): void {
  const { exposure } = row;
  const { contract, balance, mode } = exposure;
  if (row.size === 0) restart(row, at);
  row.cost = addAtoms(row.cost, notional);
  row.size = signedLots(side === 'buy' ? row.size + size : row.size - size);
  const held = heldLots(row);
  if (held > row.maxSize) row.maxSize = held;
  if (side === 'buy') contract.openInterest = addLots(contract.openInterest, size);
  if (mode === 'isolated') moveMargin(state, row, minAtoms(initialMargin(notional, row.leverage), state.ledger.free(balance)));
  payFee(state, row, fee, mode === 'isolated' ? state.ledger.free(balance) : NO_ATOMS, events);
}

/** What is counted since a position was opened begins again. */
function restart(row: PositionRow, at: Millis): void {
  row.realised = NO_ATOMS;
  row.fees = NO_ATOMS;
  row.funding = NO_ATOMS;
  row.fundingIndex = row.exposure.contract.funding.index;
  row.openedAt = at;
  row.maxSize = NO_LOTS;
}

/** A rebate is paid out of the fees, in which the taker's of the same trade is already. */
function payFee(state: PositionState, row: PositionRow, fee: Atoms, credit: Atoms, events: Event[]): void {
  const to = state.ledger.fees(row.exposure.contract.terms.settle);
  row.fees = addAtoms(row.fees, fee);
  if (fee < NO_ATOMS) pay(state.ledger, to, row.exposure.balance, negateAtoms(fee));
  else if (fee > NO_ATOMS) owe(state, row, { to, amount: fee, credit }, events);
}

interface Debt {
  readonly to: Balance;
  readonly amount: Atoms;
  /** Free settle atoms that pay before the margin does. */
  readonly credit: Atoms;
}

/** Returns what is left of the credit. */
function owe(state: PositionState, row: PositionRow, { to, amount, credit }: Debt, events: Event[]): Atoms {
  const part = minAtoms(credit, amount);
  if (part > NO_ATOMS) pay(state.ledger, row.exposure.balance, to, part);
  const rest = subtractAtoms(amount, part);
  if (rest > NO_ATOMS) collect(state, row, to, rest, events);
  return subtractAtoms(credit, part);
}

/** Between the free money of the wallet and the margin of an isolated position: added when above zero. */
export function moveMargin({ ledger }: PaymentState, row: PositionRow, amount: Atoms): void {
  if (amount === NO_ATOMS) return;
  ledger.postWithin(row.exposure.balance, 'positionMargin', amount);
  row.margin = addAtoms(row.margin, amount);
}
