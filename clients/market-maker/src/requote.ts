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

/** Creates and cancels, each with what was refused. */
export interface QuoteActs {
  readonly create: (quotes: readonly Quote[]) => Promise<{ readonly refused: readonly Quote[]; readonly refusal: string | undefined }>;
  /** @returns the first refusal */
  readonly cancel: (orderIds: readonly string[]) => Promise<string | undefined>;
}

/**
 * Carries out a requote so that neither side of the book is empty meanwhile, however far the price has moved: new quotes come before the old ones are
 * canceled, except where an old one of the other side is in their way. Those that find no money come again when the old ones have freed it, and only then
 * a side may be empty. Where new ones cannot be sent at all, the old ones are canceled nevertheless: they stand at prices that are no longer wanted.
 * @returns the first refusal that was left. @throws what kept the new ones from being sent.
 */
export async function carryOut(live: Iterable<LiveOrder>, { cancel, create }: Requote, acts: QuoteActs): Promise<string | undefined> {
  const going = new Set(cancel);
  const leaving = [...live].filter(({ orderId }) => going.has(orderId));
  const meet = (quote: Quote, order: LiveOrder): boolean =>
    quote.side !== order.side && (quote.side === 'buy' ? quote.price >= order.price : quote.price <= order.price);
  const inTheWay = leaving.filter((order) => create.some((quote) => meet(quote, order)));
  const late = create.filter((quote) => inTheWay.some((order) => meet(quote, order)));
  const failures: unknown[] = [];
  const send = async (quotes: readonly Quote[]): Promise<readonly Quote[]> => {
    if (failures.length > 0) return [];
    try {
      return (await acts.create(quotes)).refused;
    } catch (cause) {
      failures.push(cause);
      return [];
    }
  };
  const refused = [...(await send(create.filter((quote) => !late.includes(quote))))];
  const cancels = [await acts.cancel(inTheWay.map(({ orderId }) => orderId))];
  refused.push(...(await send(late)));
  cancels.push(await acts.cancel(leaving.filter((order) => !inTheWay.includes(order)).map(({ orderId }) => orderId)));
  if (failures.length > 0) throw failures[0];
  const again = await acts.create(refused);
  return cancels.find((refusal) => refusal !== undefined) ?? again.refusal;
}
