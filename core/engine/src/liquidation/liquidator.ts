/**
 * The account that takes positions over. Its collateral is its own and capped: 5 % of the insurance fund when it was last funded, which it is whenever
 * it holds nothing. What it loses beyond that the insurance fund pays, and what that cannot pay is deleveraged.
 */
import { atoms, minAtoms, NO_ATOMS, NO_TICKS, subtractAtoms, type AssetId, type Atoms } from '@orrery/units';
import { LIQUIDATOR_SHARE_PPM } from '@orrery/rules';
import { payFunding } from '../clearing/pay-funding.ts';
import type { Balance } from '../ledger/balance.ts';
import { hold, pay } from '../ledger/movements.ts';
import { repayUncovered } from '../ledger/repay-uncovered.ts';
import type { MarginGroup } from '../positions/contract-state.ts';
import { heldLots, type PositionRow } from '../positions/position-row.ts';
import { walletOf } from '../positions/positions.ts';
import { closeByOrder } from './close-by-order.ts';
import { deleverage } from './deleverage.ts';
import type { LiquidationCase, LiquidationScope } from './liquidation-scope.ts';
import { movePosition } from './move-position.ts';
import { fundsBefore, reportStep } from './report.ts';
import { clustersOf, solvencyOf, type Cluster } from './solvency.ts';

const MILLION = 1_000_000n;

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
  const fromLiquidator = minAtoms(missing, freelyHeld(scope, own, group));
  const fromInsurance = subtractAtoms(missing, fromLiquidator);
  const fund = state.ledger.system('INSURANCE', settle);
  if (state.ledger.free(fund) < fromInsurance) {
    deleverage(scope, one);
    return;
  }
  endow(scope, first, own, fromLiquidator);
  endow(scope, first, fund, fromInsurance);
  for (const [index, row] of cluster.rows.entries()) {
    const before = fundsBefore(scope, row);
    const to = state.positions.row(liquidator, row.exposure.contract, 'both');
    movePosition(scope, row, to, { size: heldLots(row), price: row.exposure.contract.prices.mark, cause: 'takeover' });
    const paid = index === 0 ? { fromLiquidator, fromInsurance } : { fromLiquidator: NO_ATOMS, fromInsurance: NO_ATOMS };
    reportStep(scope, one, row, before, { stage: 'takeover', ...paid });
  }
  if (solvency.equity > NO_ATOMS) takeMoney(scope, cluster, own, solvency.equity);
}

/** What the liquidator has beyond the losses of what it holds. */
function freelyHeld({ state }: LiquidationScope, own: Balance, group: MarginGroup): Atoms {
  const cluster = clusterOfLiquidator(state, group);
  const free = state.ledger.free(own);
  if (cluster === undefined) return free;
  const { equity } = solvencyOf(state, cluster);
  return equity <= NO_ATOMS ? NO_ATOMS : minAtoms(free, equity);
}

/** Pays into the money that a bankrupt position loses from. */
function endow({ state: { ledger } }: LiquidationScope, row: PositionRow, from: Balance, amount: Atoms): void {
  if (amount === NO_ATOMS) return;
  pay(ledger, from, row.exposure.balance, amount);
  if (row.exposure.mode !== 'isolated') return;
  hold(ledger, row.exposure.balance, 'positionMargin', amount);
  row.margin = atoms(row.margin + amount);
}

/** The money of a taken-over cluster: what an isolated position had left, of a cross account everything that is free, its collateral too. */
function takeMoney({ state }: LiquidationScope, { account, isIsolated, group, rows }: Cluster, own: Balance, equity: Atoms): void {
  const { ledger, collaterals, liquidations } = state;
  const [first] = rows;
  if (first === undefined || liquidations.liquidator === 0) return;
  const { balance } = first.exposure;
  pay(ledger, balance, own, isIsolated ? minAtoms(equity, ledger.free(balance)) : ledger.free(balance));
  if (isIsolated || group !== 'linear') return;
  for (const { terms } of collaterals) {
    const collateral = ledger.of(account, 'futures', terms.asset);
    const amount = ledger.free(collateral);
    if (amount > NO_ATOMS) pay(ledger, collateral, ledger.of(liquidations.liquidator, 'futures', terms.asset), amount);
  }
}

/** While the liquidator holds nothing, its money is 5 % of what it and the fund have together; the rest is the fund's. */
export function fundLiquidator({ state }: LiquidationScope, group: MarginGroup, settle: AssetId): void {
  const { ledger, liquidations } = state;
  if (liquidations.liquidator === 0 || clusterOfLiquidator(state, group) !== undefined) return;
  const own = ledger.of(liquidations.liquidator, walletOf(group), settle);
  const fund = ledger.system('INSURANCE', settle);
  const all = ledger.free(own) + ledger.free(fund);
  const target = atoms((all * LIQUIDATOR_SHARE_PPM) / MILLION);
  const change = subtractAtoms(target, ledger.free(own));
  if (change > NO_ATOMS) pay(ledger, fund, own, change);
  else if (change < NO_ATOMS) pay(ledger, own, fund, atoms(0n - change));
  repayUncovered(ledger, state.rules, settle);
}

export function clusterOfLiquidator({ positions, liquidations }: LiquidationScope['state'], group: MarginGroup): Cluster | undefined {
  const holder = liquidations.liquidator === 0 ? undefined : positions.known(liquidations.liquidator);
  return holder === undefined ? undefined : clustersOf(holder).find((cluster) => cluster.group === group);
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
