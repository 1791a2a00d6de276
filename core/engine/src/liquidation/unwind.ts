/**
 * How the liquidator gets rid of what it took over: in slices near the mark, and after a while at mark against positions of the other side. It never sells far
 * from the mark: the one who waited there could be the owner of what it took over. Since rules 7.
 */
import { addAtoms, NO_ATOMS, NO_POSITION, ppm, type Atoms, type Lots, type Ppm } from '@orrery/units';
import {
  contractNotional,
  UNWIND_BAND_PPM,
  UNWIND_END_MS,
  UNWIND_LATE_BAND_PPM,
  UNWIND_LATE_MS,
  unwindSlice,
  worseBy,
} from '@orrery/rules';
import type { ContractState } from '../positions/contract-state.ts';
import { heldLots, isLong, type PositionRow } from '../positions/position-row.ts';
import { closeAtMark } from './close-at-mark.ts';
import { closeByOrder } from './close-by-order.ts';
import { allowanceOf, excessOf, isSpent } from './fund-allowance.ts';
import type { LiquidationCase, LiquidationScope } from './liquidation-scope.ts';
import { clusterOfLiquidator, fundLiquidator } from './liquidator-money.ts';
import { closableRows, missingFor } from './present-solvency.ts';
import { fundsBefore, reportStep } from './report.ts';
import { duesOf, fundShares, NOBODY, payFundShares, sumOfShares } from './share-deficit.ts';
import { solvencyOf } from '../risk/solvency.ts';

const MILLION = 1_000_000n;

/** One round of what it holds of a contract. */
export function unwindSome(scope: LiquidationScope, row: PositionRow): void {
  const { state, at } = scope;
  const { contract } = row.exposure;
  const { market, settle, minSize } = contract.terms;
  const { fund } = state.liquidations;
  const cluster = clusterOfLiquidator(state, contract.group);
  // One that has less than nothing is closed as a whole.
  if (cluster === undefined || !closableRows(state, cluster, at).includes(row) || solvencyOf(state, cluster).equity < NO_ATOMS) return;
  const holding = fund.holding(market) ?? { market, since: at, taken: heldLots(row) };
  fund.hold(holding);
  const heldMs = at - holding.since;
  if (heldMs >= UNWIND_END_MS || isSpent(state, contract, at)) {
    const liquidation = state.liquidations.passing(cluster.account, `unwind ${market}`);
    closeAtMark(scope, { liquidation, cluster, solvency: solvencyOf(state, cluster) }, [row], excessOf(state, contract, at));
  } else {
    const size = unwindSlice(heldLots(row), holding.taken, minSize);
    const band = affordableBand(scope, contract, size, heldMs < UNWIND_LATE_MS ? UNWIND_BAND_PPM : UNWIND_LATE_BAND_PPM);
    if (band >= 0) closeByOrder(scope, row, size, worseBy(contract.prices.mark, ppm(band), isLong(row) ? 'sell' : 'buy'));
  }
  if (row.size === NO_POSITION) fund.holdNothing(market);
  fundLiquidator(scope, contract.group, settle);
}

/**
 * How far from the mark a slice may be sold, in millionths: with its fee it costs no more than may still be lost of the contract, since rules 9. Below zero it is not sold:
 * it waits until the mark comes back, or until it is closed at mark.
 */
function affordableBand({ state, at }: LiquidationScope, contract: ContractState, size: Lots, band: Ppm): number {
  if (state.rules < 9) return band;
  const { prices, terms } = contract;
  const value = contractNotional(prices.mark, size, terms);
  if (value === NO_ATOMS) return band;
  return Math.min(band, Number((allowanceOf(state, contract, at) * MILLION) / value) - terms.takerFeePpm);
}

/** The liquidator has less than nothing: the fund pays while it may, and else its positions are closed. Nobody liquidates the liquidator. */
export function backOrClose(scope: LiquidationScope, one: LiquidationCase): void {
  const { state, at } = scope;
  const rows = closableRows(state, one.cluster, at);
  const [first] = rows;
  if (one.solvency.equity >= NO_ATOMS || first === undefined) return;
  const missing = missingFor(state, one.cluster, one.cluster.rows);
  const beyond = rows.reduce((sum: Atoms, { exposure }) => addAtoms(sum, excessOf(state, exposure.contract, at)), NO_ATOMS);
  const shares = fundShares(scope, one, duesOf(rows), missing);
  if (beyond > NO_ATOMS || sumOfShares(shares) < missing) {
    closeAtMark(scope, one, rows, beyond);
    return;
  }
  const before = fundsBefore(scope, first);
  const bearers = payFundShares(scope, one, [{ row: first, amount: missing }], shares);
  reportStep(scope, one, first, before, { stage: 'takeover', ...NOBODY, ...bearers, fromInsurance: NO_ATOMS });
}
