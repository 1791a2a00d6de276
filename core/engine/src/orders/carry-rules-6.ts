/** Whether a resting order may still trade by rules 6: a fill at the mark or better was not looked at. What follows them is in `carry.ts`. */
import { addAtoms, addLots, atoms, bigintOf, divFloor, lots, minAtoms, NO_ATOMS, NO_LOTS, NO_TICKS, subtractAtoms } from '@orrery/units';
import type { Atoms, Lots, Ticks } from '@orrery/units';
import type { Side } from '@orrery/protocol';
import {
  contractNotional,
  feeOn,
  initialMargin,
  isWorse,
  maintenanceMargin,
  makerFeeRate,
  profitOf,
  type RulesVersion,
  type Solvency,
} from '@orrery/rules';
import type { Slot } from '../book/book.ts';
import type { PlannedStep } from '../clearing/clearing.ts';
import { bearsClosing, isAgainst, type IsolatedTrade } from '../clearing/isolated-trades.ts';
import type { Listed } from '../instruments/listed-market.ts';
import { crossSolvency, markNotional, type MarginState } from '../margin/cross-margin.ts';
import { heldLots, type PositionRow } from '../positions/position-row.ts';
import type { Positions } from '../positions/positions.ts';
import type { OpenOrders } from './open-orders.ts';

/** What was planned before the maker. */
export interface Planned {
  readonly count: number;
  step(index: number): PlannedStep & { readonly maker: Slot };
}

export interface CarryState extends MarginState {
  readonly rules: RulesVersion;
  readonly orders: OpenOrders;
  readonly positions: Positions;
}

/** A trade of a resting order of a contract. */
export interface MakerTrade {
  readonly maker: Slot;
  readonly price: Ticks;
  readonly size: Lots;
  /** Settle atoms. */
  readonly notional: Atoms;
}

/** What the trades of a plan do to one position. */
interface Traded {
  size: Lots;
  notional: Atoms;
}

/**
 * After the trade, and those planned before it, the account of the maker is worth at mark its maintenance where it opens, and nothing less than nothing where it
 * only closes. A trade at the mark or better takes nothing from it, and is not looked at. What closes of an isolated position its own margin pays, at any price.
 * Before the contract has a mark the price of the trade stands for it. A rebate does not count, and the fee of what an isolated position opens counts against
 * its margin, though the wallet pays it first: by these alone less is allowed than could be borne, and in an inverse contract by an atom for each trade.
 */
export function canCarryByRules6(state: CarryState, market: Listed, trade: MakerTrade, plan: Planned): boolean {
  const { contract, book } = market;
  const { order, payer } = state.orders.known(book.orderIdOf(trade.maker));
  if (state.rules < 6 || contract === undefined) return true;
  const own = state.positions.at(payer);
  const { side } = order;
  if (own.exposure.mode === 'isolated' && isAgainst(own, side)) {
    const feeRate = makerFeeRate(contract.terms, own.exposure.holder.feeTier, own.exposure.holder.rebateTier);
    if (!bearsClosing(state.ledger, own, { side, feeRate, trades: tradesOf(state, market, { own, trade }, plan) })) return false;
  }
  const { mark } = contract.prices;
  if (mark !== NO_TICKS && !isWorse(trade.price, mark, side)) return true;
  const at = mark === NO_TICKS ? trade.price : mark;
  const traded = new Map<PositionRow, Traded>();
  let { equity, maintenance } = solvencyNow(state, own, at);
  const count = (row: PositionRow, { size, notional }: Pick<MakerTrade, 'size' | 'notional'>): void => {
    const sum = traded.get(row) ?? { size: NO_LOTS, notional: NO_ATOMS };
    traded.set(row, { size: addLots(sum.size, size), notional: addAtoms(sum.notional, notional) });
    equity = addAtoms(equity, gainAt(row, at, side, { size, notional }));
  };
  for (let index = 0; index < plan.count; index += 1) {
    const step = plan.step(index);
    if (step.kind !== 'trade') continue;
    const row = state.positions.at(state.orders.known(book.orderIdOf(step.maker)).payer);
    if (standTogether(row, own)) count(row, step);
  }
  count(own, trade);
  let opens = false;
  for (const [row, sum] of traded) {
    const opened = openedLots(row, side, sum.size);
    opens ||= opened > NO_LOTS;
    maintenance = addAtoms(maintenance, subtractAtoms(maintenanceAfter(row, at, side, sum.size), maintenanceAt(row, at)));
    if (row.exposure.mode === 'isolated') equity = addAtoms(equity, postedFor(state, row, sum, opened));
  }
  return equity >= (opens ? maintenance : NO_ATOMS);
}

