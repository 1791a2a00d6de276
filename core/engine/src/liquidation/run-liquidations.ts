/**
 * After a round of prices: looks at the accounts that it can touch, begins liquidations, and takes a bounded number of their steps; a later command takes the
 * next ones.
 */
import { atoms, minAtoms, NO_ATOMS, NO_POSITION, NO_TICKS, type AccountId } from '@orrery/units';
import { initialMargin, solvencyStage } from '@orrery/rules';
import { payFunding } from '../clearing/pay-funding.ts';
import { hold } from '../ledger/movements.ts';
import { crossMargin, markNotional, transferableOf } from '../margin/cross-margin.ts';
import { isAnyMatching } from '../orders/must-wait.ts';
import { holdsDegraded } from '../margin/open-positions.ts';
import type { ContractState } from '../positions/contract-state.ts';
import type { PositionRow } from '../positions/position-row.ts';
import { mayLiquidateBy } from '../prices/contract-prices.ts';
import { closeByOrders } from './close-by-orders.ts';
import { deleverage } from './deleverage.ts';
import { endActivity } from './end-activity.ts';
import { countRealised } from './fund-allowance.ts';
import type { LiquidationCase, LiquidationScope } from './liquidation-scope.ts';
import type { Liquidation } from '../risk/liquidations.ts';
import { backLiquidator, takeOver, unwind } from './liquidator.ts';
import { clusterOfLiquidator } from './liquidator-money.ts';
import { closableRows, presentSolvency } from './present-solvency.ts';
import { closeAtMark } from './close-at-mark.ts';
import { takeOverOrClose } from './take-over.ts';
import { backOrClose, unwindSome } from './unwind.ts';
import { clusterKey, clustersOf, solvencyOf, type Cluster } from '../risk/solvency.ts';

/** The most liquidations that take a step within one command: each may trade as an order does, which bounds the duration of a command. */
export const LIQUIDATIONS_PER_COMMAND = 16;

/** A contract has new prices. */
export function afterPrices(scope: LiquidationScope, contract: ContractState): void {
  const { liquidations, positions } = scope.state;
  const { watch, liquidator } = liquidations;
  watch.reach(contract.terms.market, contract.prices.mark);
  if (!mayLiquidateBy(contract.prices, scope.at)) return;
  liquidations.startRound();
  // Those whom the triggers of this round changed, too: a restored engine looks at everybody.
  for (const row of positions.touched()) watch.mustLookAt(row.exposure.holder.account);
  for (const account of watch.takeDue()) lookAt(scope, account);
  // What the triggers of this round have begun is finished first: the steps are due.
  if (isAnyMatching(scope.state, (listed) => listed.contract !== undefined)) return;
  if (liquidator !== 0) {
    const row = positions.row(liquidator, contract, 'both');
    if (row.size !== NO_POSITION) unwindRow(scope, row);
  }
  takeSteps(scope);
}

function unwindRow(scope: LiquidationScope, row: PositionRow): void {
  const start = scope.events.length;
  if (scope.state.rules < 7) unwind(scope, row);
  else unwindSome(scope, row);
  countRealised(scope, start);
}

/** Takes the steps that are due, at most `LIQUIDATIONS_PER_COMMAND`. */
export function takeSteps(scope: LiquidationScope): void {
  const { liquidations } = scope.state;
  for (let step = 0; step < LIQUIDATIONS_PER_COMMAND && !hasDoneMuch(scope); step += 1) {
    const next = liquidations.nextDue();
    if (next === undefined || scope.trading.fills.isSpent) return;
    next.isDue = false;
    const start = scope.events.length;
    takeStep(scope, next);
    countRealised(scope, start);
  }
}

/** A deleveraging may concern thousands: what comes after it is left to the next command. Since rules 7. */
const EVENTS_PER_COMMAND = 2_000;
const hasDoneMuch = ({ state, events }: LiquidationScope): boolean => state.rules >= 7 && events.length > EVENTS_PER_COMMAND;

/** Begins the liquidation of what is no longer safe, and sets the bounds of what is. */
function lookAt({ state, at }: LiquidationScope, account: AccountId): void {
  const { positions, liquidations } = state;
  const { watch } = liquidations;
  const holder = positions.known(account);
  if (holder === undefined) return;
  watch.forget(holder);
  for (const cluster of clustersOf(holder)) {
    const isPriced = cluster.rows.every(({ exposure }) => exposure.contract.prices.mark > NO_TICKS);
    if (!isPriced && state.rules < 7) {
      watch.mustLookAt(account);
      continue;
    }
    const { equity, maintenance } = solvencyOf(state, cluster);
    const key = clusterKey(cluster);
    // By the last marks it is safe, so it is with better ones for those that are missing.
    if (isPriced && equity >= maintenance) watch.setBounds(cluster, atoms(equity - maintenance), state);
    // Bounds are of the maintenance: between it and nothing the liquidator is looked at each round.
    else if (isSafe({ state, at }, cluster) || closableRows(state, cluster, at).length === 0) watch.mustLookAt(account);
    else if (!liquidations.has(key)) liquidations.begin(account, key);
  }
}

