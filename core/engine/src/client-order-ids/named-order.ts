import type { OrderId } from '@orrery/units';
import type { Order } from '@orrery/protocol';

/** The number of a row of names; it holds until the name is removed. */
export type Name = number;

export const NO_NAME: Name = -1;

/** An open order as the ids that clients give know it. */
export interface NamedOrder {
  /** As its command asked for it: the command that comes again is known by it. */
  asked: Order;
  /** The order it is an amendment of: itself, since it was amended under its id by a command that named it; 0 for none. */
  replaces: OrderId | 0;
  /** Its clientOrderId, as its account knows it; NO_NAME without one. */
  name: Name;
}
