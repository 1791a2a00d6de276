/**
 * The account that takes positions over. Its collateral is its own and capped: 5 % of the insurance fund when it was last funded, which it is whenever
 * it holds nothing. What it loses beyond that the insurance fund pays, and what that cannot pay is deleveraged. This is how it was before rules 7; since then
 * `take-over.ts` and `unwind.ts`.
 */
import { atoms, minAtoms, NO_ATOMS, NO_TICKS, subtractAtoms } from '@orrery/units';
import { payFunding } from '../clearing/pay-funding.ts';
import { pay } from '../ledger/movements.ts';
import { heldLots, type PositionRow } from '../positions/position-row.ts';
import { walletOf } from '../positions/positions.ts';
import { closeByOrder } from './close-by-order.ts';
import { deleverage } from './deleverage.ts';
import type { LiquidationCase, LiquidationScope } from './liquidation-scope.ts';
import { endow, freelyHeld, fundLiquidator, takeMoney } from './liquidator-money.ts';
import { movePosition } from './move-position.ts';
import { fundsBefore, reportStep } from './report.ts';

/** Takes over all positions of a cluster at mark, with what is left of its money; deleverages them when the fund cannot pay what is missing. */
export function takeOver(scope: LiquidationScope, one: LiquidationCase): void {
  const { state } = scope;
  const { cluster, solvency } = one;
  const { liquidator } = state.liquidations;
  const [first] = cluster.rows;
  if (first === undefined) return;
  const { group, terms } = first.exposure.contract;
  const { settle } = terms;
  if (liquidator === 0) {
    if (solvency.equity < NO_ATOMS) deleverage(scope, one);
    return;
  }
  const own = state.ledger.of(liquidator, walletOf(group), settle);
  payFunding(state, state.positions.holder(liquidator), scope.events);
  fundLiquidator(scope, group, settle);
  const missing = solvency.equity < NO_ATOMS ? atoms(0n - solvency.equity) : NO_ATOMS;
  const fromLiquidator = minAtoms(missing, freelyHeld(state, group, settle));
  const fromInsurance = subtractAtoms(missing, fromLiquidator);
  const fund = state.ledger.system('INSURANCE', settle);
  if (state.ledger.free(fund) < fromInsurance) {
    deleverage(scope, one);
    return;
  }
  endow(state, first, own, fromLiquidator);
  endow(state, first, fund, fromInsurance);
  for (const [index, row] of cluster.rows.entries()) {
    const before = fundsBefore(scope, row);
    const to = state.positions.row(liquidator, row.exposure.contract, 'both');
    movePosition(scope, row, to, { size: heldLots(row), price: row.exposure.contract.prices.mark, cause: 'takeover' });
    const paid = index === 0 ? { fromLiquidator, fromInsurance } : { fromLiquidator: NO_ATOMS, fromInsurance: NO_ATOMS };
    reportStep(scope, one, row, before, { stage: 'takeover', ...paid });
  }
  if (solvency.equity > NO_ATOMS) takeMoney(scope, cluster, own, solvency.equity);
}

/** The liquidator's own step: it is liquidated by nobody, so beyond its collateral the fund pays, or its positions are deleveraged. */
export function backLiquidator(scope: LiquidationScope, one: LiquidationCase): void {
  const { equity } = one.solvency;
  const [first] = one.cluster.rows;
  if (equity >= NO_ATOMS || first === undefined) return;
  const fund = scope.state.ledger.system('INSURANCE', first.exposure.contract.terms.settle);
  const missing = atoms(0n - equity);
  if (scope.state.ledger.free(fund) < missing) {
    deleverage(scope, one);
    return;
  }
  const before = fundsBefore(scope, first);
  pay(scope.state.ledger, fund, first.exposure.balance, missing);
  reportStep(scope, one, first, before, { stage: 'takeover', fromLiquidator: NO_ATOMS, fromInsurance: NO_ATOMS });
}

/** Sells what the liquidator holds of a contract into its book, as far as it goes. */
export function unwind(scope: LiquidationScope, row: PositionRow): void {
  const { group, terms } = row.exposure.contract;
  closeByOrder(scope, row, heldLots(row), NO_TICKS);
  fundLiquidator(scope, group, terms.settle);
}
