/** How much of a resting order may trade: an order that only reduces never trades more than its position has, with the trades planned before it. */
import { lots, NO_LOTS, type Lots } from '@orrery/units';
import { onlyReduces } from '../clearing/reduces.ts';
import type { Positions } from '../positions/positions.ts';
import type { OpenOrder } from './open-order.ts';
import type { PlannedPositions } from './planned-positions.ts';

/** @returns undefined when all of it may */
export function reduceLimit(positions: Positions, { order, payer }: OpenOrder, planned: PlannedPositions): Lots | undefined {
  if (!onlyReduces(order)) return undefined;
  const { size } = positions.at(payer);
  const held = order.side === 'sell' ? size : 0 - size;
  // The makers of a plan stand on one side of the book, so each trade before this one of the same position took from it.
  const left = held - planned.tradedOf(payer);
  return left > 0 ? lots(left) : NO_LOTS;
}
