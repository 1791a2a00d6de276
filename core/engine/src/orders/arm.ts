/** A stop order waits for its trigger price, with what it may cost reserved. */
import type { CommandRejected } from '@orrery/protocol';
import { kindOf } from '../triggers/triggers.ts';
import type { CommandScope } from './command-scope.ts';
import type { Entry } from './entry.ts';
import type { OpenOrder } from './open-order.ts';
import { presentPrices } from './present-prices.ts';
import { refuseRoom } from './refuse-plan.ts';
import type { Trading } from './trading.ts';

export function refuseArming(trading: Trading, entry: Entry): CommandRejected | undefined {
  return refuseRoom(trading, entry) ?? entry.market.clearing.refuse(entry, undefined);
}

export function arm({ events }: CommandScope, open: OpenOrder): void {
  const { order, market } = open;
  open.status = 'armed';
  market.clearing.reserve(open);
  open.slot = market.triggers.add(order, presentPrices(market)[kindOf(order)]);
  events.push({ type: 'OrderArmed', orderId: order.orderId, account: order.account, market: order.market });
}
