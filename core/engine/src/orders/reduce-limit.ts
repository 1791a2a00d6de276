/** How much of a resting order may trade: an order that only reduces never trades more than its position has, with the trades planned before it. */
import { lots, NO_LOTS, type Lots } from '@orrery/units';
import type { Slot } from '../book/book.ts';
import type { PlannedStep } from '../clearing/clearing.ts';
import { onlyReduces } from '../clearing/reduces.ts';
import type { Listed } from '../instruments/listed-market.ts';
import type { Positions } from '../positions/positions.ts';
import type { OpenOrders } from './open-orders.ts';

/** What was planned before the maker. */
export interface Planned {
  readonly count: number;
  step(index: number): PlannedStep & { readonly maker: Slot };
}

export interface Makers {
  readonly orders: OpenOrders;
  readonly positions: Positions;
}

/** @returns undefined when all of it may */
export function reduceLimit({ orders, positions }: Makers, { book }: Listed, maker: Slot, plan: Planned): Lots | undefined {
  const open = orders.known(book.orderIdOf(maker));
  if (!onlyReduces(open.order)) return undefined;
  const { size } = positions.at(open.payer);
  let left = open.order.side === 'sell' ? size : 0 - size;
  // The makers of a plan stand on one side of the book, so each trade before this one of the same position took from it.
  for (let index = 0; index < plan.count; index += 1) {
    const step = plan.step(index);
    if (step.kind === 'trade' && orders.known(book.orderIdOf(step.maker)).payer === open.payer) left -= step.size;
  }
  return left > 0 ? lots(left) : NO_LOTS;
}
