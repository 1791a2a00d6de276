/**
 * Pairs of spot orders: one on the winning side of the price and a stop on the losing side, of one size and with one reservation, which the first of the two has for
 * both. One that is triggered ends the other before it acts; what a resting one trades the other loses; however one ends, the other ends too.
 */
import type { CloseReason, Order, SpotOrderTerms } from '@orrery/protocol';
import { NO_TICKS, orderId } from '@orrery/units';
import type { OpenOrder } from './open-order.ts';
import type { Trading } from './trading.ts';

/** The two have neighbouring ids, and the first one's is the name of the pair. */
export function partnerOf({ orders }: Pick<Trading, 'orders'>, { order }: Pick<OpenOrder, 'order'>): OpenOrder | undefined {
  const group = order.spot?.group ?? 0;
  if (group === 0) return undefined;
  const partner = orders.get(order.orderId === group ? orderId(group + 1) : group);
  return partner?.order.spot?.group === group ? partner : undefined;
}

/** Whether it is one of a pair, or protects a purchase. */
export const isOfOthers = ({ spot }: Pick<Order, 'spot'>): boolean => spot !== undefined && (spot.group !== 0 || spot.parent !== 0);

/** Which order of its pair has reserved for it: itself, or the other. */
export function reserverOf(trading: Pick<Trading, 'orders'>, open: OpenOrder): OpenOrder {
  const { spot } = open.order;
  return spot === undefined || spot.reservedBy === 0 ? open : trading.orders.known(spot.reservedBy);
}

/** As the other order of a pair ends. */
export const endOfPartner = (reason: CloseReason): CloseReason =>
  reason === 'filled' ? 'groupTriggered' : reason === 'belowMinimum' ? 'belowMinimum' : 'groupClosed';

/** From now on it has a reservation of its own. */
export function reserveAlone(open: OpenOrder): void {
  const { spot } = open.order;
  if (spot === undefined || (spot.reservedBy === 0 && spot.reservePrice === NO_TICKS)) return;
  const alone: SpotOrderTerms = { ...spot, reservedBy: 0, reservePrice: NO_TICKS };
  open.order = { ...open.order, spot: alone };
}
