/**
 * Funding that a contract has settled and a position has not paid yet. The contract has an index, which every settlement raises by one, and each position has the
 * index up to which it has paid, or at which it was opened. A settlement waits until all positions have paid the one before, so a position owes for one
 * interval at most, and pays exactly what it would have paid when the interval was settled: its size does not change before.
 */
import { addAtoms, assert, NO_ATOMS, NO_POSITION, type Atoms } from '@orrery/units';
import { fundingReceived } from '@orrery/rules';
import type { Balance } from '../ledger/balance.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { heldLots, isLong, type Holder, type PositionRow } from './position-row.ts';

export const owesFunding = ({ size, fundingIndex, exposure }: PositionRow): boolean =>
  size !== NO_POSITION && fundingIndex < exposure.contract.funding.index;

/** What a position has yet to receive; below zero what it has yet to pay. */
export function unpaidOf(row: PositionRow): Atoms {
  if (!owesFunding(row)) return NO_ATOMS;
  const { terms, funding } = row.exposure.contract;
  assert(funding.unpaid !== undefined, 'P2: a settlement stands until every position has paid it');
  const { price, ratePpb } = funding.unpaid;
  return fundingReceived(heldLots(row), isLong(row), price, ratePpb, terms);
}

/** What all cross positions that are paid from a balance have yet to receive; below zero what they have yet to pay. */
export function unpaidFrom(holder: Holder, balance: Balance): Atoms {
  let sum = NO_ATOMS;
  for (const { contract, mode, balance: other, rows } of holder.exposures) {
    if (contract.funding.unpaid === undefined || mode === 'isolated' || other !== balance) continue;
    for (const row of rows) if (row !== undefined) sum = addAtoms(sum, unpaidOf(row));
  }
  return sum;
}

/** The free money of a balance as it will be once its account has paid its funding. */
export function freeAfterFunding(ledger: Ledger, holder: Holder | undefined, balance: Balance): Atoms {
  const free = ledger.free(balance);
  return holder === undefined ? free : atLeastNothing(addAtoms(free, unpaidFrom(holder, balance)));
}

/** The margin of an isolated position as it will be once it has paid its funding. */
export const marginAfterFunding = (row: PositionRow): Atoms =>
  row.exposure.contract.funding.unpaid === undefined ? row.margin : atLeastNothing(addAtoms(row.margin, unpaidOf(row)));

/** What is missing then others pay. */
const atLeastNothing = (amount: Atoms): Atoms => (amount > NO_ATOMS ? amount : NO_ATOMS);
