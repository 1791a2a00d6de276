import type { OrderId } from '@orrery/units';
import type { Order } from '@orrery/protocol';
import type { Name } from './names.ts';

/** An open order as the ids that clients give know it. */
export interface NamedOrder {
  readonly order: Order;
  /** The order it is an amendment of; 0 for none. */
  readonly replaces: OrderId | 0;
  /** Its clientOrderId, as its account knows it; NO_NAME without one. */
  name: Name;
}
