/**
 * Deleveraging: positions that neither the book nor the liquidator takes are closed at mark against positions of the other side, those with the greatest profit
 * ratio and leverage first. What their account is missing is paid before, so that nobody is closed at a worse price than the mark. Since rules 7; before, the
 * price of the first position bore all that was missing (`deleverage.ts`).
 */
import { addLots, assert, atoms, minLots, NO_ATOMS, NO_LOTS, subtractLots, type Atoms, type Lots } from '@orrery/units';
import { contractNotional, spreadAdl, type AdlPart, type AdlRanked } from '@orrery/rules';
import { payFunding } from '../clearing/pay-funding.ts';
import { sellAllCollateral } from '../clearing/payment.ts';
import { heldLots, isLong, type PositionRow } from '../positions/position-row.ts';
import type { Counterpart } from './counterparts.ts';
import type { LiquidationCase, LiquidationScope } from './liquidation-scope.ts';
import { moveNotional, movePosition } from './move-position.ts';
import { missingFor } from './present-solvency.ts';
import { fundsBefore, reportStep } from './report.ts';
import { duesOf, NOBODY, opposed, payDeficit, type Bearers, type Lacking } from './share-deficit.ts';
import { clustersOf } from '../risk/solvency.ts';

/** What of a position is closed against one of the other side. */
type Part = AdlPart<Counterpart>;

/** @param beyond what the liquidator may not lose of what it has lost already; of others nothing */
export function closeAtMark(scope: LiquidationScope, one: LiquidationCase, rows: readonly PositionRow[], beyond: Atoms = NO_ATOMS): void {
  const { state, events } = scope;
  const [first] = rows;
  if (first === undefined) return;
  const dues = opposed(scope, duesOf(rows));
  const lacking = missingFor(state, one.cluster, rows);
  const missing = lacking > beyond ? lacking : beyond;
  let bearers = payDeficit(scope, one, dues, [{ row: first, amount: missing }], lacking);
  if (missing > NO_ATOMS) sellAllCollateral(state, first.exposure, events);
  netSides(scope, rows);
  for (const due of dues) {
    if (heldLots(due.row) === NO_LOTS) continue;
    const parts = partsOf(due.against.byScore, heldLots(due.row));
    coverOthers(scope, one, due.row, parts);
    payFundingOf(scope, parts);
    const before = fundsBefore(scope, due.row);
    closeRow(scope, one, due.row, parts);
    reportStep(scope, one, due.row, before, { stage: 'adl', ...bearers });
    // One step says who paid.
    bearers = NOBODY;
  }
  if (bearers !== NOBODY) reportPaid(scope, one, first, bearers);
}

/** Both sides of a contract in hedge mode close against each other: others are closed against what is left. */
function netSides(scope: LiquidationScope, rows: readonly PositionRow[]): void {
  for (const long of rows.filter(isLong)) {
    const short = rows.find((row) => row.exposure === long.exposure && row.size < 0);
    if (short === undefined) continue;
    const { mark } = long.exposure.contract.prices;
    movePosition(scope, long, short, { size: minLots(heldLots(long), heldLots(short)), price: mark, cause: 'adl' });
  }
}

/** The parts are worth together what the whole is: of an inverse contract the rounding of each part would be lost otherwise. */
function closeRow(scope: LiquidationScope, { liquidation }: LiquidationCase, row: PositionRow, parts: readonly Part[]): void {
  const { prices, terms } = row.exposure.contract;
  const { mark: price } = prices;
  const { market } = terms;
  let closedLots = NO_LOTS;
  let closedNotional = NO_ATOMS;
  const quantity = heldLots(row);
  for (const { candidate, closed, rank } of parts) {
    const other = candidate.row;
    const start = scope.events.length;
    closedLots = addLots(closedLots, closed);
    const notional = atoms(contractNotional(price, closedLots, terms) - closedNotional);
    closedNotional = atoms(closedNotional + notional);
    moveNotional(scope, row, other, { size: closed, price, cause: 'adl' }, notional);
    const { account } = other.exposure.holder;
    const profit = profitSince(scope, start, account);
    const facts = { account, market, positionSide: other.positionSide, size: closed, price, rank, profit };
    scope.events.push({ type: 'PositionDeleveraged', liquidationId: liquidation.liquidationId, ...facts });
  }
  assert(closedLots === quantity, 'P7: exactly the bankrupt quantity is closed');
}

function profitSince({ events }: LiquidationScope, start: number, account: number): Atoms {
  for (let index = events.length - 1; index >= start; index -= 1) {
    const event = events[index];
    if (event?.type === 'PositionReduced' && event.account === account && event.size > 0) return event.profit;
  }
  return NO_ATOMS;
}

/** Those whose account has something left come first: the loss of the others has to be paid before they can be closed. */
function partsOf(ranked: readonly AdlRanked<Counterpart>[], quantity: Lots): readonly Part[] {
  const parts = spreadAdl(ranked.filter(isSolvent), quantity);
  const left = parts.reduce((rest, { closed }) => subtractLots(rest, closed), quantity);
  if (left === NO_LOTS) return parts;
  return [
    ...parts,
    ...spreadAdl(
      ranked.filter((one) => !isSolvent(one)),
      left,
    ),
  ];
}

const isSolvent = ({ candidate }: Pick<AdlRanked<Counterpart>, 'candidate'>): boolean => candidate.equity >= NO_ATOMS;

/** What is closed of accounts that are bankrupt themselves realises a loss that they cannot pay: it is shared first, in the same way. */
function coverOthers(scope: LiquidationScope, one: LiquidationCase, row: PositionRow, parts: readonly Part[]): void {
  const lacking: Lacking[] = [];
  for (const { candidate } of parts) {
    const other = candidate.row;
    const cluster = isSolvent({ candidate }) ? undefined : clustersOf(other.exposure.holder).find(({ rows }) => rows.includes(other));
    if (cluster === undefined) continue;
    payFunding(scope.state, other.exposure.holder, scope.events);
    lacking.push({ row: other, amount: missingFor(scope.state, cluster, [other]) });
  }
  const [first] = lacking;
  if (first === undefined) return;
  const bearers = payDeficit(scope, one, opposed(scope, duesOf([first.row])), lacking);
  if (bearers !== NOBODY) reportPaid(scope, one, row, bearers);
}

/** An account pays and receives its funding before a position of it is closed: what a position cannot pay of its funding is no loss of the liquidation. */
function payFundingOf({ state, events }: LiquidationScope, parts: readonly Part[]): void {
  for (const { candidate } of parts) payFunding(state, candidate.row.exposure.holder, events);
}

/** A step that closes nothing. */
function reportPaid(scope: LiquidationScope, one: LiquidationCase, row: PositionRow, bearers: Bearers): void {
  reportStep(scope, one, row, fundsBefore(scope, row), { stage: 'adl', ...bearers });
}