/** The trades of one position that were planned before, and the one that is looked at. */
function* tradesOf(
  state: CarryState,
  { book }: Listed,
  { own, trade }: { readonly own: PositionRow; readonly trade: MakerTrade },
  plan: Planned,
): Generator<IsolatedTrade> {
  for (let index = 0; index < plan.count; index += 1) {
    const step = plan.step(index);
    if (step.kind === 'trade' && state.orders.known(book.orderIdOf(step.maker)).payer === own.payer) yield step;
  }
  yield trade;
}

/** Cross positions of a margin group share their money; an isolated one has its own. */
const standTogether = (row: PositionRow, own: PositionRow): boolean =>
  row === own || (own.exposure.mode === 'cross' && row.exposure === own.exposure);

/** With the contract of the position at a price: at the mark, or where it has none. */
function solvencyNow(state: CarryState, row: PositionRow, at: Ticks): Solvency {
  const { holder, contract, mode, rows } = row.exposure;
  if (mode === 'isolated')
    return { equity: row.size === 0 ? row.margin : addAtoms(row.margin, unrealisedAt(row, at)), maintenance: maintenanceAt(row, at) };
  let { equity, maintenance } = crossSolvency(state, holder, contract.group);
  if (contract.prices.mark !== NO_TICKS) return { equity, maintenance };
  for (const held of rows) {
    if (held === undefined || held.size === 0) continue;
    equity = addAtoms(equity, unrealisedAt(held, at));
    maintenance = addAtoms(
      maintenance,
      subtractAtoms(maintenanceAt(held, at), maintenanceMargin(markNotional(held), contract.terms.tiers)),
    );
  }
  return { equity, maintenance };
}

function unrealisedAt(row: PositionRow, at: Ticks): Atoms {
  const { terms } = row.exposure.contract;
  return profitOf(row.size > 0 ? 'long' : 'short', row.cost, contractNotional(at, heldLots(row), terms), terms.payoff);
}

/** Below zero: what the trade loses against the mark, and its fee. A rebate does not count. */
function gainAt({ exposure }: PositionRow, at: Ticks, side: Side, { size, notional }: Traded): Atoms {
  const { contract, holder } = exposure;
  const { terms } = contract;
  const gain = profitOf(side === 'buy' ? 'long' : 'short', notional, contractNotional(at, size, terms), terms.payoff);
  const fee = feeOn(notional, makerFeeRate(terms, holder.feeTier, holder.rebateTier));
  return fee > NO_ATOMS ? subtractAtoms(gain, fee) : gain;
}

const sizeAfter = ({ size }: PositionRow, side: Side, traded: Lots): number => (side === 'buy' ? size + traded : size - traded);

/** Lots of `traded` beyond those that close what is held the other way. */
function openedLots(row: PositionRow, side: Side, traded: Lots): Lots {
  const closes = row.size !== 0 && row.size > 0 !== (side === 'buy');
  if (!closes) return traded;
  return traded > heldLots(row) ? lots(traded - heldLots(row)) : NO_LOTS;
}

const maintenanceAt = (row: PositionRow, at: Ticks): Atoms => maintenanceOfLots(row, at, heldLots(row));

const maintenanceAfter = (row: PositionRow, at: Ticks, side: Side, traded: Lots): Atoms =>
  maintenanceOfLots(row, at, lots(Math.abs(sizeAfter(row, side, traded))));

function maintenanceOfLots({ exposure }: PositionRow, at: Ticks, held: Lots): Atoms {
  const { terms } = exposure.contract;
  return held === NO_LOTS ? NO_ATOMS : maintenanceMargin(contractNotional(at, held, terms), terms.tiers);
}

/** The margin that an isolated position receives for what it opens, as far as there is money. */
function postedFor({ ledger }: CarryState, row: PositionRow, { size, notional }: Traded, opened: Lots): Atoms {
  if (opened === NO_LOTS) return NO_ATOMS;
  const { balance, reserved } = row.exposure;
  const opening = opened === size ? notional : atoms(divFloor(notional * bigintOf(opened), bigintOf(size)));
  return minAtoms(initialMargin(opening, row.leverage), addAtoms(ledger.free(balance), reserved));
}
