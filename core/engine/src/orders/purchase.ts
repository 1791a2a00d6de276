import type { Atoms, OrderId } from '@orrery/units';
import type { Order } from '@orrery/protocol';

/** Of an order that protects what it buys, from its first fill until it is over. */
export interface Purchase {
  /** As it was at its first fill: what protects it is not amended. */
  readonly parent: Order;
  /** Base atoms that nothing protects yet. */
  received: Atoms;
  /** The order, or the first of the pair, that protects what came before; 0 before there is one. */
  protection: OrderId | 0;
  /** Its owner has taken the protection away: what comes further is not protected either. */
  isGivenUp: boolean;
}
