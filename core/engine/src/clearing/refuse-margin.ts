/**
 * Why an order of a contract cannot be paid for: the account is looked at as it would be after the planned trades, with the rest of the order resting.
 * What opens needs the initial margin of everything; what only reduces needs an equity that is not below zero.
 */
import {
  addAtoms,
  atoms,
  bigintOf,
  divFloor,
  lots,
  minLots,
  NO_ATOMS,
  NO_LOTS,
  NO_POSITION,
  NO_TICKS,
  signedLots,
  signedPpm,
  subtractAtoms,
  subtractLots,
  type Atoms,
  type Lots,
  type Millis,
  type Ticks,
} from '@orrery/units';
import type { CommandRejected, Order, RejectFigures } from '@orrery/protocol';
import {
  contractNotional,
  feeOn,
  hasLimit,
  initialMargin,
  maintenanceMargin,
  maxNotionalAt,
  missingMoney,
  openLoss,
  profitOf,
  reject,
  rejectBeyond,
  releasedCost,
  sizeBeyond,
  takerFeeRate,
  valueBeyond,
} from '@orrery/rules';
import { availableOf, crossMargin, equityOf, hasCross, markNotional, unrealisedOf } from '../margin/cross-margin.ts';
import { orderNeedOf } from '../margin/order-need.ts';
import { heldLots, isLong, type OrderSum, type PositionRow } from '../positions/position-row.ts';
import { freeAfterFunding, marginAfterFunding, unpaidOf } from '../positions/unpaid-funding.ts';
import type { ArrivingOrder, ClearedOrder, PlannedStep, PlannedTrades } from './clearing.ts';
import type { PositionState } from './fill-position.ts';
import { bearsClosing, isAgainst } from './isolated-trades.ts';
import { onlyReduces } from './reduces.ts';

/** What the planned trades do to a position and to the money of its account. */
interface Change {
  readonly size: PositionRow['size'];
  readonly cost: Atoms;
  /** Profit realised, less fees; of a cross position with the funding that it pays first. Signed. */
  readonly gain: Atoms;
  /** Isolated margin that returns with what closes. */
  readonly freed: Atoms;
  /** Settle atoms of what opens. */
  readonly opened: Atoms;
  readonly openedLots: Lots;
}

interface Intent {
  readonly order: Order;
  readonly plan: PlannedTrades;
  readonly change: Change;
  /** Lots that would rest, or go on later. */
  readonly resting: Lots;
  /** At which they would trade at worst. */
  readonly limit: Ticks;
  /** Settle atoms of them at the limit. */
  readonly restingNotional: Atoms;
  /** The time of the command. */
  readonly at: Millis;
}

export function refuseContractMargin(
  state: PositionState,
  row: PositionRow,
  { order, leaving, at }: ArrivingOrder,
  plan: PlannedTrades,
): CommandRejected | undefined {
  const { terms } = row.exposure.contract;
  const stays = plan.isPaused || (hasLimit(order) && order.timeInForce !== 'IOC' && order.timeInForce !== 'FOK');
  const resting = stays ? plan.remaining : NO_LOTS;
  const limit = plan.isPaused ? plan.worst : order.price;
  const restingNotional = resting === NO_LOTS ? NO_ATOMS : contractNotional(limit, resting, terms);
  const intent: Intent = { order, plan, change: changeBy(state, row, order, plan), resting, limit, restingNotional, at };
  // The order that leaves is counted no more while the new one is looked at.
  const left = leaving?.status === 'resting' && !onlyReduces(leaving.order) ? leaving : undefined;
  if (left !== undefined) shift(row, left, -1);
  const refuse = row.exposure.mode === 'isolated' ? refuseIsolated : refuseCross;
  const refusal = refuseSize(row, intent) ?? refuse(state, row, intent);
  if (left !== undefined) shift(row, left, 1);
  return refusal;
}

function shift(row: PositionRow, { order, remaining }: ClearedOrder, sign: 1 | -1): void {
  addTo(sumOf(row, order), remaining * sign, contractNotional(order.price, remaining, row.exposure.contract.terms) * BigInt(sign));
}

function addTo(sum: OrderSum, size: number, notional: bigint): void {
  sum.size = lots(sum.size + size);
  sum.notional = atoms(sum.notional + notional);
}

const sumOf = ({ buys, sells }: PositionRow, { side }: Order): OrderSum => (side === 'buy' ? buys : sells);

/**
 * Fills of several prices are taken as one: what is realised less is unrealised more. Before rules 7 of their average price, by which what a turned position opens
 * was too cheap: the first fills close, and they are the best ones.
 */
