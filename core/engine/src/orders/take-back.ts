import type { OpenOrder } from './open-order.ts';
import type { Trading } from './trading.ts';

/** Takes the newest order back, which has traded nothing, as if it had never come. */
export function takeBack({ orders }: Trading, open: OpenOrder): void {
  const { market, order, slot } = open;
  if (open.status === 'resting') market.book.remove(slot);
  else market.triggers.remove(order, slot);
  market.clearing.release(open, open.remaining);
  orders.retract(open);
}
