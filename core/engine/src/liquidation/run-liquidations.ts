/**
 * After a round of prices: looks at the accounts that it can touch, begins liquidations, and takes a bounded number of their steps; a later command takes the
 * next ones.
 */
import { atoms, millis, minAtoms, NO_ATOMS, NO_POSITION, NO_TICKS, type AccountId, type Atoms, type Lots, type Ticks } from '@orrery/units';
import { bankruptcyPrice, contractNotional, feeOn, firstLiquidation, initialMargin, solvencyStage, takerFeeRate } from '@orrery/rules';
import { payFunding } from '../clearing/pay-funding.ts';
import { hold } from '../ledger/movements.ts';
import { crossMargin, markNotional, transferableOf, unrealisedOf } from '../margin/cross-margin.ts';
import { closeOrdersOf } from '../orders/cancel-all-orders.ts';
import type { ContractState } from '../positions/contract-state.ts';
import { heldLots, type PositionRow } from '../positions/position-row.ts';
import { mayLiquidateBy } from '../prices/contract-prices.ts';
import { closeByOrder } from './close-by-order.ts';
import { deleverage } from './deleverage.ts';
import type { LiquidationCase, LiquidationScope } from './liquidation-scope.ts';
import type { Liquidation } from './liquidations.ts';
import { backLiquidator, clusterOfLiquidator, takeOver, unwind } from './liquidator.ts';
import { fundsBefore, reportStep } from './report.ts';
import { clusterKey, clustersOf, hasValidPrices, holdingOf, solvencyOf, type Cluster } from './solvency.ts';

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
  if (liquidator !== 0) {
    const row = positions.row(liquidator, contract, 'both');
    if (row.size !== NO_POSITION) unwind(scope, row);
  }
  takeSteps(scope);
}

/** Takes the steps that are due, at most `LIQUIDATIONS_PER_COMMAND`. */
export function takeSteps(scope: LiquidationScope): void {
  const { liquidations } = scope.state;
  for (let step = 0; step < LIQUIDATIONS_PER_COMMAND; step += 1) {
    const next = liquidations.nextDue();
    if (next === undefined) return;
    next.isDue = false;
    takeStep(scope, next);
  }
}