function changeBy({ rules }: PositionState, row: PositionRow, { side }: Order, plan: PlannedTrades): Change {
  const { filled, traded } = plan;
  const funding = row.exposure.mode === 'cross' ? unpaidOf(row) : NO_ATOMS;
  if (filled === NO_LOTS) return { size: row.size, cost: row.cost, gain: funding, freed: NO_ATOMS, opened: NO_ATOMS, openedLots: NO_LOTS };
  const { contract, holder } = row.exposure;
  const { payoff } = contract.terms;
  const fee = feeOn(traded, takerFeeRate(contract.terms, holder.feeTier));
  const held = heldLots(row);
  const closes = held > NO_LOTS && isLong(row) !== (side === 'buy');
  const closed = closes ? minLots(held, filled) : NO_LOTS;
  const openedLots = subtractLots(filled, closed);
  const closing = rules < 7 ? atoms(divFloor(traded * bigintOf(closed), bigintOf(filled))) : notionalOfFirst(plan, closed, row);
  const released = closed === NO_LOTS ? NO_ATOMS : releasedCost(row.cost, closed, held);
  const profit = closed === NO_LOTS ? NO_ATOMS : profitOf(isLong(row) ? 'long' : 'short', released, closing, payoff);
  const opened = subtractAtoms(traded, closing);
  return {
    size: signedLots(side === 'buy' ? row.size + filled : row.size - filled),
    cost: addAtoms(subtractAtoms(row.cost, released), opened),
    gain: addAtoms(subtractAtoms(profit, fee), funding),
    freed: closed === NO_LOTS ? NO_ATOMS : releasedCost(marginAfterFunding(row), closed, held),
    opened,
    openedLots,
  };
}

/** What the first lots of a plan trade for. */
function notionalOfFirst(plan: PlannedTrades, size: Lots, row: PositionRow): Atoms {
  if (size === plan.filled) return plan.traded;
  let left = size;
  let sum = NO_ATOMS;
  for (let index = 0; index < plan.count && left > NO_LOTS; index += 1) {
    const step = plan.step(index);
    if (step.kind !== 'trade') continue;
    const part = minLots(left, step.size);
    sum = addAtoms(sum, part === step.size ? step.notional : contractNotional(step.price, part, row.exposure.contract.terms));
    left = subtractLots(left, part);
  }
  return sum;
}

/** P9: the open interest of the contract, and the largest position that the leverage allows, with all that its orders may open. */
function refuseSize(row: PositionRow, { order, change, resting }: Intent): CommandRejected | undefined {
  if (onlyReduces(order)) return undefined;
  const { terms, openInterest, prices } = row.exposure.contract;
  if (change.openedLots > NO_LOTS && openInterest + change.openedLots > terms.openInterestCap)
    return rejectBeyond('OpenInterestExceeded', 'size', openingBeyond(row, change.openedLots));
  if (change.openedLots === NO_LOTS && resting === NO_LOTS) return undefined;
  const toward = order.side === 'buy' ? change.size : 0 - change.size;
  const largest = toward + sumOf(row, order).size + resting;
  if (largest <= 0) return undefined;
  const price = prices.mark === NO_TICKS ? order.price : prices.mark;
  const notional = price === NO_TICKS ? change.cost : contractNotional(price, lots(largest), terms);
  const limit = maxNotionalAt(row.leverage, terms.tiers);
  return notional > limit ? rejectBeyond('PositionTooLarge', 'size', valueBeyond(terms.market, { asked: notional, limit })) : undefined;
}

/** What the cap of the open interest leaves. */
function openingBeyond({ exposure: { contract } }: PositionRow, asked: Lots): RejectFigures {
  const { terms, openInterest } = contract;
  return sizeBeyond(terms.market, { asked, limit: Math.max(0, terms.openInterestCap - openInterest) });
}

/** What only closes is never refused for what other orders need then: they are closed where it is missing. */
const mayOpen = ({ change, resting }: Intent): boolean => change.openedLots > NO_LOTS || resting > NO_LOTS;

/** What trades and opens is carried by what is there, whatever the orders of the account needed before: since rules 7, like a resting order. */
const grows = ({ rules }: PositionState, { change }: Intent): boolean => rules >= 7 && change.openedLots > NO_LOTS;

/** What resting lots that may open lose against the mark when they trade at their limit. Before rules 6 it was not asked for. */
function restingLoss({ rules }: PositionState, row: PositionRow, { order, change, resting, limit }: Intent): Atoms {
  if (rules < 6 || onlyReduces(order)) return NO_ATOMS;
  const closable = order.side === 'buy' ? 0 - change.size : change.size;
  const opening = Math.min(resting, sumOf(row, order).size + resting - Math.max(0, closable));
  if (opening <= 0) return NO_ATOMS;
  const { prices, terms } = row.exposure.contract;
  return openLoss({ side: order.side, price: limit, size: lots(opening) }, prices.mark, terms);
}

