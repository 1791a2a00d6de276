/** The first stage of a liquidation: orders that trade at once close what they can, and the rest is left to its account while that has something to lose. */
import { atoms, divFloor, millis, NO_ATOMS, NO_TICKS, type Atoms, type Lots, type Ticks } from '@orrery/units';
import { bankruptcyPrice, closingBound, contractNotional, feeOn, firstLiquidation, takerFeeRate } from '@orrery/rules';
import { markNotional, unrealisedOf } from '../margin/cross-margin.ts';
import { heldLots, type PositionRow } from '../positions/position-row.ts';
import { closeByOrder } from './close-by-order.ts';
import type { LiquidationCase, LiquidationScope } from './liquidation-scope.ts';
import { fundsBefore, reportStep } from './report.ts';
import { holdingOf, maintenanceOf, solvencyOf } from '../risk/solvency.ts';

/** The position with the largest need first, until the account is safe; of a large position a part first. */
export function closeByOrders(scope: LiquidationScope, one: LiquidationCase, rows: readonly PositionRow[], isSafe: () => boolean): void {
  const { liquidation, cluster } = one;
  const { state } = scope;
  const hadPart = liquidation.waitsUntil > 0;
  for (const row of rows) {
    if (isSafe()) return;
    const size = hadPart ? heldLots(row) : firstPart(row);
    if (size < heldLots(row)) liquidation.waitsUntil = millis(scope.at + row.exposure.contract.terms.liquidationCooldownMs);
    const before = fundsBefore(scope, row);
    const solvency = solvencyOf(state, cluster);
    const stake = state.rules < 7 ? solvency.equity : partOf(solvency, row);
    const margin = atoms(stake - unrealisedOf(row));
    // Never worse than where the account has nothing left: what the book does not take there, the liquidator does.
    closeByOrder(scope, row, size, state.rules < 7 ? worstPrice(row, margin, bankruptcyPrice) : worstPrice(row, margin, closingBound));
    if (scope.events.length > before.events)
      reportStep(scope, { ...one, solvency }, row, before, { stage: 'orderBook', fromLiquidator: NO_ATOMS, fromInsurance: NO_ATOMS });
  }
}

/** Each position may lose its part of what is left, by its maintenance: no order takes what the others stand on. */
function partOf({ equity, maintenance }: LiquidationCase['solvency'], row: PositionRow): Atoms {
  if (equity <= NO_ATOMS || maintenance <= NO_ATOMS) return NO_ATOMS;
  return atoms(divFloor(equity * maintenanceOf(row), maintenance));
}

/** Where the margin pays the loss and the fee of closing all of it: the fee is the larger of that at the mark and that where the loss alone takes all. */
function worstPrice(row: PositionRow, margin: Atoms, priceOf: typeof bankruptcyPrice): Ticks {
  const { contract, holder } = row.exposure;
  const { terms } = contract;
  const holding = holdingOf(row);
  const before = priceOf(holding, margin, terms);
  const rate = takerFeeRate(terms, holder.feeTier);
  const feeAtMark = feeOn(markNotional(row), rate);
  const feeThere = before === NO_TICKS ? NO_ATOMS : feeOn(contractNotional(before, holding.size, terms), rate);
  return priceOf(holding, atoms(margin - (feeAtMark > feeThere ? feeAtMark : feeThere)), terms);
}

function firstPart(row: PositionRow): Lots {
  const { terms, prices } = row.exposure.contract;
  const held = heldLots(row);
  return firstLiquidation(held, contractNotional(prices.mark, held, terms), terms);
}
