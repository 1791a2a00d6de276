/**
 * What happens to an account that has less than two thirds of its maintenance: the liquidator takes its positions over at mark while the fund may bear what is
 * missing, and else they are deleveraged. Since rules 7.
 */
import { addAtoms, atoms, minAtoms, negateAtoms, NO_ATOMS, NO_POSITION, type Atoms, type SignedLots } from '@orrery/units';
import { apportion } from '@orrery/rules';
import { payFunding } from '../clearing/pay-funding.ts';
import { pay } from '../ledger/movements.ts';
import { markNotional } from '../margin/cross-margin.ts';
import type { ContractState } from '../positions/contract-state.ts';
import { heldLots, isLong, type PositionRow } from '../positions/position-row.ts';
import { walletOf } from '../positions/positions.ts';
import { closeAtMark } from './close-at-mark.ts';
import { isSpent } from './fund-allowance.ts';
import type { LiquidationCase, LiquidationScope } from './liquidation-scope.ts';
import { fundLiquidator, takeMoney } from './liquidator-money.ts';
import { movePosition } from './move-position.ts';
import { missingFor } from './present-solvency.ts';
import { fundsBefore, reportStep } from './report.ts';
import { duesOf, fundShares, NOBODY, payFundShares, sumOfShares } from './share-deficit.ts';
import { solvencyOf } from '../risk/solvency.ts';

/** @param rows what can be closed now of the cluster */
export function takeOverOrClose(scope: LiquidationScope, one: LiquidationCase, rows: readonly PositionRow[]): void {
  const { state, at } = scope;
  const [first] = rows;
  if (first === undefined) return;
  const { contract } = first.exposure;
  const missing = missingFor(state, one.cluster, rows);
  if (state.liquidations.liquidator === 0) {
    if (missing > NO_ATOMS) closeAtMark(scope, one, rows);
    return;
  }
  payFunding(state, state.positions.holder(state.liquidations.liquidator), scope.events);
  fundLiquidator(scope, contract.group, contract.terms.settle);
  const shares = missing === NO_ATOMS ? [] : fundShares(scope, one, duesOf(rows), missing);
  if (sumOfShares(shares) < missing || rows.some(({ exposure }) => isSpent(state, exposure.contract, at))) {
    closeAtMark(scope, one, rows);
    return;
  }
  const bearers = { ...NOBODY, ...payFundShares(scope, one, [{ row: first, amount: missing }], shares) };
  const { equity } = solvencyOf(state, one.cluster);
  const parts = missing === NO_ATOMS && equity > NO_ATOMS ? apportion(equity, one.cluster.rows.map(worthOf)) : [];
  for (const [index, row] of rows.entries()) {
    const before = fundsBefore(scope, row);
    const to = state.positions.row(state.liquidations.liquidator, contractOf(row), 'both');
    const held = to.size;
    movePosition(scope, row, to, { size: heldLots(row), price: contractOf(row).prices.mark, cause: 'takeover' });
    noteHolding(scope, to, held);
    reportStep(scope, one, row, before, { stage: 'takeover', ...(index === 0 ? bearers : NOBODY) });
  }
  takeWhatIsLeft(scope, one, rows, parts);
}

/** Of all positions all money; of some of them their part of it by notional, as far as it is free. */
function takeWhatIsLeft(
  scope: LiquidationScope,
  { cluster }: LiquidationCase,
  rows: readonly PositionRow[],
  parts: readonly Atoms[],
): void {
  const { state, at } = scope;
  const { liquidator, fund } = state.liquidations;
  const [first] = rows;
  if (first === undefined || liquidator === 0 || parts.length === 0) return;
  const { group, terms } = contractOf(first);
  const own = state.ledger.of(liquidator, walletOf(group), terms.settle);
  const isWhole = rows.length === cluster.rows.length;
  if (isWhole) takeMoney(scope, cluster, own, parts.reduce(addAtoms, NO_ATOMS));
  for (const [index, row] of cluster.rows.entries()) {
    if (!rows.includes(row)) continue;
    const { balance } = row.exposure;
    const part = parts[index] ?? NO_ATOMS;
    const amount = isWhole ? part : minAtoms(part, state.ledger.free(balance));
    if (!isWhole) pay(state.ledger, balance, own, amount);
    fund.add(contractOf(row).terms.market, negateAtoms(amount), at);
  }
}

const contractOf = ({ exposure }: PositionRow): ContractState => exposure.contract;

function worthOf(row: PositionRow): Atoms {
  const notional = markNotional(row);
  return notional > NO_ATOMS ? notional : atoms(1n);
}

/** It holds since it held nothing, or something on the other side. */
function noteHolding({ state, at }: LiquidationScope, row: PositionRow, before: SignedLots): void {
  const { fund } = state.liquidations;
  const { market } = contractOf(row).terms;
  if (row.size === NO_POSITION) {
    fund.holdNothing(market);
    return;
  }
  const held = heldLots(row);
  const known = before !== NO_POSITION && before > 0 === isLong(row) ? fund.holding(market) : undefined;
  fund.hold({ market, since: known?.since ?? at, taken: known !== undefined && known.taken > held ? known.taken : held });
}