function refuseCross(state: PositionState, row: PositionRow, intent: Intent): CommandRejected | undefined {
  const { holder, contract } = row.exposure;
  const { group } = contract;
  const { change, order } = intent;
  const { at } = intent;
  const after = whileChanged(row, intent, () => crossMargin(state, holder, group, at));
  const loss = restingLoss(state, row, intent);
  const lacking = subtractAtoms(loss, addAtoms(availableOf(after), change.gain));
  if (lacking <= NO_ATOMS) return undefined;
  const now = crossMargin(state, holder, group, at);
  const opens = !onlyReduces(order) && (grows(state, intent) || (mayOpen(intent) && (loss > NO_ATOMS || after.initial > now.initial)));
  if (!opens && addAtoms(equityOf(after), change.gain) >= NO_ATOMS) return undefined;
  const available = availableOf(now);
  return rejectBeyond('InsufficientMargin', '', missingMoney(contract.terms.settle, { needed: addAtoms(available, lacking), available }));
}

/** An isolated contract needs free settle money, that no cross position of the wallet needs. */
function refuseIsolated(state: PositionState, row: PositionRow, intent: Intent): CommandRejected | undefined {
  const { change } = intent;
  const { exposure } = row;
  if (state.rules >= 6 && change.size !== row.size && (leavesTooLittle(row, intent) || leavesLoss(state, row, intent)))
    return reject('InsufficientMargin');
  const before = orderNeedOf(exposure);
  const after = whileChanged(row, intent, () => orderNeedOf(exposure));
  if (!mayOpen(intent) || (change.opened === NO_ATOMS && after <= before && restingLoss(state, row, intent) === NO_ATOMS)) return undefined;
  const needed = addAtoms(addAtoms(after, initialMargin(change.opened, row.leverage)), restingLoss(state, row, intent));
  const returned = addAtoms(addAtoms(change.freed, change.gain), exposure.reserved);
  const free = addAtoms(freeAfterFunding(state.ledger, exposure.holder, exposure.balance), returned);
  const { group, terms } = exposure.contract;
  if (free < needed) return rejectBeyond('InsufficientMargin', '', missingMoney(terms.settle, { needed, available: free }));
  if (!hasCross(exposure.holder, group)) return undefined;
  const available = addAtoms(availableOf(crossMargin(state, exposure.holder, group, intent.at)), returned);
  return available < needed ? rejectBeyond('InsufficientMargin', '', missingMoney(terms.settle, { needed, available })) : undefined;
}

/**
 * Whether trades far from the mark leave an isolated position less than nothing, or one that they open less than its maintenance: what its margin does not
 * cover others would pay. Before rules 6 only cross positions were looked at so.
 */
function leavesTooLittle(row: PositionRow, intent: Intent): boolean {
  const { change } = intent;
  const { unrealised, maintenance } = whileChanged(row, intent, () => {
    const isOpen = row.size !== NO_POSITION;
    return { unrealised: isOpen ? unrealisedOf(row) : NO_ATOMS, maintenance: isOpen ? maintenanceOf(row) : NO_ATOMS };
  });
  const margin = addAtoms(marginAfterFunding(row), initialMargin(change.opened, row.leverage));
  return addAtoms(addAtoms(margin, change.gain), unrealised) < (change.openedLots > NO_LOTS ? maintenance : NO_ATOMS);
}

/** What closes is paid by the margin of what was held: that of what the same order opens does not pay for it. */
function leavesLoss({ ledger }: PositionState, row: PositionRow, { order, plan }: Intent): boolean {
  const { contract, holder } = row.exposure;
  const feeRate = signedPpm(takerFeeRate(contract.terms, holder.feeTier));
  return isAgainst(row, order.side) && !bearsClosing(ledger, row, { side: order.side, feeRate, trades: tradesOf(plan) });
}

function* tradesOf(plan: PlannedTrades): Generator<PlannedStep> {
  for (let index = 0; index < plan.count; index += 1) if (plan.step(index).kind === 'trade') yield plan.step(index);
}

const maintenanceOf = (row: PositionRow): Atoms => maintenanceMargin(markNotional(row), row.exposure.contract.terms.tiers);

/** Looks at a position as it would be, with its funding paid, and puts it back. */
function whileChanged<Result>(row: PositionRow, { order, change, resting, restingNotional }: Intent, look: () => Result): Result {
  const { size, cost, fundingIndex } = row;
  const sum = sumOf(row, order);
  const before = { size: sum.size, notional: sum.notional };
  row.size = change.size;
  row.cost = change.cost;
  row.fundingIndex = row.exposure.contract.funding.index;
  if (resting > NO_LOTS && !onlyReduces(order)) addTo(sum, resting, restingNotional);
  const result = look();
  sum.size = before.size;
  sum.notional = before.notional;
  row.size = size;
  row.cost = cost;
  row.fundingIndex = fundingIndex;
  return result;
}
