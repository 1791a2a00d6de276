/** A stop order waits for its trigger price, holding what it may spend. */
import type { CommandRejected } from '@orrery/protocol';
import { holdOf, reject } from '@orrery/rules';
import { hold } from '../ledger/movements.ts';
import type { ListedMarket } from '../instruments/listed-market.ts';
import type { Exchange } from '../exchange.ts';
import type { OpenOrder } from './open-order.ts';
import { hasRoom, refuseNeed, type Entry } from './refuse-plan.ts';
import type { Turn } from './turn.ts';

export function refuseArming(exchange: Exchange, entry: Entry): CommandRejected | undefined {
  if (!hasRoom(exchange, entry)) return reject('TooManyOpenOrders');
  return refuseNeed(exchange.ledger, entry, holdOf(entry.order, entry.order.size, entry.market.terms));
}

export function arm({ exchange, events }: Turn, market: ListedMarket, open: OpenOrder): void {
  const { order } = open;
  hold(exchange.ledger, open.spends, holdOf(order, open.remaining, market.terms));
  market.stops.add(open);
  open.status = 'armed';
  events.push({ type: 'OrderArmed', orderId: order.orderId, account: order.account, market: order.market });
}
