/** One press takes a price of the book: the middle, the best bid and ask, or the fifth in the queue of the order's own side. */
import { midTicks, NO_TICKS, printTicks } from '@orrery/units';
import type { Ticks } from '@orrery/units';
import type { ReactElement } from 'react';
import { useText } from '../../../kit/i18n/text.tsx';
import { levelPrice } from './book-walk.ts';
import type { Levels } from './book-walk.ts';

interface Book {
  readonly market: { readonly pricePrecision: number };
  readonly bids: Levels;
  readonly asks: Levels;
  readonly bestBid: Ticks;
  readonly bestAsk: Ticks;
}

export interface QueuePricesProps {
  readonly book: Book;
  readonly side: 'buy' | 'sell';
  readonly onPrice: (price: string) => void;
}

/** The place in the queue that a press takes, beside the first: its price is of the order's own side. */
const QUEUE_PLACE = 5;

interface QueuePrice {
  readonly label: string;
  readonly name: string;
  readonly ticks: Ticks;
}

function useQueuePrices({ bids, asks, bestBid, bestAsk }: Book, side: 'buy' | 'sell'): readonly QueuePrice[] {
  const text = useText();
  const own = side === 'buy' ? bids : asks;
  const isKnown = bestBid > NO_TICKS && bestAsk > NO_TICKS;
  const place = QUEUE_PLACE;
  return [
    { label: text('trade.ticket.mid'), name: text('trade.ticket.midName'), ticks: isKnown ? midTicks(bestBid, bestAsk) : NO_TICKS },
    { label: text('trade.ticket.bid'), name: text('trade.ticket.bidName'), ticks: bestBid },
    { label: text('trade.ticket.ask'), name: text('trade.ticket.askName'), ticks: bestAsk },
    { label: text('trade.ticket.queue', { place }), name: text('trade.ticket.queueName', { place }), ticks: levelPrice(own, place - 1) },
  ];
}

export function QueuePrices({ book, side, onPrice }: QueuePricesProps): ReactElement {
  const text = useText();
  return (
    <div role="group" aria-label={text('trade.ticket.queuePrices')} className="-mt-1 grid grid-cols-4 gap-1">
      {useQueuePrices(book, side).map(({ label, name, ticks }) => (
        <button
          key={label}
          type="button"
          aria-label={name}
          disabled={ticks === NO_TICKS}
          onClick={() => onPrice(printTicks(ticks, book.market.pricePrecision))}
          className="h-6 rounded-sm bg-raised text-sm text-fg2 hover:bg-hover hover:text-fg disabled:opacity-45"
        >
          {label}
        </button>
      ))}
    </div>
  );
}
