import type { Event } from '@orrery/protocol';
import { ORDER_LIFETIME_MS } from '@orrery/rules';
import type { Millis } from '@orrery/units';
import type { Trading } from './trading.ts';
import { onlyReduces } from '../clearing/reduces.ts';
import { closeIfOpen } from './close-order.ts';
import type { OpenOrder } from './open-order.ts';
import type { CommandScope } from './command-scope.ts';

/** One command closes no more than this; the timer comes again. */
const EXPIRED_AT_ONCE = 1_000;

/** Closes the oldest orders past their lifetime, oldest first. A halted market stays as it is, and since rules 8 what waits to reduce a position. */
export function expireOrders(trading: Trading, at: Millis): Event[] {
  const expired: OpenOrder[] = [];
  for (const open of trading.orders) {
    if (at - open.order.createdAt < ORDER_LIFETIME_MS || expired.length === EXPIRED_AT_ONCE) break;
    if (open.market.state !== 'HALT' && !(trading.rules >= 8 && open.status === 'armed' && onlyReduces(open.order))) expired.push(open);
  }
  const scope: CommandScope = { trading, at, events: [] };
  for (const open of expired) closeIfOpen(scope, open, 'expired');
  return scope.events;
}
