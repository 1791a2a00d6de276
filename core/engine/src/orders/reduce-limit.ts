/** How much of a resting order may trade: an order that only reduces never trades more than its position has, with the trades planned before it. */
import { lots, NO_LOTS, type Lots } from '@orrery/units';
import { onlyReduces } from '../clearing/reduces.ts';
import type { Positions } from '../positions/positions.ts';
import type { OpenOrder } from './open-order.ts';
import type { PlannedPositions } from './planned-positions.ts';

/** @returns undefined when all of it may */
export const reduceLimit = (positions: Positions, open: OpenOrder, planned: PlannedPositions): Lots | undefined =>
  onlyReduces(open.order) ? reducibleBy(positions, open, planned) : undefined;

/** How much of an order would reduce the position of its account: of any order, what may trade while its contract is not open. */
export function reducibleBy(positions: Positions, { order, payer }: OpenOrder, planned: PlannedPositions): Lots {
  const { size } = positions.at(payer);
  const held = order.side === 'sell' ? size : 0 - size;
  // The makers of a plan stand on one side of the book, so each trade before this one of the same position took from it.
  const left = held - planned.tradedOf(payer);
  return left > 0 ? lots(left) : NO_LOTS;
}