/** Begins the liquidation of what is no longer safe, and sets the bounds of what is. */
function lookAt({ state, at }: LiquidationScope, account: AccountId): void {
  const { positions, liquidations } = state;
  const { watch } = liquidations;
  const holder = positions.known(account);
  if (holder === undefined) return;
  watch.forget(holder);
  for (const cluster of clustersOf(holder)) {
    if (!cluster.rows.every(({ exposure }) => exposure.contract.prices.mark > NO_TICKS)) {
      watch.mustLookAt(account);
      continue;
    }
    const { equity, maintenance } = solvencyOf(state, cluster);
    const needed = account === liquidations.liquidator ? NO_ATOMS : maintenance;
    const key = clusterKey(cluster);
    if (equity >= maintenance) watch.setBounds(cluster, atoms(equity - maintenance), state);
    // Bounds are of the maintenance: between it and nothing the liquidator is looked at each round.
    else if (equity >= needed) watch.mustLookAt(account);
    else if (!hasValidPrices(cluster, at)) watch.mustLookAt(account);
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
  if (!hasValidPrices(found, scope.at)) return;
  const one: LiquidationCase = { liquidation, cluster: found, solvency: solvencyOf(state, found) };
  if (liquidation.account === state.liquidations.liquidator) backLiquidator(scope, one);
  else liquidate(scope, one);
  const left = clusterBy(scope, liquidation);
  if (left === undefined || isSafe(scope, left)) endLiquidation(scope, liquidation);
}

/** The account is looked at again, so that its bounds are set. */
function endLiquidation({ state }: LiquidationScope, liquidation: Liquidation): void {
  state.liquidations.end(liquidation);
  state.liquidations.watch.mustLookAt(liquidation.account);
}

function isSafe({ state }: LiquidationScope, cluster: Cluster): boolean {
  const { equity, maintenance } = solvencyOf(state, cluster);
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
  const contracts = new Set(cluster.rows.map(({ exposure }) => exposure.contract.terms.market));
  closeOrdersOf(scope, cluster.account, (market) => contracts.has(market), 'liquidation');
  const solvency = solvencyOf(state, cluster);
  const next: LiquidationCase = { liquidation, cluster, solvency };
  const stage = solvencyStage(solvency);
  if (stage === 'takeover') takeOverOrWait(scope, next);
  else if (stage === 'orderBook' && scope.at >= liquidation.waitsUntil) closeByOrders(scope, next);
}

/**
 * What the liquidator takes over closes against what it holds, and it has to pay a loss of that: it takes over only while it is worth nothing or more, and
 * settles its own loss first. Where its prices do not allow that, there is no liquidator for now. Before rules 6 it took over in any case.
 */
function takeOverOrWait(scope: LiquidationScope, one: LiquidationCase): void {
  const { state } = scope;
  const own = state.rules < 6 ? undefined : clusterOfLiquidator(state, one.cluster.group);
  if (own === undefined || isSafe(scope, own)) {
    takeOver(scope, one);
    return;
  }
  if (!hasValidPrices(own, scope.at)) {
    if (one.solvency.equity < NO_ATOMS) deleverage(scope, one);
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
  takeOver(scope, { ...one, cluster: left, solvency: solvencyOf(state, left) });
}

/** Closes by orders, the position with the largest need first, until the account is safe; of a large position a part first. */
function closeByOrders(scope: LiquidationScope, one: LiquidationCase): void {
  const { liquidation, cluster } = one;
  const hadPart = liquidation.waitsUntil > 0;
  for (const row of cluster.rows) {
    if (isSafe(scope, cluster)) return;
    const size = hadPart ? heldLots(row) : firstPart(row);
    if (size < heldLots(row)) liquidation.waitsUntil = millis(scope.at + row.exposure.contract.terms.liquidationCooldownMs);
    const before = fundsBefore(scope, row);
    const solvency = solvencyOf(scope.state, cluster);
    const margin = atoms(solvency.equity - unrealisedOf(row));
    // Never worse than where the account has nothing left: what the book does not take there, the liquidator does.
    closeByOrder(scope, row, size, worstPrice(row, margin));
    if (scope.events.length > before.events)
      reportStep(scope, { ...one, solvency }, row, before, { stage: 'orderBook', fromLiquidator: NO_ATOMS, fromInsurance: NO_ATOMS });
  }
}

/** Where the margin pays the loss and the fee of closing all of it: the fee is the larger of that at the mark and that where the loss alone takes all. */
function worstPrice(row: PositionRow, margin: Atoms): Ticks {
  const { contract, holder } = row.exposure;
  const { terms } = contract;
  const holding = holdingOf(row);
  const before = bankruptcyPrice(holding, margin, terms);
  const rate = takerFeeRate(terms, holder.feeTier);
  const feeAtMark = feeOn(markNotional(row), rate);
  const feeThere = before === NO_TICKS ? NO_ATOMS : feeOn(contractNotional(before, holding.size, terms), rate);
  return bankruptcyPrice(holding, atoms(margin - (feeAtMark > feeThere ? feeAtMark : feeThere)), terms);
}

function firstPart(row: PositionRow): Lots {
  const { terms, prices } = row.exposure.contract;
  const held = heldLots(row);
  return firstLiquidation(held, contractNotional(prices.mark, held, terms), terms);
}

/** An isolated position with auto-margin takes what it lacks of its initial margin from the money that may leave the wallet. */
function addAutoMargin({ state, events }: LiquidationScope, { isIsolated, rows, group, account }: Cluster): void {
  const [row] = rows;
  if (!isIsolated || row === undefined || !row.autoMargin) return;
  const { ledger, positions } = state;
  const { balance, contract, holder } = row.exposure;
  const { equity } = solvencyOf(state, { isIsolated, rows, group, account });
  const lacking = atoms(initialMargin(markNotional(row), row.leverage) - equity);
  const amount = minAtoms(lacking, minAtoms(ledger.free(balance), transferableOf(crossMargin(state, holder, group))));
  if (amount <= NO_ATOMS) return;
  positions.touch(row);
  hold(ledger, balance, 'positionMargin', amount);
  row.margin = atoms(row.margin + amount);
  const { market } = contract.terms;
  events.push({ type: 'MarginAdjusted', account, market, positionSide: row.positionSide, direction: 'add', amount, key: '' });
}