function takeStep(scope: LiquidationScope, liquidation: Liquidation): void {
  const { state, events } = scope;
  const holder = state.positions.known(liquidation.account);
  if (holder !== undefined) payFunding(state, holder, events);
  const found = clusterBy(scope, liquidation);
  if (found === undefined) {
    state.liquidations.end(liquidation);
    return;
  }
  if (closableRows(state, found, scope.at).length === 0) return;
  const one: LiquidationCase = { liquidation, cluster: found, solvency: solvencyOf(state, found) };
  if (liquidation.account !== state.liquidations.liquidator) liquidate(scope, one);
  else if (state.rules < 7) backLiquidator(scope, one);
  else backOrClose(scope, one);
  const left = clusterBy(scope, liquidation);
  if (left === undefined || isSafe(scope, left)) endLiquidation(scope, liquidation);
}

/** The account is looked at again, so that its bounds are set. */
function endLiquidation({ state }: LiquidationScope, liquidation: Liquidation): void {
  state.liquidations.end(liquidation);
  state.liquidations.watch.mustLookAt(liquidation.account);
}

function isSafe({ state, at }: Pick<LiquidationScope, 'state' | 'at'>, cluster: Cluster): boolean {
  const { equity, maintenance } = presentSolvency(state, cluster, at);
  return equity >= (cluster.account === state.liquidations.liquidator ? NO_ATOMS : maintenance);
}

function clusterBy({ state }: LiquidationScope, { account, key }: Liquidation): Cluster | undefined {
  const holder = state.positions.known(account);
  return holder === undefined ? undefined : clustersOf(holder).find((cluster) => clusterKey(cluster) === key);
}

function liquidate(scope: LiquidationScope, one: LiquidationCase): void {
  const { state } = scope;
  const { cluster, liquidation } = one;
  if (isSafe(scope, cluster)) return;
  addAutoMargin(scope, cluster);
  if (isSafe(scope, cluster)) return;
  endActivity(scope, cluster);
  const solvency = presentSolvency(state, cluster, scope.at);
  const next: LiquidationCase = { liquidation, cluster, solvency };
  const stage = solvencyStage(solvency);
  if (stage === 'takeover') takeOverOrWait(scope, next);
  else if (stage === 'orderBook' && scope.at >= liquidation.waitsUntil)
    closeByOrders(scope, next, closableRows(state, cluster, scope.at), () => isSafe(scope, cluster));
}

/**
 * What the liquidator takes over closes against what it holds, and it has to pay a loss of that: it takes over only while it is worth nothing or more, and
 * settles its own loss first. Where its prices do not allow that, there is no liquidator for now. Before rules 6 it took over in any case.
 */
function takeOverOrWait(scope: LiquidationScope, one: LiquidationCase): void {
  const { state } = scope;
  const own = state.rules < 6 ? undefined : clusterOfLiquidator(state, one.cluster.group);
  if (own === undefined || isSafe(scope, own)) {
    takeOverNow(scope, one);
    return;
  }
  if (closableRows(state, own, scope.at).length === 0) {
    if (one.solvency.equity < NO_ATOMS) deleverageNow(scope, one);
    return;
  }
  const key = clusterKey(own);
  if (!state.liquidations.has(key)) state.liquidations.begin(own.account, key);
  const liquidation = state.liquidations.known(key);
  liquidation.isDue = false;
  takeStep(scope, liquidation);
  // The liquidator may have been deleveraged against the same account.
  const left = clusterBy(scope, one.liquidation);
  if (left === undefined || isSafe(scope, left)) return;
  takeOverNow(scope, { ...one, cluster: left, solvency: presentSolvency(state, left, scope.at) });
}

function takeOverNow(scope: LiquidationScope, one: LiquidationCase): void {
  if (scope.state.rules < 7) takeOver(scope, one);
  else takeOverOrClose(scope, one, closableRows(scope.state, one.cluster, scope.at));
}

function deleverageNow(scope: LiquidationScope, one: LiquidationCase): void {
  if (scope.state.rules < 7) deleverage(scope, one);
  else closeAtMark(scope, one, closableRows(scope.state, one.cluster, scope.at));
}

/** An isolated position with auto-margin takes what it lacks of its initial margin from the money that may leave the wallet. */
function addAutoMargin({ state, events, at }: LiquidationScope, { isIsolated, rows, group, account }: Cluster): void {
  const [row] = rows;
  if (!isIsolated || row === undefined || !row.autoMargin) return;
  const { ledger, positions } = state;
  const { balance, contract, holder } = row.exposure;
  if (state.rules >= 7 && holdsDegraded(holder, group, state.rules, at)) return;
  const { equity } = solvencyOf(state, { isIsolated, rows, group, account });
  const lacking = atoms(initialMargin(markNotional(row), row.leverage) - equity);
  const amount = minAtoms(lacking, minAtoms(ledger.free(balance), transferableOf(crossMargin(state, holder, group, at))));
  if (amount <= NO_ATOMS) return;
  positions.touch(row);
  hold(ledger, balance, 'positionMargin', amount);
  row.margin = atoms(row.margin + amount);
  const { market } = contract.terms;
  events.push({ type: 'MarginAdjusted', account, market, positionSide: row.positionSide, direction: 'add', amount, key: '' });
}
