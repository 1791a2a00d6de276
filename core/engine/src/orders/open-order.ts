/** An order between its acceptance and its closing. */
import { NO_ATOMS, NO_LOTS, NO_TICKS, type Atoms, type Lots, type OrderId, type Ticks } from '@orrery/units';
import type { Order } from '@orrery/protocol';
import { NO_SLOT, type Slot } from '../book/book.ts';
import type { ClearedOrder, Payer } from '../clearing/clearing.ts';
import { NO_NAME, type Name, type NamedOrder } from '../client-order-ids/named-order.ts';
import type { Listed } from '../instruments/listed-market.ts';

export interface OpenOrder extends ClearedOrder, NamedOrder {
  /** As it is: as it was asked for, until it is amended under its id. */
  order: Order;
  readonly market: Listed;
  readonly payer: Payer;
  /** `filled + remaining + lost to self-trade prevention = order.size`; 0 for orders by funds. */
  remaining: Lots;
  filled: Lots;
  filledNotional: Atoms;
  /** acting: it is being matched. matching: it has more to trade than its command may, and goes on with a later one. */
  status: 'acting' | 'armed' | 'resting' | 'matching';
  /** While it is matching: the worst price at which it may go on, 0 for any. */
  bound: Ticks;
  /** While it is matching: what an order by funds has left to spend. */
  fundsLeft: Atoms;
  /** Its slot in the book while it rests, among the triggers while it is armed. */
  slot: Slot;
  /** Its index in the list of its account's open orders. */
  accountIndex: number;
  /** Its clientOrderId, as its account knows it; NO_NAME without one. */
  name: Name;
}

export function newOpenOrder(order: Order, market: Listed, payer: Payer, replaces: OrderId | 0): OpenOrder {
  return {
    order,
    asked: order,
    market,
    payer,
    replaces,
    remaining: order.size,
    filled: NO_LOTS,
    filledNotional: NO_ATOMS,
    status: 'acting',
    bound: NO_TICKS,
    fundsLeft: NO_ATOMS,
    slot: NO_SLOT,
    accountIndex: 0,
    name: NO_NAME,
  };
}
