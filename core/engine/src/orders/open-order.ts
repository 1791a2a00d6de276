/** An order between its acceptance and its closing. */
import { NO_ATOMS, NO_LOTS, type Atoms, type Lots, type OrderId } from '@orrery/units';
import { NO_SLOT, type Slot } from '../book/book.ts';
import { NO_NAME, type Name } from '../client-order-ids/names.ts';
import type { PlacedOrder } from './placed-order.ts';

export interface OpenOrder extends PlacedOrder {
  /** The order it is an amendment of; 0 for none. */
  readonly replaces: OrderId | 0;
  /** `filled + remaining + lost to self-trade prevention = order.size`; 0 for orders by funds. */
  remaining: Lots;
  filled: Lots;
  filledNotional: Atoms;
  /** acting: it is being matched, and open only within its command. */
  status: 'acting' | 'armed' | 'resting';
  /** Where it stands in the book while it rests. */
  slot: Slot;
  /** Where it stands among the open orders of its account. */
  place: number;
  /** Its clientOrderId, as its account knows it; NO_NAME without one. */
  name: Name;
}

export function newOpenOrder({ order, market, spends }: PlacedOrder, replaces: OrderId | 0): OpenOrder {
  return {
    order,
    market,
    spends,
    replaces,
    remaining: order.size,
    filled: NO_LOTS,
    filledNotional: NO_ATOMS,
    status: 'acting',
    slot: NO_SLOT,
    place: 0,
    name: NO_NAME,
  };
}
