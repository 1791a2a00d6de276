/** What to change so that the open orders become the wanted quotes, and not more than that. */
import type { Lots, Ticks } from '@orrery/units';
import type { Side } from '@orrery/protocol';
import type { Quote } from './quote-ladder.ts';

export interface LiveOrder {
  readonly orderId: string;
  readonly side: Side;
  readonly price: Ticks;
  readonly remaining: Lots;
}

export interface Requote {
  readonly cancel: readonly string[];
  readonly create: readonly Quote[];
}

/** An order between half and double of the wanted size is left where it stands, with its place in the queue. */
const isGoodFor = (order: LiveOrder, quote: Quote): boolean => order.remaining * 2 >= quote.size && order.remaining <= quote.size * 2;

const placeOf = ({ side, price }: Pick<Quote, 'side' | 'price'>): string => `${side} ${price}`;

export function requote(live: Iterable<LiveOrder>, wanted: readonly Quote[]): Requote {
  const missing = new Map(wanted.map((quote) => [placeOf(quote), quote]));
  const cancel: string[] = [];
  for (const order of live) {
    const quote = missing.get(placeOf(order));
    // The second order at one price is one too many: the first has taken the quote.
    if (quote !== undefined && isGoodFor(order, quote)) missing.delete(placeOf(order));
    else cancel.push(order.orderId);
  }
  return { cancel, create: [...missing.values()] };
}
