/** An order on its way in. */
import type { ArrivingOrder } from '../clearing/clearing.ts';
import type { Listed } from '../instruments/listed-market.ts';
import type { OpenOrder } from './open-order.ts';

export interface Entry extends ArrivingOrder {
  readonly market: Listed;
  /** The open order that leaves for it: the amended one, or itself when a stop triggers. */
  readonly leaving: OpenOrder | undefined;
}
