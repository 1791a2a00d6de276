/**
 * Whether a resting order may still trade. The mark may have moved far from its limit since it came in, or its account may have lost what would carry it: the
 * fill is looked at like an order that comes in now.
 */
import { addAtoms, lots, atoms, NO_ATOMS, NO_LOTS, NO_TICKS, type Atoms, type Millis } from '@orrery/units';
import type { Side } from '@orrery/protocol';
import { isWorse } from '@orrery/rules';
import { countTrade, equityOfCounted, hasMaintenance } from '../clearing/isolated-trades.ts';
import type { Listed } from '../instruments/listed-market.ts';
import { availableOf, crossMargin, equityOf, type CrossMargin } from '../margin/cross-margin.ts';
import type { PositionRow } from '../positions/position-row.ts';
import { canCarryByRules6, type CarryState, type MakerTrade, type Planned } from './carry-rules-6.ts';
import type { OpenOrder } from './open-order.ts';
import { makerFee, planTrade, startPlanned, withoutOrder, type PlannedPosition, type PlannedPositions } from './planned-positions.ts';

export type { CarryState } from './carry-rules-6.ts';

/** The plan so far, and what its trades do to the positions of the makers. */
export interface Carried extends Planned {
  readonly positions: PlannedPositions;
  /** The time of the command. */
  readonly at: Millis;
}

/**
 * A trade that opens needs the initial margin of everything that its account has then: under cross of all positions and orders of the wallet, of an isolated
 * position what is opened, and its maintenance. One that only closes is looked at when it is worse than the mark: it leaves its account nothing less than
 * nothing, or where the same plan has opened something, the initial margin. What closes of an isolated position its own margin pays, at any price. What can be
 * carried is counted in the plan, and so is what an order that closes needs no more.
 */
export function canCarry(state: CarryState, market: Listed, open: OpenOrder, trade: MakerTrade, plan: Carried): boolean {
  const { contract } = market;
  if (contract === undefined || state.rules < 6) return true;
  if (state.rules < 7) return canCarryByRules6(state, market, trade, plan);
  const row = state.positions.at(open.payer);
  const planned = startPlanned(state.ledger, row, open, plan.positions.of(open.payer));
  const opens = planTrade(planned, row, open, trade) > NO_LOTS;
  const { side } = open.order;
  const { mark } = contract.prices;
  // Before the contract has a mark the price of the trade stands for it.
  if (mark === NO_TICKS) contract.prices.mark = trade.price;
  const takesNothing = !opens && mark !== NO_TICKS && !isWorse(trade.price, mark, side);
  const isBorne =
    planned.counted === undefined
      ? takesNothing || bearsCross(state, row, { planned, side, opens }, plan)
      : bearsIsolated(row, { planned, side, opens }, trade, takesNothing);
  contract.prices.mark = mark;
  plan.positions.set(
    open.payer,
    isBorne ? planned : withoutOrder(startPlanned(state.ledger, row, open, plan.positions.of(open.payer)), row, open),
  );
  return isBorne;
}

interface Tried {
  readonly planned: PlannedPosition;
  readonly side: Side;
  /** Whether the trade that is tried opens something. */
  readonly opens: boolean;
}

function bearsIsolated(row: PositionRow, { planned, side, opens }: Tried, trade: MakerTrade, takesNothing: boolean): boolean {
  const { counted } = planned;
  if (counted === undefined) return true;
  if (!countTrade(counted, row, trade, makerFee(row, trade.notional))) return false;
  if (opens) return !counted.isShort && hasMaintenance(counted, row, side);
  return takesNothing || equityOfCounted(counted, row, side) >= NO_ATOMS;
}

function bearsCross(state: CarryState, row: PositionRow, { planned, side, opens }: Tried, { positions, at }: Carried): boolean {
  const parts = partsOf(row, planned, positions);
  let gain = NO_ATOMS;
  let opensAny = opens;
  for (const part of parts) {
    gain = addAtoms(gain, part.planned.gain);
    opensAny ||= part.planned.opens;
  }
  const margin = marginWith(state, row, { parts, side, at });
  return addAtoms(opensAny ? availableOf(margin) : equityOf(margin), gain) >= NO_ATOMS;
}

interface Part {
  readonly row: PositionRow;
  readonly planned: PlannedPosition;
}

/** Both sides of hedge mode have the money of one wallet. */
function partsOf(row: PositionRow, planned: PlannedPosition, plan: PlannedPositions): readonly Part[] {
  const parts: Part[] = [{ row, planned }];
  for (const other of row.exposure.rows) {
    if (other === undefined || other === row) continue;
    const before = plan.of(other.payer);
    if (before !== undefined) parts.push({ row: other, planned: before });
  }
  return parts;
}

/** Looks at the margin of the account as it would be, and puts everything back. */
function marginWith(
  state: CarryState,
  { exposure }: PositionRow,
  { parts, side, at }: { readonly parts: readonly Part[]; readonly side: Side; readonly at: Millis },
): CrossMargin {
  const undo = parts.map(({ row, planned }) => swap(row, planned, side));
  const margin = crossMargin(state, exposure.holder, exposure.contract.group, at);
  for (const [index, { row }] of parts.entries()) restore(row, undo[index], side);
  return margin;
}

interface Before {
  readonly size: PositionRow['size'];
  readonly cost: Atoms;
  readonly fundingIndex: number;
  readonly ordered: number;
  readonly orderedNotional: bigint;
}

function swap(row: PositionRow, { size, cost, ordered, orderedNotional }: PlannedPosition, side: Side): Before {
  const sum = side === 'buy' ? row.buys : row.sells;
  const before: Before = {
    size: row.size,
    cost: row.cost,
    fundingIndex: row.fundingIndex,
    ordered: sum.size,
    orderedNotional: sum.notional,
  };
  row.size = size;
  row.cost = cost;
  // Its funding is in what it gains.
  row.fundingIndex = row.exposure.contract.funding.index;
  sum.size = lots(sum.size - ordered);
  sum.notional = atoms(sum.notional - orderedNotional);
  return before;
}

function restore(row: PositionRow, before: Before | undefined, side: Side): void {
  if (before === undefined) return;
  const sum = side === 'buy' ? row.buys : row.sells;
  row.size = before.size;
  row.cost = before.cost;
  row.fundingIndex = before.fundingIndex;
  sum.size = lots(before.ordered);
  sum.notional = atoms(before.orderedNotional);
}
