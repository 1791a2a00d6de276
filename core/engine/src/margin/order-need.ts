/** What the resting orders of an account in a contract need, in settle atoms. */
import { addAtoms, NO_ATOMS, NO_LOTS, type Atoms } from '@orrery/units';
import { oneWayNeed, sideNeed } from '@orrery/rules';
import { heldLots, isLong, type Exposure, type PositionRow } from '../positions/position-row.ts';

export function orderNeedOf({ rows, contract }: Exposure): Atoms {
  let need = NO_ATOMS;
  for (const row of rows) if (row !== undefined) need = addAtoms(need, orderNeedOfRow(row, contract.terms.takerFeePpm));
  return need;
}

/** Most rows have no orders. In hedge mode only buys of a long and sells of a short are counted: the others reduce. */
function orderNeedOfRow(row: PositionRow, takerFeePpm: Exposure['contract']['terms']['takerFeePpm']): Atoms {
  const { buys, sells, leverage, positionSide } = row;
  if (buys.size === NO_LOTS && sells.size === NO_LOTS) return NO_ATOMS;
  const terms = { leverage, takerFeePpm };
  if (positionSide === 'both') {
    const held = heldLots(row);
    return oneWayNeed({ buys, sells, long: isLong(row) ? held : NO_LOTS, short: isLong(row) ? NO_LOTS : held }, terms);
  }
  return sideNeed(positionSide === 'long' ? buys : sells, NO_LOTS, terms);
}
