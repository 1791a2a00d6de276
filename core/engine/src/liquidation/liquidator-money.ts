/** The money of the liquidator: what is its own, what it may stake, what it pays into a bankrupt position, and what it takes from one. */
import type { MarginGroup } from '@orrery/protocol';
import { atoms, minAtoms, NO_ATOMS, subtractAtoms, type AssetId, type Atoms } from '@orrery/units';
import { LIQUIDATOR_SHARE_PPM } from '@orrery/rules';
import type { Balance } from '../ledger/balance.ts';
import { hold, pay } from '../ledger/movements.ts';
import { repayUncovered } from '../ledger/repay-uncovered.ts';
import type { PositionRow } from '../positions/position-row.ts';
import { walletOf } from '../positions/positions.ts';
import type { LiquidationScope, LiquidationState } from './liquidation-scope.ts';
import { clustersOf, solvencyOf, type Cluster } from '../risk/solvency.ts';

const MILLION = 1_000_000n;

/** What the liquidator has beyond the losses of what it holds. */
export function freelyHeld(state: LiquidationState, group: MarginGroup, settle: AssetId): Atoms {
  const { liquidator } = state.liquidations;
  if (liquidator === 0) return NO_ATOMS;
  const cluster = clusterOfLiquidator(state, group);
  const free = state.ledger.free(state.ledger.of(liquidator, walletOf(group), settle));
  if (cluster === undefined) return free;
  const { equity } = solvencyOf(state, cluster);
  return equity <= NO_ATOMS ? NO_ATOMS : minAtoms(free, equity);
}

/** Pays into the money that a bankrupt position loses from. */
export function endow({ ledger }: LiquidationState, row: PositionRow, from: Balance, amount: Atoms): void {
  if (amount === NO_ATOMS) return;
  pay(ledger, from, row.exposure.balance, amount);
  if (row.exposure.mode !== 'isolated') return;
  hold(ledger, row.exposure.balance, 'positionMargin', amount);
  row.margin = atoms(row.margin + amount);
}

/** The money of a taken-over cluster: what an isolated position had left, of a cross account everything that is free, its collateral too. */
export function takeMoney({ state }: LiquidationScope, { account, isIsolated, group, rows }: Cluster, own: Balance, equity: Atoms): void {
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

export function clusterOfLiquidator({ positions, liquidations }: LiquidationState, group: MarginGroup): Cluster | undefined {
  const holder = liquidations.liquidator === 0 ? undefined : positions.known(liquidations.liquidator);
  return holder === undefined ? undefined : clustersOf(holder).find((cluster) => cluster.group === group);
}
